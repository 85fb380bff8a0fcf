// SVG as text: elements, attributes, numbers with one decimal, and how wide a text will be. Invariant: everything that came
// from a report passes escape_html; coordinates are finite and clamped to a sheet that any viewer can hold.
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

inline constexpr double kFontSize = 12;
inline constexpr int kSeriesColors = 6;

// Width of `text` in a sans-serif font of `size` pixels; an estimate, a little on the wide side.
double text_width(std::string_view text, double size = kFontSize);
// At most `pixels` wide, the middle left out.
std::string fit_text(std::string_view text, double pixels, double size = kFontSize);

enum class Anchor { kStart, kMiddle, kEnd };

class SvgCanvas {
 public:
  void open_group(std::string_view css_class);
  void close_group() { out_ += "</g>\n"; }
  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  void rect(double x, double y, double width, double height, std::string_view css_class, int series, std::string_view title);
  void path(std::string_view data, std::string_view css_class, int series, int dash);
  // A marker whose form tells the series apart where its colour does not.
  void marker(double x, double y, double radius, int form, int series, std::string_view title);
  void text(double x, double y, std::string_view text, Anchor anchor, std::string_view css_class);
  void raw(std::string_view markup) { out_ += markup; }

  static void append(std::string& out, double value);  // "12.5", "40"
  const std::string& str() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void attribute(std::string_view name, double value);
  void finish(std::string_view element, std::string_view title);

  std::string out_;
};

// The colour of a series where the viewer knows no style sheet (light background).
std::string_view series_color(int series);
std::string_view series_color_dark(int series);
std::string_view dash_pattern(int dash);  // "" for a whole line

}  // namespace ridge::report
