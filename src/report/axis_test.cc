#include "report/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridge::report {
namespace {

std::string ticks_of(const std::vector<double>& values, const Axis& axis, AxisOptions options = {}) {
  std::string text;
  const AxisScale scale = AxisScale::fit(values, axis, options);
  for (const Tick& tick : scale.ticks()) text += (text.empty() ? "" : " | ") + tick.label;
  return text;
}

TEST(LinearAxis, HasRoundTicksInOneUnitNamedInTheTitle) {
  EXPECT_EQ(ticks_of({0.0042, 0.0247}, {"time", "s", false}), "0 | 5 | 10 | 15 | 20");
  EXPECT_EQ(AxisScale::fit(std::vector{0.0042, 0.0247}, {"time", "s", false}, {}).title(), "time (ms)");
  EXPECT_EQ(ticks_of({0, 128}, {"batch", "1", false}), "0 | 20 | 40 | 60 | 80 | 100 | 120");
  EXPECT_EQ(ticks_of({14e9, 68719476736}, {"memory", "B", false}), "0 | 10 | 20 | 30 | 40 | 50 | 60");
  EXPECT_EQ(ticks_of({0, 4e6}, {"rate", "token/s", false}), "0 | 0.5 M | 1 M | 1.5 M | 2 M | 2.5 M | 3 M | 3.5 M | 4 M");
  EXPECT_EQ(ticks_of({-2, 2}, {"", "1", false}, {false, false, 5, false}), "-2 | -1 | 0 | 1 | 2");
}

TEST(LinearAxis, KeepsANarrowRangeAwayFromZeroUnlessBarsStandOnIt) {
  EXPECT_EQ(AxisScale::fit(std::vector{90.0, 100.0}, {"", "1", false}, {}).low(), 90);
  EXPECT_EQ(AxisScale::fit(std::vector{90.0, 100.0}, {"", "1", false}, {true, false, 7, false}).low(), 0);
}

TEST(LogarithmicAxis, HasDecadesWithTheirOwnPrefix) {
  EXPECT_EQ(ticks_of({1e12, 1e15}, {"rate", "FLOP/s", true}), "1 T | 10 T | 100 T | 1 P");
  EXPECT_EQ(AxisScale::fit(std::vector{1e12, 1e15}, {"rate", "FLOP/s", true}, {}).title(), "rate (FLOP/s)");
  EXPECT_EQ(ticks_of({1e-6, 1}, {"time", "s", true}), "1 µs | 10 µs | 100 µs | 1 ms | 10 ms | 100 ms | 1 s");
  EXPECT_EQ(ticks_of({1e-6, 1e-3}, {"time", "s", true}, {false, false, 7, true}), "1 us | 10 us | 100 us | 1 ms");
  EXPECT_EQ(ticks_of({0.1, 1000}, {"intensity", "FLOP/B", true}), "0.1 | 1 | 10 | 100 | 1000");
  EXPECT_EQ(ticks_of({1, 1e6}, {"tokens", "1", true}), "1 | 10 | 100 | 1000 | 10 k | 100 k | 1 M");
}

TEST(LogarithmicAxis, HasPowersOfTwoForSizes) {
  EXPECT_EQ(ticks_of({1024, 1048576}, {"size", "B", true}), "1 KiB | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB");
}

TEST(LogarithmicAxis, HasTicksWithinLessThanADecade) {
  EXPECT_EQ(ticks_of({1, 9}, {"", "1", true}), "1 | 2 | 5");
  EXPECT_EQ(ticks_of({10, 15}, {"", "1", true}), "10 | 11 | 12 | 13 | 14 | 15");
}

TEST(LogarithmicAxis, HasNoPlaceForZero) {
  const AxisScale scale = AxisScale::fit(std::vector{0.0, -1.0, 1.0, 100.0}, {"", "1", true}, {});
  EXPECT_FALSE(scale.has_place(0));
  EXPECT_FALSE(scale.has_place(-1));
  EXPECT_EQ(scale.low(), 1);
  EXPECT_DOUBLE_EQ(scale.position(10), 0.5);
}

TEST(AnyAxis, SurvivesEveryValueAndKeepsItsTicksFewAndInside) {
  constexpr double kMax = std::numeric_limits<double>::max(), kTiny = std::numeric_limits<double>::denorm_min(), kInf = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> cases{
      {}, {0}, {5}, {-5, -5}, {kMax, -kMax}, {kMax}, {kTiny}, {kTiny, kMax}, {1, 1 + 1e-15}, {kInf, std::nan("")}, {-3, -1}, {1e300, 1e-300}};
  for (const auto& values : cases)
    for (const char* unit : {"", "1", "B", "s", "FLOP/s", "USD", "m2"})
      for (const bool logarithmic : {false, true})
        for (const bool margin : {false, true}) {
          const AxisScale scale = AxisScale::fit(values, {"x", unit, logarithmic}, {false, margin, 7, false});
          EXPECT_LT(scale.low(), scale.high());
          EXPECT_TRUE(std::isfinite(scale.low()) && std::isfinite(scale.high()));
          EXPECT_LE(scale.ticks().size(), 60u);
          double before = -0.001;
          for (const Tick& tick : scale.ticks()) {
            EXPECT_GE(scale.position(tick.value), before);
            before = scale.position(tick.value);
          }
          EXPECT_LE(before, 1.001);
          for (const double value : values) EXPECT_TRUE(std::isfinite(scale.position(value)) || std::isnan(value));
        }
}

}  // namespace
}  // namespace ridge::report
