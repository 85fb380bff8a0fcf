#include "cost/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cost/bands.h"
#include "cost/data.h"

namespace ridge::cost {
namespace {

using model::Phase;

Result<StepTime> priced(const model::Model& model, const hardware::Device& device, const model::Step& step, PricingOptions options) {
  RIDGE_TRY(const std::vector<model::Operation> operations, model::operations(model, step));
  options.details = false;
  options.kv_cache = step.kv_cache;
  options.requests = step.batch;
  return price_step(operations, device, step.layout, options);
}

model::Step step_of(const MeasurementRow& row, Phase phase, std::int64_t batch, std::int64_t tokens, std::int64_t context) {
  model::Step step;
  step.phase = phase;
  step.batch = batch;
  step.new_tokens = tokens;
  step.context = context;
  step.weights = row.weights;
  step.activations = row.activations;
  step.kv_cache = row.kv_cache;
  step.layout = {.tensor = row.tensor, .pipeline = 1, .expert = row.expert};
  return step;
}

Result<Seconds> prefill_time(const MeasurementRow& row, std::int64_t batch, const model::Model& model, const hardware::Device& device,
                             const PricingOptions& options) {
  const std::int64_t chunk = row.chunk > 0 ? row.chunk : row.input;
  Seconds total{};
  for (std::int64_t done = 0; done < row.input; done += chunk) {
    const std::int64_t tokens = std::min<std::int64_t>(chunk, row.input - done);
    RIDGE_TRY(const StepTime step, priced(model, device, step_of(row, Phase::kPrefill, batch, tokens, done), options));
    total += step.total;
  }
  return total;
}

// Linear between order statistics (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

using Resolve = std::function<Result<Subject>(const MeasurementRow&)>;

}  // namespace

std::span<const MeasurementRow> measurements() { return data::measurements; }

// No machine is faster than this on the row's own shape: every rate at its peak, and for a closed loop its decode steps alone.
Result<Seconds> bound_of(const MeasurementRow& row, const model::Model& model, const hardware::Device& device, PricingOptions options) {
  options.ideal = true;
  if (row.measured == Measured::kPrefill) return prefill_time(row, row.batch, model, device, options);
  RIDGE_TRY(const StepTime decode, priced(model, device, step_of(row, Phase::kDecode, row.batch, 1, row.input + row.output / 2), options));
  return decode.total * (row.measured == Measured::kStatic ? row.output - 1 : 1);
}

Result<Prediction> predict(const MeasurementRow& row, const model::Model& model, const hardware::Device& device, const PricingOptions& options) {
  if (row.measured == Measured::kPrefill) {
    RIDGE_TRY(const Seconds prompts, prefill_time(row, row.batch, model, device, options));
    return Prediction{prompts, prompts};
  }
  RIDGE_TRY(const StepTime decode, priced(model, device, step_of(row, Phase::kDecode, row.batch, 1, row.input + row.output / 2), options));
  if (row.measured == Measured::kDecode) return Prediction{decode.total, {}};
  const double further = row.output - 1;
  if (row.measured == Measured::kStatic) {
    RIDGE_TRY(const Seconds prompts, prefill_time(row, row.batch, model, device, options));
    return Prediction{prompts + further * decode.total, prompts};
  }
  RIDGE_TRY(const Seconds prompt, prefill_time(row, 1, model, device, options));
  const Seconds shared = prompt * (row.batch / further);
  return Prediction{decode.total + shared, shared};
}

namespace {

// The class to price as, and how it is known; absent where the part has no relative to be held out with.
std::optional<std::pair<std::string_view, Evidence>> class_for(const hardware::Device& device, const EfficiencyTables& tables, HoldOut hold_out) {
  const ClassRow& own = tables.class_of(device);
  if (hold_out == HoldOut::kNone) return std::pair(std::string_view(), own.evidence);
  if (hold_out == HoldOut::kDefault) return std::pair(std::string_view("default"), Evidence::kAssumed);
  if (own.evidence == Evidence::kTakenFromRelative) return std::pair(std::string_view(), own.evidence);
  if (own.sibling.empty()) return std::nullopt;
  return std::pair(own.sibling, Evidence::kTakenFromRelative);
}

void judge(BacktestRow& result, const Subject& subject, const EfficiencyTables& tables, PricingOptions options, HoldOut hold_out) {
  const MeasurementRow& row = *result.row;
  const auto as = class_for(*subject.device, tables, hold_out);
  if (!as) {
    result.excluded = "no relative to take after";
    return;
  }
  options.class_id = as->first;
  const auto predicted = predict(row, *subject.model, *subject.device, options);
  const auto bound = bound_of(row, *subject.model, *subject.device, options);
  if (!predicted || !bound) {
    const Error& error = predicted ? bound.error() : predicted.error();
    result.excluded = error.where + ": " + error.what;
    return;
  }
  if (row.seconds < bound->value) {
    result.excluded = "faster than the bound of its shape";
    return;
  }
  result.predicted = predicted->total;
  result.error = predicted->total.value / row.seconds - 1;
  result.group =
      band_group(predicted->prefill.value > predicted->total.value / 2 ? Phase::kPrefill : Phase::kDecode, subject.model->is_mixture_of_experts, as->second);
}

}  // namespace

std::vector<BacktestRow> backtest(std::span<const MeasurementRow> rows, const Resolve& resolve, const PricingOptions& options, HoldOut hold_out) {
  const EfficiencyTables& tables = options.tables != nullptr ? *options.tables : EfficiencyTables::builtin();
  std::vector<BacktestRow> out;
  out.reserve(rows.size());
  for (const MeasurementRow& row : rows) {
    BacktestRow result;
    result.row = &row;
    result.excluded = row.excluded;
    if (result.excluded.empty()) {
      const auto subject = resolve(row);
      if (subject)
        judge(result, *subject, tables, options, hold_out);
      else
        result.excluded = subject.error().where + ": " + subject.error().what;
    }
    out.push_back(std::move(result));
  }
  return out;
}

std::optional<ErrorSummary> summarise(std::string group, std::span<const BacktestRow* const> rows) {
  std::vector<double> errors, sizes, inverse;
  double sum = 0;
  for (const BacktestRow* row : rows) {
    if (!row->excluded.empty()) continue;
    errors.push_back(row->error);
    sizes.push_back(std::abs(row->error));
    inverse.push_back(1 / (1 + row->error) - 1);
    sum += std::abs(row->error);
  }
  if (errors.empty()) return std::nullopt;
  for (auto* list : {&errors, &sizes, &inverse}) std::sort(list->begin(), list->end());
  ErrorSummary out;
  out.group = std::move(group);
  out.rows = static_cast<int>(errors.size());
  out.median_error = quantile(sizes, 0.5);
  out.mean_error = sum / static_cast<double>(errors.size());
  out.bias = quantile(errors, 0.5);
  out.p10 = quantile(errors, 0.1);
  out.p90 = quantile(errors, 0.9);
  out.band_low = quantile(inverse, 0.1);
  out.band_high = quantile(inverse, 0.9);
  return out;
}

std::vector<ErrorSummary> bands(std::span<const MeasurementRow> rows, const Resolve& resolve, const PricingOptions& options) {
  std::map<std::string, std::vector<BacktestRow>> groups;
  for (const auto& [hold_out, evidence] :
       {std::pair(HoldOut::kNone, Evidence::kMeasured), {HoldOut::kSibling, Evidence::kTakenFromRelative}, {HoldOut::kDefault, Evidence::kAssumed}})
    for (BacktestRow& row : backtest(rows, resolve, options, hold_out))
      if (row.excluded.empty() && row.group.ends_with(formats::word_of(evidence))) groups[row.group].push_back(std::move(row));
  std::vector<ErrorSummary> out;
  for (const auto& [name, members] : groups) {
    std::vector<const BacktestRow*> pointers;
    for (const BacktestRow& row : members) pointers.push_back(&row);
    auto summary = summarise(name, pointers);
    if (!summary) continue;
    // Every part that can be held out is of one vendor: what another vendor's part does with these shares may be twice as far off.
    if (name.ends_with(formats::word_of(Evidence::kAssumed))) {
      summary->band_low = std::max(2 * summary->band_low, -0.9);
      summary->band_high *= 2;
    }
    out.push_back(*std::move(summary));
  }
  return out;
}

std::string bands_yaml(std::span<const ErrorSummary> bands) {
  std::string text =
      "# Written by the back-test; a test compares it with what the program finds now, and UPDATE_BANDS=1 in its environment rewrites it.\n"
      "# low, high: 10th and 90th percentile of measured / predicted - 1. \"relative\" and \"assumed\" are measured parts priced as if they were not,\n"
      "# the latter with twice the band, as all parts that can be held out are of one vendor.\n"
      "bands:\n";
  for (const ErrorSummary& band : bands)
    text += fmt::format("- {{group: {}, low: {:.3f}, high: {:.3f}, median_error: {:.3f}, rows: {}}}\n", band.group, band.band_low, band.band_high,
                        band.median_error, band.rows);
  return text;
}

}  // namespace ridge::cost
