#include "cost/capacity.h"

#include <gtest/gtest.h>

#include "formats/file_system.h"

namespace ridge::cost {
namespace {

model::Model load(const char* text) {
  const formats::MemoryFileSystem files;
  auto model = model::load(text, files);
  EXPECT_TRUE(model) << to_string(model.error());
  return model ? *model : model::Model{};
}

TEST(SmallestLayout, IsOneRankWhereItFits) {
  const auto fit = smallest_layout(load("7e9"), {}, {80'000'000'000});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->layout, model::Layout{});
  EXPECT_LE(fit->need_high.count, 80'000'000'000);
}

TEST(SmallestLayout, DoublesTheRanksUntilItFits) {
  const auto fit = smallest_layout(load("params=70e9,layers=80,hidden=8192,heads=64,kv_heads=8"), {}, {80'000'000'000});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->layout, (model::Layout{.tensor = 2}));
}

TEST(SmallestLayout, TakesPipelineStagesWhereHeadsDoNotDivide) {
  // 36 heads: 4 tensor ranks at most, so eight ranks are two stages of four.
  const auto fit = smallest_layout(load("params=200e9,layers=64,hidden=4608,heads=36,kv_heads=4"), {}, {80'000'000'000});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->layout, (model::Layout{.tensor = 4, .pipeline = 2}));
}

TEST(SmallestLayout, IsAbsentWhereNothingHoldsIt) { EXPECT_FALSE(smallest_layout(load("7e9"), {}, {1'000'000'000}, 2)); }

TEST(FewestShards, IsTheFirstPowerOfTwoWhoseShareFits) {
  EXPECT_EQ(*fewest_shards(7e9, {}, {}, {80'000'000'000}), 2);
  EXPECT_EQ(*fewest_shards(7e9, {}, {}, {14'000'000'000}), 8);
  EXPECT_EQ(*fewest_shards(7e9, {}, {1'000'000'000}, {14'000'000'000}), 16) << "what is the same on every rank counts";
}

TEST(FewestShards, IsAbsentWhereStageOneLeavesTooMuchOnEveryRank) { EXPECT_FALSE(fewest_shards(70e9, {.stage = 1}, {}, {80'000'000'000})); }

}  // namespace
}  // namespace ridge::cost
