// Where the labels of points go: beside their point if there is room, farther off with a leader where it is crowded, left out
// where nothing helps (the point's title still says it). Invariant: no label lies on another, on a marker or outside the plot.
#pragma once

#include <string>
#include <vector>

namespace ridge::report {

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool overlaps(const Box& other) const { return left < other.right && other.left < right && top < other.bottom && other.top < bottom; }
  bool within(const Box& outer) const { return left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom; }
};

struct Segment {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

struct LabelWish {
  double x = 0, y = 0;  // of the point
  double width = 0;     // of the text
  std::string text;
};

struct PlacedLabel {
  bool placed = false;
  Box box;              // of the text
  bool leader = false;  // from the point to (lead_x, lead_y)
  double lead_x = 0, lead_y = 0;
};

inline constexpr double kLabelHeight = 14;

// `markers` are kept free, `lines` crossed only where there is no other way. One result for each wish.
std::vector<PlacedLabel> place_labels(const std::vector<LabelWish>& wishes, const std::vector<Box>& markers, const std::vector<Segment>& lines,
                                      const Box& bounds);

}  // namespace ridge::report
