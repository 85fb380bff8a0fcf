// ridge roofline, from its arguments to its reports.
#include <gtest/gtest.h>

#include <cmath>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> run(const Arguments& arguments, const std::string& calibration = "") {
  formats::MemoryFileSystem files;
  if (!calibration.empty()) files.files["mine.yaml"] = calibration;
  const Environment environment{
      .files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = calibration.empty() ? "" : "mine.yaml"};
  return find_command("roofline")->run(arguments, environment);
}

Report report_of(const Arguments& arguments, const std::string& calibration = "") {
  auto report = run(arguments, calibration);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? std::nan("") : std::get<double>(figure->value);
}

std::string word(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? "" : std::get<std::string>(figure->value);
}

const report::Finding* finding(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return &one;
  return nullptr;
}

const report::Plot* plot(const Report& report, std::string_view name) {
  for (const report::Plot& one : report.plots)
    if (one.name == name) return &one;
  return nullptr;
}

constexpr const char* kSevenBillion = "params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8";

Arguments decode(const char* batch, const char* context, bool ideal) {
  Arguments arguments{{"model", {kSevenBillion}}, {"gpu", {"h100-sxm5"}}, {"dtype", {"bf16"}},
                      {"phase", {"decode"}},      {"batch", {batch}},     {"context", {context}}};
  if (ideal) arguments.push_back({"ideal", {}});
  return arguments;
}

TEST(Roofline, OfTheA100ClassifiesKernelsByTheirIntensity) {
  const Report report = report_of({{"gpu", {"a100-sxm4-80gb"}}, {"dtype", {"fp16"}}, {"intensity", {"32", "256"}}});
  EXPECT_NEAR(number(report, "ridge_point"), 153.02, 0.005);
  EXPECT_EQ(word(report, "intensity.32.bound"), "memory");
  EXPECT_EQ(word(report, "intensity.256.bound"), "compute");
  const report::Figure* ridge = report.figure("ridge_point");
  EXPECT_NE(ridge->basis.find("dense"), std::string::npos);
  EXPECT_FALSE(ridge->sources.empty());
}

TEST(Roofline, BoundsOneRequestByMemory) {
  const Report report = report_of(decode("1", "0", true));
  EXPECT_NEAR(number(report, "ridge_point"), 295.17, 0.005);
  EXPECT_NEAR(number(report, "batch.1.step_time"), 4.1766e-3, 1e-7);
  EXPECT_NEAR(number(report, "batch.1.compute_time"), 14.15e-6, 1e-8);
  EXPECT_NEAR(number(report, "batch.1.tokens_per_second"), 239.43, 0.01);
  EXPECT_EQ(word(report, "batch.1.bound"), "memory");
  EXPECT_NEAR(number(report, "crossover_batch"), 295.17, 0.01);
  EXPECT_EQ(report.figure("kv_bandwidth_batch"), nullptr) << "no context, no cache";
}

TEST(Roofline, SaysWhichLimitOfBatchingBindsFirst) {
  const Report report =
      report_of({{"model", {kSevenBillion}}, {"gpu", {"h100-sxm5"}}, {"dtype", {"bf16"}}, {"batch", {"64", "128"}}, {"context", {"4096"}}, {"ideal", {}}});
  EXPECT_NEAR(number(report, "attention.intensity"), 4, 0.002);
  EXPECT_NEAR(number(report, "batch.64.step_time"), 14.4271e-3, 1e-6);
  EXPECT_NEAR(number(report, "batch.64.tokens_per_second"), 4436.1, 0.5);
  EXPECT_EQ(number(report, "batch.128.memory"), 82'719'476'736.0);
  const report::Finding* first = finding(report, "kv-binds-first");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->text,
            "What ends the gain of batching first is cache bandwidth at batch 26.1. A cache cannot be shared between requests, so its bandwidth and capacity "
            "run out before "
            "arithmetic does.");
  EXPECT_EQ(first->evidence, "then cache capacity at batch 133, then arithmetic at batch 295");
}

TEST(Roofline, ThePredictionStandsBesideTheBoundWithItsBand) {
  const Report report = report_of(decode("64", "4096", false));
  const double step = number(report, "batch.64.step_time"), bound = number(report, "batch.64.step_time_bound");
  EXPECT_GT(step, bound);
  EXPECT_LT(step, 3 * bound);
  const auto* band = std::get_if<Interval>(&report.figure("batch.64.step_time_band")->value);
  ASSERT_NE(band, nullptr);
  EXPECT_LT(band->low, step);
  EXPECT_GT(band->high, step);
  EXPECT_NE(finding(report, "error-band"), nullptr);
  EXPECT_EQ(finding(report, "bound-not-prediction"), nullptr);
}

TEST(Roofline, TheBoundSaysThatItIsNoPrediction) {
  const Report report = report_of(decode("1", "0", true));
  ASSERT_NE(finding(report, "bound-not-prediction"), nullptr);
  EXPECT_NE(finding(report, "bound-not-prediction")->text.find("not a prediction"), std::string::npos);
  EXPECT_NE(finding(report, "dense-final-figure"), nullptr);
  EXPECT_NE(finding(report, "other-limits"), nullptr);
  EXPECT_EQ(report.figure("batch.1.step_time_band"), nullptr);
}

TEST(Roofline, OfAPartWhoseSourcesDisagreeSpansItsProfilesAndNeverMixesThem) {
  const Report report =
      report_of({{"model", {kSevenBillion}}, {"gpu", {"rubin-gpu"}}, {"dtype", {"bf16"}}, {"batch", {"1"}}, {"context", {"0"}}, {"ideal", {}}});
  EXPECT_NE(finding(report, "sources-disagree"), nullptr);
  // A profile without a rate has no roof: its bandwidth is not joined with the other's rate.
  EXPECT_NE(finding(report, "profile-without-rate"), nullptr);
  EXPECT_NEAR(number(report, "ridge_point"), 4000e12 / 19.2e12, 1e-6);
  EXPECT_NEAR(number(report, "batch.1.step_time"), 14e9 / 19.2e12, 1e-9);
}

TEST(Roofline, PrefillIsBoundByArithmetic) {
  const Report report = report_of({{"model", {kSevenBillion}},
                                   {"gpu", {"h100-sxm5"}},
                                   {"dtype", {"bf16"}},
                                   {"phase", {"prefill"}},
                                   {"batch", {"4"}},
                                   {"context", {"2048"}},
                                   {"ideal", {}}});
  EXPECT_EQ(word(report, "batch.4.bound"), "compute");
  EXPECT_NEAR(number(report, "batch.4.tokens_per_second"), 4 * 2048 / number(report, "batch.4.step_time"), 1e-6);
  EXPECT_EQ(report.figure("crossover_batch"), nullptr);
}

TEST(Roofline, TensorParallelismReadsAShareAndExchangesSums) {
  const Report one = report_of(decode("8", "1024", false));
  Arguments arguments = decode("8", "1024", false);
  arguments[1].second = {"h100-sxm5:4"};
  const Report four = report_of(arguments);
  EXPECT_LT(number(four, "batch.8.step_time"), number(one, "batch.8.step_time"));
  EXPECT_GT(number(four, "batch.8.step_time"), number(one, "batch.8.step_time") / 4);
  EXPECT_GT(number(four, "batch.8.link_time"), 0);
}

TEST(Roofline, PlacesTheOperationsUnderTheRoof) {
  const Report report = report_of(decode("64", "4096", true));
  const report::Plot* roofs = plot(report, "roofline");
  ASSERT_NE(roofs, nullptr);
  ASSERT_GE(roofs->series.size(), 2u);
  EXPECT_TRUE(roofs->x.logarithmic && roofs->y.logarithmic);
  const auto& points = roofs->series[1];
  EXPECT_EQ(points.labels.size(), points.points.size());
  for (const auto& [intensity, rate] : points.points) EXPECT_LE(rate, std::min(989.4e12, intensity * 3352e9) * 1.000001);
  EXPECT_NE(plot(report, "step_time"), nullptr);
  EXPECT_NE(plot(report, "throughput"), nullptr);
}

TEST(Roofline, TakesTheUsersCalibration) {
  const std::string slow = "kernels:\n- {of: h100-sxm5, kernel: gemm, format: bf16, peak: bf16, launch_us: 4, memory: 0.1, compute: [0.1], source: user}\n";
  EXPECT_GT(number(report_of(decode("1", "0", false), slow), "batch.1.step_time"), 5 * number(report_of(decode("1", "0", false)), "batch.1.step_time"));
}

TEST(RooflineErrors, NameThePlaceAndWhatToDo) {
  const auto error = [](const Arguments& arguments) {
    const auto report = run(arguments);
    EXPECT_FALSE(report);
    return report ? "" : to_string(report.error());
  };
  EXPECT_EQ(error({{"gpu", {"h100-sxm5"}}, {"batch", {"0"}}}), "--batch: 0 sequences; 1 to 1048576 can be priced");
  EXPECT_EQ(error({{"gpu", {"h100-sxm5"}}, {"intensity", {"-1"}}}), "--intensity: -1 FLOP/B is not between 0 and 1e12");
  EXPECT_NE(error({{"gpu", {"v100-sxm2-16gb"}}, {"dtype", {"fp8"}}}).find("no dense fp8 rate is listed"), std::string::npos);
  EXPECT_NE(error({{"model", {"7e9"}}, {"gpu", {"h100-sxm5"}}, {"context", {"4096"}}}).find("layers"), std::string::npos);
}

}  // namespace
}  // namespace ridge::commands
