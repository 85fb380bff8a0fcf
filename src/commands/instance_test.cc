// instance list, show and compare, from their arguments to their reports. Offers themselves are tested in hardware/instances_test.cc.
#include <gtest/gtest.h>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Table;

Result<Report> run(const char* name, const Arguments& arguments, const std::string& prices = {}) {
  formats::MemoryFileSystem files;
  files.files["prices.csv"] = prices;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return find_command(name)->run(arguments, environment);
}

Report report_of(const char* name, const Arguments& arguments, const std::string& prices = {}) {
  auto report = run(name, arguments, prices);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? -1 : std::get<double>(figure->value);
}

const report::Finding* finding(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return &one;
  return nullptr;
}

std::size_t column(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name) return i;
  ADD_FAILURE() << name;
  return 0;
}

const std::vector<report::Cell>* row(const Table& table, const std::string& first) {
  for (const auto& one : table.rows)
    if (one[0] == report::Cell{first}) return &one;
  return nullptr;
}

TEST(InstanceList, SortsByThePriceOfAnAcceleratorHour) {
  const Report report = report_of("instance list", {{"gpu", {"h100-sxm5"}}});
  const Table& table = report.tables.at(0);
  const std::size_t price = column(table, "per accelerator-hour");
  double last = 0;
  bool ended = false;
  for (const auto& one : table.rows) {
    const double* value = std::get_if<double>(&one[price]);
    if (value == nullptr) {
      ended = true;  // what has no price comes last, and is no zero
      continue;
    }
    EXPECT_FALSE(ended);
    EXPECT_GE(*value, last);
    last = *value;
  }
  EXPECT_DOUBLE_EQ(number(report, "price.lowest_per_accelerator_hour"), 3.9);
  EXPECT_EQ(report.verdict.text, "9 offers, from $3.90 an accelerator-hour (H100-SXM-80GB (per GPU), h100-sxm5).");
}

TEST(InstanceList, ShowsEveryMachineOfTheCatalogue) { EXPECT_EQ(number(report_of("instance list", {}), "instances.count"), 108); }

TEST(InstanceList, Filters) {
  EXPECT_EQ(report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"provider", {"aws"}}}).tables[0].rows.size(), 2U);
  EXPECT_EQ(report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"provider", {"aws"}}, {"count", {"8"}}}).tables[0].rows.size(), 1U);
  const Report cheap = report_of("instance list", {{"max-price", {"2"}}});
  EXPECT_FALSE(cheap.tables[0].rows.empty());
  for (const auto& one : cheap.tables[0].rows) EXPECT_LE(std::get<double>(one[5]), 2);
  EXPECT_EQ(report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"region", {"us-central1"}}}).tables[0].rows.size(), 2U);
  EXPECT_EQ(report_of("instance list", {{"gpu", {"b100"}}}).verdict.text, "No instance of the catalogue is such.");
}

TEST(InstanceList, FlagsOldPrices) {
  const Report report = report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"max-price-age", {"150d"}}});
  ASSERT_NE(finding(report, "price-too-old"), nullptr);
  EXPECT_EQ(finding(report, "price-too-old")->text, "2 of the prices shown are older than 150 days on 2026-12-01: a3-highgpu-8g, a3-megagpu-8g.");
  EXPECT_EQ(finding(report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"max-price-age", {"150d"}}, {"as-of", {"2026-08-20"}}}), "price-too-old"), nullptr);
}

TEST(InstanceList, TakesTheUsersPrices) {
  const Report report = report_of("instance list", {{"gpu", {"h100-sxm5"}}, {"prices", {"prices.csv"}}}, "instance,price,commitment\np5.48xlarge,16,spot\n");
  EXPECT_DOUBLE_EQ(number(report, "price.lowest_per_accelerator_hour"), 2);
  EXPECT_EQ(report.verdict.text, "10 offers, from $2.00 an accelerator-hour (p5.48xlarge, h100-sxm5, your price).");
}

TEST(InstanceList, DoesNotDivideByAnUnsourcedCount) {
  const Report report = report_of("instance list", {{"gpu", {"l4"}}});
  ASSERT_NE(finding(report, "unsourced-count"), nullptr);
  const auto* g2 = row(report.tables[0], "g2-standard-48");
  ASSERT_NE(g2, nullptr);
  EXPECT_EQ((*g2)[5], report::Cell{});
  EXPECT_EQ((*g2)[column(report.tables[0], "flags")], report::Cell{std::string("count unsourced")});
}

TEST(InstanceList, RefusesUnknownNames) {
  EXPECT_EQ(to_string(run("instance list", {{"provider", {"amazon"}}}).error()),
            "--provider: there is no provider \"amazon\"\n  Known: aws, azure, crusoe, gcp.");
  EXPECT_EQ(run("instance list", {{"region", {"mars"}}}).error().where, "--region");
  EXPECT_EQ(run("instance list", {{"gpu", {"h1000"}}}).error().where, "--gpu: h1000");
  EXPECT_EQ(run("instance list", {{"prices", {"none.csv"}}}).error().where, "none.csv");
  EXPECT_EQ(run("instance list", {{"as-of", {"tomorrow"}}}).error().where, "--as-of");
  EXPECT_EQ(run("instance list", {{"max-price-age", {"180"}}}).error().where, "--max-price-age");
}

TEST(InstanceShow, GivesEachFigureItsSource) {
  const Report report = report_of("instance show", {{"name", {"a3-megagpu-8g"}}});
  EXPECT_EQ(report.figure("ram")->sources, std::vector<std::string>{"gcp_a3_notes"});
  EXPECT_EQ(report.figure("local_storage")->sources, std::vector<std::string>{"gpuhunt"});
  EXPECT_DOUBLE_EQ(number(report, "price.per_hour"), 93.4);
  EXPECT_DOUBLE_EQ(number(report, "price.per_accelerator_hour"), 93.4 / 8);
  EXPECT_EQ(report.verdict.text, "a3-megagpu-8g of gcp: 8 x h100-sxm5, $93.40 an hour.");
}

TEST(InstanceShow, SaysWhatNobodyStates) {
  const Report g2 = report_of("instance show", {{"name", {"g2-standard-48"}}});
  EXPECT_EQ(g2.figure("price.per_accelerator_hour"), nullptr);
  EXPECT_EQ(g2.verdict.text, "g2-standard-48 of gcp: 4 x l4 (count unsourced), $4.23 an hour.");
  EXPECT_NE(finding(g2, "unsourced-count"), nullptr);
  EXPECT_NE(finding(report_of("instance show", {{"name", {"p5.48xlarge"}}}), "unsourced"), nullptr) << "NVSwitch";
}

TEST(InstanceShow, PointsToAnotherViewOfTheSameMachine) {
  EXPECT_NE(finding(report_of("instance show", {{"name", {"trn2.48xlarge"}}}), "other-view"), nullptr);
  EXPECT_NE(finding(report_of("instance show", {{"name", {"trn2.48xlarge (Neuron docs view)"}}}), "other-view"), nullptr);
}

TEST(InstanceCompare, SaysWhatADollarBuys) {
  const Report report = report_of("instance compare", {{"names", {"p5.48xlarge", "p4de.24xlarge"}}});
  ASSERT_EQ(report.tables.at(0).rows.size(), 2U);
  const Table& table = report.tables[0];
  const auto* p4de = row(table, "p4de.24xlarge");
  ASSERT_NE(p4de, nullptr);
  const double price = 27.44705 / 8;
  EXPECT_NEAR(std::get<double>((*p4de)[column(table, "bytes moved per USD")]), 2039e9 * 3600 / price, 1e9);
  EXPECT_NEAR(std::get<double>((*p4de)[column(table, "bf16 per USD")]), 312e12 * 3600 / price, 1e12);
  EXPECT_EQ(report.verdict.text, "For a dollar, p4de.24xlarge moves the most bytes and p5.48xlarge does the most bf16 arithmetic.");
  EXPECT_EQ(report.derivation.size(), 3U);
}

TEST(InstanceCompare, LetsAnUnsourcedCountWinNothing) {
  const Report report = report_of("instance compare", {{"names", {"g2-standard-96", "g6.48xlarge"}}});
  EXPECT_EQ(report.verdict.text, "g6.48xlarge moves the most bytes and does the most bf16 arithmetic for a dollar.");
  EXPECT_EQ(report_of("instance compare", {{"names", {"g2-standard-96"}}}).verdict.text, "None of these has a price per accelerator: nothing can be compared.");
}

TEST(InstanceCompare, TakesEveryOfferOfAPart) {
  const Report report = report_of("instance compare", {{"gpu", {"mi300x", "h100-sxm5"}}, {"dtype", {"fp8"}}});
  EXPECT_EQ(report.tables.at(0).rows.size(), 6U);
  EXPECT_NE(report.figure("best.flop_per_usd"), nullptr);
}

TEST(InstanceCompare, RefusesWhatItCannotCompare) {
  EXPECT_EQ(run("instance compare", {}).error().what, "nothing to compare is named");
  EXPECT_EQ(run("instance compare", {{"names", {"p5.48xlrage"}}}).error().what, "there is no instance of that name");
  EXPECT_EQ(run("instance compare", {{"gpu", {"b100"}}}).error().where, "--gpu");
}

}  // namespace
}  // namespace ridge::commands
