// The compiled-in tables, as the build wrote them from data/*.yaml. Constant initialised: there is nothing to load.
#pragma once

#include "hardware/data_rows.h"

namespace ridge::hardware::data {

extern const std::span<const formats::SourceRow> sources;
extern const std::span<const AcceleratorRow> accelerators;
extern const std::span<const SmLimitRow> sm_limits;
extern const std::span<const SmRuleRow> sm_rules;

}  // namespace ridge::hardware::data
