#include "hardware/device_names_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::hardware {

Result<void> check(const DeviceNameRow& row, const formats::NodeRef& at) {
  if (row.name.empty() || row.name.size() > 200) return at.error("a device's name is empty or longer than 200 characters");
  if (row.memory_mib && *row.memory_mib < 1) return at.error(fmt::format("memory_mib is {}", *row.memory_mib), "Write whole MiB from 1.");
  for (std::string_view id : row.pci)
    if (id.size() != 4 || !std::all_of(id.begin(), id.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }))
      return at.error(fmt::format("\"{}\" is no PCI device id", id), "Write four hexadecimal digits in upper case.");
  return {};
}

}  // namespace ridge::hardware
