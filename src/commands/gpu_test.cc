// gpu list, show and compare, from their arguments to their reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "commands/registry.h"
#include "hardware/accelerators.h"

namespace ridge::commands {
namespace {

using report::Report;
using ::testing::HasSubstr;

Result<Report> run(const char* name, const Arguments& arguments) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  const Command* command = find_command(name);
  if (command == nullptr) return fail(name, "no such command");
  return command->run(arguments, environment);
}
Report report_of(const char* name, const Arguments& arguments) {
  auto report = run(name, arguments);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}
std::string error_of(const char* name, const Arguments& arguments) {
  auto report = run(name, arguments);
  return report ? "answered: " + report->verdict.text : to_string(report.error());
}
Report shown(const char* gpu) { return report_of("gpu show", {{"gpu", {gpu}}}); }

// The value, where it is one number.
double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  if (figure == nullptr || !std::holds_alternative<double>(figure->value)) return std::nan("");
  return std::get<double>(figure->value);
}
Interval range(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  if (figure == nullptr || !std::holds_alternative<Interval>(figure->value)) return {};
  return std::get<Interval>(figure->value);
}
std::string basis(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  return figure == nullptr ? "absent" : figure->basis;
}
const report::Finding* finding(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return &one;
  return nullptr;
}
bool has_row(const Report& report, std::string_view table, const std::string& first) {
  for (const report::Table& one : report.tables)
    if (one.name == table)
      for (const auto& row : one.rows)
        if (std::get<std::string>(row[0]) == first) return true;
  return false;
}

TEST(GpuShow, GivesDenseAndSparseWithTheirBases) {
  const Report report = shown("h100-sxm5");
  EXPECT_EQ(number(report, "peak.bf16.dense"), 989.4e12);
  EXPECT_THAT(basis(report, "peak.bf16.dense"), HasSubstr("dense, tensor, final, per chip"));
  EXPECT_NEAR(number(report, "peak.bf16.sparse"), 1979e12, 2e12);
  EXPECT_THAT(basis(report, "peak.bf16.sparse"), HasSubstr("2:4"));
  EXPECT_EQ(number(report, "memory_bandwidth"), 3352e9);
  EXPECT_NEAR(number(report, "ridge_point.bf16"), 295.17, 0.01);
  EXPECT_NEAR(number(report, "flop_per_joule.bf16"), 989.4e12 / 700, 1);
  ASSERT_NE(finding(report, "sparsity"), nullptr);
  EXPECT_THAT(finding(report, "sparsity")->text, HasSubstr("an ordinary dense model gains nothing"));
}
TEST(GpuShow, ExplainsEveryNumber) {
  for (const char* gpu : {"h100-sxm5", "rubin-gpu", "gb300-nvl72", "mi300x", "tpu-v5e"}) {
    const Report report = shown(gpu);
    for (const report::Figure& figure : report.figures) {
      if (std::holds_alternative<std::string>(figure.value)) continue;
      EXPECT_FALSE(figure.basis.empty()) << gpu << " " << figure.name;
      EXPECT_FALSE(figure.sources.empty()) << gpu << " " << figure.name;
      bool explained = false;
      for (const DerivationStep& step : report.derivation) explained = explained || step.name == figure.name;
      EXPECT_TRUE(explained) << gpu << " " << figure.name;
    }
  }
}
TEST(GpuShow, TellsSkusApart) {
  const Report report = shown("h100-nvl");
  EXPECT_EQ(number(report, "memory_bandwidth"), 3.9e12);
  EXPECT_EQ(number(report, "memory_capacity"), 94e9);
}
TEST(GpuShow, CountsARackAsARack) {
  const Report report = shown("gb300-nvl72");
  EXPECT_EQ(number(report, "peak.fp4.dense"), 1.08e18);
  EXPECT_EQ(number(report, "peak.fp4.sparse"), 1.44e18);
  EXPECT_THAT(basis(report, "peak.fp4.dense"), HasSubstr("72 GPUs"));
  EXPECT_NE(finding(report, "unit-counted"), nullptr);
  ASSERT_NE(finding(report, "sparse-not-twice"), nullptr);
  EXPECT_THAT(finding(report, "sparse-not-twice")->evidence, HasSubstr("1.33"));
}
TEST(GpuShow, KeepsBothProfilesOfAPart) {
  const Report report = shown("rubin-gpu");
  EXPECT_EQ(range(report, "memory_bandwidth"), (Interval{19.2e12, 22e12}));
  EXPECT_THAT(basis(report, "memory_bandwidth"), HasSubstr("19.20 TB/s (en-us product page) and 22.00 TB/s (technical blog and en-gb page)"));
  ASSERT_NE(finding(report, "sources-disagree"), nullptr);
  EXPECT_THAT(finding(report, "sources-disagree")->text, HasSubstr("disagree"));
  // 35 PF is of one page only: its ridge is computed with that page's bandwidth.
  EXPECT_NEAR(number(report, "ridge_point.fp4"), 35e15 / 19.2e12, 1e-6);
  EXPECT_EQ(number(report, "peak.fp4.inference"), 50e15);
}
TEST(GpuShow, ListsEverythingOnlyWhenAsked) {
  const Report all = report_of("gpu show", {{"gpu", {"b300-sxm-hgx"}}, {"all", {}}});
  EXPECT_TRUE(has_row(all, "figures", "b300-sxm-hgx"));
  EXPECT_FALSE(has_row(shown("b300-sxm-hgx"), "figures", "b300-sxm-hgx"));
  EXPECT_NE(finding(report_of("gpu show", {{"gpu", {"h100-sxm5"}}, {"all", {}}}), "preliminary-exists"), nullptr);
  EXPECT_TRUE(has_row(all, "sources", "nv_dgx_b300_page"));
}
TEST(GpuShow, SaysThatAnAcceleratorIsUnstated) { EXPECT_NE(finding(shown("l4"), "accumulator"), nullptr); }
TEST(GpuShow, SaysThatInt8WasCut) {
  const Report report = shown("b300-sxm-hgx");
  ASSERT_NE(finding(report, "step"), nullptr);
  EXPECT_THAT(finding(report, "step")->text, HasSubstr("int8 is slower than bf16"));
}
TEST(GpuShow, AnswersForEveryRecord) {
  for (const auto& record : hardware::accelerators(hardware::Catalog::builtin())) {
    SCOPED_TRACE(record.id);
    shown(std::string(record.id).c_str());
    report_of("gpu show", {{"gpu", {std::string(record.id)}}, {"all", {}}});
  }
}

TEST(GpuCompare, DividesTheBestRatesAndNamesBothPrecisions) {
  const Report report = report_of("gpu compare", {{"gpus", {"v100-sxm2-16gb", "gb300-gpu"}}, {"peak", {"best"}}});
  EXPECT_NEAR(number(report, "ratio.peak"), 120, 1e-9);
  EXPECT_NEAR(number(report, "ratio.memory_bandwidth"), 8.889, 0.001);
  EXPECT_NEAR(number(report, "ratio.power"), 14.0 / 3, 1e-9);
  EXPECT_NEAR(number(report, "ratio.flop_per_joule"), (15e15 / 1400) / (125e12 / 300), 1e-6);
  ASSERT_NE(finding(report, "precision-differs"), nullptr);
  EXPECT_THAT(finding(report, "precision-differs")->text, HasSubstr("v100-sxm2-16gb in fp16, gb300-gpu in fp4 (NVFP4)"));
}
TEST(GpuCompare, SaysWhichGainDecodeFollows) {
  const Report report = report_of("gpu compare", {{"gpus", {"v100-sxm2-16gb", "gb300-gpu"}}, {"peak", {"best"}}, {"phase", {"decode"}}});
  EXPECT_NEAR(number(report, "phase.gain"), 8.889, 0.001);
  EXPECT_NE(finding(report, "decode-follows-bandwidth"), nullptr);
  EXPECT_NEAR(number(report_of("gpu compare", {{"gpus", {"a100-sxm4-80gb", "h100-sxm5"}}, {"phase", {"prefill"}}}), "phase.gain"), 989.4 / 312, 1e-9);
}
TEST(GpuCompare, ComparesLikeWithLikeWithoutBeingAsked) {
  const Report report = report_of("gpu compare", {{"gpus", {"a100-sxm4-80gb", "h100-sxm5", "b200-sxm-hgx"}}});
  EXPECT_NEAR(number(report, "ratio.h100-sxm5.peak.bf16"), 989.4 / 312, 1e-9);
  EXPECT_EQ(report.figure("ratio.h100-sxm5.peak.fp8"), nullptr) << "an A100 has no fp8";
  const Interval bandwidth = range(report, "ratio.b200-sxm-hgx.memory_bandwidth");
  EXPECT_NEAR(bandwidth.low, 7700.0 / 2039, 1e-9);
  EXPECT_NEAR(bandwidth.high, 8000.0 / 2039, 1e-9);
}
TEST(GpuCompare, SaysThatUnitsDiffer) { EXPECT_NE(finding(report_of("gpu compare", {{"gpus", {"h100-sxm5", "gb300-nvl72"}}}), "unit-counted"), nullptr); }
TEST(GpuCompare, TakesAnInlineDescription) {
  EXPECT_NEAR(number(report_of("gpu compare", {{"gpus", {"h100-sxm5", "peak=500TFLOP/s,bandwidth=6.704TB/s"}}}), "ratio.memory_bandwidth"), 2, 1e-9);
}
TEST(GpuCompare, RefusesWhatItCannotCompare) {
  EXPECT_THAT(error_of("gpu compare", {{"gpus", {"h100-sxm5"}}}), HasSubstr("one part is no comparison"));
  EXPECT_THAT(error_of("gpu compare", {{"gpus", {"h100-sxm5", "h100-sxm"}}}), HasSubstr("h100-sxm5 stands twice"));
  EXPECT_THAT(error_of("gpu compare", {{"gpus", {"h100-sxm5", "a100-sxm4-80gb"}}, {"peak", {"fp8"}}}), HasSubstr("a100-sxm4-80gb lists no dense fp8 rate"));
  EXPECT_THAT(error_of("gpu compare", {{"gpus", {"h100-sxm5", "a100"}}}), HasSubstr("may be any of 4 parts"));
}

TEST(GpuList, ListsEveryChip) {
  const Report report = report_of("gpu list", {});
  EXPECT_EQ(number(report, "parts"), 59);
  EXPECT_FALSE(has_row(report, "accelerators", "gb300-nvl72"));
  EXPECT_TRUE(has_row(report_of("gpu list", {{"all", {}}}), "accelerators", "gb300-nvl72"));
}
TEST(GpuList, NarrowsByWhatIsAsked) {
  const Report report = report_of("gpu list", {{"vendor", {"nvidia"}}, {"min-memory", {"80GB"}}, {"precision", {"fp8"}}});
  EXPECT_TRUE(has_row(report, "accelerators", "h100-sxm5"));
  EXPECT_FALSE(has_row(report, "accelerators", "a100-sxm4-80gb")) << "no fp8";
  EXPECT_FALSE(has_row(report, "accelerators", "mi300x")) << "not NVIDIA";
  EXPECT_FALSE(has_row(report, "accelerators", "l4")) << "24 GB";
  EXPECT_FALSE(has_row(report_of("gpu list", {{"min-memory", {"80GiB"}}}), "accelerators", "h100-pcie")) << "the driver may report less than 80 GiB";
}
TEST(GpuList, SaysThatAWordIsUnknown) { EXPECT_THAT(error_of("gpu list", {{"vendor", {"nvidya"}}}), HasSubstr("Known: AMD, AWS, Google, Intel, NVIDIA.")); }

TEST(GpuIdentify, NamesThePartAndItsSlice) {
  const Report report = report_of("gpu identify", {{"names", {"nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED"}}});
  EXPECT_EQ(report.verdict.ok, true);
  EXPECT_EQ(std::get<std::string>(report.figure("accelerator")->value), "h100-sxm5");
  EXPECT_EQ(std::get<std::string>(report.figure("reference")->value), "h100-sxm5/mig-1g.10gb");
  EXPECT_NE(finding(report, "shared"), nullptr);
}
TEST(GpuIdentify, SaysNoToAnUnknownPart) {
  const Report report = report_of("gpu identify", {{"names", {"NVIDIA A100X"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_EQ(report.figure("accelerator"), nullptr);
  EXPECT_EQ(std::get<std::string>(report.figure("match")->value), "unknown");
}
Result<Report> lint(const std::string& text) {
  formats::MemoryFileSystem files;
  files.files["claims.csv"] = text;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return find_command("gpu lint")->run({{"file", {"claims.csv"}}}, environment);
}
TEST(GpuLint, CountsWhatDoesNotHold) {
  auto report =
      lint("accelerator,metric,precision,claimed,unit\nh100-sxm5,peak,bf16,1979,TFLOP/s\nh100-sxm5,peak,bf16,989.4,TFLOP/s\nwhat,peak,bf16,1,TFLOP/s\n");
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->verdict.text, "1 of 3 claims do not hold; 1 could not be decided.");
  EXPECT_EQ(report->verdict.ok, false);
  EXPECT_EQ(number(*report, "claims.wrong"), 1);
  EXPECT_EQ(number(*report, "flag.sparse_as_dense"), 1);
  ASSERT_NE(finding(*report, "sparse_as_dense"), nullptr);
  EXPECT_EQ(finding(*report, "sparse_as_dense")->evidence, "line 2");
  const auto& row = report->tables[0].rows[0];
  EXPECT_EQ(std::get<std::string>(row[4]), "1979 TFLOP/s");
  EXPECT_EQ(std::get<std::string>(row[6]), "989.4 TFLOP/s") << "in the unit of the claim";
  EXPECT_EQ(number(*report, "claim.line_2.right"), 989.4e12);
  EXPECT_EQ(std::get<std::string>(report->figure("claim.line_2.flag")->value), "sparse_as_dense");
  EXPECT_TRUE(report::check_report(*report));
}
TEST(GpuLint, SaysYesWhereAllHold) { EXPECT_EQ(lint("accelerator,metric,precision,claimed,unit\nl40s,memory_bandwidth,,864,GB/s\n")->verdict.ok, true); }
TEST(GpuLint, NamesTheFileAndTheLineOfWhatIsWrong) {
  auto report = lint("accelerator,metric,precision,claimed,unit\nl40s,memory_bandwidth,,864,GB\n");
  ASSERT_FALSE(report);
  EXPECT_THAT(to_string(report.error()), HasSubstr("claims.csv:2: unit: \"GB\" is not a unit of"));
}
TEST(GpuIdentify, ListsSeveralNames) {
  const Report report = report_of("gpu identify", {{"names", {"NVIDIA A10G", "NVIDIA A100"}}});
  EXPECT_EQ(report.verdict.text, "1 of 2 names are known.");
  EXPECT_TRUE(has_row(report, "devices", "NVIDIA A100"));
}

}  // namespace
}  // namespace ridge::commands
