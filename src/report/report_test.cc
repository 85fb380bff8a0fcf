#include "report/report.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge::report {
namespace {

std::string fault_of(const Report& report) {
  const Result<void> checked = check_report(report);
  return checked ? "none" : to_string(checked.error());
}

TEST(Report, KeepsAFigureThatIsAPointAsANumber) {
  Report report;
  report.add("a", Interval{2, 2}, "B");
  report.add("b", Interval{2, 3}, "B");
  EXPECT_EQ(report.figure("a")->value, Cell(2.0));
  EXPECT_EQ(report.figure("b")->value, Cell(Interval{2, 3}));
  EXPECT_EQ(report.figure("c"), nullptr);
}

TEST(Report, RefusesAFigureThatIsNoNumberOrGivenTwice) {
  Report report;
  report.add("a", 1.0, "B");
  EXPECT_DEATH(report.add("a", 2.0, "B"), "internal fault");
  EXPECT_DEATH(report.add("b", std::numeric_limits<double>::quiet_NaN(), "B"), "internal fault");
  EXPECT_DEATH(report.add("c", Interval{2, 1}, "B"), "internal fault");
}

TEST(Cell, IsNullWhereANumberIsMissingOrNotFinite) {
  EXPECT_EQ(cell(std::nullopt), Cell());
  EXPECT_EQ(cell(std::numeric_limits<double>::infinity()), Cell());
  EXPECT_EQ(cell(0.0), Cell(0.0));
}

TEST(CheckReport, PassesASoundReport) {
  Report report;
  report.add("a", 1.0, "B");
  report.tables.push_back({"t", "T", {{"x", "B"}}, {{1.0}, {Cell{}}}});
  report.plots.push_back({"p", "P", {}, {}, {{"s", Series::Style::kLine, {{1, 2}}, {"one"}}}, ""});
  EXPECT_EQ(fault_of(report), "none");
}

TEST(CheckReport, NamesThePlaceOfAFault) {
  Report ragged;
  ragged.tables.push_back({"t", "T", {{"x", "B"}}, {{1.0}, {}}});
  EXPECT_EQ(fault_of(ragged), "tables[0].rows[1]: the row has 0 cells where the table has 1 columns");
  Report nan;
  nan.tables.push_back({"t", "T", {{"x", "B"}}, {{std::numeric_limits<double>::quiet_NaN()}}});
  EXPECT_EQ(fault_of(nan), "tables[0].rows[0][0]: the number is not finite, or the range runs backwards");
  Report units;
  units.tables.push_back({"t", "T", {{"x", ""}}, {{1.0}}, "", {"B", "s"}});
  EXPECT_EQ(fault_of(units), "tables[0].row_units: there are 2 units for 1 rows");
  Report labels;
  labels.plots.push_back({"p", "P", {}, {}, {{"s", Series::Style::kLine, {{1, 2}}, {"one", "two"}}}, ""});
  EXPECT_EQ(fault_of(labels), "plots[0].series[0].labels: there are 2 labels for 1 points");
  Report twice;
  twice.figures = {{"a", 1.0, "B", {}, {}, {}, {}}, {"a", 2.0, "B", {}, {}, {}, {}}};
  EXPECT_EQ(fault_of(twice), "figures[1]: the name \"a\" is given twice");
  Report empty;
  empty.figures = {{"a", Cell{}, "B", {}, {}, {}, {}}};
  EXPECT_EQ(fault_of(empty), "figures.a: a figure without a value must be left out");
}

}  // namespace
}  // namespace ridge::report
