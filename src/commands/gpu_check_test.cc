// gpu check, from its arguments to its report. The answers themselves are tested in hardware/software_test.cc.
#include <gtest/gtest.h>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> run(const Arguments& arguments) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return find_command("gpu check")->run(arguments, environment);
}

Report report_of(const Arguments& arguments) {
  auto report = run(arguments);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

std::string word(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  return figure == nullptr ? "" : std::get<std::string>(figure->value);
}

bool has(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return true;
  return false;
}

TEST(GpuCheck, SaysNoWhyAndWhatToChange) {
  const Report report = report_of({{"gpu", {"h100-sxm5"}}, {"engine", {"vllm==0.20.0"}}, {"driver", {"550.54.14"}}, {"dtype", {"fp8"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_EQ(report.verdict.text,
            "No: vllm 0.20.0 on h100-sxm5 with driver 550.54.14: CUDA 13.0.2 needs driver 580 or later, and 550.54.14 is older. To change that: take the build "
            "with CUDA "
            "12.9 (--torch-backend=cu129), which runs on this driver by minor-version compatibility.");
  EXPECT_EQ(word(report, "cuda.minimum"), "13.0.2");
  EXPECT_EQ(word(report, "driver.minimum"), "580");
  EXPECT_EQ(word(report, "driver.full"), "580.95.05");
  EXPECT_EQ(word(report, "precision.support"), "native");
  EXPECT_TRUE(has(report, "change"));
}

TEST(GpuCheck, SaysYesAndThatSupportIsNotSafety) {
  const Report report = report_of({{"gpu", {"h100-sxm5"}}, {"engine", {"vllm==0.9.0"}}, {"driver", {"570.26"}}, {"dtype", {"fp8"}}});
  EXPECT_EQ(report.verdict.ok, true);
  EXPECT_EQ(report.verdict.text, "Yes: vllm 0.9.0 on h100-sxm5 with driver 570.26, fp8 natively.");
  for (const char* kind : {"support-is-not-safety", "needs-scaling", "quality-check", "fp32-masters"}) EXPECT_TRUE(has(report, kind)) << kind;
}

TEST(GpuCheck, WarnsOfWeightOnlySupport) {
  const Report report = report_of({{"gpu", {"a100-sxm4-80gb"}}, {"engine", {"vllm==0.14.0"}}, {"dtype", {"fp8"}}});
  EXPECT_EQ(report.verdict.text, "Yes: vllm 0.14.0 on a100-sxm4-80gb, fp8 as weights only.");
  EXPECT_EQ(word(report, "precision.support"), "weight_only");
  EXPECT_TRUE(has(report, "weight-only"));
}

TEST(GpuCheck, KeepsWhatSourcesDisagreeAbout) {
  const Report report = report_of({{"gpu", {"h100-sxm5"}}, {"engine", {"vllm==0.21.0"}}});
  EXPECT_TRUE(has(report, "sources-disagree"));
  EXPECT_TRUE(has(report, "release-note"));
}

TEST(GpuCheck, AnswersNotKnownRatherThanGuess) {
  for (const Arguments& arguments : std::vector<Arguments>{{{"gpu", {"h100-sxm5"}}, {"engine", {"vllm==0.99"}}},
                                                           {{"gpu", {"peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB"}}, {"engine", {"vllm"}}},
                                                           {{"gpu", {"rubin-gpu"}}, {"engine", {"vllm"}}},
                                                           {{"gpu", {"tpu-v6e"}}},
                                                           {{"gpu", {"mi300x"}}, {"engine", {"vllm==0.14.0"}}, {"driver", {"550.54.14"}}}}) {
    const Report report = report_of(arguments);
    EXPECT_FALSE(report.verdict.ok.has_value()) << report.verdict.text;
    EXPECT_TRUE(report.verdict.text.starts_with("Not known: ")) << report.verdict.text;
  }
}

TEST(GpuCheck, AnswersForThePartAlone) {
  const Report report = report_of({{"gpu", {"b200-sxm-hgx"}}});
  EXPECT_EQ(report.verdict.text, "b200-sxm-hgx needs CUDA 12.8 or later and driver 570.26 or later.");
  EXPECT_FALSE(report.verdict.ok.has_value());
}

TEST(GpuCheck, TellsPartialSupport) {
  const Report report = report_of({{"gpu", {"rtx5090"}}, {"dtype", {"nvfp4"}}});
  EXPECT_EQ(report.verdict.text, "Yes: rtx5090, nvfp4 natively in part.");
  EXPECT_TRUE(has(report, "partial-support"));
}

TEST(GpuCheck, LooksIntoWheels) {
  const Report report = report_of({{"gpu", {"v100-sxm2-32gb"}}, {"torch", {"2.11"}}, {"cuda", {"12.8"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_NE(report.verdict.text.find("holds code that runs on compute capability 7.0"), std::string::npos) << report.verdict.text;
}

TEST(GpuCheck, RefusesWhatItCannotRead) {
  EXPECT_EQ(run({{"engine", {"vllm"}}}).error().what.substr(0, 18), "--gpu is missing: ");
  EXPECT_EQ(run({{"gpu", {"h100-sxm5"}}, {"driver", {"new"}}}).error().where, "--driver");
  EXPECT_EQ(run({{"gpu", {"h100-sxm5"}}, {"dtype", {"fp7"}}}).error().where, "--dtype");
  EXPECT_EQ(run({{"gpu", {"h100-sxm5"}}, {"engine", {"vlm"}}}).error().where, "--engine: vlm");
  EXPECT_FALSE(run({{"gpu", {"h1000"}}}));
}

}  // namespace
}  // namespace ridge::commands
