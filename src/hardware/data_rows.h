// Every table of the room, as one document sees them: a file of data/ holds some of these keys, an overlay any.
// To add a table: its rows, a line in each function here, in data.h and in the constructor of catalog.cc (see formats/embed.h).
#pragma once

#include "hardware/accelerators_rows.h"
#include "hardware/chips_rows.h"
#include "hardware/device_names_rows.h"
#include "hardware/instances_rows.h"
#include "hardware/mig_rows.h"
#include "hardware/sm_limits_rows.h"
#include "hardware/software_rows.h"

namespace ridge::hardware {

struct Data {
  std::span<const formats::SourceRow> sources;
  std::span<const AcceleratorRow> accelerators;
  std::span<const SmLimitRow> sm_limits;
  std::span<const SmRuleRow> sm_rules;
  std::span<const DeviceNameRow> device_names;
  std::span<const DieRow> dies;
  std::span<const ExposureFieldRow> exposure_fields;
  std::span<const WaferRow> wafers;
  std::span<const DefectDensityRow> defect_densities;
  std::span<const ProcessClaimRow> process_claims;
  std::span<const ProcessRemarkRow> process_remarks;
  std::span<const InstanceRow> instances;
  std::span<const MigGpuRow> mig_gpus;
  std::span<const ToolkitRow> toolkits;
  std::span<const CudaFamilyRow> cuda_families;
  std::span<const ForwardCompatibilityRow> forward_compatibility;
  std::span<const DriverBranchRow> driver_branches;
  std::span<const ComputeCapabilityRow> compute_capabilities;
  std::span<const BinaryRow> binaries;
  std::span<const EngineRow> engines;
  std::span<const EngineReleaseRow> engine_releases;
  std::span<const PrecisionRuleRow> precision_rules;
};
template <class V>
void describe(V& v, Data& data) {
  v.optional("sources", data.sources);
  v.optional("accelerators", data.accelerators);
  v.optional("sm_limits", data.sm_limits);
  v.optional("sm_rules", data.sm_rules);
  v.optional("device_names", data.device_names);
  v.optional("dies", data.dies);
  v.optional("exposure_fields", data.exposure_fields);
  v.optional("wafers", data.wafers);
  v.optional("defect_densities", data.defect_densities);
  v.optional("process_claims", data.process_claims);
  v.optional("process_remarks", data.process_remarks);
  v.optional("instances", data.instances);
  v.optional("mig_gpus", data.mig_gpus);
  v.optional("toolkits", data.toolkits);
  v.optional("cuda_families", data.cuda_families);
  v.optional("forward_compatibility", data.forward_compatibility);
  v.optional("driver_branches", data.driver_branches);
  v.optional("compute_capabilities", data.compute_capabilities);
  v.optional("binaries", data.binaries);
  v.optional("engines", data.engines);
  v.optional("engine_releases", data.engine_releases);
  v.optional("precision_rules", data.precision_rules);
}

}  // namespace ridge::hardware
