#include "hardware/sm_limits_rows.h"

#include <fmt/format.h>

namespace ridge::hardware {

Result<void> check(const SmLimitRow& row, const formats::NodeRef& at) {
  const std::pair<std::string_view, std::optional<int>> limits[] = {{"max_threads_per_sm", row.max_threads_per_sm},
                                                                    {"max_warps_per_sm", row.max_warps_per_sm},
                                                                    {"max_blocks_per_sm", row.max_blocks_per_sm},
                                                                    {"smem_per_sm_kib", row.smem_per_sm_kib},
                                                                    {"smem_per_block_optin_kib", row.smem_per_block_optin_kib},
                                                                    {"max_blocks_per_cluster", row.max_blocks_per_cluster}};
  for (const auto& [name, value] : limits)
    if (value && (*value < 1 || *value > 65536)) return at.error(fmt::format("{} is {}", name, *value), "Write a limit from 1 to 65536, or leave it out.");
  if (row.max_threads_per_sm && row.max_warps_per_sm && *row.max_threads_per_sm != 32 * *row.max_warps_per_sm)
    return at.error(fmt::format("{} threads are not {} warps of 32", *row.max_threads_per_sm, *row.max_warps_per_sm));
  if (row.smem_per_sm_kib && row.smem_per_block_optin_kib && *row.smem_per_block_optin_kib > *row.smem_per_sm_kib)
    return at.error(fmt::format("a block may take {} KiB of the {} KiB of its SM", *row.smem_per_block_optin_kib, *row.smem_per_sm_kib));
  return {};
}

}  // namespace ridge::hardware
