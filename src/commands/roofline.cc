// ridge roofline: the roofs of an accelerator, where work stands under them, and what bounds a model's steps.
#include "commands/roofline.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/fields.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Severity;

void describe(Fields<RooflineRequest>& f) {
  f.positional("model", &RooflineRequest::model, "MODEL", "a name, a config.json, a .gguf file, or params=7e9,layers=32,…; without one, the roofs alone")
      .type("model");
  f.option("gpu", &RooflineRequest::gpu, "GPU[:COUNT]", "an accelerator of the catalogue, or peak=…,bandwidth=…,memory=…").required().type("gpu");
  f.option("dtype", &RooflineRequest::dtype, "DTYPE", "format of the weights, whose ridge point is shown")
      .default_text("as the checkpoint stores them, or bf16");
  f.option("intensity", &RooflineRequest::intensity, "X,…", "FLOP/B of kernels to classify by hand");
  f.flag("ideal", &RooflineRequest::ideal, "the bound alone: every efficiency 1, no launch, no overhead");
  f.section("Steps of the model");
  f.option("phase", &RooflineRequest::phase, "PHASE", "decode: a token for each sequence; prefill: their prompts").choices({"decode", "prefill"});
  f.option("batch", &RooflineRequest::batch, "N,…", "sequences in a step").default_text("1,8,64");
  f.option("context", &RooflineRequest::context, "TOKENS", "tokens of each sequence: in the cache (decode) or in the prompt (prefill)");
  f.option("kv-dtype", &RooflineRequest::kv_dtype, "DTYPE", "format of the KV cache").default_text("the checkpoint's scheme, or 16 bits");
  f.option("tp", &RooflineRequest::tp, "N", "tensor parallelism").default_text("the GPU's count over --pp");
  f.option("pp", &RooflineRequest::pp, "N", "pipeline stages").default_text("1");
  f.option("ep", &RooflineRequest::ep, "N", "expert parallelism, within the tensor ranks").default_text("1");
}

Result<void> check(RooflineRequest& request) {
  if (request.batch.empty()) request.batch = {1, 8, 64};
  std::sort(request.batch.begin(), request.batch.end());
  request.batch.erase(std::unique(request.batch.begin(), request.batch.end()), request.batch.end());
  if (request.batch.front() < 1 || request.batch.back() > cost::kMostBatch)
    return fail("--batch",
                fmt::format("{} sequences; 1 to {} can be priced", request.batch.front() < 1 ? request.batch.front() : request.batch.back(), cost::kMostBatch));
  if (request.batch.size() > 64) return fail("--batch", fmt::format("{} batches; at most 64 at once", request.batch.size()));
  const std::int64_t least = request.phase == "prefill" ? 1 : 0;
  if (request.context < least || request.context > 1'000'000'000)
    return fail("--context", fmt::format("{} tokens; {} to 1000000000 can be priced", request.context, least));
  for (const double x : request.intensity)
    if (!(x > 0 && x < 1e12)) return fail("--intensity", fmt::format("{} FLOP/B is not between 0 and 1e12", x));
  return {};
}

std::string source_of(const SourcedFigure& figure) { return figure.sources.empty() ? "" : figure.sources.front(); }

// The precision at which the format of the subject multiplies on a device, and the rates there.
void set_rates(const RooflineRequest& request, const RooflineSubject& subject, ProfileRoofline& profile) {
  const hardware::Device& device = *profile.device;
  profile.compute = subject.model ? activation_precision(*subject.model, request.dtype, device) : subject.format;
  const auto peak = device.peak_of(profile.compute);
  if (!peak || !device.memory_bandwidth) return;
  profile.rates = cost::Rates{{peak->low()}, {device.memory_bandwidth->low()}, {}};
}

// ridge_point of the subject's precision, and one per precision in a table.
void add_ridge_points(Report& report, const std::vector<ProfileRoofline>& profiles) {
  std::optional<Interval> range;
  DerivationStep step{"ridge_point", "peak / memory_bandwidth", {}, {}, "FLOP/B", "Williams, Waterman, Patterson, CACM 52(4), 2009"};
  std::vector<std::string> sources;
  std::string basis;
  for (const ProfileRoofline& profile : profiles) {
    if (!profile.rates) continue;
    const double ridge = cost::ridge_point(*profile.rates).value;
    range = range ? Interval{std::min(range->low, ridge), std::max(range->high, ridge)} : Interval{ridge, ridge};
    const SourcedFigure peak = *profile.device->peak_of(profile.compute), &bandwidth = *profile.device->memory_bandwidth;
    step.inputs.push_back({fmt::format("peak.{} of {}", name_of(profile.compute), profile.device->id), peak.low(), "FLOP/s", source_of(peak)});
    step.inputs.push_back({"memory_bandwidth of " + profile.device->id, bandwidth.low(), "B/s", source_of(bandwidth)});
    for (const SourcedFigure* figure : {&peak, &bandwidth}) sources.insert(sources.end(), figure->sources.begin(), figure->sources.end());
    basis = fmt::format("{} {} over memory bandwidth", name_of(profile.compute), peak.basis);
  }
  if (!range) return;
  report::Figure& figure = report.add("ridge_point", *range, "FLOP/B", "ridge point");
  figure.basis = basis;
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  figure.sources = sources;
  step.value = *range;
  report.derivation.push_back(std::move(step));

  report::Table table{"ridge_points",
                      "Ridge points by precision",
                      {{"part", ""}, {"precision", ""}, {"peak", "FLOP/s"}, {"memory bandwidth", "B/s"}, {"ridge point", "FLOP/B"}, {"basis", ""}},
                      {}};
  for (const ProfileRoofline& profile : profiles) {
    if (!profile.device->memory_bandwidth || profile.device->user_defined) continue;
    for (const auto& [precision, peak] : profile.device->peak)
      table.rows.push_back({profile.device->id, std::string(name_of(precision)), report::cell(peak.value),
                            report::cell(profile.device->memory_bandwidth->value), peak.low() / profile.device->memory_bandwidth->low(), peak.basis});
  }
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

void add_intensities(Report& report, const RooflineRequest& request, const std::vector<ProfileRoofline>& profiles) {
  if (request.intensity.empty()) return;
  report::Table table{"intensities",
                      "Kernels by their intensity",
                      {{"part", ""}, {"intensity", "FLOP/B"}, {"bound", ""}, {"rate, at most", "FLOP/s"}, {"of the peak", "1", report::Notation::kPercent}},
                      {}};
  for (const double x : request.intensity) {
    std::string bound;
    for (const ProfileRoofline& profile : profiles) {
      if (!profile.rates) continue;
      const std::string here(cost::name_of(cost::classify({x}, *profile.rates)));
      if (bound.find(here) == std::string::npos) bound += (bound.empty() ? "" : " or ") + here;
      const double most = cost::attainable({x}, *profile.rates).value;
      table.rows.push_back({profile.device->id, x, here, most, most / profile.rates->compute.value});
    }
    const std::string name = fmt::format("intensity.{:.12g}.bound", x);
    if (!bound.empty() && report.figure(name) == nullptr) report.add_category(name, bound, fmt::format("{} FLOP/B is bound by", format_number(x)));
  }
  report.tables.push_back(std::move(table));
  report.find(Severity::kInfo, "can-be-compute-bound",
              "Above the ridge point work can be compute-bound; whether it is depends on what its kernel reaches. Below it memory sets the limit, however good "
              "the kernel.");
}

void add_caveats(Report& report, const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles) {
  const ProfileRoofline& first = profiles.front();
  report.find(Severity::kInfo, "dense-final-figure", "The roofs are the dense, final figures of this very part, per chip; what kernels achieve is lower.",
              first.rates
                  ? fmt::format("{}: {} {}", first.device->id, format_value(first.rates->compute.value, "FLOP/s"), first.device->peak_of(first.compute)->basis)
                  : "");
  report.find(Severity::kInfo, "other-limits",
              "A roofline knows arithmetic and memory of the device. Launch overhead, movement over PCIe or NVLink, the input side (tokenising, loading) and "
              "synchronisation "
              "can bind first.");
  for (const ProfileRoofline& profile : profiles)
    if (!profile.rates)
      report.find(Severity::kWarning, "profile-without-rate",
                  "A source of this part gives no figure that the roof needs; the results are of the other profiles.",
                  fmt::format("{}: {}", profile.device->id,
                              profile.device->memory_bandwidth ? profile.device->peak_of(profile.compute).error().what : "no memory bandwidth is listed"));
  if (profiles.size() > 1)
    report.find(Severity::kWarning, "sources-disagree",
                "The sources of this part disagree; each profile is computed by itself and ranges span them, never a mix.",
                fmt::format("{} profiles", profiles.size()));
  if (!subject.model) return;
  if (request.ideal)
    report.find(Severity::kInfo, "bound-not-prediction",
                "This is a bound, not a prediction: no launch, every byte and FLOP at the full rate, the link at its data-sheet rate.", "",
                "Leave --ideal out for the prediction beside it.");
  else if (!first.batches.empty() && !first.batches.front().step.error_source.empty()) {
    const cost::StepTime& step = first.batches.front().step;
    report.find(Severity::kInfo, "error-band",
                "The prediction uses efficiencies fitted to kernel times, and its band is where the middle 80 % of published measurements lie.",
                fmt::format("{:+.0f} % to {:+.0f} %, back-test group \"{}\"", 100 * step.error_low, 100 * step.error_high, step.error_source),
                "ridge backtest shows the rows.");
  }
  if (request.phase == "decode")
    report.find(
        Severity::kInfo, "decode-reads-weights",
        "Decode does 2 FLOP per weight read and sequence: in 16 bits about 1 FLOP/B for one sequence, so weights alone give an intensity near the batch.");
}

std::string verdict_of(const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles) {
  const auto first = std::find_if(profiles.begin(), profiles.end(), [](const auto& p) { return p.rates.has_value(); });
  if (first == profiles.end()) return fmt::format("{} has no {} rate with a memory bandwidth in the catalogue.", subject.gpu.text, name_of(subject.format));
  const std::string ridge = fmt::format("{} in {} turns from memory-bound to compute-bound at {} FLOP/B", first->device->id, name_of(first->compute),
                                        format_number(cost::ridge_point(*first->rates).value));
  if (first->batches.empty()) return ridge + ".";
  const BatchPoint& last = first->batches.back();
  const double tokens = static_cast<double>(last.batch) * (request.phase == "prefill" ? static_cast<double>(request.context) : 1.0);
  return fmt::format("{} of {} at batch {} is bound by {}: {} {} a step, {} {}.", request.phase == "prefill" ? "Prefill" : "Decode", subject.model->name,
                     last.batch, cost::name_of(last.step.bound), request.ideal ? "at least" : "about", format_seconds(last.step.total),
                     request.ideal ? "at most" : "about", format_value(cost::tokens_per_second(tokens, last.step).value, "token/s"));
}

Result<Report> run(const RooflineRequest& given, const Environment& environment) {
  RooflineRequest request = given;
  RIDGE_TRY_VOID(check(request));
  RooflineSubject subject;
  if (!request.model.empty()) {
    RIDGE_TRY(subject.model, model::load(request.model, environment.files));
  }
  RIDGE_TRY(subject.gpu, environment.catalog.resolve(request.gpu));
  RIDGE_TRY(subject.spread, spread_of({request.tp, request.pp, request.ep}, subject.gpu.count, subject.gpu.count_given));
  RIDGE_TRY(subject.tables, efficiencies(environment));
  subject.format = request.dtype.value_or(Precision::kBf16);

  std::vector<ProfileRoofline> profiles;
  for (const hardware::Device& device : subject.gpu.profiles) {
    ProfileRoofline profile;
    profile.device = &device;
    set_rates(request, subject, profile);
    if (subject.model && profile.rates) RIDGE_TRY_VOID(find_batches(request, subject, profile));
    profiles.push_back(std::move(profile));
  }
  if (std::none_of(profiles.begin(), profiles.end(), [](const auto& p) { return p.rates.has_value(); })) {
    const auto peak = subject.gpu.profiles.front().peak_of(profiles.front().compute);
    if (!peak) return tl::unexpected<Error>(peak.error());
    return fail(subject.gpu.text, "the catalogue has no memory bandwidth for this part", "Give it in an inline description (bandwidth=…) or a --catalog file.");
  }

  Report report;
  report.verdict.text = verdict_of(request, subject, profiles);
  add_ridge_points(report, profiles);
  add_intensities(report, request, profiles);
  if (subject.model) {
    add_batches(report, request, subject, profiles);
    for (const std::string& note : subject.model->notes) report.find(Severity::kInfo, "model-note", note, subject.model->name);
  }
  add_caveats(report, request, subject, profiles);
  add_roofline_plots(report, request, subject, profiles);
  return report;
}

}  // namespace

Command roofline_command() {
  return make_command<RooflineRequest>(
      {"roofline",
       kGroupFits,
       "What bounds a kernel or a model's step, from which batch",
       "Places work under the roofs of an accelerator: its dense peak and its memory bandwidth. For a model it prices every operation of a step, as a bound "
       "(--ideal) or with the efficiencies measured on such parts, and says at which batch arithmetic, cache bandwidth or cache capacity ends the gain of "
       "batching. Means of one engine step; queues and scheduling are not in it.",
       {{"roofline --gpu a100-sxm4-80gb --dtype fp16 --intensity 32,256", "whether kernels of 32 and 256 FLOP/B are bound by memory"},
        {"roofline params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8 --gpu h100-sxm5 --dtype bf16 --batch 1,64,128 --context 4096 --ideal",
         "what batching buys, and what ends it first"}}},
      describe, run);
}

}  // namespace ridge::commands
