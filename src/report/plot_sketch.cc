#include "report/plot_sketch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/axis.h"
#include "report/bars.h"
#include "report/number_format.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

constexpr std::size_t kRows = 12;
constexpr std::size_t kMostColumns = 72;
constexpr std::size_t kLeastColumns = 24;
constexpr std::size_t kMostBars = 24;

constexpr std::array<std::string_view, 6> kPoints{"●", "■", "▲", "○", "□", "△"};
constexpr std::array<std::string_view, 6> kPointsAscii{"o", "#", "x", "@", "%", "&"};
constexpr std::array<std::string_view, 4> kLines{"·", "+", "×", "~"};
constexpr std::array<std::string_view, 4> kLinesAscii{".", "+", "-", "~"};

std::string_view mark_of(const Series& series, std::size_t index, bool ascii) {
  if (series.style == Series::Style::kLine) return ascii ? kLinesAscii[index % kLinesAscii.size()] : kLines[index % kLines.size()];
  return ascii ? kPointsAscii[index % kPointsAscii.size()] : kPoints[index % kPoints.size()];
}

std::string shown(std::string_view text, bool ascii) { return ascii ? to_ascii(clean(text)) : clean(text); }

class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows) : columns_(columns), cells_(columns * rows, kEmpty) {}

  // x and y from 0 to 1, y upwards. A point is kept over a line.
  void put(double x, double y, std::size_t series, bool is_line) {
    if (!(x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9)) return;
    const std::size_t rows = cells_.size() / columns_;
    const auto column = static_cast<std::size_t>(std::lround(std::clamp(x, 0.0, 1.0) * static_cast<double>(columns_ - 1)));
    const auto row = static_cast<std::size_t>(std::lround((1 - std::clamp(y, 0.0, 1.0)) * static_cast<double>(rows - 1)));
    int& cell = cells_[row * columns_ + column];
    if (cell == kEmpty || !is_line) cell = static_cast<int>(series);
  }
  int at(std::size_t row, std::size_t column) const { return cells_[row * columns_ + column]; }
  std::size_t columns() const { return columns_; }

  static constexpr int kEmpty = -1;

 private:
  std::size_t columns_;
  std::vector<int> cells_;
};

// Every cell that a segment passes, walked in steps of half a column.
void draw_line(Canvas& canvas, const AxisScale& x, const AxisScale& y, const Series& series, std::size_t index) {
  bool pen = false;
  double from_x = 0, from_y = 0;
  for (const auto& [px, py] : series.points) {
    if (!x.has_place(px) || !y.has_place(py)) {
      pen = false;
      continue;
    }
    const double to_x = x.position(px), to_y = y.position(py);
    const double longest = std::max(std::abs(to_x - from_x) * static_cast<double>(canvas.columns()), std::abs(to_y - from_y) * static_cast<double>(kRows));
    const int steps = pen ? std::clamp(static_cast<int>(longest * 2), 1, 400) : 1;
    for (int i = pen ? 0 : 1; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      canvas.put(pen ? from_x + (to_x - from_x) * share : to_x, pen ? from_y + (to_y - from_y) * share : to_y, index, true);
    }
    from_x = to_x;
    from_y = to_y;
    pen = true;
  }
}

void add_marked(SketchLine& line, std::string_view text, std::size_t series) {
  line.spans.push_back({line.text.size(), line.text.size() + text.size(), series});
  line.text += text;
}

std::vector<SketchLine> legend(const Plot& plot, std::size_t indent, std::size_t available, bool ascii) {
  std::vector<SketchLine> lines;
  std::size_t used = available;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const std::string name = elide_middle(shown(plot.series[s].name, ascii), available - indent - 2, ascii ? "..." : "…");
    const std::size_t needed = width(name) + 2;
    if (lines.empty() || used + 3 + needed > available) {
      lines.push_back({std::string(indent, ' '), {}});
      used = indent + needed;
    } else {
      lines.back().text += "   ";
      used += 3 + needed;
    }
    add_marked(lines.back(), mark_of(plot.series[s], s, ascii), s);
    lines.back().text += " " + name;
  }
  return lines;
}

// Tick labels centred under their positions, left out where they would touch.
std::string tick_row(const AxisScale& x, std::size_t left, std::size_t columns) {
  std::string row;
  std::size_t used = 0;
  for (const Tick& tick : x.ticks()) {
    const double position = x.position(tick.value);
    if (position < -1e-9 || position > 1 + 1e-9) continue;
    const std::size_t centre = left + static_cast<std::size_t>(std::lround(position * static_cast<double>(columns - 1)));
    const std::size_t wide = width(tick.label);
    std::size_t begin = centre > wide / 2 ? centre - wide / 2 : 0;
    begin = std::min(begin, left + columns > wide ? left + columns - wide : 0);
    if (used > 0 && begin < used + 2) continue;
    row = pad_right(std::move(row), begin) + tick.label;
    used = begin + wide;
  }
  return row;
}

std::vector<SketchLine> sketch_curves(const Plot& plot, std::size_t available, bool ascii) {
  std::vector<double> xs, ys;
  bool bars = false;
  for (const Series& series : plot.series) {
    bars = bars || series.style == Series::Style::kBars;
    for (const auto& [x, y] : series.points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  const AxisScale x = AxisScale::fit(xs, plot.x, {false, false, 6, ascii});
  const AxisScale y = AxisScale::fit(ys, plot.y, {bars, false, 5, ascii});
  std::size_t label_width = 0;
  for (const Tick& tick : y.ticks()) label_width = std::max(label_width, width(tick.label));
  const std::size_t left = label_width + 2;
  if (available < left + kLeastColumns) return {};
  Canvas canvas(std::min(available - left, kMostColumns), kRows);
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    if (plot.series[s].style == Series::Style::kLine) draw_line(canvas, x, y, plot.series[s], s);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    if (plot.series[s].style == Series::Style::kLine) continue;
    for (const auto& [px, py] : plot.series[s].points)
      if (x.has_place(px) && y.has_place(py)) canvas.put(x.position(px), y.position(py), s, false);
  }

  std::vector<std::string> labels(kRows);
  for (const Tick& tick : y.ticks()) {
    const double position = y.position(tick.value);
    if (position < -1e-9 || position > 1 + 1e-9) continue;
    labels[static_cast<std::size_t>(std::lround((1 - std::clamp(position, 0.0, 1.0)) * static_cast<double>(kRows - 1)))] = tick.label;
  }
  std::vector<SketchLine> lines;
  const std::string_view mark = ascii ? "..." : "…";
  lines.push_back({elide_middle(y.title(), available, mark), {}});
  for (std::size_t row = 0; row < kRows; ++row) {
    SketchLine line{pad_left(labels[row], label_width) + (labels[row].empty() ? (ascii ? " |" : " │") : (ascii ? " +" : " ┤")), {}};
    std::string pending;
    for (std::size_t column = 0; column < canvas.columns(); ++column) {
      const int series = canvas.at(row, column);
      if (series == Canvas::kEmpty) {
        pending += ' ';
        continue;
      }
      line.text += pending;
      pending.clear();
      add_marked(line, mark_of(plot.series[static_cast<std::size_t>(series)], static_cast<std::size_t>(series), ascii), static_cast<std::size_t>(series));
    }
    lines.push_back(std::move(line));
  }
  lines.push_back({std::string(label_width + 1, ' ') + (ascii ? "+" : "└") + repeat(ascii ? "-" : "─", canvas.columns()), {}});
  lines.push_back({tick_row(x, left, canvas.columns()), {}});
  const std::string title = elide_middle(x.title(), canvas.columns(), mark);
  lines.push_back({std::string(left + (canvas.columns() - width(title)) / 2, ' ') + title, {}});
  for (SketchLine& line : legend(plot, left, available, ascii)) lines.push_back(std::move(line));
  return lines;
}

// A bar of `share` of `columns`, to an eighth of a column.
std::string bar(double share, std::size_t columns, bool ascii) {
  static constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double length = std::clamp(share, 0.0, 1.0) * static_cast<double>(columns);
  if (ascii) return std::string(static_cast<std::size_t>(std::lround(length)), '#');
  const auto eighths = static_cast<std::size_t>(std::lround(length * 8));
  return repeat("█", eighths / 8) + std::string(kEighths[eighths % 8]);
}

std::vector<SketchLine> sketch_bars(const Plot& plot, const BarChart& chart, std::size_t available, bool ascii) {
  std::vector<double> values;
  for (const auto& row : chart.values)
    for (const auto& value : row)
      if (value) values.push_back(*value);
  const AxisScale scale = AxisScale::fit(values, plot.y, {true, plot.y.logarithmic, 5, ascii});
  const NumberFormat format = NumberFormat::choose(values, plot.y.unit, Notation::kPlain, ascii);
  const bool several = plot.series.size() > 1;
  const std::size_t shown_rows = std::min(chart.categories.size(), std::max<std::size_t>(1, kMostBars / std::max<std::size_t>(1, plot.series.size())));
  std::size_t label_width = 0, series_width = 0, value_width = 0;
  for (std::size_t c = 0; c < shown_rows; ++c) label_width = std::max(label_width, width(shown(chart.categories[c], ascii)));
  for (const Series& series : plot.series) series_width = several ? std::max(series_width, width(shown(series.name, ascii))) : 0;
  for (const double value : values) value_width = std::max(value_width, width(format.with_unit(value)));
  label_width = std::min(label_width, available / 3);
  series_width = std::min(series_width, available / 5);
  const std::size_t taken = label_width + 2 + series_width + (several ? 2 : 0) + value_width + 1;
  if (available < taken + 4) return {};
  const std::size_t columns = std::min<std::size_t>(available - taken, 48);
  const std::string_view mark = ascii ? "..." : "…";

  std::vector<SketchLine> lines;
  for (std::size_t c = 0; c < shown_rows; ++c) {
    bool first = true;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      if (!chart.values[c][s]) continue;
      SketchLine line{pad_right(first ? elide_middle(shown(chart.categories[c], ascii), label_width, mark) : "", label_width) + "  ", {}};
      if (several) line.text += pad_right(elide_middle(shown(plot.series[s].name, ascii), series_width, mark), series_width) + "  ";
      const double value = *chart.values[c][s];
      const double base = scale.position(plot.y.logarithmic ? scale.low() : 0), share = scale.position(value) - base;
      // A bar to the left of zero has no room of its own here: its number says so.
      add_marked(line, scale.has_place(value) ? bar(share, columns, ascii) : "", s);
      line.text += (share > 0 ? " " : "") + format.with_unit(value);
      lines.push_back(std::move(line));
      first = false;
    }
  }
  if (shown_rows < chart.categories.size()) lines.push_back({std::string(mark) + " and " + std::to_string(chart.categories.size() - shown_rows) + " more", {}});
  return lines;
}

}  // namespace

std::vector<SketchLine> sketch_plot(const Plot& plot, std::size_t available, bool ascii) {
  std::size_t points = 0;
  for (const Series& series : plot.series) points += series.points.size();
  if (points == 0) return {};
  if (const std::optional<BarChart> chart = as_bar_chart(plot)) return sketch_bars(plot, *chart, available, ascii);
  return sketch_curves(plot, available, ascii);
}

}  // namespace ridge::report
