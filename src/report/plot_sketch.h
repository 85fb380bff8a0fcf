// A plot as a few lines of text: enough to see the shape. The HTML report draws it properly.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace ridge::report {

struct SketchLine {
  std::string text;
  // Parts of the line that belong to a series, for colour: [begin, end) in bytes.
  struct Span {
    std::size_t begin = 0, end = 0, series = 0;
  };
  std::vector<Span> spans;
};

// Empty where there is nothing to draw or the width has no room for it.
std::vector<SketchLine> sketch_plot(const Plot& plot, std::size_t width, bool ascii);

}  // namespace ridge::report
