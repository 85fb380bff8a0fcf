#include <cstdint>
#include <string_view>

#include "plan/inventory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ridge::plan::read_inventory(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  return 0;
}
