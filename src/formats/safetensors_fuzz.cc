// Any bytes: no crash, and what is accepted keeps the reader's promise.
#include <cstdint>

#include "formats/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  const auto file = ridge::formats::parse_safetensors(bytes, bytes.size(), "fuzz");
  if (file && file->header_bytes + file->data_bytes() != bytes.size()) __builtin_trap();
  return 0;
}
