// Where batching stops to pay: as sequences join a decode step, the weights are read once for all of them, so arithmetic grows
// against reading; but every sequence brings a cache of its own. Three batches, whichever comes first:
//   compute        the arithmetic of the weights takes as long as reading them (under ideal with 16-bit weights: the ridge point)
//   kv_bandwidth   reading the caches takes as long as reading the weights
//   kv_capacity    the most caches that fit beside the weights
#pragma once

#include <optional>

#include "cost/footprint.h"
#include "cost/step.h"

namespace ridge::cost {

struct Crossovers {
  std::optional<double> compute;            // absent: not up to kMostBatch
  std::optional<double> kv_bandwidth;       // absent: no cache, or not up to kMostBatch
  std::optional<std::int64_t> kv_capacity;  // absent: no cache is counted, or the memory is not known; 0: the weights alone do not fit
};
inline constexpr std::int64_t kMostBatch = 1 << 20;

// `step` gives phase, context, formats and layout; its batch is varied.
Result<Crossovers> crossovers(const model::Model& model, const model::Step& step, const Pricer& pricer);

}  // namespace ridge::cost
