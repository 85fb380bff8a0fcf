#include <gtest/gtest.h>

#include "report/render.h"
#include "support/golden.h"
#include "support/sample_report.h"

namespace ridge::report {
namespace {

TEST(RenderMarkdown, MatchesTheGoldens) {
  EXPECT_TRUE(support::matches_golden("report/rich.md", render_markdown(support::sample_report(), false)));
  EXPECT_TRUE(support::matches_golden("report/rich.explain.md", render_markdown(support::sample_report(), true)));
}

TEST(RenderMarkdown, KeepsATableATable) {
  Report report;
  report.verdict = {"1. fits", true};
  report.tables.push_back({"t", "", {{"a|b", ""}, {"n", "B"}}, {{std::string("x|y\nz <b>"), 1024.0}}});
  EXPECT_EQ(render_markdown(report, false), "**Yes.** 1\\. fits\n\n| a\\|b | n (KiB) |\n|---|---:|\n| x\\|y z &lt;b&gt; | 1 |\n");
}

TEST(RenderMarkdown, TurnsNothingOfAReportIntoMarkup) {
  const std::string text = render_markdown(support::hostile_report(), true);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("[a]("), std::string::npos);
  EXPECT_NE(text.find("\\`\\*\\_\\[a\\](b)"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace ridge::report
