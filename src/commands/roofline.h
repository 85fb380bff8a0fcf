// ridge roofline, in parts: the request and the roofs (roofline.cc), a model's steps by batch (roofline_batches.cc), the plots
// (roofline_plot.cc).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/deployment.h"
#include "cost/crossover.h"
#include "cost/step.h"
#include "report/report.h"

namespace ridge::commands {

struct RooflineRequest {
  std::string model;
  std::string gpu;
  std::optional<Precision> dtype;
  std::optional<Precision> kv_dtype;
  std::string phase = "decode";
  std::vector<std::int64_t> batch;
  std::int64_t context = 4096;
  std::optional<std::int64_t> tp, pp, ep;
  bool ideal = false;
  std::vector<double> intensity;
};

// One batch of one profile.
struct BatchPoint {
  std::int64_t batch = 1;
  cost::StepTime step;   // the prediction, or the bound under --ideal
  cost::StepTime bound;  // the bound
  Bytes memory_low, memory_high;
};

// What was found for one profile of the part.
struct ProfileRoofline {
  const hardware::Device* device = nullptr;
  Precision compute = Precision::kBf16;  // at which the weights multiply
  std::optional<cost::Rates> rates;      // absent: the profile lacks a rate
  std::vector<BatchPoint> batches;
  cost::Crossovers crossovers;
  std::optional<double> attention_intensity;
};

struct RooflineSubject {
  std::optional<model::Model> model;
  hardware::GpuReference gpu;
  Spread spread;
  Precision format = Precision::kBf16;  // whose ridge point is shown: --dtype, or the model's
  std::shared_ptr<const cost::EfficiencyTables> tables;
};

model::Step step_of(const RooflineRequest& request, const RooflineSubject& subject, const hardware::Device& device, std::int64_t batch);
Result<BatchPoint> batch_point(const RooflineRequest& request, const RooflineSubject& subject, const hardware::Device& device, std::int64_t batch,
                               bool details);
Result<void> find_batches(const RooflineRequest& request, const RooflineSubject& subject, ProfileRoofline& profile);

void add_batches(report::Report& report, const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles);
void add_roofline_plots(report::Report& report, const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles);

}  // namespace ridge::commands
