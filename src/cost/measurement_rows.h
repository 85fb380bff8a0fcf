// The rows of data/serving_steps.yaml: published measurements of serving steps, as numbers with their source. The back-test
// predicts each; none of them takes part in fitting data/efficiency.yaml.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::cost {

enum class Measured : std::uint8_t {
  kClosedLoop,  // mean time per output token with `batch` users, each sending its next prompt when the last answer ends
  kDecode,      // mean step time of a static batch over the tokens that it makes
  kPrefill,     // time of one batch of prompts
  kStatic,      // time of one batch from its prompts to its last tokens
};
inline constexpr formats::Named<Measured> kMeasuredNames[] = {
    {"closed-loop", Measured::kClosedLoop}, {"decode", Measured::kDecode}, {"prefill", Measured::kPrefill}, {"static", Measured::kStatic}};
constexpr std::span<const formats::Named<Measured>> names_of(Measured) { return kMeasuredNames; }

struct MeasurementRow {
  static constexpr std::string_view kTypeName = "ridge::cost::MeasurementRow";
  Measured measured = Measured::kClosedLoop;
  std::string_view gpu;    // id in the catalogue
  std::string_view model;  // name in the catalogue
  std::string_view engine;
  std::optional<Precision> weights;  // absent: as the checkpoint stores them
  Precision activations = Precision::kBf16;
  Precision kv_cache = Precision::kBf16;
  int tensor = 1;
  int expert = 1;
  int batch = 1;   // sequences at once, or users
  int input = 0;   // tokens of a prompt
  int output = 0;  // tokens made
  int chunk = 0;   // tokens of a prompt that a step takes; 0: all
  double seconds = 0;
  int runs = 1;               // published values behind this one, which is their median
  std::string_view excluded;  // why the model is not meant for it; "": it counts
  std::string_view source;
};
template <class V>
void describe(V& v, MeasurementRow& row) {
  v.required("measured", row.measured);
  v.required("gpu", row.gpu);
  v.required("model", row.model);
  v.required("engine", row.engine);
  v.optional("weights", row.weights);
  v.optional("activations", row.activations);
  v.optional("kv_cache", row.kv_cache);
  v.optional("tensor", row.tensor);
  v.optional("expert", row.expert);
  v.required("batch", row.batch);
  v.optional("input", row.input);
  v.optional("output", row.output);
  v.optional("chunk", row.chunk);
  v.required("seconds", row.seconds);
  v.optional("runs", row.runs);
  v.optional("excluded", row.excluded);
  v.reference("source", row.source, "sources");
}
Result<void> check(const MeasurementRow& row, const formats::NodeRef& at);

// The rows of data/serving_bands.yaml: what the back-test found, written by it (docs/accuracy.md). `low` and `high` are the 10th and
// 90th percentile of measured/predicted − 1, so a prediction p stands for p · (1 + low) to p · (1 + high).
struct BandRow {
  static constexpr std::string_view kTypeName = "ridge::cost::BandRow";
  std::string_view group;  // band_group() of step.h
  double low = 0;
  double high = 0;
  double median_error = 0;  // of |predicted/measured − 1|
  int rows = 0;
};
template <class V>
void describe(V& v, BandRow& row) {
  v.key("group", row.group, "bands");
  v.required("low", row.low);
  v.required("high", row.high);
  v.required("median_error", row.median_error);
  v.required("rows", row.rows);
}
Result<void> check(const BandRow& row, const formats::NodeRef& at);

}  // namespace ridge::cost
