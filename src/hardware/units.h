// The units in which sources print hardware figures, with their factor to the base unit. Invariant: a figure keeps the unit
// of its source; base_value() is the only way from it to B, B/s, FLOP/s, W, Hz, m2.
#pragma once

#include "formats/rows.h"

namespace ridge::hardware {

enum class Dimension : std::uint8_t { kNone, kCount, kFrequency, kArea, kBytes, kByteRate, kRate, kPower };

enum class Unit : std::uint8_t {
  kNone,
  kOne,
  kSm,
  kCu,
  kChips,
  kMHz,
  kMm2,
  kKB,
  kMB,
  kGB,
  kTB,
  kKiB,
  kMiB,
  kGiB,
  kTiB,
  kGBs,
  kTBs,
  kGiBs,
  kTiBs,
  kGbs,
  kTflops,
  kPflops,
  kTops,
  kPops,
  kW,
  kKW
};

struct UnitInfo {
  Unit unit;
  std::string_view name;  // as printed
  Dimension dimension;
  double factor;          // to the base unit
  std::string_view base;  // of quantity: "B", "B/s", …
};
std::span<const UnitInfo> all_units();
const UnitInfo& info(Unit unit);
std::string_view name_of(Unit unit);
std::string_view base_unit(Dimension dimension);  // "B", "B/s", "FLOP/s", "W", "1/s", "m2", "1"

std::span<const formats::Named<Unit>> names_of(Unit);

// value in the base unit. Whole numbers of bytes or operations stay whole: 3.35 TB/s is 3350000000000 B/s.
double base_value(double value, Unit unit);

}  // namespace ridge::hardware
