// The rows of data/device_names.yaml: what drivers, node labels and cloud types call an accelerator. A name may stand several times;
// a row without an accelerator is a product that is known and not in the catalogue.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::hardware {

enum class NameKind : std::uint8_t {
  kDriver,                // NVML, nvidia-smi, torch.cuda.get_device_name, DCGM's modelName; GFD's label is made from it
  kAmdLabel,              // amd.com/gpu.product-name
  kGke,                   // cloud.google.com/gke-accelerator
  kGkeTpu,                // cloud.google.com/gke-tpu-accelerator
  kKarpenterGpu,          // karpenter.k8s.aws/instance-gpu-name
  kKarpenterAccelerator,  // karpenter.k8s.aws/instance-accelerator-name
  kAks                    // karpenter.azure.com/sku-gpu-name
};
inline constexpr formats::Named<NameKind> kNameKinds[] = {
    {"driver", NameKind::kDriver},  {"amd-label", NameKind::kAmdLabel},         {"gke", NameKind::kGke},
    {"gke-tpu", NameKind::kGkeTpu}, {"karpenter-gpu", NameKind::kKarpenterGpu}, {"karpenter-accelerator", NameKind::kKarpenterAccelerator},
    {"aks", NameKind::kAks}};
constexpr std::span<const formats::Named<NameKind>> names_of(NameKind) { return kNameKinds; }

struct DeviceNameRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::DeviceNameRow";
  std::string_view name;
  NameKind kind = NameKind::kDriver;
  std::span<const std::string_view> accelerators;  // several: the name does not say which
  bool inferred = false;                           // no source states which record the name means
  std::optional<int> memory_mib;                   // that tells apart what shares the name
  std::span<const std::string_view> pci;           // device ids under vendor 10de
  std::string_view note;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, DeviceNameRow& row) {
  v.required("name", row.name);
  v.required("kind", row.kind);
  v.reference("accelerators", row.accelerators, "accelerators", false);
  v.optional("inferred", row.inferred);
  v.optional("memory_mib", row.memory_mib);
  v.optional("pci", row.pci);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const DeviceNameRow& row, const formats::NodeRef& at);

}  // namespace ridge::hardware
