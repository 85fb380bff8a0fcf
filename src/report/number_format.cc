#include "report/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text_layout.h"

namespace ridge::report {
namespace {

// Digits that the smallest number of a column should keep, and digits that the largest may show for it.
constexpr int kWantedDigits = 3;
constexpr int kAloneDigits = 4;
constexpr int kMostDigits = 6;

// Decimal digits before the point once the number is rounded to `digits` of them: 0 for 0.5, -1 for 0.05, 2 for 9.9999.
int digits_before_point(double magnitude, int digits) {
  return static_cast<int>(std::floor(std::log10(magnitude) + std::log10(1 + 0.5 * std::pow(10.0, -digits)))) + 1;
}

bool is_whole(double value) { return std::abs(value) < 1e15 && std::abs(value - std::round(value)) <= 1e-9 * std::abs(value); }

// Thousands separators from 10,000 on, as format_number has them.
std::string grouped(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  if (point <= 4) return digits;
  for (std::size_t i = point; i > 3; i -= 3) {
    if (i - 3 == 0) break;
    digits.insert(i - 3, 1, ',');
  }
  return digits;
}

struct Spread {
  double least = 0;  // of the magnitudes that are not zero
  double most = 0;
  bool any = false;
};

Spread spread_of(std::span<const double> values) {
  Spread spread;
  for (const double value : values) {
    const double magnitude = std::abs(value);
    if (magnitude == 0 || !std::isfinite(magnitude)) continue;
    spread.least = spread.any ? std::min(spread.least, magnitude) : magnitude;
    spread.most = spread.any ? std::max(spread.most, magnitude) : magnitude;
    spread.any = true;
  }
  return spread;
}

// The magnitude that chooses the unit: the middle of the column on a logarithmic scale, but not so low that the largest
// number would need more than four digits more.
double middle_of(const Spread& spread) { return std::max(std::sqrt(spread.least) * std::sqrt(spread.most), spread.most * 1e-4); }

DisplayUnit unit_for(const Spread& spread, bool counts, std::string_view unit, bool ascii) {
  if (unit == "1" && counts && spread.most >= 1e7) {
    const bool milliards = middle_of(spread) >= 1e9;
    return {milliards ? 1e9 : 1e6, ascii ? (milliards ? "10^9" : "10^6") : (milliards ? "10⁹" : "10⁶")};
  }
  DisplayUnit chosen = display_unit(spread.any ? middle_of(spread) : 0, unit, ascii);
  chosen.symbol = ascii ? to_ascii(clean(chosen.symbol)) : clean(chosen.symbol);
  return chosen;
}

}  // namespace

std::string_view missing_mark(bool ascii) { return ascii ? "-" : "—"; }

NumberFormat NumberFormat::choose(std::span<const double> values, std::string_view unit, Notation notation, bool ascii) {
  NumberFormat format;
  format.ascii_ = ascii;
  format.signed_ = notation == Notation::kChange || notation == Notation::kPercentChange;
  const Spread spread = spread_of(values);
  const bool whole = std::all_of(values.begin(), values.end(), is_whole);
  if (notation == Notation::kPercent || notation == Notation::kPercentChange)
    format.unit_ = {0.01, "%"};
  else
    format.unit_ = unit_for(spread, whole && values.size() > 1, unit, ascii);  // a count on its own is written out
  format.dollars_ = unit == "USD";
  if (!spread.any) return format;

  const double least = spread.least / format.unit_.factor, most = spread.most / format.unit_.factor;
  if (!std::isfinite(most) || least == 0) return format;
  const bool whole_in_unit = std::all_of(values.begin(), values.end(), [&format](double v) { return is_whole(v / format.unit_.factor); });
  if (whole_in_unit && !format.dollars_) return format;
  const int wanted = values.size() <= 2 ? kAloneDigits : kWantedDigits;  // a value, or the ends of a range
  const int for_least = wanted - digits_before_point(least, wanted), for_most = kMostDigits - std::max(1, digits_before_point(most, kMostDigits));
  format.decimals_ = std::clamp(for_least, 0, std::max(0, for_most));
  if (notation == Notation::kPercent || notation == Notation::kPercentChange) format.decimals_ = std::min(format.decimals_, 2);
  if (format.dollars_) {
    // Cents; below a dollar as many digits as a price per token needs to be compared.
    const bool cents = std::all_of(values.begin(), values.end(), [](double v) { return is_whole(v * 100); });
    format.decimals_ = least >= 1 || cents ? 2 : std::clamp(kWantedDigits - digits_before_point(least, kWantedDigits), 2, 4);
    return format;
  }
  // Zeros that end every number of the column say nothing: 0.05, 0.09, 0.10.
  for (int fewer = 0; fewer < format.decimals_; ++fewer) {
    const double scale = std::pow(10.0, fewer) / format.unit_.factor;
    if (std::all_of(values.begin(), values.end(), [scale](double v) { return !std::isfinite(v) || is_whole(v * scale); })) format.decimals_ = fewer;
  }
  return format;
}

std::string NumberFormat::magnitude(double scaled) const {
  const double size = std::abs(scaled);
  if (size == 0) return decimals_ > 0 && dollars_ ? fmt::format("{:.{}f}", 0.0, decimals_) : "0";
  // What the column's decimals would show as (nearly) nothing is written with digits of its own.
  const double kept = size * std::pow(10.0, decimals_);
  const bool lost = kept < 10 && !is_whole(kept);
  if (size >= 1e15 || lost) return format_number(size, kWantedDigits);
  return grouped(fmt::format("{:.{}f}", size, decimals_));
}

std::string NumberFormat::number(double value) const {
  if (!std::isfinite(value)) return std::string(missing_mark(ascii_));
  const double scaled = value / unit_.factor;
  // The division may leave the range of a double at either end.
  if (!std::isfinite(scaled) || (scaled == 0 && value != 0)) return format_number(value, kWantedDigits);
  const char* sign = value < 0 ? "-" : (signed_ && value > 0 ? "+" : "");
  return sign + magnitude(scaled);
}

std::string NumberFormat::join(const std::string& low, const std::string& high, bool negative) const {
  if (low == high) return low;
  return low + (negative ? " to " : ascii_ ? "-" : "–") + high;
}

std::string NumberFormat::range(Interval value) const { return join(number(value.low), number(value.high), value.low < 0 || signed_); }

std::string NumberFormat::with_unit(double value) const {
  std::string text = number(value);
  if (!std::isfinite(value)) return text;
  if (dollars_) {
    text.insert(text.front() == '-' || text.front() == '+' ? 1 : 0, "$");
    return text;
  }
  return text + unit_suffix();
}

std::string NumberFormat::with_unit(Interval value) const {
  if (dollars_) return join(with_unit(value.low), with_unit(value.high), value.low < 0 || signed_);
  return range(value) + unit_suffix();
}

std::string NumberFormat::unit_suffix() const {
  if (unit_.symbol.empty()) return "";
  const bool power = unit_.symbol.starts_with("10");
  return (power ? (ascii_ ? " x " : " × ") : " ") + unit_.symbol;
}

std::string show_cell(const Cell& cell, std::string_view unit, Notation notation, bool ascii) {
  if (const double* value = std::get_if<double>(&cell)) return NumberFormat::choose(std::span(value, 1), unit, notation, ascii).with_unit(*value);
  if (const Interval* value = std::get_if<Interval>(&cell)) {
    const double ends[] = {value->low, value->high};
    return NumberFormat::choose(ends, unit, notation, ascii).with_unit(*value);
  }
  if (const std::string* text = std::get_if<std::string>(&cell)) return ascii ? to_ascii(clean(*text)) : clean(*text);
  return std::string(missing_mark(ascii));
}

}  // namespace ridge::report
