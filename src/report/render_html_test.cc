#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/render.h"
#include "report/text_layout.h"
#include "support/golden.h"
#include "support/sample_report.h"

namespace ridge::report {
namespace {

// The first fault of the markup's nesting, or "": every element closed in order, attributes quoted, no stray '<' or '&'.
std::string fault_of(std::string_view text) {
  const std::vector<std::string_view> empty_elements{"meta", "!doctype"};
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      if (end == std::string_view::npos || end - i > 6) return "a stray & at " + std::string(text.substr(i, 30));
    }
    if (text[i] != '<') continue;
    std::size_t end = i + 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) quoted = text[end] == '"' ? !quoted : quoted;
    if (end >= text.size()) return "an open tag at " + std::string(text.substr(i, 30));
    const std::string tag(text.substr(i + 1, end - i - 1));
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" >/", 1) - (tag[0] == '/' ? 1 : 0));
    if (name.empty()) return "a stray < at " + std::string(text.substr(i, 30));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (tag.back() != '/' && std::find(empty_elements.begin(), empty_elements.end(), name) == empty_elements.end()) {
      open.push_back(name);
      if (name == "style") {
        end = text.find("</style>", end);
        if (end == std::string_view::npos) return "an open style";
        --end;
      }
    }
    i = end;
  }
  return open.empty() ? "" : "<" + open.back() + "> is open";
}

TEST(RenderHtml, MatchesTheGolden) { EXPECT_TRUE(support::matches_golden("report/rich.html", render_html(support::sample_report(), "0.1.0"))); }

TEST(RenderSvg, MatchesTheGoldens) {
  EXPECT_TRUE(support::matches_golden("report/roofline.svg", render_svg(support::sample_roofline())));
  EXPECT_TRUE(support::matches_golden("report/bars.svg", render_svg(support::sample_bars())));
  EXPECT_TRUE(support::matches_golden("report/sweep.svg", render_svg(support::sample_sweep())));
}

TEST(RenderHtml, IsWellFormed) {
  EXPECT_EQ(fault_of("<a><b x=\"<\"></b></a>"), "");
  EXPECT_NE(fault_of("<a><b></a>"), "");
  for (const Report& report : {support::sample_report(), support::hostile_report(), Report{}}) {
    EXPECT_EQ(fault_of(render_html(report, "0.1.0")), "");
    for (const Plot& plot : report.plots) EXPECT_EQ(fault_of(render_svg(plot)), "");
  }
}

TEST(RenderHtml, TurnsNothingOfAReportIntoMarkup) {
  const Report report = support::hostile_report();
  std::string text = render_html(report, "<v>");
  for (const Plot& plot : report.plots) text += render_svg(plot);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("alert('"), std::string::npos);
  EXPECT_EQ(text.find("<v>"), std::string::npos);
  EXPECT_NE(text.find("&lt;script&gt;alert(&#39;x&#39;)"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const char32_t c = take_code_point(rest);
    EXPECT_TRUE(c != 0xFFFD || before.starts_with("\uFFFD")) << "bytes that are no UTF-8";
    EXPECT_NE(c, char32_t{0x202E});
  }
}

TEST(RenderHtml, FetchesAndRunsNothing) {
  std::string text = render_html(support::sample_report(), "0.1.0");
  for (const char* outside : {"<script", "<link", "<img", "src=", "url(", "@import", "onload", "javascript:"})
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  // The one address is the name of SVG's namespace.
  for (std::size_t at = text.find("http"); at != std::string::npos; at = text.find("http", at + 1))
    EXPECT_TRUE(text.substr(at).starts_with("http://www.w3.org/2000/svg") || text.substr(at).starts_with("http-equiv")) << text.substr(at, 40);
}

TEST(RenderHtml, IsMadeForPhonesAndDarkRooms) {
  const std::string text = render_html(support::sample_report(), "0.1.0");
  EXPECT_NE(text.find("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"), std::string::npos);
  EXPECT_NE(text.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(text.find("overflow-x:auto"), std::string::npos);
}

TEST(RenderSvg, SaysWhatItShowsToThoseWhoCannotSeeIt) {
  const std::string svg = render_svg(support::sample_roofline());
  EXPECT_NE(svg.find("<title id=\"plot-title\">Roofline of h100-sxm5, bf16</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc id=\"plot-desc\">Horizontal: arithmetic intensity in FLOP/B, logarithmic. Vertical: attainable rate in FLOP/s, logarithmic. "
                     "Series: dense bf16 roof (line, 3 points); fp8 roof (line, 3 points); decode, batch 64 (points, 7 points); prefill, 4,096 tokens (points, "
                     "5 points)."),
            std::string::npos);
  EXPECT_NE(svg.find("<title>attention: 4 FLOP/B, 13.41 TFLOP/s</title>"), std::string::npos);
}

TEST(RenderSvg, HasIdsOfItsOwnForEachDrawingOfAPage) {
  const std::string text = render_html(support::sample_report(), "0.1.0");
  std::vector<std::string> ids;
  for (std::size_t at = text.find(" id=\""); at != std::string::npos; at = text.find(" id=\"", at + 1))
    ids.push_back(text.substr(at, text.find('"', at + 5) - at));
  EXPECT_GE(ids.size(), 12u);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(RenderSvg, DrawsNegativeBarsAndHistogramsAndNothing) {
  Plot bars{"p", "", {"x", "", false}, {"change", "s", false}, {{"s", Series::Style::kBars, {{0, -0.5}, {1, 0.25}}, {"down", "up"}}}, ""};
  EXPECT_NE(render_svg(bars).find(">-500 ms</text>"), std::string::npos) << render_svg(bars);
  Plot histogram{"h", "", {"x", "s", false}, {"count", "1", false}, {{"s", Series::Style::kBars, {{0, 3}, {1, 5}, {2, 1}}, {}}}, ""};
  EXPECT_EQ(fault_of(render_svg(histogram)), "");
  EXPECT_NE(render_svg(histogram).find("<rect x="), std::string::npos);
  EXPECT_NE(render_svg(Plot{}).find("no data"), std::string::npos);
}

TEST(RenderSvg, SharesALabelAmongPointsThatLieOnOneAnother) {
  Plot plot{"p", "", {"x", "1", false}, {"y", "1", false}, {{"s", Series::Style::kPoints, {{1, 1}, {1, 1}, {9, 9}}, {"a", "b", "c"}}}, ""};
  EXPECT_NE(render_svg(plot).find(">a · b</text>"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
