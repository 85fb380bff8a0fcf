// The drawing behind render_svg and the plots of the HTML report.
#pragma once

#include <string>

#include "report/report.h"

namespace ridge::report {

struct SvgOptions {
  double width = 720;
  std::string id = "plot";  // prefix of the ids in it; unique in its document
  bool standalone = false;  // a file of its own: with its style sheet, its title as text and a ground to stand on
};

std::string draw_plot(const Plot& plot, const SvgOptions& options);

// The style sheet of what draw_plot draws: colours as custom properties, light and dark.
std::string plot_style();

}  // namespace ridge::report
