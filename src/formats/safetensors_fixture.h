// Writes safetensors files for tests, as the specification says and a reader of the test can follow.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace ridge::formats::safetensors_fixture {

inline std::string u64_le(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

// Writes a file as the specification says: the length of the header, the header, and `data` bytes of weights.
class SafetensorsBuilder {
 public:
  SafetensorsBuilder& raw(const std::string& name, const std::string& json) {
    json_ += (json_.empty() ? "" : ",") + fmt::format("\"{}\":{}", name, json);
    return *this;
  }
  SafetensorsBuilder& tensor(const std::string& name, const std::string& type, const std::string& shape, std::uint64_t begin, std::uint64_t end) {
    data_ = std::max(data_, end);
    return raw(name, fmt::format(R"({{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", type, shape, begin, end));
  }
  std::string header() const { return "{" + json_ + "}"; }
  std::string file() const { return u64_le(header().size()) + header() + std::string(data_, '\0'); }

 private:
  std::string json_;
  std::uint64_t data_ = 0;
};

}  // namespace ridge::formats::safetensors_fixture
