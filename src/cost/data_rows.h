// Every table of the room, as one document sees them: a file of data/ holds some of these keys, a calibration any.
#pragma once

#include "cost/efficiency_rows.h"

namespace ridge::cost {

struct Data {
  std::span<const formats::SourceRow> sources;
  std::span<const ClassRow> classes;
  std::span<const KernelRow> kernels;
  std::span<const CollectiveRow> collectives;
};
template <class V>
void describe(V& v, Data& data) {
  v.optional("sources", data.sources);
  v.optional("classes", data.classes);
  v.optional("kernels", data.kernels);
  v.optional("collectives", data.collectives);
}

}  // namespace ridge::cost
