// Bytes in, no crash: the reader of tables of claims, and the judgement of what it read.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hardware/lint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ridge::hardware::Linter linter(ridge::hardware::Catalog::builtin());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::string_view format : {"", "csv", "tsv", "json", "yaml"}) {
    const auto table = ridge::hardware::read_claims(text, "fuzz", format);
    if (!table) continue;
    for (std::size_t i = 0; i < table->claims.size() && i < 16; ++i) linter.judge(table->claims[i]);
  }
  return 0;
}
