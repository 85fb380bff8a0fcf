// Error bands: how far published measurements lie from predictions like this one (data/serving_bands.yaml, written by the
// back-test). A band holds for a phase, dense or mixture of experts, and how the device's efficiencies are known.
#pragma once

#include <string>
#include <string_view>

#include "cost/efficiency_rows.h"
#include "cost/measurement_rows.h"
#include "model/operations.h"

namespace ridge::cost {

// "decode dense measured", "prefill moe relative", …
std::string band_group(model::Phase phase, bool mixture_of_experts, Evidence evidence);

// The band of the group; where it has no rows, that of the same phase and evidence, then of the next weaker evidence, then any of
// the phase. Null where the back-test holds none.
const BandRow* find_band(model::Phase phase, bool mixture_of_experts, Evidence evidence);

}  // namespace ridge::cost
