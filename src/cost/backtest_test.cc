#include "cost/backtest.h"

#include <gtest/gtest.h>

#include "formats/file_system.h"

namespace ridge::cost {
namespace {

using model::Phase;

const hardware::Device& h100() {
  static const hardware::Device device = [] {
    hardware::Device d;
    d.id = "h100-sxm5";
    d.vendor = "NVIDIA";
    d.architecture = "Hopper GH100";
    d.peak.emplace(Precision::kBf16, SourcedFigure{{989.4e12, 989.4e12}, "FLOP/s", "", {}, Provenance::kPublished});
    d.memory_bandwidth = SourcedFigure{{3352e9, 3352e9}, "B/s", "", {}, Provenance::kPublished};
    return d;
  }();
  return device;
}

const model::Model& seven_billion() {
  static const model::Model model = [] {
    const formats::MemoryFileSystem files;
    return *model::load("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8", files);
  }();
  return model;
}

MeasurementRow row(Measured measured, int batch, int input, int output, double seconds) {
  MeasurementRow r;
  r.measured = measured;
  r.gpu = "h100-sxm5";
  r.model = "seven billion";
  r.engine = "vllm";
  r.batch = batch;
  r.input = input;
  r.output = output;
  r.seconds = seconds;
  return r;
}

Result<Subject> subject(const MeasurementRow&) { return Subject{&seven_billion(), &h100()}; }

Prediction predicted(const MeasurementRow& r) {
  const auto prediction = predict(r, seven_billion(), h100(), {});
  EXPECT_TRUE(prediction) << to_string(prediction.error());
  return prediction ? *prediction : Prediction{};
}

std::vector<BacktestRow> tested(const std::vector<MeasurementRow>& rows, HoldOut hold_out = HoldOut::kNone) { return backtest(rows, subject, {}, hold_out); }

BacktestRow with_error(double error) {
  BacktestRow r;
  r.error = error;
  return r;
}

TEST(Predict, AClosedLoopIsADecodeStepAndItsShareOfThePrompts) {
  const Prediction decode = predicted(row(Measured::kDecode, 32, 1024, 256, 1));
  MeasurementRow one = row(Measured::kPrefill, 1, 1024, 0, 1);
  const Prediction prompt = predicted(one), loop = predicted(row(Measured::kClosedLoop, 32, 1024, 256, 1));
  EXPECT_NEAR(loop.total.value, decode.total.value + prompt.total.value * 32 / 255, 1e-12);
  EXPECT_NEAR(loop.prefill.value, prompt.total.value * 32 / 255, 1e-12);
}

TEST(Predict, AStaticBatchIsItsPromptsAndThenItsSteps) {
  const Prediction decode = predicted(row(Measured::kDecode, 8, 128, 128, 1));
  const Prediction prompts = predicted(row(Measured::kPrefill, 8, 128, 0, 1)), whole = predicted(row(Measured::kStatic, 8, 128, 128, 1));
  EXPECT_NEAR(whole.total.value, prompts.total.value + 127 * decode.total.value, 1e-12);
}

TEST(Predict, ChunksOfAPromptReadTheWeightsAgain) {
  MeasurementRow whole = row(Measured::kPrefill, 1, 4096, 0, 1), chunked = whole;
  chunked.chunk = 64;
  EXPECT_GT(predicted(chunked).total.value, 2 * predicted(whole).total.value);
}

TEST(Backtest, ComparesWithTheMeasuredTime) {
  const double right = predicted(row(Measured::kDecode, 1, 0, 64, 1)).total.value;
  const auto rows = tested({row(Measured::kDecode, 1, 0, 64, right), row(Measured::kDecode, 1, 0, 64, 2 * right)});
  EXPECT_NEAR(rows[0].error, 0, 1e-12);
  EXPECT_NEAR(rows[1].error, -0.5, 1e-12);
  EXPECT_EQ(rows[0].group, "decode dense measured");
}

TEST(Backtest, LeavesOutWhatIsFasterThanItsBound) {
  // 14e9 B take 4.18 ms to read, whatever the engine.
  EXPECT_EQ(tested({row(Measured::kDecode, 1, 0, 64, 0.004)})[0].excluded, "faster than the bound of its shape");
  EXPECT_EQ(tested({row(Measured::kDecode, 1, 0, 64, 0.0045)})[0].excluded, "");
}

TEST(Backtest, KeepsTheReasonThatARowBrings) {
  MeasurementRow r = row(Measured::kDecode, 1, 0, 64, 1);
  r.excluded = "a reason";
  EXPECT_EQ(tested({r})[0].excluded, "a reason");
}

TEST(Backtest, SaysWhyASubjectIsNotFound) {
  const auto rows =
      backtest(std::vector{row(Measured::kDecode, 1, 0, 64, 1)}, [](const MeasurementRow&) -> Result<Subject> { return fail("gpt-9", "no such model"); }, {});
  EXPECT_EQ(rows[0].excluded, "gpt-9: no such model");
}

TEST(Backtest, AHeldOutPartIsPricedByItsSiblingOrTheDefault) {
  const std::vector rows{row(Measured::kDecode, 1, 0, 64, 0.006)};
  const auto own = tested(rows), sibling = tested(rows, HoldOut::kSibling), other = tested(rows, HoldOut::kDefault);
  EXPECT_EQ(sibling[0].group, "decode dense relative");
  EXPECT_EQ(other[0].group, "decode dense assumed");
  EXPECT_NE(own[0].predicted, sibling[0].predicted);
  EXPECT_NE(own[0].predicted, other[0].predicted);
}

TEST(Backtest, ClosedLoopsOfLongPromptsCountAsPrefill) {
  EXPECT_EQ(tested({row(Measured::kClosedLoop, 256, 8192, 16, 10)})[0].group, "prefill dense measured");
}

TEST(Summarise, GivesMedianMeanBiasAndPercentiles) {
  std::vector<BacktestRow> rows;
  for (const double e : {-0.2, -0.1, 0.0, 0.1, 0.4}) rows.push_back(with_error(e));
  std::vector<const BacktestRow*> pointers;
  for (const BacktestRow& r : rows) pointers.push_back(&r);
  const auto s = summarise("all", pointers);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->rows, 5);
  EXPECT_NEAR(s->median_error, 0.1, 1e-12);
  EXPECT_NEAR(s->mean_error, 0.16, 1e-12);
  EXPECT_NEAR(s->bias, 0, 1e-12);
  EXPECT_NEAR(s->p10, -0.16, 1e-12);
  EXPECT_NEAR(s->p90, 0.28, 1e-12);
}

TEST(Summarise, ABandIsAboutThePredictionAndNotTheMeasurement) {
  // Predicted half of what was measured: the truth lies at +100 % of the prediction.
  const BacktestRow half = with_error(-0.5);
  const auto s = summarise("x", std::vector{&half});
  EXPECT_NEAR(s->band_low, 1, 1e-12);
  EXPECT_NEAR(s->band_high, 1, 1e-12);
}

TEST(Summarise, LeavesExcludedRowsOut) {
  BacktestRow out = with_error(9);
  out.excluded = "a reason";
  EXPECT_FALSE(summarise("x", std::vector<const BacktestRow*>{&out}));
}

TEST(Measurements, NameKnownSourcesAndPlausibleShapes) {
  EXPECT_GT(measurements().size(), 1000u);
  for (const MeasurementRow& r : measurements()) {
    EXPECT_NE(EfficiencyTables::builtin().source(r.source), nullptr) << r.source;
    EXPECT_LT(r.seconds, 600) << r.model;
  }
}

TEST(FindBand, PrefersTheGroupItselfThenWeakerEvidence) {
  const BandRow* measured = find_band(Phase::kDecode, false, Evidence::kMeasured);
  ASSERT_NE(measured, nullptr);
  EXPECT_EQ(measured->group, "decode dense measured");
  for (const Phase phase : {Phase::kDecode, Phase::kPrefill})
    for (const bool experts : {false, true})
      for (const Evidence evidence : {Evidence::kMeasured, Evidence::kTakenFromRelative, Evidence::kAssumed}) {
        const BandRow* band = find_band(phase, experts, evidence);
        ASSERT_NE(band, nullptr);
        EXPECT_LT(band->low, band->high) << band->group;
      }
}

}  // namespace
}  // namespace ridge::cost
