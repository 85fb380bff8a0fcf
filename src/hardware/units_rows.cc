#include <array>
#include <cmath>

#include "hardware/units.h"

namespace ridge::hardware {
namespace {

constexpr double kKi = 1024.0;

constexpr std::array kUnits{
    UnitInfo{Unit::kNone, "none", Dimension::kNone, 1, ""},
    UnitInfo{Unit::kOne, "1", Dimension::kCount, 1, "1"},
    UnitInfo{Unit::kSm, "SM", Dimension::kCount, 1, "1"},
    UnitInfo{Unit::kCu, "CU", Dimension::kCount, 1, "1"},
    UnitInfo{Unit::kChips, "chips", Dimension::kCount, 1, "1"},
    UnitInfo{Unit::kMHz, "MHz", Dimension::kFrequency, 1e6, "1/s"},
    UnitInfo{Unit::kMm2, "mm2", Dimension::kArea, 1e-6, "m2"},
    UnitInfo{Unit::kKB, "KB", Dimension::kBytes, 1e3, "B"},
    UnitInfo{Unit::kMB, "MB", Dimension::kBytes, 1e6, "B"},
    UnitInfo{Unit::kGB, "GB", Dimension::kBytes, 1e9, "B"},
    UnitInfo{Unit::kTB, "TB", Dimension::kBytes, 1e12, "B"},
    UnitInfo{Unit::kKiB, "KiB", Dimension::kBytes, kKi, "B"},
    UnitInfo{Unit::kMiB, "MiB", Dimension::kBytes, kKi* kKi, "B"},
    UnitInfo{Unit::kGiB, "GiB", Dimension::kBytes, kKi* kKi* kKi, "B"},
    UnitInfo{Unit::kTiB, "TiB", Dimension::kBytes, kKi* kKi* kKi* kKi, "B"},
    UnitInfo{Unit::kGBs, "GB/s", Dimension::kByteRate, 1e9, "B/s"},
    UnitInfo{Unit::kTBs, "TB/s", Dimension::kByteRate, 1e12, "B/s"},
    UnitInfo{Unit::kGiBs, "GiB/s", Dimension::kByteRate, kKi* kKi* kKi, "B/s"},
    UnitInfo{Unit::kTiBs, "TiB/s", Dimension::kByteRate, kKi* kKi* kKi* kKi, "B/s"},
    UnitInfo{Unit::kGbs, "Gb/s", Dimension::kByteRate, 1e9 / 8, "B/s"},
    UnitInfo{Unit::kTflops, "TFLOP/s", Dimension::kRate, 1e12, "FLOP/s"},
    UnitInfo{Unit::kPflops, "PFLOP/s", Dimension::kRate, 1e15, "FLOP/s"},
    UnitInfo{Unit::kTops, "TOP/s", Dimension::kRate, 1e12, "FLOP/s"},
    UnitInfo{Unit::kPops, "POP/s", Dimension::kRate, 1e15, "FLOP/s"},
    UnitInfo{Unit::kW, "W", Dimension::kPower, 1, "W"},
    UnitInfo{Unit::kKW, "kW", Dimension::kPower, 1e3, "W"},
};

constexpr auto kNames = [] {
  std::array<formats::Named<Unit>, kUnits.size()> names{};
  for (std::size_t i = 0; i < kUnits.size(); ++i) names[i] = {kUnits[i].name, kUnits[i].unit};
  return names;
}();

constexpr bool in_order() {
  for (std::size_t i = 0; i < kUnits.size(); ++i)
    if (kUnits[i].unit != static_cast<Unit>(i)) return false;
  return true;
}
static_assert(in_order(), "info() indexes the table by the enumeration");

}  // namespace

std::span<const UnitInfo> all_units() { return kUnits; }
const UnitInfo& info(Unit unit) { return kUnits[static_cast<std::size_t>(unit)]; }
std::string_view name_of(Unit unit) { return info(unit).name; }
std::span<const formats::Named<Unit>> names_of(Unit) { return kNames; }

std::string_view base_unit(Dimension dimension) {
  for (const UnitInfo& unit : kUnits)
    if (unit.dimension == dimension) return unit.base;
  return "";
}

double base_value(double value, Unit unit) {
  const double product = value * info(unit).factor;
  // The product of a short decimal and a power of ten is whole; what binary rounding left of it is not.
  if (info(unit).factor > 1 && std::abs(product) < 9e15 && std::abs(product - std::nearbyint(product)) < 0.01) return std::nearbyint(product);
  return product;
}

}  // namespace ridge::hardware
