// The compiled-in tables, as the build wrote them from data/*.yaml. Constant initialised: there is nothing to load.
#pragma once

#include "hardware/data_rows.h"

namespace ridge::hardware::data {

extern const std::span<const formats::SourceRow> sources;
extern const std::span<const AcceleratorRow> accelerators;
extern const std::span<const SmLimitRow> sm_limits;
extern const std::span<const SmRuleRow> sm_rules;
extern const std::span<const DieRow> dies;
extern const std::span<const ExposureFieldRow> exposure_fields;
extern const std::span<const WaferRow> wafers;
extern const std::span<const DefectDensityRow> defect_densities;
extern const std::span<const ProcessClaimRow> process_claims;
extern const std::span<const ProcessRemarkRow> process_remarks;

}  // namespace ridge::hardware::data
