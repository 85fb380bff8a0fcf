#include "report/number_format.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ridge::report {
namespace {

// "symbol: a b c" of a column.
std::string column(const std::vector<double>& values, std::string_view unit, Notation notation = Notation::kPlain, bool ascii = false) {
  const NumberFormat format = NumberFormat::choose(values, unit, notation, ascii);
  std::string text = format.symbol() + ":";
  for (const double value : values) text += " " + format.number(value);
  return text;
}

TEST(NumberFormat, GivesAColumnOneUnitAndOneCountOfDecimals) {
  EXPECT_EQ(column({0.0041766, 0.0144271, 0.0246}, "s"), "ms: 4.18 14.43 24.60");
  EXPECT_EQ(column({14e9, 48359738368, 82719476736}, "B"), "GiB: 13.0 45.0 77.0");
  EXPECT_EQ(column({239.43, 4436.1, 5186.9}, "token/s"), "token/s: 239 4436 5187");
  EXPECT_EQ(column({312e12, 989.4e12, 1.98e15}, "FLOP/s"), "TFLOP/s: 312 989 1980");
}

TEST(NumberFormat, EndsNumbersWhereTheyAllEnd) {
  EXPECT_EQ(column({0.05, 0.09, 0.1, 0.5}, "1"), ": 0.05 0.09 0.10 0.50");
  EXPECT_EQ(column({350, 700, 1400}, "W"), "W: 350 700 1400");
  EXPECT_EQ(show_cell(0.0105, "s"), "10.5 ms");
}

TEST(NumberFormat, ShowsCountsAsCounts) {
  EXPECT_EQ(column({1, 64, 128}, "1"), ": 1 64 128");
  EXPECT_EQ(column({4096, 131072}, "1"), ": 4096 131,072");
  EXPECT_EQ(column({7e9, 8030261248}, "1"), "10⁹: 7.000 8.030");
  EXPECT_EQ(column({7e9, 8030261248}, "1", Notation::kPlain, true), "10^9: 7.000 8.030");
  EXPECT_EQ(show_cell(8030261248.0, "1"), "8,030,261,248");
  EXPECT_EQ(show_cell(64.0, "1"), "64");
}

TEST(NumberFormat, NeverShowsSomethingAsNothing) {
  EXPECT_EQ(column({1e-6, 5000}, "1"), ": 1e-06 5000.00");
  EXPECT_EQ(column({0, 1e-30, 1e30}, "1"), ": 0 1e-30 1e+30");
  EXPECT_EQ(column({std::numeric_limits<double>::quiet_NaN(), 1.5}, "1"), ": — 1.5");
  EXPECT_EQ(column({std::numeric_limits<double>::denorm_min()}, "s"), "ns: 4.94e-315");
  EXPECT_EQ(show_cell(Cell{}, "B"), "—");
  EXPECT_EQ(show_cell(Cell{}, "B", Notation::kPlain, true), "-");
}

TEST(NumberFormat, ShowsOneValueLikeFormatValue) {
  EXPECT_EQ(show_cell(14e9, "B"), "13.04 GiB");
  EXPECT_EQ(show_cell(0.0041766, "s"), "4.177 ms");
  EXPECT_EQ(show_cell(9.9996e-3, "s"), "10.00 ms");
  EXPECT_EQ(show_cell(295.17, "FLOP/B"), "295.2 FLOP/B");
  EXPECT_EQ(show_cell(1.415e-5, "s", Notation::kPlain, true), "14.15 us");
}

TEST(NumberFormat, WritesRangesInOneUnit) {
  EXPECT_EQ(show_cell(Interval{19.2e12, 22e12}, "B/s"), "19.2–22.0 TB/s");
  EXPECT_EQ(show_cell(Interval{19.2e12, 22e12}, "B/s", Notation::kPlain, true), "19.2-22.0 TB/s");
  EXPECT_EQ(show_cell(Interval{-0.5, 0.25}, "1"), "-0.50 to 0.25");
  EXPECT_EQ(show_cell(Interval{2, 3.5}, "USD"), "$2.00–$3.50");
}

TEST(NumberFormat, WritesSharesAndChanges) {
  EXPECT_EQ(show_cell(0.382, "1", Notation::kPercent), "38.2 %");
  EXPECT_EQ(column({0.0369, 0.7105, 1}, "1", Notation::kPercent), "%: 3.69 71.05 100.00");
  EXPECT_EQ(show_cell(1.5e9, "B", Notation::kChange), "+1.397 GiB");
  EXPECT_EQ(show_cell(-0.031, "1", Notation::kPercentChange), "-3.1 %");
  EXPECT_EQ(show_cell(0.0, "1", Notation::kPercentChange), "0 %");
}

TEST(NumberFormat, WritesMoneyInCents) {
  EXPECT_EQ(show_cell(16000.0, "USD"), "$16,000.00");
  EXPECT_EQ(show_cell(0.0123, "USD"), "$0.0123");
  EXPECT_EQ(show_cell(-2.5, "USD"), "-$2.50");
  EXPECT_EQ(column({0.5, 12, 3.011}, "USD"), "USD: 0.500 12.000 3.011");
}

}  // namespace
}  // namespace ridge::report
