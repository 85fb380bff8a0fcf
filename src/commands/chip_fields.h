// Field types of the chip commands: lengths, densities per area, an amount of money, a gain claimed for a process.
#pragma once

#include "commands/fields.h"

namespace ridge::commands {

template <>
struct FieldType<Metres> {
  static constexpr const char* name = "length";
  static constexpr const char* unit = "m";
  static Result<Metres> parse(std::string_view text) { return parse_length(text); }
  static report::Cell echo(const Metres& value) { return value.value; }
};

template <>
struct FieldType<PerSquareMetre> {
  static constexpr const char* name = "density per area";
  static constexpr const char* unit = "1/m2";
  static Result<PerSquareMetre> parse(std::string_view text) { return parse_per_area(text); }
  static report::Cell echo(const PerSquareMetre& value) { return value.value; }
};

struct Usd {
  double value = 0;
};
template <>
struct FieldType<Usd> {
  static constexpr const char* name = "amount of money";
  static constexpr const char* unit = "USD";
  static Result<Usd> parse(std::string_view text) {
    RIDGE_TRY(double value, parse_usd(text));
    return Usd{value};
  }
  static report::Cell echo(const Usd& value) { return value.value; }
};

// "18%", "0.18", "-36%": how much faster, or how much less power. The sign is how people write it, not what they mean.
struct Gain {
  double value = 0;
};
template <>
struct FieldType<Gain> {
  static constexpr const char* name = "gain";
  static constexpr const char* unit = "1";
  static Result<Gain> parse(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    RIDGE_TRY(double value, parse_fraction(text));
    return Gain{value};
  }
  static report::Cell echo(const Gain& value) { return value.value; }
};

}  // namespace ridge::commands
