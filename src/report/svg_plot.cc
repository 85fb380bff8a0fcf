#include "report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "report/axis.h"
#include "report/bars.h"
#include "report/number_format.h"
#include "report/render.h"
#include "report/svg_canvas.h"
#include "report/svg_labels.h"
#include "report/text_layout.h"
#include "report/words.h"

namespace ridge::report {
namespace {

constexpr double kPad = 8;
constexpr double kLine = 18;  // of a line of text
constexpr double kRadius = 4.5;
constexpr std::size_t kMostLabels = 80;
constexpr std::size_t kMostObstacles = 600;
constexpr std::size_t kMostDots = 40;  // points of a line that are marked as well
constexpr std::size_t kMostCategories = 200;

int to_int(std::size_t value) { return static_cast<int>(value % 1000); }

std::string point_title(const Plot& plot, const Series& series, std::size_t i) {
  const auto [x, y] = series.points[i];
  std::string text = i < series.labels.size() && !series.labels[i].empty() ? series.labels[i] : series.name;
  if (!text.empty()) text += ": ";
  return text + show_cell(x, plot.x.unit) + ", " + show_cell(y, plot.y.unit);
}

// Rows of "mark name" from `y` on; returns the y below them. One series that has no name of its own needs no legend.
double draw_legend(SvgCanvas& canvas, const Plot& plot, double sheet, double y) {
  if (plot.series.size() < 2) return y;
  double x = kPad;
  bool any = false;
  for (std::size_t s = 0; s < plot.series.size() && s < 24; ++s) {
    const Series& series = plot.series[s];
    if (series.name.empty()) continue;
    const std::string name = fit_text(clean(series.name), sheet - 2 * kPad - 34);
    const double needed = 24 + text_width(name) + 18;
    if (any && x + needed > sheet) {
      x = kPad;
      y += kLine;
    }
    if (series.style == Series::Style::kLine) {
      std::string data = "M";
      SvgCanvas::append(data, x);
      data += ' ';
      SvgCanvas::append(data, y + 9);
      data += 'h';
      SvgCanvas::append(data, 20);
      canvas.path(data, "l", to_int(s), to_int(s));
    } else if (series.style == Series::Style::kPoints) {
      canvas.marker(x + 10, y + 9, kRadius, to_int(s), to_int(s), "");
    } else {
      canvas.rect(x + 4, y + 3, 12, 12, "b", to_int(s), "");
    }
    canvas.text(x + 25, y + 13, name, Anchor::kStart, "t");
    x += needed;
    any = true;
  }
  return any ? y + kLine + 6 : y;
}

struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
  const AxisScale* x = nullptr;
  const AxisScale* y = nullptr;
  double px(double value) const { return left + x->position(value) * (right - left); }
  double py(double value) const { return bottom - y->position(value) * (bottom - top); }
  bool has_place(const std::pair<double, double>& point) const { return x->has_place(point.first) && y->has_place(point.second); }
};

void draw_axes(SvgCanvas& canvas, const Frame& frame, double sheet) {
  canvas.open_group("grid");
  for (const double value : frame.x->minor()) canvas.line(frame.px(value), frame.top, frame.px(value), frame.bottom, "minor");
  for (const double value : frame.y->minor()) canvas.line(frame.left, frame.py(value), frame.right, frame.py(value), "minor");
  for (const Tick& tick : frame.x->ticks()) canvas.line(frame.px(tick.value), frame.top, frame.px(tick.value), frame.bottom, "major");
  for (const Tick& tick : frame.y->ticks()) canvas.line(frame.left, frame.py(tick.value), frame.right, frame.py(tick.value), "major");
  canvas.close_group();
  canvas.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis");
  canvas.line(frame.left, frame.top, frame.left, frame.bottom, "axis");
  canvas.open_group("ticks");
  double free_from = -1e9;
  for (const Tick& tick : frame.x->ticks()) {
    const double half = text_width(tick.label) / 2;
    const double x = std::clamp(frame.px(tick.value), half + 1, std::max(half + 1, sheet - half - 1));
    if (x - half < free_from) continue;
    free_from = x + half + 8;
    canvas.text(x, frame.bottom + 16, tick.label, Anchor::kMiddle, "k");
  }
  double free_above = 1e9;
  for (const Tick& tick : frame.y->ticks()) {
    const double y = frame.py(tick.value);
    if (y > free_above) continue;
    free_above = y - 14;
    canvas.text(frame.left - 6, y + 4, tick.label, Anchor::kEnd, "k");
  }
  canvas.close_group();
  canvas.text((frame.left + frame.right) / 2, frame.bottom + 35, fit_text(frame.x->title(), frame.right - frame.left), Anchor::kMiddle, "a");
  canvas.text(kPad, frame.top - 10, fit_text(frame.y->title(), sheet - 2 * kPad), Anchor::kStart, "a");
}

void add_segment(std::vector<Segment>& segments, const Frame& frame, const std::pair<double, double>& a, const std::pair<double, double>& b) {
  if (segments.size() < kMostObstacles) segments.push_back({frame.px(a.first), frame.py(a.second), frame.px(b.first), frame.py(b.second)});
}

void draw_lines(SvgCanvas& canvas, const Plot& plot, const Frame& frame, std::vector<Segment>& segments) {
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.style != Series::Style::kLine) continue;
    std::string data;
    bool pen = false;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      if (!frame.has_place(series.points[i])) {
        pen = false;
        continue;
      }
      data += pen ? 'L' : 'M';
      SvgCanvas::append(data, frame.px(series.points[i].first));
      data += ' ';
      SvgCanvas::append(data, frame.py(series.points[i].second));
      if (pen) add_segment(segments, frame, series.points[i - 1], series.points[i]);
      pen = true;
    }
    if (!data.empty()) canvas.path(data, "l", to_int(s), to_int(s));
    // A roof has corners, a sweep has measured points: those are marked, and can be pointed at.
    const bool dots = series.points.size() == 1 || (series.points.size() > 3 && series.points.size() <= kMostDots);
    for (std::size_t i = 0; dots && i < series.points.size(); ++i)
      if (frame.has_place(series.points[i]))
        canvas.marker(frame.px(series.points[i].first), frame.py(series.points[i].second), 3, 0, to_int(s), point_title(plot, series, i));
  }
}

// Upright bars over numbers: as wide as the narrowest gap between two of them allows.
void draw_upright_bars(SvgCanvas& canvas, const Plot& plot, const Frame& frame) {
  std::vector<std::size_t> bars;
  std::set<double> places;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    if (plot.series[s].style != Series::Style::kBars) continue;
    bars.push_back(s);
    for (const auto& point : plot.series[s].points)
      if (frame.has_place(point)) places.insert(frame.px(point.first));
  }
  double gap = places.size() < 2 ? 48 : 1e9;
  for (auto it = places.begin(); it != places.end() && std::next(it) != places.end(); ++it) gap = std::min(gap, *std::next(it) - *it);
  const double width = std::clamp(gap * 0.8 / static_cast<double>(std::max<std::size_t>(1, bars.size())), 1.0, 48.0);
  const double zero = frame.y->has_place(0) ? std::clamp(frame.py(0), frame.top, frame.bottom) : frame.bottom;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const Series& series = plot.series[bars[b]];
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      if (!frame.has_place(series.points[i])) continue;
      const double x = frame.px(series.points[i].first) + (static_cast<double>(b) - static_cast<double>(bars.size()) / 2) * width;
      const double y = frame.py(series.points[i].second);
      canvas.rect(x, std::min(y, zero), width * 0.95, std::max(std::abs(y - zero), 0.5), "b", to_int(bars[b]), point_title(plot, series, i));
    }
  }
}

// Points of a series that lie on one another share a label: "qkv · out".
std::vector<LabelWish> wishes_of(const Plot& plot, const Frame& frame) {
  struct Cluster {
    std::size_t series = 0;
    double x = 0, y = 0;
    std::string text;
    std::size_t names = 0;
  };
  std::vector<Cluster> clusters;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.style == Series::Style::kBars) continue;
    for (std::size_t i = 0; i < std::min(series.points.size(), series.labels.size()) && clusters.size() < kMostLabels; ++i) {
      if (series.labels[i].empty() || !frame.has_place(series.points[i])) continue;
      const double x = frame.px(series.points[i].first), y = frame.py(series.points[i].second);
      const auto near = std::find_if(clusters.begin(), clusters.end(), [&](const Cluster& c) { return c.series == s && std::hypot(c.x - x, c.y - y) < 5; });
      const std::string name = fit_text(clean(series.labels[i]), 160);
      if (near == clusters.end())
        clusters.push_back({s, x, y, name, 1});
      else if (++near->names; near->names <= 5 && text_width(near->text) + text_width(name) < 190)
        near->text += " · " + name;
      else
        near->names += 1000;  // counted, not named
    }
  }
  std::vector<LabelWish> wishes;
  for (Cluster& cluster : clusters) {
    if (const std::size_t more = cluster.names / 1000; more > 0) cluster.text += fmt::format(" +{}", more);
    const double wide = text_width(cluster.text) + 6;  // neighbours do not touch
    wishes.push_back({cluster.x, cluster.y, wide, std::move(cluster.text)});
  }
  return wishes;
}

void draw_points(SvgCanvas& canvas, const Plot& plot, const Frame& frame, const std::vector<Segment>& segments) {
  std::vector<Box> markers;
  for (const Series& series : plot.series) {
    if (series.style != Series::Style::kPoints) continue;
    for (const auto& point : series.points)
      if (frame.has_place(point) && markers.size() < kMostObstacles) {
        const double x = frame.px(point.first), y = frame.py(point.second);
        markers.push_back({x - kRadius, y - kRadius, x + kRadius, y + kRadius});
      }
  }
  const std::vector<LabelWish> wishes = wishes_of(plot, frame);
  const std::vector<PlacedLabel> labels = place_labels(wishes, markers, segments, {frame.left + 2, frame.top + 1, frame.right, frame.bottom - 2});
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i].leader) canvas.line(wishes[i].x, wishes[i].y, labels[i].lead_x, labels[i].lead_y, "lead");
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.style != Series::Style::kPoints) continue;
    for (std::size_t i = 0; i < series.points.size(); ++i)
      if (frame.has_place(series.points[i]))
        canvas.marker(frame.px(series.points[i].first), frame.py(series.points[i].second), kRadius, to_int(s), to_int(s), point_title(plot, series, i));
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i].placed) canvas.text((labels[i].box.left + labels[i].box.right) / 2, labels[i].box.bottom - 3, wishes[i].text, Anchor::kMiddle, "p");
}

// Returns the height of the sheet.
double draw_curves(SvgCanvas& canvas, const Plot& plot, double sheet, double top) {
  std::vector<double> xs, ys;
  bool bars = false;
  for (const Series& series : plot.series) {
    bars = bars || series.style == Series::Style::kBars;
    for (const auto& [x, y] : series.points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  const bool narrow = sheet < 500;
  const AxisScale x = AxisScale::fit(xs, plot.x, {false, bars, narrow ? 5 : 8, false});
  const AxisScale y = AxisScale::fit(ys, plot.y, {bars, true, narrow ? 5 : 6, false});
  double label_width = 0;
  for (const Tick& tick : y.ticks()) label_width = std::max(label_width, text_width(tick.label));
  top = draw_legend(canvas, plot, sheet, top);
  Frame frame{kPad + label_width + 6, top + (y.title().empty() ? 8 : 24), sheet - 14, 0, &x, &y};
  frame.bottom = frame.top + (narrow ? 240 : std::min(320.0, sheet * 0.45));
  draw_axes(canvas, frame, sheet);
  std::vector<Segment> segments;
  if (bars) draw_upright_bars(canvas, plot, frame);
  draw_lines(canvas, plot, frame, segments);
  draw_points(canvas, plot, frame, segments);
  return frame.bottom + (x.title().empty() ? 26 : 44);
}

using Spans = std::vector<std::pair<double, double>>;  // parts of the sheet's height that the grid of bars crosses: not the names

// The value axis of lying bars below `y`, its lines within `spans`; returns the y below it.
double draw_value_axis(SvgCanvas& canvas, const AxisScale& scale, const Spans& spans, double base, double left, double right, double y) {
  const auto px = [&](double value) { return left + scale.position(value) * (right - left); };
  double free_from = -1e9;
  for (const Tick& tick : scale.ticks()) {
    for (const auto& [from, to] : spans) canvas.line(px(tick.value), from, px(tick.value), to, "major");
    const double half = text_width(tick.label) / 2, x = std::max(px(tick.value), half + 1);
    if (x - half < free_from) continue;
    free_from = x + half + 8;
    canvas.text(x, y + 16, tick.label, Anchor::kMiddle, "k");
  }
  for (const auto& [from, to] : spans) canvas.line(base, from, base, to, "axis");
  canvas.text((left + right) / 2, y + 35, fit_text(scale.title(), right - left), Anchor::kMiddle, "a");
  return y + (scale.title().empty() ? 26 : 44);
}

double draw_bars(SvgCanvas& canvas, const Plot& plot, const BarChart& chart, double sheet, double top) {
  std::vector<double> values;
  for (const auto& row : chart.values)
    for (const auto& value : row)
      if (value) values.push_back(*value);
  const bool narrow = sheet < 500;
  const AxisScale scale = AxisScale::fit(values, plot.y, {true, plot.y.logarithmic, narrow ? 4 : 6, false});
  const NumberFormat format = NumberFormat::choose(values, plot.y.unit);
  double label_width = 0, value_width = 0;
  for (const std::string& category : chart.categories) label_width = std::max(label_width, text_width(category));
  for (const double value : values) value_width = std::max(value_width, text_width(format.with_unit(value)));
  const bool above = narrow || label_width > sheet * 0.38;  // names on lines of their own
  top = draw_legend(canvas, plot, sheet, top);
  const std::size_t series_count = plot.series.size(), rows = std::min(chart.categories.size(), kMostCategories);
  const double bar = series_count > 1 ? 14 : 18;
  const bool negative = scale.low() < 0 && !plot.y.logarithmic;
  const double left = (above ? kPad : kPad + label_width + 8) + (negative ? value_width + 8 : 0), right = sheet - kPad - value_width - 8;
  const auto px = [&](double value) { return left + scale.position(value) * (right - left); };
  const double base = px(plot.y.logarithmic ? scale.low() : 0);

  SvgCanvas bars;
  Spans spans;
  double y = top + 4;
  for (std::size_t c = 0; c < rows; ++c) {
    std::size_t present = 0;
    for (const auto& value : chart.values[c]) present += value ? 1 : 0;
    const double height = bar * static_cast<double>(present);
    if (above) {
      bars.text(kPad, y + 12, fit_text(chart.categories[c], sheet - 2 * kPad), Anchor::kStart, "t");
      y += kLine;
    } else {
      bars.text(kPad + label_width, y + height / 2 + 4, chart.categories[c], Anchor::kEnd, "t");
    }
    if (above || c == 0) spans.emplace_back(y - (above ? 0 : 4), y);
    for (std::size_t s = 0; s < series_count; ++s) {
      if (!chart.values[c][s]) continue;
      const double value = *chart.values[c][s];
      const double end = scale.has_place(value) ? px(value) : base;
      const std::string shown = format.with_unit(value);
      bars.rect(std::min(base, end), y + 1, std::max(std::abs(end - base), 1.0), bar - 2, "b", to_int(s),
                chart.categories[c] + (series_count > 1 ? ", " + plot.series[s].name : "") + ": " + show_cell(value, plot.y.unit));
      bars.text(end + (end < base ? -5 : 5), y + bar / 2 + 4, shown, end < base ? Anchor::kEnd : Anchor::kStart, "v");
      y += bar;
    }
    const double gap = series_count > 1 ? 12 : 8;
    spans.back().second = y + (above ? 3 : gap);
    y += gap;
  }
  y = draw_value_axis(canvas, scale, spans, base, left, right, y);
  canvas.raw(bars.str());
  if (rows < chart.categories.size()) {
    canvas.text(kPad, y + 6, fmt::format("{} more are in the data", chart.categories.size() - rows), Anchor::kStart, "k");
    y += kLine;
  }
  return y;
}

std::string describe_axis(std::string_view name, const Axis& axis) {
  return fmt::format("{}: {}{}{}. ", name, axis.label.empty() ? "value" : axis.label, axis.unit.empty() || axis.unit == "1" ? "" : " in " + axis.unit,
                     axis.logarithmic ? ", logarithmic" : "");
}

// What a reader who cannot see the plot is told; the HTML report has the numbers in a table as well.
std::string description(const Plot& plot) {
  std::string text = describe_axis("Horizontal", plot.x) + describe_axis("Vertical", plot.y) + "Series: ";
  for (std::size_t s = 0; s < plot.series.size() && s < 24; ++s)
    text += fmt::format("{}{} ({}, {} points)", s > 0 ? "; " : "", plot.series[s].name, word_of(plot.series[s].style), plot.series[s].points.size());
  return text + ".";
}

}  // namespace

std::string draw_plot(const Plot& plot, const SvgOptions& options) {
  SvgCanvas canvas;
  const std::string title = plot.title.empty() ? plot.name : plot.title;
  double top = 4;
  if (options.standalone && !title.empty()) {
    canvas.text(kPad, 22, fit_text(clean(title), options.width - 2 * kPad, 15), Anchor::kStart, "h");
    top = 36;
  }
  std::size_t points = 0;
  for (const Series& series : plot.series) points += series.points.size();
  const std::optional<BarChart> bars = as_bar_chart(plot);
  double height = top + 40;
  if (points == 0)
    canvas.text(options.width / 2, top + 24, "no data", Anchor::kMiddle, "a");
  else
    height = bars ? draw_bars(canvas, plot, *bars, options.width, top) : draw_curves(canvas, plot, options.width, top);
  if (options.standalone && !plot.note.empty()) {
    canvas.text(kPad, height + 10, fit_text(clean(plot.note), options.width - 2 * kPad), Anchor::kStart, "k");
    height += kLine + 2;
  }

  std::string size;
  SvgCanvas::append(size, options.width);
  size += ' ';
  SvgCanvas::append(size, height);
  const std::string id = escape_html(options.id);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {0}\" role=\"img\" aria-labelledby=\"{1}-title {1}-desc\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title id=\"{1}-title\">{2}</title>\n<desc id=\"{1}-desc\">{3}</desc>\n",
      size, id, escape_html(title), escape_html(description(plot)));
  if (options.standalone) svg += "<style>" + plot_style() + "</style>\n<rect width=\"100%\" height=\"100%\" class=\"ground\" fill=\"#fff\"/>\n";
  svg += canvas.take();
  svg += "</svg>\n";
  return svg;
}

std::string plot_style() {
  std::string light, dark, series;
  for (int s = 0; s < kSeriesColors; ++s) {
    light += fmt::format("--s{}:{};", s, series_color(s));
    dark += fmt::format("--s{}:{};", s, series_color_dark(s));
    series += fmt::format(".plot .s{0}{{--c:var(--s{0})}}", s);
  }
  return fmt::format(
             ":root{{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#59626d;--grid:#e3e6ea;--minor:#f1f3f5;{}}}\n"
             "@media(prefers-color-scheme:dark){{:root{{--paper:#14171b;--ink:#e8eaed;--soft:#a3acb8;--grid:#2c323a;--minor:#1f242a;{}}}}}\n",
             light, dark) +
         series +
         "\n.plot text{fill:var(--ink)}.plot .k,.plot .a{fill:var(--soft)}.plot .h{font-size:15px;font-weight:600}.plot .v{font-size:11px}"
         ".plot .p{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}"
         ".plot .major{stroke:var(--grid)}.plot .minor{stroke:var(--minor)}.plot .axis,.plot .lead{stroke:var(--soft)}.plot .lead{stroke-width:.75}"
         ".plot .l{stroke:var(--c);stroke-linejoin:round}.plot .m{fill:var(--c);stroke:var(--paper)}.plot .m:hover{stroke:var(--ink);stroke-width:2}"
         ".plot .b{fill:var(--c)}.plot .b:hover{opacity:.8}.plot .ground{fill:var(--paper)}\n";
}

std::string render_svg(const Plot& plot) { return draw_plot(plot, {720, "plot", true}); }

}  // namespace ridge::report
