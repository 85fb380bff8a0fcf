#include "cost/load.h"

#include <gtest/gtest.h>

namespace ridge::cost {
namespace {

Replica affine_replica() {
  Replica replica;
  // D(B) = 10 ms + 0.1 ms · B, exactly linear between the two points.
  replica.decode.add(1, {0.0101});
  replica.decode.add(256, {0.0356});
  replica.prefill_latency = {0.05};
  replica.prefill_occupancy = {0.05};
  replica.max_batch = 256;
  return replica;
}

TEST(StepCurve, IsLinearBetweenItsPoints) {
  StepCurve curve;
  curve.add(1, {1});
  curve.add(3, {2});
  EXPECT_DOUBLE_EQ(curve.at(0.2).value, 1);
  EXPECT_DOUBLE_EQ(curve.at(2).value, 1.5);
  EXPECT_DOUBLE_EQ(curve.at(5).value, 3);
}

TEST(OperatingPoint, KeepsLittlesLawAndTheTimeBudget) {
  const Replica replica = affine_replica();
  const Load load{{5}, 256};
  const auto point = operating_point(replica, load, 0.99);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->batch, 5 * 255 * point->time_per_output_token.value, 1e-6);
  EXPECT_NEAR(point->time_per_output_token.value, replica.decode.at(point->batch).value / (1 - 5 * 0.05), 1e-12);
  // Closed form for affine D: B (1 − λ(G−1)b/(1−λP)) = λ(G−1)a/(1−λP).
  const double k = 5 * 255 / 0.75;
  EXPECT_NEAR(point->batch, k * 0.01 / (1 - k * 0.0001), 1e-6);
}

TEST(OperatingPoint, MeetsTheClosedLoopFormAtTheSameBatch) {
  const Replica replica = affine_replica();
  const auto point = operating_point(replica, {{4}, 100}, 0.99);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->time_per_output_token.value, replica.decode.at(point->batch).value + 0.05 * point->batch / 99, 1e-9);
}

TEST(OperatingPoint, IsAbsentAtAndBeyondSaturation) {
  const Replica replica = affine_replica();
  const double limit = saturation_rate(replica, 256).value;
  EXPECT_TRUE(operating_point(replica, {{limit * 0.9}, 256}, 0.99));
  EXPECT_FALSE(operating_point(replica, {{limit * 1.01}, 256}, 0.99));
  EXPECT_FALSE(operating_point(replica, {{25}, 256}, 0.99));
}

TEST(OperatingPoint, GrowsWithTheLoad) {
  const Replica replica = affine_replica();
  double before = 0;
  for (double rate : {0.5, 1.0, 2.0, 4.0, 6.0}) {
    const auto point = operating_point(replica, {{rate}, 256}, 0.99);
    ASSERT_TRUE(point);
    EXPECT_GT(point->first_token_tail.value, before);
    EXPECT_GE(point->first_token_tail, point->first_token_mean);
    before = point->first_token_tail.value;
  }
}

TEST(OperatingPoint, OfOneTokenAnswersHasNoDecode) {
  const auto point = operating_point(affine_replica(), {{5}, 1}, 0.99);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->batch, 0, 1e-9);
}

}  // namespace
}  // namespace ridge::cost
