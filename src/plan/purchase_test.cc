#include <gtest/gtest.h>

#include "plan/plan.h"

namespace ridge::plan {
namespace {

hardware::Offer offer(int gpus, double price) {
  hardware::Offer offer;
  offer.accelerators = gpus;
  offer.per_hour = price;
  return offer;
}

std::optional<Purchase> cheapest(std::vector<hardware::Offer> offers, int tensor, std::int64_t replicas, int pipeline = 1) {
  return plan::cheapest(std::span<const hardware::Offer>(offers), model::Layout{tensor, pipeline, 1}, replicas);
}

TEST(Cheapest, PutsSeveralReplicasOnOneInstance) {
  // Five single-GPU replicas: five small ones cost 5.0, one of four and one more small cannot be mixed, two of four cost 7.
  const auto purchase = cheapest({offer(1, 1.0), offer(4, 3.5)}, 1, 5);
  ASSERT_TRUE(purchase);
  EXPECT_EQ(purchase->offer, 0u);
  EXPECT_DOUBLE_EQ(purchase->price.value, 5.0);
  EXPECT_EQ(cheapest({offer(1, 1.0), offer(4, 2.4)}, 1, 5)->instances, 2);
}

TEST(Cheapest, WastesGpusThatAGroupCannotUse) {
  // Groups of 4 in instances of 6: one group each.
  const auto purchase = cheapest({offer(6, 6.0)}, 4, 3);
  EXPECT_EQ(purchase->instances, 3);
}

TEST(Cheapest, SpreadsPipelineStagesOverInstances) {
  const auto purchase = cheapest({offer(8, 20.0)}, 8, 2, 2);
  EXPECT_EQ(purchase->instances, 4);
  EXPECT_DOUBLE_EQ(purchase->price.value, 80.0);
  EXPECT_EQ(cheapest({offer(8, 20.0)}, 2, 1, 8)->instances, 2);
}

TEST(Cheapest, NeverSplitsATensorGroup) {
  EXPECT_FALSE(cheapest({offer(1, 0.76)}, 2, 1));
  EXPECT_EQ(cheapest({offer(1, 0.76), offer(12, 12.98)}, 2, 1)->offer, 1u);
}

TEST(Cheapest, BuysByTheAcceleratorWhatIsSoldSo) {
  hardware::Offer single = offer(1, 2.0);
  single.sold_by_accelerator = true;
  EXPECT_DOUBLE_EQ(cheapest({single}, 4, 3)->price.value, 24.0);
}

TEST(Cheapest, IsAbsentWithoutOffers) { EXPECT_FALSE(cheapest({}, 1, 1)); }

TEST(Cheapest, PassesOverWhatHasNoPrice) {
  hardware::Offer unpriced;
  EXPECT_EQ(cheapest({unpriced, offer(1, 2.0)}, 1, 1)->offer, 1u);
}

TEST(Cheapest, PrefersFewerInstancesAtTheSamePrice) { EXPECT_EQ(cheapest({offer(1, 1.0), offer(4, 4.0)}, 1, 4)->instances, 1); }

}  // namespace
}  // namespace ridge::plan
