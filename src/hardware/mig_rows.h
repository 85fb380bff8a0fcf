// The rows of data/mig.yaml: how a GPU is cut into slices that are devices of their own, one row per memory size of a part.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::hardware {

struct MigProfileRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::MigProfileRow";
  std::string_view name;             // "3g.40gb", "1g.10gb+me"
  int compute = 0;                   // compute slices
  int memory_gb = 0;                 // the number in its name
  int most = 1;                      // of this profile on one GPU
  std::optional<int> memory_slices;  // where a table gives them
  std::optional<int> memory_mib;     // where a tool or a vendor file reports it
  std::optional<int> sm_count;
  std::string_view source;  // of memory_mib and sm_count
};
template <class V>
void describe(V& v, MigProfileRow& row) {
  v.required("name", row.name);
  v.required("compute", row.compute);
  v.required("memory_gb", row.memory_gb);
  v.required("most", row.most);
  v.optional("memory_slices", row.memory_slices);
  v.optional("memory_mib", row.memory_mib);
  v.optional("sm_count", row.sm_count);
  v.reference("source", row.source, "sources", false);
}
Result<void> check(const MigProfileRow& row, const formats::NodeRef& at);

struct MigGpuRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::MigGpuRow";
  std::string_view id;
  std::string_view name;
  std::span<const std::string_view> accelerators;
  int compute_slices = 7;
  int memory_slices = 8;
  int memory_gb = 0;                              // label of the whole GPU, in the convention of its profile names
  std::span<const std::string_view> measured_on;  // parts for which memory_mib and sm_count hold
  std::string_view driver;                        // the smallest with MIG on this part
  std::string_view driver_source;
  std::string_view source;
  std::string_view note;
  std::span<const MigProfileRow> profiles;
};
template <class V>
void describe(V& v, MigGpuRow& row) {
  v.key("id", row.id, "mig_gpus");
  v.required("name", row.name);
  v.reference("accelerators", row.accelerators, "accelerators");
  v.required("compute_slices", row.compute_slices);
  v.required("memory_slices", row.memory_slices);
  v.required("memory_gb", row.memory_gb);
  v.reference("measured_on", row.measured_on, "accelerators", false);
  v.optional("driver", row.driver);
  v.reference("driver_source", row.driver_source, "sources", false);
  v.reference("source", row.source, "sources");
  v.optional("note", row.note);
  v.required("profiles", row.profiles);
}
Result<void> check(const MigGpuRow& row, const formats::NodeRef& at);

}  // namespace ridge::hardware
