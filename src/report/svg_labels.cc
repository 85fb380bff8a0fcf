#include "report/svg_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace ridge::report {
namespace {

constexpr double kBeside = 8;  // from the point's middle to the text
constexpr std::array<double, 5> kRings{kBeside, 20, 34, 50, 70};
constexpr int kDirections = 16;
constexpr double kLineCost = 30;  // a crossed line is worth a longer way of this many pixels

// Liang-Barsky: does any part of the segment lie in the box?
bool crosses(const Segment& s, const Box& box) {
  double from = 0, to = 1;
  const double dx = s.x2 - s.x1, dy = s.y2 - s.y1;
  const auto clip = [&](double p, double q) {
    if (p == 0) return q >= 0;
    const double t = q / p;
    if (p < 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
    return from <= to;
  };
  return clip(-dx, s.x1 - box.left) && clip(dx, box.right - s.x1) && clip(-dy, s.y1 - box.top) && clip(dy, box.bottom - s.y1);
}

// The text's box in a direction: its nearest edge or corner at that distance from the point.
Box box_at(const LabelWish& wish, double distance, double angle) {
  const double dx = std::cos(angle), dy = std::sin(angle);
  const double x = wish.x + dx * distance, y = wish.y + dy * distance;
  // From fully left of the end (dx = -1) over centred to fully right of it (dx = 1), the same upwards and downwards.
  const double left = x - wish.width * (1 - std::clamp(dx * 1.6, -1.0, 1.0)) / 2;
  const double top = y - kLabelHeight * (1 - std::clamp(dy * 1.6, -1.0, 1.0)) / 2;
  return {left, top, left + wish.width, top + kLabelHeight};
}

// Right first, then left, above, below, then what lies between.
constexpr std::array<int, kDirections> kOrder{0, 8, 12, 4, 14, 2, 10, 6, 15, 1, 9, 7, 13, 11, 3, 5};

struct Taken {
  std::vector<Box> boxes;
  std::vector<Segment> leaders;
};

double cost_of(const Box& box, const Segment* leader, const Taken& taken, const std::vector<Box>& markers, const std::vector<Segment>& lines,
               const Box& bounds) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (!box.within(bounds)) return kNever;
  double cost = 0;
  for (const Box& other : taken.boxes) {
    if (box.overlaps(other)) return kNever;
    if (leader != nullptr && crosses(*leader, other)) return kNever;
  }
  for (const Box& marker : markers)
    if (box.overlaps(marker)) return kNever;
  for (const Segment& other : taken.leaders)
    if (crosses(other, box)) return kNever;
  for (const Segment& line : lines)
    if (crosses(line, box)) cost += kLineCost;
  return cost;
}

}  // namespace

std::vector<PlacedLabel> place_labels(const std::vector<LabelWish>& wishes, const std::vector<Box>& markers, const std::vector<Segment>& lines,
                                      const Box& bounds) {
  std::vector<PlacedLabel> placed(wishes.size());
  Taken taken;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const LabelWish& wish = wishes[i];
    double best = std::numeric_limits<double>::infinity();
    Segment best_leader;
    for (std::size_t ring = 0; ring < kRings.size() && kRings[ring] < best; ++ring) {
      for (int order = 0; order < kDirections; ++order) {
        const double angle = kOrder[static_cast<std::size_t>(order)] * 2 * std::numbers::pi / kDirections;
        const Box box = box_at(wish, kRings[ring], angle);
        const bool has_leader = ring > 0;
        const Segment leader{wish.x, wish.y, std::clamp(wish.x, box.left, box.right), std::clamp(wish.y, box.top, box.bottom)};
        const double cost = cost_of(box, has_leader ? &leader : nullptr, taken, markers, lines, bounds) + kRings[ring] + order * 0.3;
        if (cost >= best) continue;
        best = cost;
        best_leader = leader;
        placed[i] = {true, box, has_leader, leader.x2, leader.y2};
      }
    }
    if (!placed[i].placed) continue;
    taken.boxes.push_back(placed[i].box);
    if (placed[i].leader) taken.leaders.push_back(best_leader);
  }
  return placed;
}

}  // namespace ridge::report
