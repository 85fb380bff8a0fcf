// The compiled-in tables, as the build wrote them from data/*.yaml. Constant initialised: there is nothing to load.
#pragma once

#include "cost/data_rows.h"

namespace ridge::cost::data {

extern const std::span<const formats::SourceRow> sources;
extern const std::span<const ClassRow> classes;
extern const std::span<const KernelRow> kernels;
extern const std::span<const CollectiveRow> collectives;
extern const std::span<const MeasurementRow> measurements;
extern const std::span<const BandRow> bands;

}  // namespace ridge::cost::data
