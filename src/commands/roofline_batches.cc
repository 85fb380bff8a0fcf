// ridge roofline MODEL: step time, tokens/s, memory and what binds, by batch; and at which batch what stops the gain of batching.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "commands/roofline.h"
#include "cost/footprint.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Severity;

cost::PricingOptions options_of(const RooflineSubject& subject, const model::Step& step, bool ideal, bool details) {
  cost::PricingOptions options;
  options.ideal = ideal;
  options.details = details;
  options.kv_cache = step.kv_cache;
  options.requests = step.batch;
  options.tables = subject.tables.get();
  return options;
}

// Tokens that one step makes or takes in.
double tokens_of(const RooflineRequest& request, std::int64_t batch) {
  return static_cast<double>(batch) * (request.phase == "prefill" ? static_cast<double>(request.context) : 1.0);
}

cost::ServingShape shape_of(const RooflineRequest& request, const RooflineSubject& subject, const model::Step& step) {
  cost::ServingShape shape;
  shape.weights = step.weights;
  shape.kv_cache = step.kv_cache;
  shape.context = request.context;
  shape.requests = step.batch;
  shape.layout = subject.spread.layout;
  shape.ideal = request.ideal;
  return shape;
}

// A figure over the profiles: one number, or the range that they span.
void add_over(Report& report, const std::string& name, const std::vector<ProfileRoofline>& profiles,
              const std::function<std::optional<double>(const ProfileRoofline&)>& value, const std::string& unit, const std::string& label) {
  std::optional<Interval> range;
  for (const ProfileRoofline& profile : profiles)
    if (const std::optional<double> v = value(profile)) range = range ? Interval{std::min(range->low, *v), std::max(range->high, *v)} : Interval{*v, *v};
  if (range) report.add(name, *range, unit, label);
}

void add_step_derivation(Report& report, const std::string& name, const BatchPoint& point, const ProfileRoofline& profile, bool ideal) {
  const cost::StepTime& step = point.step;
  const SourcedFigure& bandwidth = *profile.device->memory_bandwidth;
  const std::string source = bandwidth.sources.empty() ? "" : bandwidth.sources.front();
  std::vector<DerivationStep::Input> inputs{
      {"weights read", step.weight_bytes.as_double(), "B", "operations of the model"},
      {"cache read", step.kv_bytes.as_double(), "B", "operations of the model"},
      {"all bytes", step.memory_bytes.as_double(), "B", "operations of the model"},
      {"arithmetic", step.flops.value, "FLOP", "operations of the model"},
      {"memory_bandwidth", bandwidth.low(), "B/s", source},
      {"peak", profile.rates->compute.value, "FLOP/s", fmt::format("dense {} of {}", name_of(profile.compute), profile.device->id)}};
  if (!ideal) inputs.push_back({"overhead", step.overhead.value, "s", "host time of a step, data/efficiency.yaml"});
  report.derivation.push_back({name + ".step_time",
                               ideal
                                   ? "sum over operations of max(FLOPs / peak, bytes / bandwidth, link bytes / link)"
                                   : "sum over operations of t0 + max(FLOPs / (em · peak), bytes / (eb · bandwidth), link bytes / (el · link)), plus overhead",
                               inputs,
                               {step.total.value, step.total.value},
                               "s",
                               "Williams, Waterman, Patterson, CACM 52(4), 2009"});
  report.derivation.push_back({name + ".compute_time",
                               "sum over operations of their arithmetic alone",
                               {{"arithmetic", step.flops.value, "FLOP", ""}},
                               {step.compute_alone.value, step.compute_alone.value},
                               "s",
                               ""});
  report.derivation.push_back({name + ".memory_time",
                               "sum over operations of their memory traffic alone",
                               {{"all bytes", step.memory_bytes.as_double(), "B", ""}},
                               {step.memory_alone.value, step.memory_alone.value},
                               "s",
                               ""});
  report.derivation.push_back({name + ".memory",
                               ideal ? "weights + requests × cache" : "weights, caches in blocks, workspace and the runtime's range",
                               {{"weights", step.weight_bytes.as_double(), "B", "read in a step"}},
                               {point.memory_low.as_double(), point.memory_high.as_double()},
                               "B",
                               ""});
}

void add_batch_figures(Report& report, const RooflineRequest& request, std::size_t i, const std::vector<ProfileRoofline>& profiles) {
  const auto first = std::find_if(profiles.begin(), profiles.end(), [](const auto& p) { return !p.batches.empty(); });
  if (first == profiles.end()) return;
  const std::int64_t batch = first->batches[i].batch;
  const std::string name = fmt::format("batch.{}", batch);
  const auto over = [&](const char* suffix, const char* unit, const std::string& label, const std::function<double(const BatchPoint&)>& value) {
    add_over(
        report, name + suffix, profiles, [&](const ProfileRoofline& p) { return p.batches.empty() ? std::nullopt : std::optional(value(p.batches[i])); }, unit,
        label);
  };
  over(".step_time", "s", fmt::format("{}, batch {}", request.ideal ? "step, at least" : "step, predicted", batch),
       [](const BatchPoint& p) { return p.step.total.value; });
  over(".compute_time", "s", "", [](const BatchPoint& p) { return p.step.compute_alone.value; });
  over(".memory_time", "s", "", [](const BatchPoint& p) { return p.step.memory_alone.value; });
  if (first->batches[i].step.link_alone.value > 0) over(".link_time", "s", "", [](const BatchPoint& p) { return p.step.link_alone.value; });
  const double tokens = tokens_of(request, batch);
  over(".tokens_per_second", "token/s", fmt::format("tokens/s, batch {}", batch),
       [tokens](const BatchPoint& p) { return cost::tokens_per_second(tokens, p.step).value; });
  report.derivation.push_back({name + ".tokens_per_second",
                               "tokens of a step / step_time",
                               {{"tokens", tokens, "1", "request"}, {"step_time", first->batches[i].step.total.value, "s", ""}},
                               {cost::tokens_per_second(tokens, first->batches[i].step).value, cost::tokens_per_second(tokens, first->batches[i].step).value},
                               "token/s",
                               ""});
  if (!request.ideal) {
    over(".step_time_bound", "s", "", [](const BatchPoint& p) { return p.bound.total.value; });
    const cost::StepTime& step = first->batches[i].step;
    if (!step.error_source.empty())
      report.add(name + ".step_time_band", Interval{step.total.value * (1 + step.error_low), step.total.value * (1 + step.error_high)}, "s").basis =
          fmt::format("the back-test's central 80 %, group \"{}\"", step.error_source);
  }
  Interval memory{1e300, 0};
  std::string bound;
  for (const ProfileRoofline& p : profiles) {
    if (p.batches.empty()) continue;
    memory = {std::min(memory.low, p.batches[i].memory_low.as_double()), std::max(memory.high, p.batches[i].memory_high.as_double())};
    const std::string here(cost::name_of(p.batches[i].step.bound));
    if (bound.find(here) == std::string::npos) bound += (bound.empty() ? "" : " or ") + here;
  }
  report.add(name + ".memory", memory, "B").basis = request.ideal ? "weights and KV cache, unrounded" : "of the fullest rank, with workspace and runtime";
  report.add_category(name + ".bound", bound);
  add_step_derivation(report, name, first->batches[i], *first, request.ideal);
}

void add_batch_table(Report& report, const RooflineRequest& request, const std::vector<ProfileRoofline>& profiles) {
  const bool several = profiles.size() > 1;
  report::Table table{"batches", request.ideal ? "The bound, by batch" : "Predicted step and its bound, by batch", {}, {}};
  if (several) table.columns.push_back({"profile", ""});
  for (const auto& column : std::initializer_list<report::Column>{{"batch", "1"},
                                                                  {"step", "s"},
                                                                  {"band", "s"},
                                                                  {"bound", "s"},
                                                                  {"arithmetic", "s"},
                                                                  {"memory traffic", "s"},
                                                                  {"link", "s"},
                                                                  {"launch", "s"},
                                                                  {"tokens/s", "token/s"},
                                                                  {"memory held", "B"},
                                                                  {"binds", ""}}) {
    if (request.ideal && (column.name == "band" || column.name == "bound" || column.name == "launch")) continue;
    table.columns.push_back(column);
  }
  for (const ProfileRoofline& profile : profiles)
    for (const BatchPoint& p : profile.batches) {
      std::vector<report::Cell> row;
      if (several) row.emplace_back(profile.device->id);
      row.emplace_back(static_cast<double>(p.batch));
      row.emplace_back(p.step.total.value);
      if (!request.ideal) {
        row.push_back(p.step.error_source.empty()
                          ? report::Cell{}
                          : report::cell(Interval{p.step.total.value * (1 + p.step.error_low), p.step.total.value * (1 + p.step.error_high)}));
        row.emplace_back(p.bound.total.value);
      }
      row.emplace_back(p.step.compute_alone.value);
      row.emplace_back(p.step.memory_alone.value);
      row.push_back(p.step.link_alone.value > 0 ? report::Cell(p.step.link_alone.value) : report::Cell{});
      if (!request.ideal) row.emplace_back((p.step.launch + p.step.overhead).value);
      row.emplace_back(cost::tokens_per_second(tokens_of(request, p.batch), p.step).value);
      row.push_back(report::cell(Interval{p.memory_low.as_double(), p.memory_high.as_double()}));
      row.emplace_back(std::string(cost::name_of(p.step.bound)));
      table.rows.push_back(std::move(row));
    }
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

// What a step is made of at the largest batch, longest first.
void add_operations(Report& report, const ProfileRoofline& profile) {
  if (profile.batches.empty()) return;
  const BatchPoint& point = profile.batches.back();
  report::Table table{
      "operations",
      fmt::format("What the step of batch {} is made of", point.batch),
      {{"operation", ""}, {"launches", "1"}, {"each", "s"}, {"all", "s"}, {"share", "1", report::Notation::kPercent}, {"intensity", "FLOP/B"}, {"binds", ""}},
      {}};
  std::vector<const cost::PricedOperation*> order;
  for (const cost::PricedOperation& op : point.step.operations) order.push_back(&op);
  const auto all = [](const cost::PricedOperation* op) { return op->time.total.value * static_cast<double>(op->operation.count); };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return all(a) > all(b); });
  for (const cost::PricedOperation* op : order) {
    const Bytes bytes = op->operation.memory_bytes();
    table.rows.push_back({std::string(op->operation.name), static_cast<double>(op->operation.count), op->time.total.value, all(op),
                          all(op) / point.step.total.value, bytes.count > 0 ? report::Cell((op->operation.flops / bytes).value) : report::Cell{},
                          std::string(cost::name_of(op->time.bound))});
  }
  report.tables.push_back(std::move(table));
}

struct Limit {
  double batch;
  std::string text;
};

// The batches at which the gain of batching ends, and which comes first.
void add_crossovers(Report& report, const RooflineRequest& request, const std::vector<ProfileRoofline>& profiles) {
  if (request.phase != "decode") return;
  const auto add = [&](const char* name, const char* formula, const char* label, const std::function<std::optional<double>(const cost::Crossovers&)>& value) {
    add_over(report, name, profiles, [&](const ProfileRoofline& p) { return value(p.crossovers); }, "1", label);
    if (const report::Figure* figure = report.figure(name)) {
      const auto* point = std::get_if<double>(&figure->value);
      report.derivation.push_back({name,
                                   formula,
                                   {{"context", static_cast<double>(request.context), "1", "request"}},
                                   point != nullptr ? Interval{*point, *point} : std::get<Interval>(figure->value),
                                   "1",
                                   ""});
    }
  };
  add("crossover_batch", "batch at which the arithmetic of the weights takes as long as reading them", "arithmetic takes over at batch",
      [](const auto& c) { return c.compute; });
  add("kv_bandwidth_batch", "batch at which reading the caches takes as long as reading the weights", "cache reading overtakes weights at batch",
      [](const auto& c) { return c.kv_bandwidth; });
  add("kv_capacity_batch", "largest batch whose caches fit beside the weights on the low end of the memory", "caches that fit",
      [](const auto& c) { return c.kv_capacity ? std::optional(static_cast<double>(*c.kv_capacity)) : std::nullopt; });
  for (const ProfileRoofline& profile : profiles) {
    const cost::Crossovers& c = profile.crossovers;
    std::vector<Limit> limits;
    if (c.kv_bandwidth) limits.push_back({*c.kv_bandwidth, fmt::format("cache bandwidth at batch {}", format_number(*c.kv_bandwidth, 3))});
    if (c.kv_capacity) limits.push_back({static_cast<double>(*c.kv_capacity), fmt::format("cache capacity at batch {}", *c.kv_capacity)});
    if (c.compute) limits.push_back({*c.compute, fmt::format("arithmetic at batch {}", format_number(*c.compute, 3))});
    if (limits.empty()) continue;
    std::stable_sort(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) { return a.batch < b.batch; });
    std::string rest;
    for (std::size_t i = 1; i < limits.size(); ++i) rest += (i == 1 ? "then " : ", then ") + limits[i].text;
    const bool cache_first = !limits.front().text.starts_with("arithmetic");
    report.find(cache_first && c.compute ? Severity::kWarning : Severity::kInfo, cache_first ? "kv-binds-first" : "compute-binds-first",
                fmt::format("What ends the gain of batching first is {}.{}", limits.front().text,
                            cache_first ? " A cache cannot be shared between requests, so its bandwidth and capacity run out before arithmetic does." : ""),
                fmt::format("{}{}", profiles.size() > 1 ? profile.device->id + ": " : "", rest.empty() ? "no other limit below a million sequences" : rest),
                cache_first ? "Shorter contexts, an fp8 cache, grouped key heads or a latent move that batch up." : "");
  }
}

}  // namespace

model::Step step_of(const RooflineRequest& request, const RooflineSubject& subject, const hardware::Device& device, std::int64_t batch) {
  model::Step step;
  const bool prefill = request.phase == "prefill";
  step.phase = prefill ? model::Phase::kPrefill : model::Phase::kDecode;
  step.batch = batch;
  step.new_tokens = prefill ? request.context : 1;
  step.context = prefill ? 0 : request.context;
  step.weights = request.dtype;
  step.activations = activation_precision(*subject.model, request.dtype, device);
  step.kv_cache = cache_precision(*subject.model, request.kv_dtype);
  step.layout = subject.spread.layout;
  return step;
}

Result<BatchPoint> batch_point(const RooflineRequest& request, const RooflineSubject& subject, const hardware::Device& device, std::int64_t batch,
                               bool details) {
  BatchPoint point;
  point.batch = batch;
  const model::Step step = step_of(request, subject, device, batch);
  RIDGE_TRY(const std::vector<model::Operation> operations, model::operations(*subject.model, step));
  RIDGE_TRY(point.step, cost::price_step(operations, device, step.layout, options_of(subject, step, request.ideal, details)));
  if (request.ideal) {
    point.bound = point.step;
  } else if (auto bound = cost::price_step(operations, device, step.layout, options_of(subject, step, true, false))) {
    point.bound = *std::move(bound);
  } else {
    return tl::unexpected<Error>(bound.error());
  }
  RIDGE_TRY(const cost::ServingMemory memory, cost::serving_memory(*subject.model, shape_of(request, subject, step)));
  point.memory_low = memory.total_low();
  point.memory_high = memory.total_high();
  return point;
}

Result<void> find_batches(const RooflineRequest& request, const RooflineSubject& subject, ProfileRoofline& profile) {
  const hardware::Device& device = *profile.device;
  for (const std::int64_t batch : request.batch) {
    RIDGE_TRY(BatchPoint point, batch_point(request, subject, device, batch, true));
    profile.batches.push_back(std::move(point));
  }
  const model::Step step = step_of(request, subject, device, 1);
  double flops = 0, bytes = 0;
  for (const cost::PricedOperation& op : profile.batches.front().step.operations)
    if (op.operation.kind == model::OperationKind::kAttention) {
      flops += op.operation.flops.value * static_cast<double>(op.operation.count);
      const Bytes read = request.phase == "decode" ? op.operation.kv_bytes : op.operation.memory_bytes();
      bytes += read.as_double() * static_cast<double>(op.operation.count);
    }
  if (bytes > 0) profile.attention_intensity = flops / bytes;
  if (request.phase != "decode") return {};
  RIDGE_TRY(const cost::Pricer pricer, cost::Pricer::make(device, options_of(subject, step, request.ideal, false)));
  RIDGE_TRY(profile.crossovers, cost::crossovers(*subject.model, step, pricer));
  if (request.context > 0)
    if (const auto memory = rank_memory(device)) {
      const auto fit = cost::requests_that_fit(*subject.model, shape_of(request, subject, step), memory->low);
      if (fit && *fit < Bytes::max().count) profile.crossovers.kv_capacity = *fit;
    }
  return {};
}

void add_batches(Report& report, const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles) {
  add_over(report, "attention.intensity", profiles, [](const ProfileRoofline& p) { return p.attention_intensity; }, "FLOP/B", "intensity of attention");
  if (const report::Figure* figure = report.figure("attention.intensity")) {
    const auto* point = std::get_if<double>(&figure->value);
    if (point != nullptr)
      report.derivation.push_back({"attention.intensity",
                                   request.phase == "decode" ? "FLOPs of attention / bytes of cache read: 2 × query heads per key head / bytes of an element"
                                                             : "FLOPs of attention / bytes that it moves",
                                   {{"context", static_cast<double>(request.context), "1", "request"}},
                                   {*point, *point},
                                   "FLOP/B",
                                   ""});
  }
  for (std::size_t i = 0; i < request.batch.size(); ++i) add_batch_figures(report, request, i, profiles);
  add_batch_table(report, request, profiles);
  for (const ProfileRoofline& profile : profiles)
    if (!profile.batches.empty()) {
      add_operations(report, profile);
      break;
    }
  add_crossovers(report, request, profiles);
  (void)subject;
}

}  // namespace ridge::commands
