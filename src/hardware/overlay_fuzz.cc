// Bytes in, no crash: the reader of --catalog files, and what the catalogue answers with one on top.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hardware/accelerators.h"
#include "hardware/caveats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::hardware;
  const auto catalog = Catalog::with_overlay({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!catalog) return 0;
  for (const AcceleratorRow& record : accelerators(*catalog)) {
    if (find_record(Catalog::builtin(), record.id) != nullptr && record.figures.data() == find_record(Catalog::builtin(), record.id)->figures.data()) continue;
    const AcceleratorRow* one = &record;
    device_of(*catalog, record);
    caveats(*catalog, {&one, 1});
    (void)catalog->resolve(record.id);
  }
  return 0;
}
