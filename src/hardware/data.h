// The compiled-in tables, as the build wrote them from data/*.yaml. Constant initialised: there is nothing to load.
#pragma once

#include "hardware/data_rows.h"

namespace ridge::hardware::data {

extern const std::span<const formats::SourceRow> sources;
extern const std::span<const AcceleratorRow> accelerators;
extern const std::span<const SmLimitRow> sm_limits;
extern const std::span<const SmRuleRow> sm_rules;
extern const std::span<const DeviceNameRow> device_names;
extern const std::span<const DieRow> dies;
extern const std::span<const ExposureFieldRow> exposure_fields;
extern const std::span<const WaferRow> wafers;
extern const std::span<const DefectDensityRow> defect_densities;
extern const std::span<const ProcessClaimRow> process_claims;
extern const std::span<const ProcessRemarkRow> process_remarks;
extern const std::span<const InstanceRow> instances;
extern const std::span<const MigGpuRow> mig_gpus;
extern const std::span<const ToolkitRow> toolkits;
extern const std::span<const CudaFamilyRow> cuda_families;
extern const std::span<const ForwardCompatibilityRow> forward_compatibility;
extern const std::span<const DriverBranchRow> driver_branches;
extern const std::span<const ComputeCapabilityRow> compute_capabilities;
extern const std::span<const BinaryRow> binaries;
extern const std::span<const EngineRow> engines;
extern const std::span<const EngineReleaseRow> engine_releases;
extern const std::span<const PrecisionRuleRow> precision_rules;

}  // namespace ridge::hardware::data
