#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/csv.h"

// Any bytes are a table whose rows are as long as its header, or an error that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = ridge::formats::read_csv(std::string_view(reinterpret_cast<const char*>(data), size), "input");
  if (!table) {
    if (table.error().what.empty()) std::abort();
    return 0;
  }
  for (const auto& row : table->rows)
    if (row.size() != table->columns.size()) std::abort();
  return 0;
}
