// How the numbers of a column, a figure or an axis are written for people: one display unit and one count of decimals for all
// of them, so that they can be compared by eye. JSON never passes here. Invariant: a number that is not zero is never shown
// as zero, and a missing one is "—", never "0".
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "quantity/text.h"
#include "report/report.h"

namespace ridge::report {

class NumberFormat {
 public:
  // Chosen for these values (others may be shown with it too). Values that are not finite are left out of the choice.
  static NumberFormat choose(std::span<const double> values, std::string_view unit, Notation notation = Notation::kPlain, bool ascii = false);

  const std::string& symbol() const { return unit_.symbol; }  // "GiB", "%", "" where the numbers have no unit
  double factor() const { return unit_.factor; }
  std::string number(double value) const;     // "13.04", "+1.20"; "—" where it is not finite
  std::string range(Interval value) const;    // "19.20–22.00"
  std::string with_unit(double value) const;  // "13.04 GiB", "$2.50", "38.2 %"
  std::string with_unit(Interval value) const;

 private:
  std::string magnitude(double scaled) const;
  std::string unit_suffix() const;
  std::string join(const std::string& low, const std::string& high, bool negative) const;

  DisplayUnit unit_;
  int decimals_ = 0;
  bool dollars_ = false;
  bool signed_ = false;
  bool ascii_ = false;
};

// A cell on its own: the number in the unit that suits it, the text as it is (cleaned), "—" for null.
std::string show_cell(const Cell& cell, std::string_view unit, Notation notation = Notation::kPlain, bool ascii = false);

std::string_view missing_mark(bool ascii);  // "—" or "-"

}  // namespace ridge::report
