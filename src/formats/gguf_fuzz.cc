// Any bytes: no crash, and what is accepted keeps the reader's promise.
#include <cstdint>

#include "formats/gguf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  const auto file = ridge::formats::parse_gguf(bytes, bytes.size(), "fuzz");
  if (!file) return 0;
  for (const auto& tensor : file->tensors)
    if (tensor.bytes > 0 && file->data_offset + tensor.offset + tensor.bytes > bytes.size()) __builtin_trap();
  return 0;
}
