#include "report/text_layout.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

TEST(Clean, KeepsGoodTextAndReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(clean("µs × ≥ 日本"), "µs × ≥ 日本");
  EXPECT_EQ(clean("a\nb\tc\r\nd"), "a b c d");
  EXPECT_EQ(clean("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(clean("a\xc2\x9b"
                  "b"),
            "a\uFFFDb");                                 // C1 CSI
  EXPECT_EQ(clean("a\u202Etxt.exe"), "a\uFFFDtxt.exe");  // right-to-left override
  EXPECT_EQ(clean(std::string("a\0b", 3)), "a\uFFFDb");
}

TEST(Clean, ReplacesEachBrokenSequenceOnce) {
  EXPECT_EQ(clean("\xff"), "\uFFFD");
  EXPECT_EQ(clean("a\xe2\x82z"), "a\uFFFDz");                        // cut short
  EXPECT_EQ(clean("\xc0\xaf"), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(clean("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // surrogate
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
  EXPECT_EQ(clean("\xf0\x9f\x92\xa9"), "\xf0\x9f\x92\xa9");
  EXPECT_EQ(clean("\xf0\x9f\x92"), "\uFFFD");
}

TEST(ToAscii, SpellsTheSignsOfReports) {
  EXPECT_EQ(to_ascii("14 µs × 3 ≥ 2 · x → y — z°"), "14 us x 3 >= 2 * x -> y - zdeg");
  EXPECT_EQ(to_ascii("814 mm², 10⁹, s⁻¹, x₂"), "814 mm2, 10^9, s^-1, x2");
  EXPECT_EQ(to_ascii("Straße, Čapek, naïve, Łódź"), "Strasse, Capek, naive, Lodz");
  EXPECT_EQ(to_ascii("日本\uFFFD"), "???");
  for (char32_t c = 0x80; c < 0x2600; ++c) {
    std::string text;
    append_code_point(text, c);
    for (const char out : to_ascii(text)) EXPECT_TRUE(out >= 0x20 && out < 0x7F) << "U+" << std::hex << static_cast<unsigned>(c);
  }
}

TEST(ElideMiddle, KeepsBothEndsAndTheWidth) {
  EXPECT_EQ(elide_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(elide_middle("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(elide_middle("abcdefghij", 6), "abc…ij");
  EXPECT_EQ(elide_middle("abcdefghij", 7, "..."), "ab...ij");
  EXPECT_EQ(elide_middle("µµµµµµµµ", 5), "µµ…µµ");
  EXPECT_EQ(elide_middle("abcdef", 1), "a");
  EXPECT_EQ(elide_middle("abcdef", 0), "");
}

TEST(Wrap, BreaksAtSpacesAndCutsOnlyWordsThatAreTooLong) {
  EXPECT_EQ(wrap("the quick brown fox", 9), (std::vector<std::string>{"the quick", "brown fox"}));
  EXPECT_EQ(wrap("abcdefghij k", 4), (std::vector<std::string>{"abcd", "efgh", "ij k"}));
  EXPECT_EQ(wrap("", 10), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("µµ µµ µµ", 5), (std::vector<std::string>{"µµ µµ", "µµ"}));
}

TEST(Pad, CountsCodePoints) {
  EXPECT_EQ(pad_left("µs", 4), "  µs");
  EXPECT_EQ(pad_right("µs", 4), "µs  ");
  EXPECT_EQ(width("≥ 日本"), 4u);
}

TEST(EscapeHtml, LeavesNoMarkup) { EXPECT_EQ(escape_html("<a href=\"x\" title='y'>&\x01"), "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;\uFFFD"); }

}  // namespace
}  // namespace ridge::report
