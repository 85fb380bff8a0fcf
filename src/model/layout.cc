#include "model/layout.h"

#include <algorithm>

#include "quantity/result.h"

namespace ridge::model {

std::pair<std::int64_t, std::int64_t> stage_layers(std::int64_t layers, int stages, int stage) {
  RIDGE_CHECK(stages >= 1 && stage >= 0 && stage < stages && layers >= 0);
  const std::int64_t base = layers / stages;
  const std::int64_t extra = layers % stages;
  // Of the stages 0 … stages − 2 the last `extra` hold one more; extra ≤ stages − 1.
  const std::int64_t first_extra = stages - 1 - extra;
  const auto begin_of = [&](std::int64_t s) { return s * base + std::clamp<std::int64_t>(s - first_extra, 0, extra); };
  return {begin_of(stage), begin_of(stage + 1)};
}

}  // namespace ridge::model
