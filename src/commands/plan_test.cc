// plan, from its arguments to its report.
#include <gtest/gtest.h>

#include <cmath>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> run(Arguments arguments, formats::MemoryFileSystem files = {}) {
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return plan_command().run(arguments, environment);
}

Report must(Arguments arguments, formats::MemoryFileSystem files = {}) {
  auto report = run(std::move(arguments), std::move(files));
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

std::string error_of(Arguments arguments, formats::MemoryFileSystem files = {}) {
  const auto report = run(std::move(arguments), std::move(files));
  return report ? "no error" : to_string(report.error());
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

const Arguments kMainJob{{"model", {"llama-3.1-8b"}}, {"rate", {"5/s"}}, {"input", {"1024"}}, {"output", {"256"}}};

Arguments with(std::vector<std::pair<std::string, std::vector<std::string>>> more) {
  Arguments all = kMainJob;
  for (auto& one : more) {
    std::erase_if(all, [&](const auto& given) { return given.first == one.first; });
    all.push_back(std::move(one));
  }
  return all;
}

TEST(PlanCommand, NamesACompleteDeployment) {
  const Report report = must(kMainJob);
  EXPECT_EQ(report.verdict.ok, true);
  for (const char* name : {"accelerator", "interconnect", "instance", "software.cuda", "software.driver", "precision", "layout", "bound"})
    EXPECT_NE(report.figure(name), nullptr) << name;
  for (const char* name : {"gpus", "memory.usable", "memory.headroom", "batch.max_sequences", "time_per_output_token", "first_token.tail",
                           "saturation.tokens_per_second", "cost.per_hour", "cost.per_million_tokens"})
    EXPECT_GT(number(report, name), 0) << name;
  // cost per million tokens is the hour's price over the hour's tokens.
  EXPECT_NEAR(number(report, "cost.per_million_tokens"), number(report, "cost.per_hour") / (5 * 256 * 3600) * 1e6, 1e-9);
  EXPECT_LE(number(report, "utilisation"), 0.85 + 1e-9);
}

TEST(PlanCommand, KeepsAcceleratorsApart) {
  const Report report = must(with({{"top", {"100"}}}));
  const report::Table* ranking = table(report, "deployments");
  ASSERT_NE(ranking, nullptr);
  std::vector<std::string> seen;
  double before = 0;
  for (const auto& row : ranking->rows) {
    seen.push_back(std::get<std::string>(row[1]));
    if (const double* cost = std::get_if<double>(&row[5])) {
      EXPECT_GE(*cost, before);
      before = *cost;
    }
  }
  for (const char* part : {"a10g", "l4", "a100-sxm4-40gb", "a100-sxm4-80gb", "h100-sxm5"})
    EXPECT_NE(std::find(seen.begin(), seen.end(), part), seen.end()) << part;
}

TEST(PlanCommand, NeverChoosesWeightsThatTheCheckpointDoesNotHold) {
  const Report report = must(kMainJob);
  EXPECT_EQ(std::get<std::string>(report.figure("precision")->value), "bf16");
  const report::Table* others = table(report, "other_formats");
  ASSERT_NE(others, nullptr);
  EXPECT_FALSE(others->rows.empty());
}

TEST(PlanCommand, WarnsOfAFormatThatNobodyChecked) {
  const Report report = must(with({{"dtype", {"fp8"}}}));
  EXPECT_NE(finding(report, "quality-unchecked"), nullptr);
}

TEST(PlanCommand, SaysHowFarWhatFallsOutIs) {
  const Report report = must({{"model", {"llama-3.1-70b"}}, {"rate", {"1/s"}}, {"gpu", {"l4:1"}}, {"dtype", {"bf16"}}});
  EXPECT_EQ(report.verdict.ok, false);
  EXPECT_NE(report.verdict.text.find("short by"), std::string::npos) << report.verdict.text;
  const report::Table* dropped = table(report, "dropped");
  ASSERT_NE(dropped, nullptr);
  EXPECT_EQ(std::get<std::string>(dropped->rows[0][0]), "does not fit");
}

TEST(PlanCommand, AddsSpareReplicasToTheBill) {
  const Report alone = must(with({{"gpu", {"h100-sxm5"}}}));
  const Report spared = must(with({{"gpu", {"h100-sxm5"}}, {"spare", {"1"}}}));
  EXPECT_NE(finding(alone, "single-replica"), nullptr);
  EXPECT_EQ(finding(spared, "single-replica"), nullptr);
  EXPECT_GT(number(spared, "cost.per_hour"), number(alone, "cost.per_hour"));
}

TEST(PlanCommand, TakesTheGpusThatThereAre) {
  formats::MemoryFileSystem files;
  files.files["own.csv"] = "accelerator,count,gpus_per_node,price_per_hour\nh100-sxm5,2,2,1.5\nl4,4,4,0.3\n";
  const Report report = must(with({{"inventory", {"own.csv"}}}), files);
  EXPECT_EQ(report.verdict.ok, true);
  for (const auto& row : table(report, "deployments")->rows) EXPECT_LE(std::get<double>(row[3]), 4);
  files.files["own.csv"] = "accelerator,count\nh100,2\n";
  EXPECT_NE(error_of(with({{"inventory", {"own.csv"}}}), files).find("own.csv:2"), std::string::npos);
}

TEST(PlanCommand, TakesTheUsersPrices) {
  formats::MemoryFileSystem files;
  files.files["p.csv"] = "accelerator,price,commitment\nh100-sxm5,0.01,spot\n";
  const Report report = must(with({{"prices", {"p.csv"}}}), files);
  EXPECT_EQ(std::get<std::string>(report.figure("accelerator")->value), "h100-sxm5");
  EXPECT_NE(finding(report, "spot"), nullptr);
}

TEST(PlanCommand, FlagsOldPrices) {
  const Report report = must(with({{"max-price-age", {"10d"}}, {"as-of", {"2026-12-01"}}}));
  EXPECT_NE(finding(report, "price-age"), nullptr);
}

TEST(PlanCommand, PlansWithinEachProfileOfADisputedPart) {
  const Report report = must(with({{"gpu", {"rubin-gpu"}}, {"engine", {"any"}}, {"dtype", {"bf16"}}}));
  const report::Table* ranking = table(report, "deployments");
  ASSERT_NE(ranking, nullptr);
  for (const auto& row : ranking->rows) EXPECT_NE(std::get<std::string>(row[1]), "rubin-gpu");
}

TEST(PlanCommand, RefusesWhatItCannotMean) {
  EXPECT_EQ(error_of(with({{"rate", {"0/s"}}})), "--rate: no request arrives\n  Write a rate above 0, as in 5/s.");
  EXPECT_EQ(error_of(with({{"input", {"0"}}})), "--input: 0 is outside 1 to 100000000");
  EXPECT_EQ(error_of(with({{"tp", {"3"}}})), "--tp: 3 is no power of two\n  Use 1, 2, 4, 8, …");
  EXPECT_EQ(error_of(with({{"input", {"200000"}}})),
            "--input, --output: requests of 200256 tokens are longer than the context of llama-3.1-8b, 131072 tokens\n"
            "  Shorten the requests or choose another model.");
  EXPECT_NE(error_of(with({{"gpu", {"h100"}}})).find("--gpu"), std::string::npos);
  EXPECT_NE(error_of(with({{"engine", {"vlm"}}})).find("--engine"), std::string::npos);
  EXPECT_NE(error_of(with({{"provider", {"nobody"}}})), "no error");
  EXPECT_NE(error_of(with({{"model", {"7e9"}}})).find("layers"), std::string::npos);
  formats::MemoryFileSystem files;
  files.files["i"] = "accelerator,count\nl4,1\n";
  EXPECT_NE(error_of(with({{"inventory", {"i"}}, {"gpu", {"l4"}}}), files).find("--inventory"), std::string::npos);
}

TEST(PlanCommand, AnswersTheSameBytesTwice) {
  const Report first = must(kMainJob);
  const Report second = must(kMainJob);
  EXPECT_EQ(first.verdict.text, second.verdict.text);
  ASSERT_EQ(first.tables.size(), second.tables.size());
  for (std::size_t i = 0; i < first.tables.size(); ++i) EXPECT_EQ(first.tables[i].rows, second.tables[i].rows);
}

}  // namespace
}  // namespace ridge::commands
