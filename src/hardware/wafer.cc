#include "hardware/wafer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace ridge::hardware {
namespace {

constexpr double kSlack = 1e-9;  // m: below any real tolerance, above the rounding of the sums here
constexpr std::int64_t kMostRows = 20'000;
constexpr double kRowBudget = 100'000;  // rows looked at over all row offsets: a few milliseconds

// One row of dies between y and y + height: a die at x lies within the circle when -reach <= x and x + width <= reach.
struct Row {
  double reach = 0;
};

// What changes as the grid moves sideways by less than one pitch: a die enters at the left, or leaves at the right.
struct Event {
  double x = 0;
  int change = 0;  // +1 enters (from x on), -1 leaves (after x)
};

double modulo(double value, double pitch) {
  const double rest = value - std::floor(value / pitch) * pitch;
  return rest >= pitch ? 0 : rest;
}

std::int64_t dies_in_row(double reach, double x, double width, double pitch) {
  const double first = std::ceil((-reach - kSlack - x) / pitch);
  const double last = std::floor((reach + kSlack - width - x) / pitch);
  return last < first ? 0 : static_cast<std::int64_t>(last - first) + 1;
}

// The best sideways place for these rows. Their count changes only at the events, so a sweep over them is exact.
std::pair<std::int64_t, double> best_sideways(const std::vector<Row>& rows, double width, double pitch, std::vector<Event>& events) {
  events.clear();
  std::int64_t count = 0;
  for (const Row& row : rows) {
    count += dies_in_row(row.reach, 0, width, pitch);
    // At x = 0 both kinds of event have happened or not as the count there says.
    const double enters = modulo(-row.reach - kSlack, pitch), leaves = modulo(row.reach + kSlack - width, pitch);
    if (enters > 0) events.push_back({enters, +1});
    events.push_back({leaves, -1});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.x != b.x ? a.x < b.x : a.change > b.change; });
  std::int64_t best = count;
  double place = 0;
  for (const Event& event : events) {
    count += event.change;
    if (count > best) {
      best = count;
      place = event.x;
    }
  }
  return {best, place};
}

}  // namespace

Result<DieGrid> place_dies(Metres width, Metres height, const Wafer& wafer) {
  const double radius = wafer.diameter.value / 2 - wafer.edge_exclusion.value;
  if (!(width.value > 0) || !(height.value > 0)) return fail("", "a side of the die is zero", "Give both sides, as in 26mm.");
  if (wafer.scribe.value < 0 || wafer.edge_exclusion.value < 0) return fail("", "the scribe line or the edge exclusion is negative");
  if (!(radius > 0)) return fail("", "the edge exclusion leaves nothing of the wafer", "Give less than half of the wafer's diameter.");
  const double pitch_x = width.value + wafer.scribe.value, pitch_y = height.value + wafer.scribe.value;
  if (2 * radius / std::min(pitch_x, pitch_y) > static_cast<double>(kMostRows))
    return fail("", fmt::format("a die of {} by {} m gives more than {} rows on the wafer", width.value, height.value, kMostRows),
                "Check the units of the die's sides.");

  const double rows_at_once = 2 * radius / pitch_y + 1;
  const int steps = static_cast<int>(std::clamp(kRowBudget / rows_at_once, 8.0, 512.0));
  // Symmetric about the wafer's centre: a scribe line through it, or a die over it.
  std::vector<double> offsets{wafer.scribe.value / 2, -height.value / 2};
  for (int i = 0; i < steps; ++i) offsets.push_back(pitch_y * i / steps);

  DieGrid grid;
  grid.row_offsets = static_cast<int>(offsets.size());
  std::vector<Row> rows;
  std::vector<Event> events;
  for (const double offset : offsets) {
    rows.clear();
    for (double j = std::ceil((-radius - offset - kSlack) / pitch_y);; ++j) {
      const double low = offset + j * pitch_y, high = low + height.value;
      if (high > radius + kSlack) break;
      const double far = std::max(std::abs(low), std::abs(high));
      const double reach = std::sqrt(std::max(0.0, radius * radius - far * far));
      if (2 * reach + 2 * kSlack >= width.value) rows.push_back({reach});
    }
    const auto [count, place] = best_sideways(rows, width.value, pitch_x, events);
    if (count > grid.dies) {
      grid.dies = count;
      grid.offset_x = Metres{place};
      grid.offset_y = Metres{offset};
    }
  }
  return grid;
}

double dies_by_area(Metres width, Metres height, const Wafer& wafer) {
  const double d = wafer.diameter.value - 2 * wafer.edge_exclusion.value;
  const double area = (width.value + wafer.scribe.value) * (height.value + wafer.scribe.value);
  return std::max(0.0, std::numbers::pi * d * d / 4 / area - std::numbers::pi * d / std::sqrt(2 * area));
}

double poisson_yield(double defects) { return std::exp(-defects); }

double murphy_yield(double defects) {
  if (defects == 0) return 1;
  const double share = -std::expm1(-defects) / defects;
  return share * share;
}

double negative_binomial_yield(double defects, double alpha) { return std::exp(-alpha * std::log1p(defects / alpha)); }

}  // namespace ridge::hardware
