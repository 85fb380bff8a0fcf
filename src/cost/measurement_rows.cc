#include "cost/measurement_rows.h"

#include <fmt/format.h>

namespace ridge::cost {

Result<void> check(const MeasurementRow& row, const formats::NodeRef& at) {
  if (!(row.seconds > 0 && row.seconds < 1e5)) return at.error(fmt::format("seconds is {:g}, outside 0 to 1e5", row.seconds));
  if (row.tensor < 1 || row.expert < 1 || row.batch < 1 || row.runs < 1) return at.error("tensor, expert, batch and runs are at least 1");
  if (row.input < 0 || row.output < 0 || row.chunk < 0) return at.error("input, output and chunk are not negative");
  if (row.measured == Measured::kClosedLoop && row.output < 2) return at.error("a time per output token needs at least two of them");
  if (row.measured == Measured::kStatic && (row.output < 2 || row.input < 1)) return at.error("a static batch has a prompt and at least two tokens of answer");
  if (row.measured == Measured::kDecode && row.output < 1) return at.error("a decode step makes at least one token");
  if (row.measured == Measured::kPrefill && row.input < 1) return at.error("a prefill has at least one token");
  return {};
}

Result<void> check(const BandRow& row, const formats::NodeRef& at) {
  if (!(row.low > -1 && row.low <= row.high && row.high < 100)) return at.error(fmt::format("a band from {:g} to {:g} is none", row.low, row.high));
  return {};
}

}  // namespace ridge::cost
