#include "report/compare.h"

#include <gtest/gtest.h>

#include "support/sample_report.h"

namespace ridge::report {
namespace {

Report with_figure(const Cell& value, std::string unit) {
  Report report;
  report.figures = {{"f", value, std::move(unit), {}, {}, {}, {}}};
  return report;
}

Report with_table(std::vector<std::vector<Cell>> rows, std::vector<Column> columns = {{"name", ""}, {"time", "s"}}) {
  Report report;
  report.tables.push_back({"t", "", std::move(columns), std::move(rows)});
  return report;
}

std::string obstacles_of(const Comparison& comparison) {
  std::string text;
  for (const Obstacle& obstacle : comparison.obstacles) text += obstacle.kind + ": " + obstacle.text + "\n";
  return text;
}

TEST(CompareReports, FindsNoDifferenceBetweenAReportAndItself) {
  const Report report = support::sample_report();
  const Comparison comparison = compare_reports(report, report, 0);
  EXPECT_EQ(comparison.differences(), 0u);
  EXPECT_EQ(comparison.figures_compared, report.figures.size());
  EXPECT_EQ(comparison.cells_compared, 3u * 7 + 4 * 3);
  EXPECT_TRUE(comparison.request.empty());
}

TEST(CompareReports, GivesTheChangeAndItsShareOfTheFirst) {
  const Comparison comparison = compare_reports(with_figure(200.0, "B"), with_figure(150.0, "B"), 0);
  ASSERT_EQ(comparison.figures.size(), 1u);
  EXPECT_EQ(comparison.figures[0].change, -50);
  EXPECT_EQ(comparison.figures[0].relative, -0.25);
  EXPECT_EQ(comparison.figures[0].unit, "B");
}

TEST(CompareReports, TakesTheToleranceAsAShareOfTheFirst) {
  EXPECT_EQ(compare_reports(with_figure(100.0, "B"), with_figure(101.0, "B"), 0.01).differences(), 0u);
  EXPECT_EQ(compare_reports(with_figure(100.0, "B"), with_figure(102.0, "B"), 0.01).differences(), 1u);
  EXPECT_EQ(compare_reports(with_figure(-100.0, "B"), with_figure(-99.0, "B"), 0.01).differences(), 0u);
  // Nothing is a share of zero.
  const Comparison from_zero = compare_reports(with_figure(0.0, "B"), with_figure(1e-9, "B"), 1);
  ASSERT_EQ(from_zero.differences(), 1u);
  EXPECT_EQ(from_zero.figures[0].relative, std::nullopt);
}

TEST(CompareReports, CountsAChangeThatOverflows) {
  const Comparison comparison = compare_reports(with_figure(-1.7e308, "B"), with_figure(1.7e308, "B"), 1);
  ASSERT_EQ(comparison.figures.size(), 1u);
  EXPECT_EQ(comparison.figures[0].change, std::nullopt);
}

TEST(CompareReports, ComparesRangesEndByEnd) {
  const Comparison comparison = compare_reports(with_figure(Interval{19.2, 22}, "B/s"), with_figure(Interval{19.2, 24}, "B/s"), 0);
  ASSERT_EQ(comparison.figures.size(), 1u);
  EXPECT_EQ(comparison.figures[0].end, "high");
  EXPECT_EQ(comparison.figures[0].change, 2);
  const Comparison narrowed = compare_reports(with_figure(Interval{19.2, 22}, "B/s"), with_figure(22.0, "B/s"), 0);
  ASSERT_EQ(narrowed.figures.size(), 1u);
  EXPECT_EQ(narrowed.figures[0].end, "low");
  const Comparison both = compare_reports(with_figure(Interval{19.2, 22}, "B/s"), with_figure(30.0, "B/s"), 0);
  EXPECT_EQ(both.figures.size(), 2u);
  EXPECT_EQ(both.differences(), 1u);
}

TEST(CompareReports, DoesNotCompareDifferentUnits) {
  const Comparison comparison = compare_reports(with_figure(3.0, "B"), with_figure(3.0, "s"), 0);
  EXPECT_TRUE(comparison.figures.empty());
  EXPECT_EQ(obstacles_of(comparison), "units-differ: The figure f has another unit: it cannot be compared.\n");
  EXPECT_EQ(comparison.obstacles[0].severity, Severity::kError);
  EXPECT_EQ(comparison.obstacles[0].evidence, "3 B in the first report, 3 s in the second.");
  EXPECT_EQ(comparison.differences(), 1u);
}

TEST(CompareReports, WarnsOfFiguresThatCountSomethingElse) {
  Report dense = with_figure(3.0, "FLOP/s"), sparse = dense;
  dense.figures[0].basis = "dense";
  sparse.figures[0].basis = "sparse 2:4";
  const Comparison comparison = compare_reports(dense, sparse, 0);
  ASSERT_EQ(comparison.bases.size(), 1u);
  EXPECT_EQ(comparison.bases[0].after, Cell(std::string("sparse 2:4")));
  EXPECT_EQ(comparison.differences(), 0u);
}

TEST(CompareReports, TellsMissingFromZero) {
  const Comparison comparison = compare_reports(with_figure(0.0, "B"), Report{}, 1);
  ASSERT_EQ(comparison.figures.size(), 1u);
  EXPECT_EQ(comparison.figures[0].before, Cell(0.0));
  EXPECT_EQ(comparison.figures[0].after, Cell());
  EXPECT_EQ(compare_reports(Report{}, with_figure(0.0, "B"), 1).figures.size(), 1u);
  EXPECT_EQ(compare_reports(with_table({{std::string("a"), Cell{}}}), with_table({{std::string("a"), 0.0}}), 1).cells.size(), 1u);
}

TEST(CompareReports, ComparesCategoriesAsWords) {
  EXPECT_EQ(compare_reports(with_figure(std::string("memory"), ""), with_figure(std::string("memory"), ""), 1).differences(), 0u);
  EXPECT_EQ(compare_reports(with_figure(std::string("memory"), ""), with_figure(std::string("compute"), ""), 1).differences(), 1u);
  EXPECT_EQ(compare_reports(with_figure(std::string("memory"), ""), with_figure(1.0, "B"), 1).differences(), 1u);
}

TEST(CompareReports, MatchesRowsByTheirFirstCellAndColumnsByName) {
  const Report before = with_table({{std::string("a"), 1.0}, {std::string("b"), 2.0}, {std::string("c"), 3.0}});
  const Report after =
      with_table({{std::string("b"), 2.5, 9.0}, {std::string("a"), 1.0, 9.0}, {std::string("d"), 4.0, 9.0}}, {{"name", ""}, {"time", "s"}, {"cost", "USD"}});
  const Comparison comparison = compare_reports(before, after, 0);
  ASSERT_EQ(comparison.cells.size(), 3u);
  EXPECT_EQ(comparison.cells[0].name, "b");
  EXPECT_EQ(comparison.cells[0].column, "time");
  EXPECT_EQ(comparison.cells[0].change, 0.5);
  EXPECT_EQ(comparison.cells[1].name, "c");
  EXPECT_EQ(comparison.cells[1].after, Cell());
  EXPECT_EQ(comparison.cells[2].name, "d");
  EXPECT_EQ(comparison.cells[2].before, Cell());
  EXPECT_EQ(obstacles_of(comparison), "column-in-one: The column \"cost\" of the table \"t\" is in the second report only.\n");
}

TEST(CompareReports, TellsRowsOfOneNameApartByTheirOrder) {
  const Report before = with_table({{std::string("a"), 1.0}, {std::string("a"), 2.0}}), after = with_table({{std::string("a"), 1.0}, {std::string("a"), 3.0}});
  const Comparison comparison = compare_reports(before, after, 0);
  ASSERT_EQ(comparison.cells.size(), 1u);
  EXPECT_EQ(comparison.cells[0].name, "a (2)");
  const Report confusing = with_table({{std::string("a"), 1.0}, {std::string("a"), 2.0}, {std::string("a (2)"), 3.0}});
  EXPECT_EQ(compare_reports(confusing, confusing, 0).differences(), 0u);
}

TEST(CompareReports, SaysWhyATableCannotBeCompared) {
  EXPECT_EQ(obstacles_of(compare_reports(with_table({}), with_table({}, {{"gpu", ""}, {"time", "s"}}), 0)),
            "rows-differ: The rows of the table \"t\" cannot be matched.\n");
  EXPECT_EQ(obstacles_of(compare_reports(with_table({{std::string("a"), 1.0}}), with_table({{std::string("a"), 1.0}}, {{"name", ""}, {"time", "B"}}), 0)),
            "units-differ: The column \"time\" of the table \"t\" has another unit: it cannot be compared.\n");
  EXPECT_EQ(obstacles_of(compare_reports(with_table({}), Report{}, 0)), "table-in-one: The table \"t\" is in the first report only.\n");
  Report bytes = with_table({{std::string("a"), 1.0}}, {{"name", ""}, {"x", ""}}), seconds = bytes;
  bytes.tables[0].row_units = {"B"};
  seconds.tables[0].row_units = {"s"};
  EXPECT_EQ(obstacles_of(compare_reports(bytes, seconds, 0)), "units-differ: The row \"a\" of the table \"t\" has another unit: it cannot be compared.\n");
}

TEST(CompareReports, PairsFindingsByKindAndWords) {
  Report before, after;
  before.find(Severity::kInfo, "same", "same");
  before.find(Severity::kInfo, "number", "short by 3.1 GiB");
  before.find(Severity::kInfo, "worse", "getting worse");
  before.find(Severity::kInfo, "many", "a does not fit");
  before.find(Severity::kInfo, "many", "b does not fit");
  after.find(Severity::kInfo, "many", "b does not fit");
  after.find(Severity::kInfo, "many", "c does not fit");
  after.find(Severity::kError, "worse", "getting worse");
  after.find(Severity::kInfo, "number", "short by 2.9 GiB");
  after.find(Severity::kInfo, "same", "same");
  const auto kinds = [&](double tolerance) {
    std::string text;
    for (const FindingChange& one : compare_reports(before, after, tolerance).findings)
      text += std::to_string(static_cast<int>(one.kind)) + (one.before != nullptr ? one.before : one.after)->text + ";";
    return text;
  };
  EXPECT_EQ(kinds(0.01), "2getting worse;1a does not fit;0c does not fit;");
  EXPECT_EQ(kinds(0), "3short by 3.1 GiB;2getting worse;1a does not fit;0c does not fit;");
}

TEST(CompareReports, ComparesVerdicts) {
  Report before, after;
  before.verdict = {"It fits with 3.10 GiB to spare.", true};
  after.verdict = {"It fits with 2,048 GiB to spare.", true};
  EXPECT_TRUE(compare_reports(before, after, 0).verdict_differs);
  EXPECT_FALSE(compare_reports(before, after, 0.01).verdict_differs);
  after.verdict.text = "It does not fit.";
  EXPECT_TRUE(compare_reports(before, after, 0.01).verdict_differs);
  after.verdict = {before.verdict.text, false};
  EXPECT_TRUE(compare_reports(before, after, 0.01).verdict_differs);
}

TEST(CompareReports, ShowsTheRequestWithoutCountingIt) {
  Report before, after;
  before.request = {{"gpu", std::string("h100")}, {"batch", 1.0}, {"same", 1.0}};
  after.request = {{"gpu", std::string("h200")}, {"same", 1.0}, {"tp", 2.0}};
  const Comparison comparison = compare_reports(before, after, 0);
  ASSERT_EQ(comparison.request.size(), 3u);
  EXPECT_EQ(comparison.request[1].after, Cell());
  EXPECT_EQ(comparison.request[2].before, Cell());
  EXPECT_EQ(comparison.differences(), 0u);
}

TEST(CompareReports, SaysThatTheCommandsAreOthers) {
  Report before, after;
  before.command = "fit";
  after.command = "plan";
  EXPECT_EQ(obstacles_of(compare_reports(before, after, 0)), "commands-differ: The reports are answers of different commands.\n");
}

}  // namespace
}  // namespace ridge::report
