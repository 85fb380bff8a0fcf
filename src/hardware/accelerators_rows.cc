#include "hardware/accelerators_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ridge::hardware {
namespace {

// No machine of this decade is near these, and a unit mistaken by 1000 is.
constexpr double kMostBytes = 1e16;     // 10 PB
constexpr double kMostByteRate = 1e17;  // 100 PB/s
constexpr double kMostRate = 1e22;      // 10 ZFLOP/s
constexpr double kMostWatts = 1e8;      // 100 MW
constexpr double kMostCount = 1e15;
constexpr double kMostHertz = 1e11;
constexpr double kMostArea = 1;  // m2

double most_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return kMostBytes;
    case Dimension::kByteRate:
      return kMostByteRate;
    case Dimension::kRate:
      return kMostRate;
    case Dimension::kPower:
      return kMostWatts;
    case Dimension::kFrequency:
      return kMostHertz;
    case Dimension::kArea:
      return kMostArea;
    default:
      return kMostCount;
  }
}

std::string units_of(Dimension dimension) {
  std::string text;
  for (const UnitInfo& unit : all_units())
    if (unit.dimension == dimension) text += (text.empty() ? "" : ", ") + std::string(unit.name);
  return text;
}

Result<void> check_amount(double value, Unit unit, Dimension dimension, std::string_view what, const formats::NodeRef& at) {
  if (info(unit).dimension != dimension)
    return at.error(fmt::format("{} has the unit {}", what, name_of(unit)), fmt::format("Use one of: {}.", units_of(dimension)));
  if (value < 0) return at.error(fmt::format("{} is negative: {}", what, value));
  if (value == 0) return at.error(fmt::format("{} is zero", what), "Leave the figure out where it is not known.");
  const double most = most_of(dimension);
  if (value * info(unit).factor > most)
    return at.error(fmt::format("{} of {} {} is beyond {:g} {}", what, value, name_of(unit), most, info(unit).base), "Check the unit.");
  return {};
}

bool is_id(std::string_view id) {
  return std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; });
}

}  // namespace

Dimension dimension_of(FigureName name) {
  switch (name) {
    case FigureName::kMemoryCapacity:
    case FigureName::kMemoryUsable:
    case FigureName::kL2Cache:
    case FigureName::kInfinityCache:
    case FigureName::kSmemPerSm:
    case FigureName::kLdsPerCu:
    case FigureName::kSram:
      return Dimension::kBytes;
    case FigureName::kMemoryBandwidth:
    case FigureName::kScaleUp:
    case FigureName::kScaleUpLink:
    case FigureName::kDieLink:
    case FigureName::kPcie:
    case FigureName::kHostLink:
      return Dimension::kByteRate;
    case FigureName::kTdp:
    case FigureName::kPower:
      return Dimension::kPower;
    case FigureName::kBoostClock:
    case FigureName::kMaxClockSeen:
    case FigureName::kMatrixClock:
      return Dimension::kFrequency;
    case FigureName::kDieArea:
      return Dimension::kArea;
    case FigureName::kSmCount:
    case FigureName::kCuCount:
    case FigureName::kTransistors:
    case FigureName::kPod:
      return Dimension::kCount;
    case FigureName::kProcess:
    case FigureName::kComposition:
      return Dimension::kNone;
  }
  return Dimension::kNone;
}

Result<void> check(const FigureRow& row, const formats::NodeRef& at) {
  const std::string_view what = word_of(row.name);
  if (row.value.has_value() == !row.text.empty())
    return at.error(fmt::format("{} has {}", what, row.value ? "both a value and a text" : "neither a value nor a text"));
  if (row.value) {
    RIDGE_TRY_VOID(check_amount(*row.value, row.unit, dimension_of(row.name), what, at));
  } else if (row.unit != Unit::kNone) {
    return at.error(fmt::format("{} is a text and has the unit {}", what, name_of(row.unit)), "A text has no unit.");
  }
  if (row.reading != Reading::kNone && row.name != FigureName::kMemoryUsable)
    return at.error(fmt::format("{} has a \"reading\"", what), "Only memory_usable has one.");
  if (row.generation < 0 || row.generation > 16 || row.lanes < 0 || row.lanes > 64)
    return at.error(fmt::format("{} has generation {} and {} lanes", what, row.generation, row.lanes),
                    "PCIe has generations up to 16 here, and up to 64 lanes.");
  return {};
}

Result<void> check(const RateRow& row, const formats::NodeRef& at) {
  const bool integer = row.precision == Precision::kInt8 || row.precision == Precision::kInt4;
  const bool operations = row.unit == Unit::kTops || row.unit == Unit::kPops;
  RIDGE_TRY_VOID(check_amount(row.value, row.unit, Dimension::kRate, fmt::format("the {} rate", ridge::name_of(row.precision)), at));
  if (integer != operations)
    return at.error(fmt::format("the {} rate has the unit {}", ridge::name_of(row.precision), name_of(row.unit)),
                    integer ? "Integer rates are in TOP/s." : "Floating-point rates are in TFLOP/s.");
  if (!row.pattern.empty() && row.sparsity != Sparsity::kStructured) return at.error("only a structured rate has a \"pattern\"");
  return {};
}

Result<void> check(const AcceleratorRow& row, const formats::NodeRef& at) {
  if (!is_id(row.id)) return at.error(fmt::format("the id \"{}\" has a character that the GPU syntax cannot hold", row.id), "Use a-z, 0-9, '-', '.' and '_'.");
  for (std::string_view alias : row.aliases)
    if (!is_id(alias) || alias.empty())
      return at.error(fmt::format("the alias \"{}\" has a character that the GPU syntax cannot hold", alias), "Use a-z, 0-9, '-', '.' and '_'.");
  if (row.accelerators < 1 || row.accelerators > 100000)
    return at.error(fmt::format("{} accelerators in one record", row.accelerators), "Write how many chips its figures count, from 1.");
  if (row.devices < 1 || row.devices > 64) return at.error(fmt::format("{} devices in one chip", row.devices), "Write how many software sees, 1 to 64.");
  if ((row.kind == PartKind::kChip) != (row.accelerators == 1))
    return at.error(fmt::format("a {} of {} accelerators", word_of(row.kind), row.accelerators), "A chip counts 1 accelerator; every other kind counts more.");
  if (row.part.empty() != row.profile.empty()) return at.error("\"part\" and \"profile\" come together", "A part with one profile has neither.");
  return {};
}

}  // namespace ridge::hardware
