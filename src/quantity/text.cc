#include "quantity/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace ridge {
namespace {

struct Unit {
  std::string_view symbol;
  double factor;
};

// A number at the start of `text`; `rest` receives what follows it, without spaces at the ends.
bool take_number(std::string_view text, double& value, std::string_view& rest) {
  const char* end = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): from_chars is given the end too
  auto [next, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || next == text.data() || !std::isfinite(value)) return false;
  rest = std::string_view(next, static_cast<std::size_t>(end - next));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  return true;
}

std::string list_of(std::span<const Unit> units) {
  std::string text;
  for (const Unit& unit : units) {
    if (unit.symbol.empty()) continue;
    if (!text.empty()) text += ", ";
    text += unit.symbol;
  }
  return text;
}

Result<double> parse_with_units(std::string_view text, std::span<const Unit> units, std::string_view what, std::string_view example) {
  double value = 0;
  std::string_view unit;
  if (!take_number(text, value, unit))
    return fail("", fmt::format("\"{}\" is not {}", text, what), fmt::format("Write a number and a unit, as in {}.", example));
  if (value < 0) return fail("", fmt::format("\"{}\" is negative", text), fmt::format("Write {} of 0 or more, as in {}.", what, example));
  for (const Unit& known : units) {
    if (known.symbol != unit) continue;
    const double scaled = value * known.factor;
    if (!std::isfinite(scaled)) return fail("", fmt::format("\"{}\" is too large", text));
    return scaled;
  }
  if (unit.empty()) return fail("", fmt::format("\"{}\" has no unit", text), fmt::format("Add one of: {}; as in {}.", list_of(units), example));
  return fail("", fmt::format("\"{}\" is not a unit of {}", unit, what), fmt::format("Use one of: {}; as in {}.", list_of(units), example));
}

constexpr double kKi = 1024.0, kMi = kKi * 1024, kGi = kMi * 1024, kTi = kGi * 1024, kPi = kTi * 1024;

constexpr std::array kByteUnits{Unit{"B", 1},     Unit{"kB", 1e3},  Unit{"KB", 1e3},  Unit{"MB", 1e6},  Unit{"GB", 1e9},  Unit{"TB", 1e12},
                                Unit{"PB", 1e15}, Unit{"KiB", kKi}, Unit{"MiB", kMi}, Unit{"GiB", kGi}, Unit{"TiB", kTi}, Unit{"PiB", kPi}};
constexpr std::array kSecondUnits{Unit{"s", 1},     Unit{"ms", 1e-3},  Unit{"us", 1e-6},  Unit{"µs", 1e-6},
                                  Unit{"ns", 1e-9}, Unit{"min", 60.0}, Unit{"h", 3600.0}, Unit{"d", 86400.0}};
constexpr std::array kPerSecondUnits{Unit{"/s", 1}, Unit{"/min", 1.0 / 60}, Unit{"/h", 1.0 / 3600}, Unit{"/d", 1.0 / 86400}};
constexpr std::array kByteRateUnits{Unit{"B/s", 1},         Unit{"kB/s", 1e3},       Unit{"MB/s", 1e6},       Unit{"GB/s", 1e9},
                                    Unit{"TB/s", 1e12},     Unit{"PB/s", 1e15},      Unit{"KiB/s", kKi},      Unit{"MiB/s", kMi},
                                    Unit{"GiB/s", kGi},     Unit{"TiB/s", kTi},      Unit{"Mb/s", 1e6 / 8},   Unit{"Gb/s", 1e9 / 8},
                                    Unit{"Tb/s", 1e12 / 8}, Unit{"Mbit/s", 1e6 / 8}, Unit{"Gbit/s", 1e9 / 8}, Unit{"Tbit/s", 1e12 / 8}};
constexpr std::array kFlopRateUnits{Unit{"FLOP/s", 1},     Unit{"GFLOP/s", 1e9}, Unit{"TFLOP/s", 1e12}, Unit{"PFLOP/s", 1e15},
                                    Unit{"EFLOP/s", 1e18}, Unit{"GFLOPS", 1e9},  Unit{"TFLOPS", 1e12},  Unit{"PFLOPS", 1e15},
                                    Unit{"EFLOPS", 1e18},  Unit{"OP/s", 1},      Unit{"GOP/s", 1e9},    Unit{"TOP/s", 1e12},
                                    Unit{"POP/s", 1e15},   Unit{"EOP/s", 1e18},  Unit{"TOPS", 1e12},    Unit{"POPS", 1e15}};
constexpr std::array kWattUnits{Unit{"W", 1}, Unit{"kW", 1e3}, Unit{"MW", 1e6}, Unit{"mW", 1e-3}};
constexpr std::array kLengthUnits{Unit{"mm", 1e-3}, Unit{"um", 1e-6}, Unit{"µm", 1e-6}, Unit{"cm", 1e-2}, Unit{"m", 1}};
constexpr std::array kPerAreaUnits{Unit{"/cm2", 1e4}, Unit{"/mm2", 1e6}, Unit{"/m2", 1}, Unit{"/cm²", 1e4}, Unit{"/mm²", 1e6}};
constexpr std::array kAreaUnits{Unit{"mm2", 1e-6}, Unit{"cm2", 1e-4}, Unit{"m2", 1}, Unit{"mm²", 1e-6}, Unit{"cm²", 1e-4}};
constexpr std::array kUsdUnits{Unit{"USD", 1}, Unit{"", 1}};
constexpr std::array kUsdPerHourUnits{Unit{"USD/h", 1}, Unit{"/h", 1}, Unit{"", 1}};
constexpr std::array kFractionUnits{Unit{"%", 0.01}, Unit{"", 1}};
constexpr std::array kCountUnits{Unit{"", 1},    Unit{"k", 1e3}, Unit{"K", 1e3}, Unit{"m", 1e6},  Unit{"M", 1e6},
                                 Unit{"b", 1e9}, Unit{"B", 1e9}, Unit{"G", 1e9}, Unit{"t", 1e12}, Unit{"T", 1e12}};

std::string_view without_dollar(std::string_view text) {
  if (text.starts_with('$')) text.remove_prefix(1);
  return text;
}

std::string without_separators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separator = (text[i] == ',' || text[i] == '_') && i > 0 && i + 1 < text.size() && text[i - 1] >= '0' && text[i - 1] <= '9' &&
                           text[i + 1] >= '0' && text[i + 1] <= '9';
    if (!separator) plain += text[i];
  }
  return plain;
}

// The largest prefix that leaves at least 1.
DisplayUnit largest_prefix(double magnitude, std::string_view unit, std::span<const Unit> prefixes) {
  const Unit* chosen = &prefixes.front();
  for (const Unit& prefix : prefixes) {
    // 0.99995 keeps "1000 GB" from being shown where rounding would reach the next prefix.
    if (magnitude >= prefix.factor * 0.99995) chosen = &prefix;
  }
  return {chosen->factor, std::string(chosen->symbol) + std::string(unit)};
}

std::string in_unit(double value, const DisplayUnit& unit) {
  return unit.symbol.empty() ? format_number(value / unit.factor) : fmt::format("{} {}", format_number(value / unit.factor), unit.symbol);
}

constexpr std::array kDecimalPrefixes{Unit{"", 1}, Unit{"k", 1e3}, Unit{"M", 1e6}, Unit{"G", 1e9}, Unit{"T", 1e12}, Unit{"P", 1e15}, Unit{"E", 1e18}};
constexpr std::array kBinaryPrefixes{Unit{"", 1}, Unit{"Ki", kKi}, Unit{"Mi", kMi}, Unit{"Gi", kGi}, Unit{"Ti", kTi}, Unit{"Pi", kPi}};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

std::string folded(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (c != '-' && c != '_' && c != ' ' && c != '.')
      result += c;
  }
  return result;
}

}  // namespace

Result<Bytes> parse_bytes(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kByteUnits, "a size", "80GiB"));
  if (value > 9.2e18) return fail("", fmt::format("\"{}\" is more than 8 EiB", text));
  return Bytes::from_double(value);
}

Result<Seconds> parse_seconds(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kSecondUnits, "a time", "500ms"));
  return Seconds{value};
}

Result<PerSecond> parse_per_second(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kPerSecondUnits, "a rate", "5/s"));
  return PerSecond{value};
}

Result<BytesPerSecond> parse_bytes_per_second(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kByteRateUnits, "a bandwidth", "3.35TB/s"));
  return BytesPerSecond{value};
}

Result<FlopPerSecond> parse_flop_per_second(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kFlopRateUnits, "a compute rate", "500TFLOP/s"));
  return FlopPerSecond{value};
}

Result<Watts> parse_watts(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kWattUnits, "a power", "700W"));
  return Watts{value};
}

Result<Metres> parse_length(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kLengthUnits, "a length", "26mm"));
  return Metres{value};
}

Result<PerSquareMetre> parse_per_area(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kPerAreaUnits, "a density per area", "0.1/cm2"));
  return PerSquareMetre{value};
}

Result<SquareMetres> parse_area(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kAreaUnits, "an area", "814mm2"));
  return SquareMetres{value};
}

Result<UsdPerHour> parse_usd_per_hour(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(without_dollar(text), kUsdPerHourUnits, "a price per hour", "2.50USD/h"));
  return UsdPerHour{value};
}

Result<double> parse_usd(std::string_view text) { return parse_with_units(without_dollar(text), kUsdUnits, "a price", "16000USD"); }

Result<double> parse_fraction(std::string_view text) {
  RIDGE_TRY(double value, parse_with_units(text, kFractionUnits, "a share", "12%"));
  if (value > 1) return fail("", fmt::format("\"{}\" is more than the whole", text), "Write a share between 0 and 1, or 0% and 100%.");
  return value;
}

Result<double> parse_count(std::string_view text) { return parse_with_units(without_separators(text), kCountUnits, "a count", "7e9 or 7b"); }

Result<double> parse_real(std::string_view text) {
  double value = 0;
  std::string_view rest;
  if (!take_number(text, value, rest) || !rest.empty()) return fail("", fmt::format("\"{}\" is not a number", text));
  return value;
}

Result<std::int64_t> parse_integer(std::string_view text) {
  const std::string plain = without_separators(text);
  std::int64_t exact = 0;
  const char* end = plain.data() + plain.size();
  auto [next, error] = std::from_chars(plain.data(), end, exact);
  if (error == std::errc{} && next == end) return exact;
  double value = 0;
  std::string_view unit;
  if (take_number(plain, value, unit)) {
    for (const Unit& known : kCountUnits) {
      if (known.symbol != unit) continue;
      const double scaled = value * known.factor;
      if (std::abs(scaled) < 9.0e18 && scaled == std::floor(scaled)) return static_cast<std::int64_t>(scaled);
    }
  }
  return fail("", fmt::format("\"{}\" is not a whole number", text), "Write digits, as in 4096 or 4k.");
}

std::string format_number(double value, int significant) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e7 || magnitude < 1e-4) return fmt::format("{:.{}g}", value, significant);
  const int digits = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  const int decimals = std::max(0, significant - digits);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals == 0 && magnitude >= 10000) return format_integer(static_cast<std::int64_t>(std::llround(value)));
  // 9.9996 with four digits rounds to 10.000: one digit too many.
  if (text.find('.') != std::string::npos) {
    std::size_t digits_shown = 0;
    bool leading = true;
    for (char c : text) {
      if (c < '0' || c > '9') continue;
      if (leading && c == '0') continue;
      leading = false;
      ++digits_shown;
    }
    if (digits_shown > static_cast<std::size_t>(significant)) text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string format_integer(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string format_bytes(Bytes bytes) { return format_value(bytes.as_double(), "B"); }
std::string format_bytes_decimal(Bytes bytes) {
  const double value = bytes.as_double();
  return in_unit(value, largest_prefix(std::abs(value), "B", kDecimalPrefixes));
}
std::string format_seconds(Seconds seconds) { return format_value(seconds.value, "s"); }

DisplayUnit display_unit(double magnitude, std::string_view unit, bool ascii) {
  magnitude = std::abs(magnitude);
  if (unit == "B") return largest_prefix(magnitude, unit, kBinaryPrefixes);
  if (unit == "s") {
    if (magnitude >= 2 * 86400) return {86400, "d"};
    if (magnitude >= 2 * 3600) return {3600, "h"};
    if (magnitude >= 300) return {60, "min"};
    if (magnitude >= 0.99995 || magnitude == 0) return {1, "s"};
    if (magnitude >= 0.99995e-3) return {1e-3, "ms"};
    if (magnitude >= 0.99995e-6) return {1e-6, ascii ? "us" : "µs"};
    return {1e-9, "ns"};
  }
  if (unit == "FLOP" || unit == "FLOP/s" || unit == "B/s" || unit == "W" || unit == "OP/s" || unit == "FLOP/J")
    return largest_prefix(magnitude, unit, kDecimalPrefixes);
  if (unit == "J") return magnitude != 0 && magnitude < 0.99995 ? DisplayUnit{1e-3, "mJ"} : largest_prefix(magnitude, unit, kDecimalPrefixes);
  if (unit == "m2") return magnitude < 0.1 ? DisplayUnit{1e-6, ascii ? "mm2" : "mm²"} : DisplayUnit{1, ascii ? "m2" : "m²"};
  if (unit == "1") return {1, ""};
  return {1, std::string(unit)};
}

std::string format_value(double value, std::string_view unit, bool ascii) {
  if (unit == "USD") {
    const double magnitude = std::abs(value);
    // Cents; below a dollar three digits where there are parts of a cent, as in a price per million tokens.
    const double cents = magnitude * 100;
    if (magnitude >= 1 || std::abs(cents - std::round(cents)) < 1e-9) return fmt::format("${:.2f}", value);
    return fmt::format("${}", format_number(value, 3));
  }
  const DisplayUnit shown = display_unit(value, unit, ascii);
  // Below a KiB a size is a count of bytes, not a measurement with four digits.
  if (unit == "B" && shown.factor == 1 && value == std::floor(value)) return fmt::format("{} B", value);
  return in_unit(value, shown);
}

std::string nearest_names(std::string_view name, const std::vector<std::string>& known, std::size_t most) {
  const std::string wanted = folded(name);
  std::vector<std::pair<std::size_t, const std::string*>> ranked;
  for (const std::string& candidate : known) {
    const std::string text = folded(candidate);
    std::size_t distance = edit_distance(wanted, text);
    // A name that contains what was typed (or the other way round) is near however long its tail is.
    if (!wanted.empty() && (text.find(wanted) != std::string::npos || (text.size() > 2 && wanted.find(text) != std::string::npos)))
      distance = std::min(distance, std::size_t{1});
    if (distance <= std::max<std::size_t>(2, wanted.size() / 3)) ranked.emplace_back(distance, &candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + *ranked[i].second;
  return text;
}

}  // namespace ridge
