// A plot whose series are all bars, as categories and values: drawn lying down, so that the categories' names have room.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace ridge::report {

struct BarChart {
  std::vector<std::string> categories;                     // cleaned
  std::vector<std::vector<std::optional<double>>> values;  // [category][series]; nullopt where the series has no bar there
};

// nullopt where a series is no bars, or no bar has a name (a histogram over numbers stays upright).
std::optional<BarChart> as_bar_chart(const Plot& plot);

}  // namespace ridge::report
