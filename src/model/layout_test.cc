#include "model/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridge::model {
namespace {

std::vector<std::int64_t> sizes(std::int64_t layers, int stages) {
  std::vector<std::int64_t> result;
  for (int s = 0; s < stages; ++s) {
    const auto [first, second] = stage_layers(layers, stages, s);
    result.push_back(second - first);
  }
  return result;
}

TEST(StageLayers, DivideEvenlyWhereTheyCan) { EXPECT_EQ(sizes(32, 4), (std::vector<std::int64_t>{8, 8, 8, 8})); }

TEST(StageLayers, GiveTheRemainderToTheStagesBeforeTheLast) {
  EXPECT_EQ(sizes(61, 4), (std::vector<std::int64_t>{15, 15, 16, 15}));
  EXPECT_EQ(sizes(62, 4), (std::vector<std::int64_t>{15, 16, 16, 15}));
  EXPECT_EQ(sizes(63, 4), (std::vector<std::int64_t>{16, 16, 16, 15}));
}

TEST(StageLayers, CoverEveryLayerOnceWhateverTheNumbers) {
  for (std::int64_t layers : {0, 1, 2, 3, 7, 61, 126})
    for (int stages = 1; stages <= 16; ++stages) {
      std::int64_t next = 0;
      for (int s = 0; s < stages; ++s) {
        const auto [first, second] = stage_layers(layers, stages, s);
        EXPECT_EQ(first, next);
        EXPECT_LE(first, second);
        next = second;
      }
      EXPECT_EQ(next, layers) << layers << " layers over " << stages;
    }
}

TEST(RankShare, RoundsUpSoThatHeadsReplicate) {
  EXPECT_EQ(rank_share(8, 2), 4);
  EXPECT_EQ(rank_share(8, 16), 1);
  EXPECT_EQ(rank_share(40, 16), 3);
  EXPECT_EQ(rank_share(0, 4), 0);
}

}  // namespace
}  // namespace ridge::model
