#include "formats/cursor.h"

#include <gtest/gtest.h>

namespace ridge::formats {
namespace {

TEST(Cursor, ReadsLittleEndianAndCountsBytes) {
  Cursor cursor(std::string_view("\x01\x02\x00\x00\x00\x2a\x00\x00\x00\x00\x00\x00\x00", 13), "f.bin", 100);
  EXPECT_EQ(*cursor.u8(), 1);
  EXPECT_EQ(*cursor.u32_le(), 2u);
  EXPECT_EQ(*cursor.i64_le(), 42);
  EXPECT_EQ(cursor.left(), 0u);
  EXPECT_EQ(to_string(cursor.u8().error()).substr(0, 62), "f.bin: byte 113: the file ends here: 1 bytes wanted, 0 left\n  ");
}

TEST(Cursor, RefusesCountsLargerThanTheFile) {
  Cursor cursor("abc", "f.bin");
  EXPECT_FALSE(cursor.bytes(std::uint64_t{1} << 63));
  EXPECT_FALSE(cursor.skip(4));
  EXPECT_EQ(*cursor.bytes(3), "abc");
  EXPECT_FALSE(checked_multiply(std::uint64_t{1} << 40, std::uint64_t{1} << 40, "shape"));
  EXPECT_FALSE(checked_add(~std::uint64_t{0}, 1, "offset"));
}

}  // namespace
}  // namespace ridge::formats
