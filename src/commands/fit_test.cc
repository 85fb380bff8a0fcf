// ridge fit, from its arguments to its reports.
#include <gtest/gtest.h>

#include <cmath>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> run(const Arguments& arguments) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return find_command("fit")->run(arguments, environment);
}

Report report_of(const Arguments& arguments) {
  auto report = run(arguments);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

std::string error_of(const Arguments& arguments) {
  const auto report = run(arguments);
  EXPECT_FALSE(report) << "no error";
  return report ? "" : to_string(report.error());
}

double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? std::nan("") : std::get<double>(figure->value);
}

const report::Finding* finding(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return &one;
  return nullptr;
}

const report::Table* table(const Report& report, std::string_view name) {
  for (const report::Table& one : report.tables)
    if (one.name == name) return &one;
  return nullptr;
}

void expect_components_add_up(const Report& report) {
  const report::Table* components = table(report, "components");
  ASSERT_NE(components, nullptr);
  for (const std::size_t column : {1u, 2u}) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < components->rows.size(); ++i) sum += std::get<double>(components->rows[i][column]);
    EXPECT_EQ(sum, std::get<double>(components->rows.back()[column]));
  }
  EXPECT_EQ(number(report, "total.low"), std::get<double>(components->rows.back()[1]));
  EXPECT_EQ(number(report, "total.high"), std::get<double>(components->rows.back()[2]));
}

TEST(Fit, GivesTheWeightsInEveryFormatAskedFor) {
  const Report report = report_of({{"model", {"7e9"}}, {"dtype", {"fp32", "bf16", "int8"}}});
  EXPECT_EQ(number(report, "weights.fp32"), 28e9);
  EXPECT_EQ(number(report, "weights.bf16"), 14e9);
  EXPECT_EQ(number(report, "weights.int8"), 7e9);
  EXPECT_EQ(report.verdict.text, "The weights of 7e9 take 26.08 GiB in fp32, 13.04 GiB in bf16, 6.519 GiB in int8.");
  EXPECT_FALSE(report.verdict.ok);
}

TEST(Fit, SaysThatGibIsNotGbAndThatQuantisedFormatsAddScales) {
  const Report report = report_of({{"model", {"7e9"}}, {"dtype", {"int8"}}});
  ASSERT_NE(finding(report, "gib-is-not-gb"), nullptr);
  EXPECT_EQ(finding(report, "gib-is-not-gb")->evidence, "6.519 GiB is 7.000 GB");
  ASSERT_NE(finding(report, "scales"), nullptr);
  EXPECT_EQ(finding(report_of({{"model", {"7e9"}}, {"dtype", {"bf16"}}}), "scales"), nullptr);
}

TEST(Fit, EveryLabelledNumberHasItsDerivationOrSources) {
  for (const Arguments& arguments :
       {Arguments{{"model", {"params=8e9,layers=32,hidden=4096,heads=32,kv_heads=8"}}, {"gpu", {"h100-sxm5:2"}}, {"context", {"4096"}}, {"requests", {"64"}}},
        Arguments{{"model", {"7e9"}}, {"train", {}}, {"gpu", {"a100-sxm4-80gb:8"}}}}) {
    const Report report = report_of(arguments);
    for (const report::Figure& figure : report.figures) {
      if (figure.label.empty() || std::holds_alternative<std::string>(figure.value) || !figure.sources.empty()) continue;
      bool found = false;
      for (const DerivationStep& step : report.derivation) found = found || step.name == figure.name;
      EXPECT_TRUE(found || figure.name.starts_with("total")) << figure.name << " has neither derivation nor sources";
    }
  }
}

TEST(Fit, OneRequestsCacheOfADescriptionWithoutWeights) {
  const Report report = report_of({{"model", {"layers=32,hidden=4096,heads=32"}}, {"context", {"2048"}}, {"kv-dtype", {"fp16"}}});
  EXPECT_EQ(number(report, "kv_cache.per_request"), 1073741824);
  EXPECT_EQ(report.verdict.text, "One request of 2048 tokens keeps 1.000 GiB of KV cache in fp16.");
  EXPECT_EQ(report.figure("weights.bf16"), nullptr) << "missing is not zero";
  ASSERT_NE(finding(report, "kv-can-dominate"), nullptr);
}

TEST(Fit, SixteenBitSevenBillionFitsFortyGigabytes) {
  const Report report = report_of({{"model", {"7e9"}}, {"dtype", {"fp16"}}, {"gpu", {"a100-sxm4-40gb"}}});
  EXPECT_NE(report.verdict.text.find("fits one a100-sxm4-40gb"), std::string::npos) << report.verdict.text;
  EXPECT_EQ(report.verdict.ok, true);
  expect_components_add_up(report);
}

TEST(Fit, ComponentsAddUpOnEveryLayout) {
  for (const char* gpu : {"h100-sxm5", "h100-sxm5:2", "h100-sxm5:8"})
    expect_components_add_up(
        report_of({{"model", {"params=70e9,layers=80,hidden=8192,heads=64,kv_heads=8"}}, {"gpu", {gpu}}, {"context", {"4096"}}, {"requests", {"16"}}}));
}

TEST(Fit, SaysByHowMuchItMissesAndWhatWouldHoldIt) {
  const Report report = report_of({{"model", {"70e9"}}, {"dtype", {"bf16"}}, {"gpu", {"h100-sxm5"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_NE(report.verdict.text.find("does not fit one h100-sxm5"), std::string::npos);
  ASSERT_NE(finding(report, "short"), nullptr);
  const report::Table* layouts = table(report, "layouts");
  ASSERT_NE(layouts, nullptr);
  EXPECT_EQ(std::get<std::string>(layouts->rows[0][0]), "h100-sxm5");
  EXPECT_EQ(std::get<double>(layouts->rows[0][2]), 2);
  ASSERT_NE(report.figure("offload.time_per_step"), nullptr);
}

TEST(Fit, RequestsThatFitIsWhereOneMoreDoesNot) {
  const Arguments base{{"model", {"params=8e9,layers=32,hidden=4096,heads=32,kv_heads=8"}}, {"gpu", {"l4"}}, {"context", {"8192"}}};
  const double most = number(report_of(base), "requests_that_fit");
  ASSERT_GT(most, 0);
  Arguments last = base, beyond = base;
  last.push_back({"requests", {std::to_string(static_cast<int>(most))}});
  beyond.push_back({"requests", {std::to_string(static_cast<int>(most) + 1)}});
  EXPECT_EQ(report_of(last).verdict.ok, true);
  EXPECT_EQ(report_of(beyond).verdict.ok, false);
}

TEST(FitTraining, AdamKeepsSixteenBytesAParameter) {
  const Report report = report_of({{"model", {"7e9"}}, {"train", {}}});
  EXPECT_EQ(number(report, "training_state"), 112e9);
  EXPECT_EQ(number(report, "training_state.per_rank"), 112e9);
}

TEST(FitTraining, FsdpShardsTheState) {
  const Report report = report_of({{"model", {"7e9"}}, {"train", {}}, {"fsdp", {"8"}}});
  EXPECT_EQ(number(report, "training_state.per_rank"), 14e9);
}

TEST(FitTraining, TakesTheGpusCountAsShards) {
  const Report report = report_of({{"model", {"7e9"}}, {"train", {}}, {"gpu", {"a100-sxm4-80gb:8"}}});
  EXPECT_EQ(number(report, "training_state.per_rank"), 14e9);
  EXPECT_EQ(report.verdict.ok, true);
  expect_components_add_up(report);
}

TEST(FitTraining, OnOneEightyGigabyteCardDoesNotFitAndSaysWhatShrinksWhat) {
  const Report report = report_of({{"model", {"7e9"}}, {"train", {}}, {"optimizer", {"adam"}}, {"gpu", {"a100-sxm4-80gb"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_NE(report.verdict.text.find("does not fit"), std::string::npos);
  ASSERT_NE(finding(report, "what-shrinks-what"), nullptr);
  EXPECT_EQ(finding(report, "what-shrinks-what")->text,
            "Sharding (FSDP, ZeRO), offload and 8-bit states shrink the training state; recomputation shrinks activations only.");
}

TEST(FitTraining, RecomputationShrinksTheActivationsAndNothingElse) {
  const Arguments base{{"model", {"params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8"}}, {"train", {}}, {"sequence", {"4096"}}};
  Arguments full = base;
  full.push_back({"recompute", {"full"}});
  const Report selective = report_of(base), recomputed = report_of(full);
  EXPECT_LT(number(recomputed, "activations"), number(selective, "activations"));
  EXPECT_EQ(number(recomputed, "training_state"), number(selective, "training_state"));
}

TEST(FitErrors, NameTheOptionAndWhatToDo) {
  EXPECT_EQ(error_of({{"model", {"7e9"}}, {"fsdp", {"8"}}}), "--fsdp: state is sharded in training only\n  Add --train.");
  EXPECT_EQ(error_of({{"model", {"7e9"}}, {"train", {}}, {"context", {"8"}}}), "--context: training keeps no KV cache\n  Leave it out, or leave --train out.");
  EXPECT_EQ(error_of({{"model", {"7e9"}}, {"requests", {"0"}}}), "--requests: 0 is outside 1 to 100000000");
  EXPECT_EQ(error_of({{"model", {"7e9"}}, {"gpu", {"h100-sxm5:3"}}, {"tp", {"2"}}}),
            "--tp: 2 × 1 ranks do not divide the 3 accelerators that --gpu names\n  Give a count that is a multiple of tp × pp, or leave it out.");
  EXPECT_NE(error_of({{"model", {"7e9"}}, {"context", {"2048"}}}).find("layers"), std::string::npos);
  EXPECT_NE(error_of({{"model", {"7e9"}}, {"gpu", {"h1000"}}}).find("h100"), std::string::npos);
}

}  // namespace
}  // namespace ridge::commands
