#include "hardware/chips_rows.h"

#include <fmt/format.h>

#include "quantity/date.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

// A text with its unit that must be positive where it stands; `parse` is the reader of its dimension.
template <class Quantity>
Result<void> check_amount(std::string_view name, std::string_view text, Result<Quantity> (*parse)(std::string_view), double most, std::string_view most_text,
                          const formats::NodeRef& at) {
  if (text.empty()) return {};
  const auto amount = parse(text);
  if (!amount) return at.error(fmt::format("{}: {}", name, amount.error().what), amount.error().advice);
  if (!(amount->value > 0)) return at.error(fmt::format("{} is zero", name), "Leave it out where it is not known.");
  if (amount->value > most) return at.error(fmt::format("{} \"{}\" is beyond {}", name, text, most_text), "Check the unit.");
  return {};
}

Result<void> check_length(std::string_view name, std::string_view text, const formats::NodeRef& at) {
  return check_amount<Metres>(name, text, parse_length, 1.0, "1 m", at);
}

// As check_length(), of a length that must be there.
Result<void> check_side(std::string_view name, std::string_view text, const formats::NodeRef& at) {
  if (text.empty()) return at.error(fmt::format("{} is empty", name), "Write a length, as in 26 mm.");
  return check_length(name, text, at);
}

// One number or a range, low end first, all within the limits.
Result<void> check_gain(std::string_view name, std::span<const double> gain, double low, double high, const formats::NodeRef& at) {
  if (gain.size() > 2) return at.error(fmt::format("{} has {} numbers", name, gain.size()), "Write one number, or the two ends of a range.");
  if (gain.size() == 2 && gain[0] > gain[1]) return at.error(fmt::format("{} begins with its higher end", name), "Write the lower end first.");
  for (const double value : gain)
    if (value < low || value > high) return at.error(fmt::format("{} is {}, outside {} to {}", name, value, low, high), "Gains are fractions: 0.18 is 18 %.");
  return {};
}

}  // namespace

Result<void> check(const DieRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_amount<SquareMetres>("area", row.area, parse_area, 0.1, "0.1 m2", at));
  RIDGE_TRY_VOID(check_length("width", row.width, at));
  RIDGE_TRY_VOID(check_length("height", row.height, at));
  if (row.width.empty() != row.height.empty()) return at.error("\"width\" and \"height\" come together");
  if (row.dies && (*row.dies < 2 || !row.package)) return at.error(fmt::format("{} dies", *row.dies), "Only a package has \"dies\", and at least 2.");
  if (row.package && !row.area.empty()) return at.error("a package has an \"area\"", "Write one row for each of its dies.");
  if (row.transistors && (*row.transistors < 1 || *row.transistors > 1e15)) return at.error(fmt::format("{} transistors", *row.transistors));
  if (row.source.empty() && (!row.area.empty() || row.transistors)) return at.error("the area or the transistors have no \"source\"");
  return {};
}

Result<void> check(const ExposureFieldRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_side("width", row.width, at));
  return check_side("height", row.height, at);
}

Result<void> check(const WaferRow& row, const formats::NodeRef& at) { return check_side("diameter", row.diameter, at); }

Result<void> check(const DefectDensityRow& row, const formats::NodeRef& at) {
  if (row.density.empty() || row.density.size() > 2)
    return at.error(fmt::format("density has {} values", row.density.size()), "Write one, or the two ends of a range.");
  for (std::string_view text : row.density) {
    if (text.empty()) return at.error("a density is empty", "Write it as in 0.1/cm2.");
    RIDGE_TRY_VOID(check_amount<PerSquareMetre>("density", text, parse_per_area, 1e8, "10000/cm2", at));
  }
  return {};
}

std::string node_key(std::string_view node) {
  std::string text;
  for (const char c : node) text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view maker : {"tsmc", "nvidia", "samsung", "intel"})
    if (text.starts_with(maker)) text.erase(0, maker.size());
  std::erase_if(text, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')); });
  return text;
}

Result<void> check(const ProcessClaimRow& row, const formats::NodeRef& at) {
  if (node_key(row.node).empty()) return at.error(fmt::format("\"{}\" is not the name of a node", row.node), "Write it as in N2P.");
  if (!row.baseline.empty() && node_key(row.baseline).empty())
    return at.error(fmt::format("\"{}\" is not the name of a node", row.baseline), "Write it as in N3E.");
  RIDGE_TRY_VOID(check_gain("speed", row.speed, -1, 10, at));
  RIDGE_TRY_VOID(check_gain("power", row.power, -1, 10, at));
  RIDGE_TRY_VOID(check_gain("power_efficiency", row.power_efficiency, -1, 10, at));
  RIDGE_TRY_VOID(check_gain("density", row.density, 0.01, 100, at));
  const bool numbers = !row.speed.empty() || !row.power.empty() || !row.power_efficiency.empty() || !row.density.empty();
  if (numbers && row.baseline.empty()) return at.error("a gain has no \"baseline\"", "Name the node over which it is claimed.");
  if (!numbers && row.text.empty()) return at.error("the claim has neither a gain nor a \"text\"");
  if (!row.date.empty())
    if (const auto date = parse_date_span(row.date); !date) return at.error("date: " + date.error().what, date.error().advice);
  return {};
}

}  // namespace ridge::hardware
