// A grid fitted to the width of a terminal. In this order, each only where the one before is not enough: headers are broken
// into lines, prose continues below and long names are elided in their middle, the columns continue in a further block that repeats the first one. A number
// is never cut and no column is lost.
#pragma once

#include <string>
#include <vector>

#include "report/grid.h"

namespace ridge::report {

struct TableLine {
  enum class Kind { kHeader, kRule, kRow, kGap };
  Kind kind = Kind::kRow;
  std::string text;
};

std::vector<TableLine> lay_out_table(const Grid& grid, std::size_t width, bool ascii);

}  // namespace ridge::report
