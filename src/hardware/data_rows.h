// Every table of the room, as one document sees them: a file of data/ holds some of these keys, an overlay any.
// To add a table: its rows, a line in each function here, in data.h and in the constructor of catalog.cc (see formats/embed.h).
#pragma once

#include "hardware/accelerators_rows.h"
#include "hardware/sm_limits_rows.h"

namespace ridge::hardware {

struct Data {
  std::span<const formats::SourceRow> sources;
  std::span<const AcceleratorRow> accelerators;
  std::span<const SmLimitRow> sm_limits;
  std::span<const SmRuleRow> sm_rules;
};
template <class V>
void describe(V& v, Data& data) {
  v.optional("sources", data.sources);
  v.optional("accelerators", data.accelerators);
  v.optional("sm_limits", data.sm_limits);
  v.optional("sm_rules", data.sm_rules);
}

}  // namespace ridge::hardware
