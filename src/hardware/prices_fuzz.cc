// Any bytes: no crash, and what is accepted keeps the reader's promise.
#include <cstdint>

#include "hardware/prices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto prices = ridge::hardware::read_prices(text, "fuzz", ridge::hardware::Catalog::builtin());
  if (!prices) return 0;
  for (const ridge::hardware::UserPrice& price : *prices)
    if (price.instance.empty() == price.accelerator.empty() || !(price.value > 0)) __builtin_trap();
  return 0;
}
