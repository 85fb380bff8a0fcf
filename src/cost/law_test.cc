#include "cost/law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::cost {
namespace {

// H100 SXM5 (white paper: 989.4 TFLOP/s dense bf16, 3,352 GB/s) and A100 80 GB SXM (data sheet: 312 TFLOP/s, 2,039 GB/s).
constexpr Rates kH100{{989.4e12}, {3352e9}, {450e9}};
constexpr Rates kA100{{312e12}, {2039e9}, {}};

TEST(Price, ReadingFourteenGigabytesOnAnH100TakesFourMilliseconds) {
  // One token of a 7e9-parameter model in bf16: 14e9 B and 2 · 7e9 FLOP.
  const Time time = price({14e9}, {14'000'000'000}, {}, kH100, {});
  EXPECT_NEAR(time.total.value, 4.1766e-3, 0.0001e-3);
  EXPECT_NEAR(time.compute.value, 14.15e-6, 0.01e-6);
  EXPECT_EQ(time.memory, time.total);
  EXPECT_EQ(time.bound, Bound::kMemory);
}

TEST(Price, TakesTheSlowestTermAndNotTheirSum) {
  const Time time = price({989.4e12}, {3'352'000'000'000}, {450'000'000'000}, kH100, {});
  EXPECT_DOUBLE_EQ(time.total.value, 1.0);
}

TEST(Price, AddsTheLaunchTermToTheSlowest) {
  const Efficiency efficiency{.compute = 0.8, .memory = 0.9, .launch = {4e-6}};
  const Time time = price({}, {33'520'000}, {}, kH100, efficiency);
  EXPECT_NEAR(time.total.value, 4e-6 + 10e-6 / 0.9, 1e-12);
  EXPECT_EQ(time.bound, Bound::kMemory);
}

TEST(Price, DividesEachTermByItsOwnEfficiency) {
  const Efficiency efficiency{.compute = 0.5, .memory = 0.25, .link = 0.2};
  const Time time = price({989.4e12}, {3'352'000'000'000}, {450'000'000'000}, kH100, efficiency);
  EXPECT_DOUBLE_EQ(time.compute.value, 2.0);
  EXPECT_DOUBLE_EQ(time.memory.value, 4.0);
  EXPECT_DOUBLE_EQ(time.link.value, 5.0);
  EXPECT_EQ(time.bound, Bound::kLink);
  EXPECT_EQ(time.slowest(), time.link);
}

TEST(Price, SaysLaunchWhereTheLaunchIsLongerThanTheWork) {
  const Time time = price({1e6}, {1000}, {}, kH100, {.launch = {5e-6}});
  EXPECT_EQ(time.bound, Bound::kLaunch);
}

TEST(Price, NoWorkTakesNoTimeEvenWhereARateIsMissing) {
  EXPECT_EQ(price({}, {}, {}, Rates{}, {}).total.value, 0.0);
  EXPECT_EQ(price({1e9}, {1000}, {}, kA100, {}).link.value, 0.0);
}

TEST(Price, WorkOverAMissingLinkNeverEnds) { EXPECT_TRUE(std::isinf(price({}, {}, {1000}, kA100, {}).total.value)); }

TEST(RidgePoint, OfTheA100InFp16Is153) { EXPECT_NEAR(ridge_point(kA100).value, 153.02, 0.005); }

TEST(RidgePoint, OfTheH100InBf16Is295) { EXPECT_NEAR(ridge_point(kH100).value, 295.17, 0.005); }

TEST(Classify, IntensityBelowTheRidgeIsMemoryBoundAndFromItOnComputeBound) {
  EXPECT_EQ(classify({32}, kA100), Bound::kMemory);
  EXPECT_EQ(classify({256}, kA100), Bound::kCompute);
  EXPECT_EQ(classify(ridge_point(kA100), kA100), Bound::kCompute);
}

TEST(Attainable, FollowsTheSlopeUpToTheRidgeAndThenThePeak) {
  EXPECT_DOUBLE_EQ(attainable({32}, kA100).value, 32 * 2039e9);
  EXPECT_DOUBLE_EQ(attainable({256}, kA100).value, 312e12);
}

TEST(Bound, HasAName) {
  EXPECT_EQ(name_of(Bound::kCompute), "compute");
  EXPECT_EQ(name_of(Bound::kMemory), "memory");
  EXPECT_EQ(name_of(Bound::kLink), "link");
  EXPECT_EQ(name_of(Bound::kLaunch), "launch");
}

}  // namespace
}  // namespace ridge::cost
