// ridge backtest, and that the bands that it writes are current.
#include "cost/backtest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Report report_of(const Arguments& arguments) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  auto report = find_command("backtest")->run(arguments, environment);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

// The whole report, predicted once for all tests.
const Report& whole() {
  static const Report report = report_of({});
  return report;
}

double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? std::nan("") : std::get<double>(figure->value);
}

const report::Table* table(const Report& report, std::string_view name) {
  for (const report::Table& one : report.tables)
    if (one.name == name) return &one;
  return nullptr;
}

std::string bands_now() {
  const Report& report = whole();
  const report::Table* bands = table(report, "bands");
  EXPECT_NE(bands, nullptr);
  std::vector<cost::ErrorSummary> summaries;
  for (const auto& row : bands->rows) {
    cost::ErrorSummary s;
    s.group = std::get<std::string>(row[0]);
    s.rows = static_cast<int>(std::get<double>(row[1]));
    s.median_error = std::get<double>(row[2]);
    s.band_low = std::get<double>(row[3]);
    s.band_high = std::get<double>(row[4]);
    summaries.push_back(std::move(s));
  }
  return cost::bands_yaml(summaries);
}

TEST(Backtest, PredictsOverAThousandMeasurementsWithinAFifthAtTheMedian) {
  const Report& report = whole();
  EXPECT_GT(number(report, "rows.used"), 1000);
  EXPECT_LT(number(report, "error.median"), 0.2);
  EXPECT_LT(std::abs(number(report, "error.bias")), 0.1);
  EXPECT_EQ(
      number(report, "rows.used") +
          [&] {
            double left_out = 0;
            for (const auto& row : table(report, "excluded")->rows) left_out += std::get<double>(row[1]);
            return left_out;
          }(),
      number(report, "rows.all"))
      << "every row is either used or left out with a reason";
}

TEST(Backtest, GroupsByWhatIsAskedFor) {
  const Report report = report_of({{"by", {"gpu"}}});
  ASSERT_NE(table(report, "by_gpu"), nullptr);
  EXPECT_EQ(table(report, "by_model"), nullptr);
  double rows = 0;
  for (const auto& row : table(report, "by_gpu")->rows) rows += std::get<double>(row[1]);
  EXPECT_EQ(rows, number(report, "rows.used"));
}

TEST(Backtest, ShowsTheWorstRowsFirst) {
  const report::Table* worst = table(whole(), "worst");
  ASSERT_NE(worst, nullptr);
  ASSERT_EQ(worst->rows.size(), 15u);
  for (std::size_t i = 1; i < 15; ++i) EXPECT_GE(std::abs(std::get<double>(worst->rows[i - 1][9])), std::abs(std::get<double>(worst->rows[i][9])));
}

// UPDATE_BANDS=1 rewrites the file; the next build compiles it in.
TEST(Backtest, TheBandsThatReportsPrintAreCurrent) {
  const std::string file = RIDGE_SOURCE_DIR "/data/serving_bands.yaml";
  if (const char* update = std::getenv("UPDATE_BANDS"); update != nullptr && *update == '1') {
    ASSERT_TRUE(formats::write_file(file, bands_now()));
    return;
  }
  const auto held = formats::DiskFileSystem().read_all(file, 1u << 20);
  ASSERT_TRUE(held) << to_string(held.error());
  EXPECT_EQ(*held, bands_now()) << "run this test with UPDATE_BANDS=1, build, and read the difference";
}

}  // namespace
}  // namespace ridge::commands
