// The GPUs that someone already has: a CSV (columns accelerator,count and, optionally, gpus_per_node, price_per_hour of one
// GPU, name) or YAML ({inventory: [{accelerator: …, count: …}]}). Invariant: counts are 1 to 10^6, accelerators are named
// as the catalogue names them (resolved by the caller). Errors name the file and the line or key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/quantity.h"

namespace ridge::plan {

struct InventoryItem {
  std::string accelerator;
  std::int64_t count = 0;
  std::int64_t gpus_per_node = 8;
  std::optional<UsdPerHour> price;  // of one GPU
  std::string name;                 // of the pool; "" where unnamed
  std::string where;                // file and place, for errors of the caller
};

Result<std::vector<InventoryItem>> read_inventory(std::string_view text, const std::string& file);

}  // namespace ridge::plan
