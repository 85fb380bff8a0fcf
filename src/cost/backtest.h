// The back-test: what the step model says of published measurements, and how far it is off. Nothing is tuned on a row; the
// efficiencies come from kernel times alone.
//
// How a row is predicted (D: a decode step, P: the prefill of one prompt; both from model::operations and price_step):
//   closed-loop  T = D(C, input + output/2) + P(input) · C/(output − 1). C users keep C requests running; while one request makes
//                its output − 1 further tokens, C prompts pass through the same engine (the form of load.h).
//   decode       D(B, input + output/2): context grows from input to input + output.
//   static       P of B prompts + (output − 1) · D(B, input + output/2).
//   prefill      P of B prompts; in chunks where the engine cuts them, each over the ones before it.
// A row that is faster than the pure bound of its decode step or prefill cannot have run as its source says, and is left out.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/measurement_rows.h"
#include "cost/step.h"

namespace ridge::cost {

std::span<const MeasurementRow> measurements();

// What a row's time should be, and how much of it is prefill.
struct Prediction {
  Seconds total{};
  Seconds prefill{};
};
Result<Prediction> predict(const MeasurementRow& row, const model::Model& model, const hardware::Device& device, const PricingOptions& options);

struct BacktestRow {
  const MeasurementRow* row = nullptr;
  Seconds predicted{};
  double error = 0;      // predicted / measured − 1
  std::string group;     // of bands: by the phase that makes up more of the prediction
  std::string excluded;  // reason; then predicted and error mean nothing
};

// `resolve` finds the model and the device of a row; its error excludes the row.
struct Subject {
  const model::Model* model = nullptr;
  const hardware::Device* device = nullptr;
};
// How the efficiencies of a row's device are taken: its own; those of the part that it would take after, had it not been measured;
// or the default's. The last two hold the device out, and so tell how wide the band of an unmeasured part is.
enum class HoldOut { kNone, kSibling, kDefault };
std::vector<BacktestRow> backtest(std::span<const MeasurementRow> rows, const std::function<Result<Subject>(const MeasurementRow&)>& resolve,
                                  const PricingOptions& options, HoldOut hold_out = HoldOut::kNone);

struct ErrorSummary {
  std::string group;
  int rows = 0;
  double median_error = 0;             // of |error|
  double mean_error = 0;               // of |error|: MAPE
  double bias = 0;                     // median of error
  double p10 = 0, p90 = 0;             // of error
  double band_low = 0, band_high = 0;  // P10 and P90 of measured/predicted − 1
};
// Excluded rows are left out. Absent where no row is left.
std::optional<ErrorSummary> summarise(std::string group, std::span<const BacktestRow* const> rows);

// One summary per group of bands, in the order of the groups' names: measured parts by themselves, the others held out.
std::vector<ErrorSummary> bands(std::span<const MeasurementRow> rows, const std::function<Result<Subject>(const MeasurementRow&)>& resolve,
                                const PricingOptions& options);
// data/serving_bands.yaml with these bands.
std::string bands_yaml(std::span<const ErrorSummary> bands);

}  // namespace ridge::cost
