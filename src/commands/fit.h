// ridge fit, in parts: the request (fit.cc), what serving holds (fit_serving.cc), what training holds (fit_training.cc).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/deployment.h"
#include "cost/footprint.h"
#include "report/report.h"

namespace ridge::commands {

struct FitRequest {
  std::string model;
  std::vector<Precision> dtype;
  std::optional<Precision> kv_dtype;
  std::string gpu;
  std::optional<std::int64_t> tp, pp, ep;
  std::optional<std::int64_t> context;
  std::int64_t requests = 1;
  std::int64_t block = 16;
  std::int64_t prefill_tokens = 2048;
  bool train = false;
  std::string optimizer = "adam";
  std::optional<std::int64_t> fsdp;
  std::int64_t zero = 3;
  std::int64_t micro_batch = 1;
  std::optional<std::int64_t> sequence;
  std::string recompute = "selective";
};

// What the request names, found.
struct FitSubject {
  model::Model model;
  std::optional<hardware::GpuReference> gpu;
  Spread spread;
  int shards = 1;  // ranks that training state is sharded over
  const hardware::Catalog& catalog;

  // The profile with the least memory: what fits it fits whichever source is right.
  const hardware::Device& device() const;
  int accelerators() const { return spread.layout.ranks() * spread.replicas * shards; }
};

Result<report::Report> fit_serving(const FitRequest& request, const FitSubject& subject);
Result<report::Report> fit_training(const FitRequest& request, const FitSubject& subject);

// Shared by both: the components as a table whose last row is their sum; usable memory, headroom and the verdict for a GPU; the
// host link; GiB against GB; the model's notes.
void add_components(report::Report& report, std::string_view title, const std::vector<cost::Component>& components);
struct Fitting {
  bool fits = false;                  // the high end of the need is within the low end of the memory
  bool may_fit = false;               // the low end of the need is within the high end of the memory
  Bytes headroom_low, headroom_high;  // negative where it is short
};
Result<Fitting> add_fitting(report::Report& report, const FitSubject& subject, Bytes need_low, Bytes need_high);
void add_host_link(report::Report& report, const FitSubject& subject, const Fitting& fitting);
void add_model_notes(report::Report& report, const model::Model& model);
void add_gib_note(report::Report& report, Bytes example);

// "fits: 13.4 to 16.5 GiB of 40.0 GiB …" or "does not fit: short of …".
std::string fitting_verdict(const FitSubject& subject, const Fitting& fitting, std::string_view what, Bytes need_low, Bytes need_high);
std::string size_range(Bytes low, Bytes high);

}  // namespace ridge::commands
