#include "report/svg_labels.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

constexpr Box kSheet{0, 0, 600, 300};

std::vector<Box> markers_of(const std::vector<LabelWish>& wishes) {
  std::vector<Box> markers;
  for (const LabelWish& wish : wishes) markers.push_back({wish.x - 4, wish.y - 4, wish.x + 4, wish.y + 4});
  return markers;
}

TEST(PlaceLabels, PutsALoneLabelToTheRightOfItsPoint) {
  const std::vector<LabelWish> wishes{{100, 100, 40, "a"}};
  const auto placed = place_labels(wishes, markers_of(wishes), {}, kSheet);
  EXPECT_TRUE(placed[0].placed);
  EXPECT_FALSE(placed[0].leader);
  EXPECT_DOUBLE_EQ(placed[0].box.left, 108);
}

TEST(PlaceLabels, TurnsToTheLeftAtTheRightEdge) {
  const std::vector<LabelWish> wishes{{595, 100, 40, "a"}};
  const auto placed = place_labels(wishes, markers_of(wishes), {}, kSheet);
  EXPECT_TRUE(placed[0].placed);
  EXPECT_LE(placed[0].box.right, 595 - 8);
}

TEST(PlaceLabels, StepsOffALine) {
  const std::vector<LabelWish> wishes{{100, 100, 40, "a"}};
  const auto placed = place_labels(wishes, markers_of(wishes), {{0, 100, 600, 100}}, kSheet);
  EXPECT_TRUE(placed[0].box.bottom < 100 || placed[0].box.top > 100);
}

TEST(PlaceLabels, NeverLetsLabelsAndMarkersTouch) {
  std::vector<LabelWish> wishes;
  for (int i = 0; i < 40; ++i) wishes.push_back({300.0 + i % 8 * 9, 150.0 + i / 8 * 9, 60, "x"});
  const std::vector<Box> markers = markers_of(wishes);
  const auto placed = place_labels(wishes, markers, {}, kSheet);
  int shown = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!placed[i].placed) continue;
    ++shown;
    EXPECT_TRUE(placed[i].box.within(kSheet));
    for (const Box& marker : markers) EXPECT_FALSE(placed[i].box.overlaps(marker));
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(placed[k].placed && placed[i].box.overlaps(placed[k].box));
  }
  EXPECT_GT(shown, 8);
}

TEST(PlaceLabels, LeavesOutWhatHasNoRoom) {
  const std::vector<LabelWish> wishes{{20, 10, 500, "wide"}};
  EXPECT_FALSE(place_labels(wishes, {}, {}, {0, 0, 40, 20})[0].placed);
}

}  // namespace
}  // namespace ridge::report
