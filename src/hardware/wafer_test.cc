#include "hardware/wafer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ridge::hardware {
namespace {

constexpr Metres mm(double value) { return {value * 1e-3}; }

std::int64_t dies(double width, double height, Wafer wafer = {}) {
  const auto grid = place_dies(mm(width), mm(height), wafer);
  EXPECT_TRUE(grid) << to_string(grid.error());
  return grid ? grid->dies : -1;
}

// Counts the dies of a grid at one offset, corner by corner.
std::int64_t counted(double width, double height, const Wafer& wafer, double x0, double y0) {
  const double radius = wafer.diameter.value / 2 - wafer.edge_exclusion.value;
  const double px = width + wafer.scribe.value, py = height + wafer.scribe.value;
  const int nx = static_cast<int>(2 * radius / px) + 2, ny = static_cast<int>(2 * radius / py) + 2;
  std::int64_t count = 0;
  for (int i = -nx; i <= nx; ++i)
    for (int j = -ny; j <= ny; ++j) {
      const double x = x0 + i * px, y = y0 + j * py;
      const double far_x = std::max(std::abs(x), std::abs(x + width)), far_y = std::max(std::abs(y), std::abs(y + height));
      if (std::hypot(far_x, far_y) <= radius + 2e-9) ++count;
    }
  return count;
}

TEST(PlaceDies, FillsAWaferThatHoldsOneFourOrNone) {
  // A square of side s lies within a circle of diameter s·√2, four of them within 2·s·√2.
  EXPECT_EQ(dies(100, 100, {.diameter = mm(100 * std::numbers::sqrt2 + 0.01)}), 1);
  EXPECT_EQ(dies(100, 100, {.diameter = mm(100 * std::numbers::sqrt2 - 0.01)}), 0);
  EXPECT_EQ(dies(100, 100, {.diameter = mm(200 * std::numbers::sqrt2 + 0.01)}), 4);
}

TEST(PlaceDies, PrefersTheOffsetThatHoldsMore) {
  // Two squares side by side need √5 sides of diameter, so between √5 and √8 two lie in a row that is not centred on a corner.
  EXPECT_EQ(dies(100, 100, {.diameter = mm(100 * std::sqrt(5.0) + 0.01)}), 2);
  EXPECT_EQ(dies(100, 100, {.diameter = mm(100 * std::sqrt(5.0) - 0.01)}), 1);
}

TEST(PlaceDies, CountsWhatItsOwnOffsetHolds) {
  for (const auto& [width, height] : {std::pair{26.0, 33.0}, {28.5, 28.5}, {26.0, 31.3}, {10.0, 12.0}, {7.0, 3.0}}) {
    const Wafer wafer{.diameter = mm(300), .edge_exclusion = mm(3), .scribe = mm(0.1)};
    const auto grid = place_dies(mm(width), mm(height), wafer);
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->dies, counted(width * 1e-3, height * 1e-3, wafer, grid->offset_x.value, grid->offset_y.value)) << width << " x " << height;
  }
}

TEST(PlaceDies, IsNoWorseThanAnyOfManyOffsets) {
  for (const auto& [width, height] : {std::pair{26.0, 33.0}, {28.5, 28.5}, {20.0, 14.0}, {50.0, 40.0}}) {
    const Wafer wafer{.diameter = mm(300), .edge_exclusion = mm(2), .scribe = mm(0.08)};
    std::int64_t best = 0;
    for (int i = 0; i < 60; ++i)
      for (int j = 0; j < 60; ++j)
        best = std::max(best, counted(width * 1e-3, height * 1e-3, wafer, (width + 0.08) * 1e-3 * i / 60, (height + 0.08) * 1e-3 * j / 60));
    EXPECT_GE(dies(width, height, wafer), best) << width << " x " << height;
  }
}

TEST(PlaceDies, DoesNotCareWhichSideIsTheWidth) {
  EXPECT_EQ(dies(26, 33), dies(33, 26));
  EXPECT_EQ(dies(12, 5), dies(5, 12));
}

TEST(PlaceDies, StaysBelowTheAreasOfTheCircles) {
  for (double side = 2; side < 40; side += 1.7) {
    const double ratio = std::numbers::pi * 150 * 150 / (side * side);
    EXPECT_LT(static_cast<double>(dies(side, side)), ratio);
    EXPECT_GT(static_cast<double>(dies(side, side)), ratio - 5 * std::sqrt(ratio)) << "the edge cuts about a circumference of dies";
  }
}

TEST(PlaceDies, LosesDiesToTheEdgeAndTheScribeLine) {
  EXPECT_LT(dies(26, 31.3, {.edge_exclusion = mm(5)}), dies(26, 31.3));
  EXPECT_LT(dies(5, 5, {.scribe = mm(0.2)}), dies(5, 5));
}

TEST(PlaceDies, AgreesWithTheFormulaByAreaForSmallDies) {
  const Wafer wafer{};
  const double by_area = dies_by_area(mm(5), mm(5), wafer);
  EXPECT_NEAR(static_cast<double>(dies(5, 5)), by_area, 0.03 * by_area);
}

TEST(PlaceDies, RefusesWhatIsNoDieOrNoWafer) {
  EXPECT_EQ(place_dies(mm(0), mm(1), {}).error().what, "a side of the die is zero");
  EXPECT_EQ(place_dies(mm(1), mm(1), {.edge_exclusion = mm(150)}).error().what, "the edge exclusion leaves nothing of the wafer");
  EXPECT_EQ(place_dies(mm(1e-3), mm(1e-3), {}).error().advice, "Check the units of the die's sides.");
}

TEST(PlaceDies, HoldsNothingLargerThanTheWafer) { EXPECT_EQ(dies(400, 10), 0); }

TEST(DiesByArea, IsTheTextbooksExample) {
  // Hennessy and Patterson, section 1.6: 300 mm wafer, dies of 1.5 cm and 1.0 cm a side: 270 and 640.
  EXPECT_NEAR(dies_by_area(mm(15), mm(15), {}), 270, 0.5);
  EXPECT_NEAR(dies_by_area(mm(10), mm(10), {}), 640, 0.5);
}

TEST(Yield, IsOneWithoutDefects) {
  EXPECT_EQ(poisson_yield(0), 1);
  EXPECT_EQ(murphy_yield(0), 1);
  EXPECT_EQ(negative_binomial_yield(0, 2), 1);
}

TEST(Yield, FollowsTheThreeModels) {
  const double defects = 8.14 * 0.1;  // 814 mm2 at 0.1 per cm2
  EXPECT_NEAR(poisson_yield(defects), 0.4430822, 1e-6);
  EXPECT_NEAR(murphy_yield(defects), 0.4680944, 1e-6);
  EXPECT_NEAR(negative_binomial_yield(defects, 3), 0.4866556, 1e-6);
}

TEST(Yield, LiesBetweenPoissonAndSeedsWhereDefectsCluster) {
  for (double defects : {0.01, 0.3, 1.0, 4.0}) {
    EXPECT_NEAR(negative_binomial_yield(defects, 1), 1 / (1 + defects), 1e-12);
    EXPECT_NEAR(negative_binomial_yield(defects, 1e9), poisson_yield(defects), 1e-6);
    EXPECT_GT(murphy_yield(defects), poisson_yield(defects));
    EXPECT_LT(murphy_yield(defects), 1 / (1 + defects));
  }
}

TEST(Yield, KeepsItsDigitsForTinyDensities) { EXPECT_NEAR(murphy_yield(1e-12), 1 - 1e-12, 1e-15); }

}  // namespace
}  // namespace ridge::hardware
