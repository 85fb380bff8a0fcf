#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "quantity/text.h"
#include "report/number_format.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max() / 4;     // so that differences stay finite
constexpr double kSmallest = std::numeric_limits<double>::min() * 1e6;  // so that quotients do

double clamp_magnitude(double value) { return std::clamp(value, -kLargest, kLargest); }

std::string shown(std::string_view text, bool ascii) { return ascii ? to_ascii(clean(text)) : clean(text); }

// "1", "0.5", "20,000": no digits that say nothing.
std::string plain_number(double value) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e7 || magnitude < 1e-6) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.{}f}", value, std::clamp(3 - static_cast<int>(std::floor(std::log10(magnitude))), 0, 9));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  const std::size_t sign = text.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  if (point - sign > 4)
    for (std::size_t i = point - 3; i > sign; i = i > sign + 3 ? i - 3 : 0) text.insert(i, 1, ',');
  return text;
}

// Prefixes for units that quantity/ shows without one (token/s, FLOP/B, counts).
DisplayUnit count_prefix(double magnitude) {
  if (magnitude >= 0.9999e12) return {1e12, "T"};
  if (magnitude >= 0.9999e9) return {1e9, "G"};
  if (magnitude >= 0.9999e6) return {1e6, "M"};
  if (magnitude >= 0.9999e4) return {1e3, "k"};
  return {1, ""};
}

// Units of more than three letters are said once, in the title; the ticks of a logarithmic axis have their prefix only.
bool unit_on_ticks(const std::string& unit) { return !unit.empty() && unit != "1" && unit.size() <= 3; }

// One tick of a logarithmic axis, which has a prefix of its own: "10 µs", "100 T" (of FLOP/s; the title says the unit).
std::string own_unit_label(double value, const std::string& unit, bool ascii) {
  DisplayUnit display = display_unit(value, unit, ascii);
  if (unit == "s" && display.factor > 1) display = {1, "s"};  // decades of minutes and hours are no round numbers
  if (unit == "USD") return "$" + plain_number(value);
  std::string symbol = shown(display.symbol, ascii);
  if (!unit_on_ticks(unit)) {
    if (display.factor == 1) display = count_prefix(value);
    symbol = display.symbol;
    if (!unit.empty() && symbol.ends_with(unit)) symbol.erase(symbol.size() - unit.size());
  }
  return plain_number(value / display.factor) + (symbol.empty() ? "" : " " + symbol);
}

// 1, 2 or 5 times a power of ten, near `raw`.
double nice_step(double raw) {
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double multiple : {1.0, 2.0, 5.0})
    if (power * multiple >= raw * 0.75) return power * multiple;
  return power * 10;
}

}  // namespace

bool AxisScale::has_place(double value) const { return std::isfinite(value) && (!logarithmic_ || value >= kSmallest); }

double AxisScale::position(double value) const {
  double share = 0;
  if (logarithmic_)
    share = (std::log10(std::max(value, kSmallest)) - std::log10(low_)) / (std::log10(high_) - std::log10(low_));
  else
    share = (clamp_magnitude(value) - low_) / (high_ - low_);
  return std::clamp(share, -0.5, 1.5);
}

AxisScale AxisScale::fit(std::span<const double> values, const Axis& axis, const AxisOptions& options) {
  AxisScale scale;
  scale.logarithmic_ = axis.logarithmic;
  bool any = false;
  for (const double value : values) {
    if (!scale.has_place(value)) continue;
    const double clamped = clamp_magnitude(value);
    scale.low_ = any ? std::min(scale.low_, clamped) : clamped;
    scale.high_ = any ? std::max(scale.high_, clamped) : clamped;
    any = true;
  }
  if (!any) {
    scale.low_ = axis.logarithmic ? 1 : 0;
    scale.high_ = axis.logarithmic ? 10 : 1;
  }
  if (axis.logarithmic)
    scale.fit_logarithmic(axis, options);
  else
    scale.fit_linear(axis, options);
  return scale;
}

void AxisScale::set_title(const Axis& axis, const std::string& unit, bool ascii) {
  title_ = shown(axis.label, ascii);
  if (!unit.empty()) title_ += title_.empty() ? unit : " (" + unit + ")";
}

void AxisScale::fit_linear(const Axis& axis, const AxisOptions& options) {
  // Zero belongs on the axis of a length, and where it is near anyway.
  if (low_ > 0 && (options.include_zero || low_ < 0.4 * high_)) low_ = 0;
  if (high_ < 0 && (options.include_zero || high_ > 0.4 * low_)) high_ = 0;
  if (!(high_ - low_ > std::max(std::abs(low_), std::abs(high_)) * 1e-12)) {
    const double pad = low_ == 0 ? 1 : std::max(std::abs(low_) * 0.1, kSmallest);
    low_ = low_ == 0 ? 0 : clamp_magnitude(low_ - pad);
    high_ = clamp_magnitude(high_ + pad);
  }
  if (high_ - low_ < kSmallest) high_ = low_ + 1;
  const double span = high_ - low_;
  const double magnitude = std::max(std::abs(low_), std::abs(high_));
  DisplayUnit unit = display_unit(magnitude, axis.unit, options.ascii);
  std::string suffix;
  if (unit.factor == 1 && magnitude >= 1e6) {
    const DisplayUnit prefix = count_prefix(magnitude);
    unit.factor = prefix.factor;
    suffix = " " + prefix.symbol;
  }
  const double step = nice_step(span / unit.factor / std::max(2, options.most_ticks - 1)) * unit.factor;
  if (options.margin) {
    if (low_ != 0) low_ = clamp_magnitude(std::floor(low_ / step) * step);
    if (high_ != 0) high_ = clamp_magnitude(std::ceil(high_ / step - 1e-9) * step);
  }
  for (double k = std::ceil(low_ / step - 1e-9); k <= std::floor(high_ / step + 1e-9) && ticks_.size() < 40; ++k) {
    const double value = k * step;
    const std::string number = plain_number(value / unit.factor);
    ticks_.push_back({value, (axis.unit == "USD" ? "$" : "") + number + (value == 0 ? "" : suffix)});
  }
  set_title(axis, axis.unit == "USD" ? "" : shown(unit.symbol, options.ascii), options.ascii);
}

void AxisScale::fit_logarithmic(const Axis& axis, const AxisOptions& options) {
  if (!(high_ > low_ * 1.0001)) {
    low_ = std::max(low_ / 2, kSmallest);
    high_ = std::min(high_ * 2, kLargest);
  }
  if (options.margin) {
    const double room = std::pow(high_ / low_, 0.05);
    if (std::isfinite(room)) {
      low_ = std::max(low_ / room, kSmallest);
      high_ = std::min(high_ * room, kLargest);
    }
  }
  if (axis.unit == "B" && std::log2(high_) - std::log2(low_) > 2)
    add_powers_of_two(options);
  else
    add_decades(axis, options);
  const bool in_title = axis.unit != "1" && axis.unit != "USD" && !unit_on_ticks(axis.unit);
  set_title(axis, in_title ? shown(axis.unit, options.ascii) : "", options.ascii);
}

void AxisScale::add_powers_of_two(const AxisOptions& options) {
  const double first = std::ceil(std::log2(low_)), last = std::floor(std::log2(high_));
  double step = std::ceil((last - first + 1) / std::max(2, options.most_ticks));
  if (step > 5) step = std::ceil(step / 10) * 10;
  for (double e = std::ceil(first / step) * step; e <= last && ticks_.size() < 60; e += step)
    ticks_.push_back({std::exp2(e), own_unit_label(std::exp2(e), "B", options.ascii)});
}

void AxisScale::add_decades(const Axis& axis, const AxisOptions& options) {
  const double first = std::ceil(std::log10(low_) - 1e-9), last = std::floor(std::log10(high_) + 1e-9);
  const double decades = last - first + 1;
  const auto add = [&](double value) {
    if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) ticks_.push_back({value, own_unit_label(value, axis.unit, options.ascii)});
  };
  if (decades >= 3) {
    const double step = std::ceil(decades / std::max(2, options.most_ticks));
    for (double e = std::ceil(first / step) * step; e <= last && ticks_.size() < 60; e += step) add(std::pow(10.0, e));
    if (step == 1 && decades <= 6)
      for (double e = first - 1; e <= last; ++e)
        for (int m = 2; m < 10; ++m)
          if (const double value = m * std::pow(10.0, e); value > low_ && value < high_) minor_.push_back(value);
    return;
  }
  for (double e = first - 1; e <= last; ++e)
    for (const double multiple : {1.0, 2.0, 5.0}) add(multiple * std::pow(10.0, e));
  if (ticks_.size() >= 2) return;
  // Less than a factor of two: the round numbers of a linear axis.
  ticks_.clear();
  const double step = nice_step((high_ - low_) / std::max(2, options.most_ticks - 1));
  for (double k = std::ceil(low_ / step); k * step <= high_ && ticks_.size() < 40; ++k) add(k * step);
}

}  // namespace ridge::report
