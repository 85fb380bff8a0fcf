#include "formats/utf8.h"

#include <gtest/gtest.h>

namespace ridge::formats {
namespace {

TEST(IsUtf8, AcceptsEveryLength) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("\xC2\x80 \xDF\xBF"));                  // U+0080, U+07FF
  EXPECT_TRUE(is_utf8("\xE0\xA0\x80 \xEF\xBF\xBF"));          // U+0800, U+FFFF
  EXPECT_TRUE(is_utf8("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));  // U+10000, U+10FFFF
}

TEST(IsUtf8, RefusesWhatRfc3629Does) {
  EXPECT_FALSE(is_utf8("\xFF"));
  EXPECT_FALSE(is_utf8("\x80")) << "a continuation without a lead";
  EXPECT_FALSE(is_utf8("\xC3")) << "a lead without its continuation";
  EXPECT_FALSE(is_utf8("\xC3("));
  EXPECT_FALSE(is_utf8("\xC0\xAF")) << "overlong";
  EXPECT_FALSE(is_utf8("\xE0\x80\xAF")) << "overlong";
  EXPECT_FALSE(is_utf8("\xF0\x80\x80\xAF")) << "overlong";
  EXPECT_FALSE(is_utf8("\xED\xA0\x80")) << "a surrogate";
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80")) << "beyond U+10FFFF";
}

}  // namespace
}  // namespace ridge::formats
