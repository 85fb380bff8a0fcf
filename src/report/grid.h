// A table as text, the same for terminal, Markdown and HTML: every cell written, each column's unit chosen once and moved into
// its header. Invariant: every row of `cells` is as long as `columns`, whatever the table was.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace ridge::report {

struct Grid {
  struct Column {
    std::string name;
    std::string unit;      // "ms"; "" where the cells need none or carry their own
    bool numeric = false;  // to be aligned right
    std::string header() const { return unit.empty() ? name : name.empty() ? unit : name + " (" + unit + ")"; }
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> cells;
};

Grid make_grid(const Table& table, bool ascii);

// Figures that have a label, in a form that all renderers for people share.
struct ShownFigure {
  std::string label;
  std::string number;  // "13.04", "$2.50"; "" where the figure is a category
  std::string unit;    // "GiB"
  std::string text;    // the category; else ""
  const Figure* figure = nullptr;
  std::string value() const { return !text.empty() ? text : unit.empty() ? number : number + " " + unit; }
};
std::vector<ShownFigure> shown_figures(const Report& report, bool ascii);

}  // namespace ridge::report
