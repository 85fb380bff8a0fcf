#include <gtest/gtest.h>

#include "report/render.h"
#include "report/text_layout.h"
#include "support/golden.h"
#include "support/sample_report.h"

namespace ridge::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Report with_table(Table table) {
  Report report;
  report.verdict.text = "v";
  report.tables.push_back(std::move(table));
  return report;
}

TEST(RenderTerminal, MatchesTheGoldens) {
  const Report report = support::sample_report();
  EXPECT_TRUE(support::matches_golden("report/rich.80.txt", render_terminal(report, {.width = 80})));
  EXPECT_TRUE(support::matches_golden("report/rich.120.explain.txt", render_terminal(report, {.width = 120, .explain = true})));
  EXPECT_TRUE(support::matches_golden("report/rich.60.ascii.txt", render_terminal(report, {.width = 60, .unicode = false, .explain = true})));
  EXPECT_TRUE(support::matches_golden("report/rich.100.color.txt", render_terminal(report, {.width = 100, .color = true})));
}

TEST(RenderTerminal, BeginsWithTheVerdictAndQuietEndsThere) {
  EXPECT_EQ(render_terminal(support::sample_report(), {.width = 300, .quiet = true}), support::sample_report().verdict.text + "\n");
  Report yes;
  yes.verdict = {"It fits.", true};
  EXPECT_EQ(render_terminal(yes, {.color = true, .quiet = true}), "\x1b[1;32mIt fits.\x1b[0m\n");
  yes.verdict.ok = false;
  EXPECT_EQ(render_terminal(yes, {.color = true, .quiet = true}), "\x1b[1;31mIt fits.\x1b[0m\n");
}

TEST(RenderTerminal, KeepsWithinEveryWidth) {
  for (int width = 44; width <= 200; width += 4)
    for (const bool unicode : {true, false})
      for (const std::string& line : lines_of(render_terminal(support::sample_report(), {.width = width, .unicode = unicode, .explain = true})))
        EXPECT_LE(report::width(line), static_cast<std::size_t>(width)) << line;
}

TEST(RenderTerminal, ShowsEveryCellAtEveryWidth) {
  for (const int width : {44, 60, 80, 120}) {
    const std::string text = render_terminal(support::sample_report(), {.width = width});
    for (const char* cell : {"24.68–26.10", "5187", "83.07", "0.157", "1.979 PFLOP/s"})
      EXPECT_NE(text.find(cell), std::string::npos) << cell << " at " << width;
  }
}

TEST(RenderTerminal, IsAsciiWhereOnlyAsciiIsThere) {
  for (const Report& report : {support::sample_report(), support::hostile_report()})
    for (const char c : render_terminal(report, {.unicode = false, .explain = true})) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F)) << static_cast<int>(c);
}

TEST(RenderTerminal, ObeysNoEscapeSequenceOfAName) {
  for (const bool color : {false, true}) {
    const std::string text = render_terminal(support::hostile_report(), {.width = 80, .color = color, .explain = true});
    EXPECT_EQ(text.find("\x1b[31m)"), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
    EXPECT_EQ(text.find('\x1b') == std::string::npos, !color);
  }
}

TEST(RenderTerminal, ColoursNothingWithoutColour) { EXPECT_EQ(render_terminal(support::sample_report(), {}).find('\x1b'), std::string::npos); }

TEST(RenderTerminal, ShowsAMissingCellAsADashAndAnEmptyTableAsEmpty) {
  EXPECT_EQ(render_terminal(with_table({"t", "T", {{"name", ""}, {"time", "s"}}, {{std::string("a"), Cell{}}, {std::string("b"), 0.0}}}), {}),
            "v\n\nT\n  name  time (s)\n  ────  ────────\n  a            —\n  b            0\n");
  EXPECT_EQ(render_terminal(with_table({"t", "T", {{"name", ""}}, {}}), {.unicode = false}), "v\n\nT\n  name\n  ----\n  (no rows)\n");
}

TEST(RenderTerminal, ElidesANameInItsMiddleAndBreaksProse) {
  const std::string name = "meta-llama/" + std::string(60, 'x') + "/8B-Instruct";
  const std::string text = render_terminal(
      with_table({"t", "", {{"model", ""}, {"note", ""}}, {{name, std::string("this is prose that goes on for a while longer")}}}), {.width = 50});
  EXPECT_NE(text.find("meta-llama/"), std::string::npos);
  EXPECT_NE(text.find("…"), std::string::npos);
  EXPECT_NE(text.find("B-Instruct"), std::string::npos);
  for (const char* word : {"this", "prose", "longer"}) EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(RenderTerminal, GivesARowItsOwnUnit) {
  Table table{
      "t", "", {{"property", ""}, {"a", ""}, {"b", ""}}, {{std::string("memory"), 85899345920.0, 96636764160.0}, {std::string("bandwidth"), 2.039e12, Cell{}}}};
  table.row_units = {"B", "B/s"};
  EXPECT_EQ(render_terminal(with_table(table), {}),
            "v\n\n  property            a       b\n  ─────────  ──────────  ──────\n  memory         80 GiB  90 GiB\n  bandwidth  2.039 TB/s       —\n");
}

}  // namespace
}  // namespace ridge::report
