#include "formats/cursor.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace ridge::formats {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

}  // namespace

Cursor::Cursor(std::string_view data, std::string file, std::uint64_t base) : data_(data), file_(std::move(file)), base_(base) {}

tl::unexpected<Error> Cursor::error(std::string what, std::string advice) const {
  return fail(fmt::format("{}: byte {}", file_, offset()), std::move(what), std::move(advice));
}

Result<std::string_view> Cursor::bytes(std::uint64_t count) {
  if (count > left()) {
    ran_out_ = true;
    return error(fmt::format("the file ends here: {} bytes wanted, {} left", count, left()),
                 "The file is cut short or its counts are damaged; fetch it again.");
  }
  const std::string_view taken = data_.substr(position_, static_cast<std::size_t>(count));
  position_ += static_cast<std::size_t>(count);
  return taken;
}

Result<void> Cursor::skip(std::uint64_t count) {
  RIDGE_TRY_VOID(bytes(count));
  return {};
}

Result<void> Cursor::expect(std::string_view magic, std::string_view what) {
  if (left() < magic.size() || data_.substr(position_, magic.size()) != magic) return error(fmt::format("this is not {}", what));
  position_ += magic.size();
  return {};
}

Result<std::uint8_t> Cursor::u8() {
  RIDGE_TRY(std::string_view b, bytes(1));
  return static_cast<std::uint8_t>(little_endian(b));
}
Result<std::uint16_t> Cursor::u16_le() {
  RIDGE_TRY(std::string_view b, bytes(2));
  return static_cast<std::uint16_t>(little_endian(b));
}
Result<std::uint32_t> Cursor::u32_le() {
  RIDGE_TRY(std::string_view b, bytes(4));
  return static_cast<std::uint32_t>(little_endian(b));
}
Result<std::uint64_t> Cursor::u64_le() {
  RIDGE_TRY(std::string_view b, bytes(8));
  return little_endian(b);
}
Result<std::int64_t> Cursor::i64_le() {
  RIDGE_TRY(std::uint64_t bits, u64_le());
  return std::bit_cast<std::int64_t>(bits);
}
Result<float> Cursor::f32_le() {
  RIDGE_TRY(std::uint32_t bits, u32_le());
  return std::bit_cast<float>(bits);
}
Result<double> Cursor::f64_le() {
  RIDGE_TRY(std::uint64_t bits, u64_le());
  return std::bit_cast<double>(bits);
}

Result<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return fail("", fmt::format("{}: {} × {} is more than 64 bits hold", what, a, b));
  return product;
}

Result<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return fail("", fmt::format("{}: {} + {} is more than 64 bits hold", what, a, b));
  return sum;
}

}  // namespace ridge::formats
