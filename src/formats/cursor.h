// Cursor: the one way to read binary input. Invariant: it never reads past the bytes it was given; every count taken from
// the input is compared with the bytes that are left before anything is allocated or skipped. Errors name the byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quantity/result.h"

namespace ridge::formats {

// Named limits of the readers. Meeting one is an error that names it.
inline constexpr int kMaxDepth = 64;                          // nesting of JSON, YAML, GGUF arrays
inline constexpr std::uint64_t kMaxTextBytes = 256ull << 20;  // a JSON or YAML document held in memory
inline constexpr std::uint64_t kMaxNodes = 2'000'000;         // nodes of one document, aliases expanded

class Cursor {
 public:
  // `file` is what errors call the input; `base` is the offset of data[0] in that file.
  Cursor(std::string_view data, std::string file, std::uint64_t base = 0);

  std::uint64_t offset() const { return base_ + position_; }
  std::uint64_t left() const { return data_.size() - position_; }
  const std::string& file() const { return file_; }
  // Whether a read wanted more than was left. A reader that was given the first bytes of a longer file then asks for more.
  bool ran_out() const { return ran_out_; }

  Result<std::uint8_t> u8();
  Result<std::uint16_t> u16_le();
  Result<std::uint32_t> u32_le();
  Result<std::uint64_t> u64_le();
  Result<std::int64_t> i64_le();
  Result<float> f32_le();
  Result<double> f64_le();
  Result<std::string_view> bytes(std::uint64_t count);
  Result<void> skip(std::uint64_t count);
  Result<void> expect(std::string_view magic, std::string_view what);

  // An error at the present byte.
  tl::unexpected<Error> error(std::string what, std::string advice = {}) const;

 private:
  std::string_view data_;
  std::string file_;
  std::uint64_t base_;
  std::size_t position_ = 0;
  bool ran_out_ = false;
};

// Products and sums of counts from a file; an overflow is nullopt-like: the error says which.
Result<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b, std::string_view what);
Result<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b, std::string_view what);

}  // namespace ridge::formats
