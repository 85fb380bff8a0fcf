// A Plan as a document: the winner in full, the ranking, why the others fell out, and the caveats that a plan must carry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/catalog.h"
#include "plan/plan.h"
#include "report/report.h"

namespace ridge::commands {

// What the winner needs of the software stack; absent parts are not known.
struct SoftwareNeeds {
  std::string engine;
  std::string cuda;
  std::string driver;
  std::string note;
};

struct PlanContext {
  const model::Model& model;
  const std::vector<plan::Fleet>& fleets;
  const plan::Demand& demand;
  const plan::Options& options;
  std::int64_t top = 10;
  std::vector<std::pair<std::string, std::string>> unsupported;  // accelerator and precision → why the engine does not run it
  std::vector<std::string> stale_prices;                         // offers older than the request allows
};

// The deployment that the verdict names: the cheapest at the checkpoint's own precision; where there is none, the cheapest.
std::optional<std::size_t> winner_of(const plan::Plan& plan, const std::vector<plan::Fleet>& fleets);

// For the winner; absent where nothing carries the load or the engine is not known.
std::optional<SoftwareNeeds> software_needs(const hardware::Catalog& catalog, const plan::Plan& plan, const std::vector<plan::Fleet>& fleets,
                                            const std::string& engine);

report::Report plan_report(const plan::Plan& plan, const PlanContext& context, const std::optional<SoftwareNeeds>& software);

}  // namespace ridge::commands
