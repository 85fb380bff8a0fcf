// The rows of data/sm_limits.yaml: what one streaming multiprocessor holds, by compute capability. 1 KiB is 1024 B.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::hardware {

// One compute capability. A limit that no source states is absent.
struct SmLimitRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::SmLimitRow";
  std::string_view cc;
  std::optional<int> max_threads_per_sm;
  std::optional<int> max_warps_per_sm;
  std::optional<int> max_blocks_per_sm;
  std::optional<int> smem_per_sm_kib;
  std::optional<int> smem_per_block_optin_kib;
  std::optional<int> reserved_smem_bytes;  // that the runtime takes of each block's shared memory
  std::span<const int> smem_carveouts_kib;
  std::optional<int> max_blocks_per_cluster;
  std::string_view note;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, SmLimitRow& row) {
  v.key("cc", row.cc, "sm_limits");
  v.optional("max_threads_per_sm", row.max_threads_per_sm);
  v.optional("max_warps_per_sm", row.max_warps_per_sm);
  v.optional("max_blocks_per_sm", row.max_blocks_per_sm);
  v.optional("smem_per_sm_kib", row.smem_per_sm_kib);
  v.optional("smem_per_block_optin_kib", row.smem_per_block_optin_kib);
  v.optional("reserved_smem_bytes", row.reserved_smem_bytes);
  v.optional("smem_carveouts_kib", row.smem_carveouts_kib);
  v.optional("max_blocks_per_cluster", row.max_blocks_per_cluster);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const SmLimitRow& row, const formats::NodeRef& at);

// A limit or a granularity that many capabilities share. `values` has one element, or one per dimension.
struct SmRuleRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::SmRuleRow";
  std::string_view name;  // "register_allocation_unit"; stands several times where capabilities or sources differ
  std::span<const double> values;
  std::string_view unit;
  std::string_view applies;  // which capabilities, in words
  std::string_view from_cc;  // first and last capability, "" without end
  std::string_view to_cc;
  std::string_view rule;
  std::string_view note;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, SmRuleRow& row) {
  v.required("name", row.name);
  v.optional("values", row.values);
  v.optional("unit", row.unit);
  v.optional("applies", row.applies);
  v.optional("from_cc", row.from_cc);
  v.optional("to_cc", row.to_cc);
  v.optional("rule", row.rule);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}

}  // namespace ridge::hardware
