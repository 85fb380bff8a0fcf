#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/tree.h"

// Any bytes are a document or an error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto node = ridge::formats::read_json(std::string_view(reinterpret_cast<const char*>(data), size), "input");
  if (!node && node.error().what.empty()) std::abort();
  return 0;
}
