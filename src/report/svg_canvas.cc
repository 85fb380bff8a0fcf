#include "report/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "report/text_layout.h"

namespace ridge::report {
namespace {

// After Okabe and Ito, "Color Universal Design" (2008): hues that people with any kind of colour vision tell apart. Darkened on
// white and lightened on black until each has a contrast of 3 to 1 or more with its ground (WCAG 2.1, 1.4.11).
constexpr std::array<std::string_view, kSeriesColors> kLight{"#0072b2", "#c85200", "#00835f", "#a8508c", "#8a6a00", "#5f6670"};
constexpr std::array<std::string_view, kSeriesColors> kDark{"#56b4e9", "#ff9248", "#2cc69a", "#e39bc8", "#e6c229", "#b4bac2"};
constexpr std::array<std::string_view, 4> kDashes{"", "7 4", "2 3", "9 3 2 3"};

// Share of the em, in thousandths.
int advance_of(char32_t c) {
  if (c >= 0x1100) return c >= 0x2000 && c < 0x2E80 ? 640 : 1000;
  if (std::u32string_view(U"iljI.,:;|'!()[]{}ft /-").find(c) != std::u32string_view::npos) return 345;
  if (std::u32string_view(U"mwMW@%—").find(c) != std::u32string_view::npos) return 900;
  if (c >= 'A' && c <= 'Z') return 690;
  return 580;
}

}  // namespace

std::string_view series_color(int series) { return kLight[static_cast<std::size_t>(series) % kLight.size()]; }
std::string_view series_color_dark(int series) { return kDark[static_cast<std::size_t>(series) % kDark.size()]; }
std::string_view dash_pattern(int dash) { return kDashes[static_cast<std::size_t>(dash) % kDashes.size()]; }

double text_width(std::string_view text, double size) {
  int thousandths = 0;
  for (std::size_t i = 0; !text.empty() && i < 400; ++i) thousandths += advance_of(take_code_point(text));
  return thousandths * size / 1000;
}

std::string fit_text(std::string_view text, double pixels, double size) {
  const double have = text_width(text, size);
  if (have <= pixels) return std::string(text);
  std::size_t columns = static_cast<std::size_t>(std::max(1.0, std::floor(static_cast<double>(std::min<std::size_t>(width(text), 400)) * pixels / have)));
  std::string fitted = elide_middle(text, columns);
  while (columns > 3 && text_width(fitted, size) > pixels) fitted = elide_middle(text, --columns);
  return fitted;
}

void SvgCanvas::append(std::string& out, double value) {
  // Tenths of a pixel are more than a screen shows.
  const long tenths = std::lround(std::clamp(std::isfinite(value) ? value : 0.0, -1e6, 1e6) * 10);
  if (tenths % 10 == 0) {
    fmt::format_to(std::back_inserter(out), "{}", tenths / 10);
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}{}.{}", tenths < 0 ? "-" : "", std::abs(tenths) / 10, std::abs(tenths) % 10);
}

void SvgCanvas::attribute(std::string_view name, double value) {
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
  append(out_, value);
  out_ += '"';
}

void SvgCanvas::finish(std::string_view element, std::string_view title) {
  if (title.empty()) {
    out_ += "/>\n";
    return;
  }
  fmt::format_to(std::back_inserter(out_), "><title>{}</title></{}>\n", escape_html(title), element);
}

void SvgCanvas::open_group(std::string_view css_class) { fmt::format_to(std::back_inserter(out_), "<g class=\"{}\">\n", css_class); }

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  out_ += "<line";
  attribute("x1", x1);
  attribute("y1", y1);
  attribute("x2", x2);
  attribute("y2", y2);
  fmt::format_to(std::back_inserter(out_), " class=\"{}\" stroke=\"{}\"/>\n", css_class, css_class == "axis" || css_class == "lead" ? "#6b7280" : "#e3e6ea");
}

void SvgCanvas::rect(double x, double y, double rect_width, double height, std::string_view css_class, int series, std::string_view title) {
  out_ += "<rect";
  attribute("x", x);
  attribute("y", y);
  attribute("width", std::max(rect_width, 0.0));
  attribute("height", std::max(height, 0.0));
  fmt::format_to(std::back_inserter(out_), " class=\"{} s{}\" fill=\"{}\"", css_class, series % kSeriesColors, series_color(series));
  finish("rect", title);
}

void SvgCanvas::path(std::string_view data, std::string_view css_class, int series, int dash) {
  fmt::format_to(std::back_inserter(out_), "<path d=\"{}\" class=\"{} s{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", data, css_class,
                 series % kSeriesColors, series_color(series));
  if (!dash_pattern(dash).empty()) fmt::format_to(std::back_inserter(out_), " stroke-dasharray=\"{}\"", dash_pattern(dash));
  out_ += "/>\n";
}

void SvgCanvas::marker(double x, double y, double r, int form, int series, std::string_view title) {
  const auto style = [&] {
    fmt::format_to(std::back_inserter(out_), " class=\"m s{}\" fill=\"{}\" stroke=\"#fff\"", series % kSeriesColors, series_color(series));
  };
  const auto polygon = [&](std::initializer_list<std::pair<double, double>> corners) {
    out_ += "<path d=\"";
    char command = 'M';
    for (const auto& [dx, dy] : corners) {
      out_ += command;
      append(out_, x + dx);
      out_ += ' ';
      append(out_, y + dy);
      command = 'L';
    }
    out_ += "Z\"";
    style();
    finish("path", title);
  };
  switch (form % 5) {
    case 0:
      out_ += "<circle";
      attribute("cx", x);
      attribute("cy", y);
      attribute("r", r);
      style();
      finish("circle", title);
      return;
    case 1:
      return polygon({{-r * 0.9, -r * 0.9}, {r * 0.9, -r * 0.9}, {r * 0.9, r * 0.9}, {-r * 0.9, r * 0.9}});
    case 2:
      return polygon({{0, -r * 1.15}, {r * 1.1, r * 0.85}, {-r * 1.1, r * 0.85}});
    case 3:
      return polygon({{0, -r * 1.25}, {r * 1.25, 0}, {0, r * 1.25}, {-r * 1.25, 0}});
    default:
      return polygon({{0, r * 1.15}, {r * 1.1, -r * 0.85}, {-r * 1.1, -r * 0.85}});
  }
}

void SvgCanvas::text(double x, double y, std::string_view text, Anchor anchor, std::string_view css_class) {
  if (text.empty()) return;
  out_ += "<text";
  attribute("x", x);
  attribute("y", y);
  if (anchor != Anchor::kStart) out_ += anchor == Anchor::kMiddle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  fmt::format_to(std::back_inserter(out_), " class=\"{}\">{}</text>\n", css_class, escape_html(text));
}

}  // namespace ridge::report
