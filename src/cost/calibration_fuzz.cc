// Bytes in, no crash: the reader of --calibration files.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cost/efficiency.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tables = ridge::cost::EfficiencyTables::with_calibration({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (tables) {
    ridge::hardware::Device device;
    device.id = "h100-sxm5";
    const ridge::cost::DeviceEfficiency efficiency = tables->of(device);
    efficiency.collective(ridge::cost::Collective::kAllReduce, 3);
    efficiency.kernel(ridge::cost::Kernel::kGemm, ridge::Precision::kInt4, ridge::Precision::kBf16).compute_at(77);
  }
  return 0;
}
