// Writes GGUF files for tests, as the specification says and a reader of the test can follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::formats::gguf_fixture {

// Little-endian bytes, so that a test reads as the specification does.
inline std::string le(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}
inline std::string u32(std::uint64_t value) { return le(value, 4); }
inline std::string u64(std::uint64_t value) { return le(value, 8); }
inline std::string text(std::string_view value) { return u64(value.size()) + std::string(value); }

enum : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kText, kArray, kU64, kI64, kF64 };

// Writes a file as the specification says.
class GgufBuilder {
 public:
  GgufBuilder& version(std::uint32_t value) {
    version_ = value;
    return *this;
  }
  GgufBuilder& key(std::string_view name, std::uint32_t type, const std::string& value) {
    keys_ += text(name) + u32(type) + value;
    ++key_count_;
    return *this;
  }
  GgufBuilder& number(std::string_view name, std::uint32_t value) { return key(name, kU32, u32(value)); }
  GgufBuilder& tensor(std::string_view name, const std::vector<std::uint64_t>& sizes, std::uint32_t type, std::uint64_t offset, std::uint64_t bytes = 0) {
    tensors_ += text(name) + u32(sizes.size());
    for (const std::uint64_t size : sizes) tensors_ += u64(size);
    tensors_ += u32(type) + u64(offset);
    ++tensor_count_;
    if (bytes > 0) data_ = std::max(data_, offset + bytes);
    return *this;
  }
  std::string header() const { return "GGUF" + u32(version_) + u64(tensor_count_) + u64(key_count_) + keys_ + tensors_; }
  std::string file() const {
    std::string bytes = header();
    bytes.resize((bytes.size() + 31) / 32 * 32);
    return bytes + std::string(data_, '\0');
  }

 private:
  std::uint32_t version_ = 3;
  std::string keys_, tensors_;
  std::uint64_t key_count_ = 0, tensor_count_ = 0, data_ = 0;
};

}  // namespace ridge::formats::gguf_fixture
