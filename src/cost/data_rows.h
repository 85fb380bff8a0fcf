// Every table of the room, as one document sees them: a file of data/ holds some of these keys.
#pragma once

#include "cost/efficiency_rows.h"
#include "cost/measurement_rows.h"

namespace ridge::cost {

struct Data {
  std::span<const formats::SourceRow> sources;
  std::span<const ClassRow> classes;
  std::span<const KernelRow> kernels;
  std::span<const CollectiveRow> collectives;
  std::span<const MeasurementRow> measurements;
  std::span<const BandRow> bands;
};
template <class V>
void describe(V& v, Data& data) {
  v.optional("sources", data.sources);
  v.optional("classes", data.classes);
  v.optional("kernels", data.kernels);
  v.optional("collectives", data.collectives);
  v.optional("measurements", data.measurements);
  v.optional("bands", data.bands);
}

// What a --calibration file may hold: how well things run, but no measurements and no verdict on the program.
struct Calibration {
  std::span<const formats::SourceRow> sources;
  std::span<const ClassRow> classes;
  std::span<const KernelRow> kernels;
  std::span<const CollectiveRow> collectives;
};
template <class V>
void describe(V& v, Calibration& calibration) {
  v.optional("sources", calibration.sources);
  v.optional("classes", calibration.classes);
  v.optional("kernels", calibration.kernels);
  v.optional("collectives", calibration.collectives);
}

}  // namespace ridge::cost
