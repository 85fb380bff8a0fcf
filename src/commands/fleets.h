// What may be planned with: accelerators of the catalogue (or the ones named, or an inventory), each with the offers that
// carry it and the precisions in which the engine runs the model on it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "commands/command.h"
#include "hardware/instances.h"
#include "model/model.h"
#include "model/stored_format.h"
#include "plan/inventory.h"
#include "plan/plan.h"

namespace ridge::commands {

struct FleetRequest {
  std::vector<std::string> gpus;       // as written; empty: every accelerator of the catalogue
  std::vector<std::string> providers;  // only what they sell; empty: all, and parts that nobody in the catalogue sells
  std::vector<plan::InventoryItem> inventory;
  std::vector<Precision> precisions;  // empty: as stored, and every other that the engine runs
  std::string engine;                 // "vllm", "vllm==0.11.0"; "": what the hardware itself runs
  std::string region;
  std::optional<hardware::Commitment> commitment;
  std::vector<hardware::UserPrice> prices;
  Date as_of;
  std::optional<std::int64_t> max_price_age_days;
};

struct Fleets {
  std::vector<plan::Fleet> fleets;
  std::vector<std::pair<std::string, std::string>> unsupported;  // "v100-sxm2-16gb fp8" → why
  std::vector<std::string> stale_prices;
};

Result<Fleets> make_fleets(const hardware::Catalog& catalog, const model::Model& model, const FleetRequest& request);

}  // namespace ridge::commands
