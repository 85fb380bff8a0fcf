// What it would take: the smallest spread over ranks that holds a model, and the fewest shards that hold a training run.
#pragma once

#include <optional>

#include "cost/footprint.h"

namespace ridge::cost {

struct LayoutFit {
  model::Layout layout;
  Bytes need_low, need_high;  // of the fullest rank
};

// Tries 1, 2, 4, … up to `most_ranks`, at each count the widest tensor parallelism that engines allow (at most 8, one host) and
// pipeline stages for the rest; "holds" means that the high end fits `usable`. Absent where none does.
std::optional<LayoutFit> smallest_layout(const model::Model& model, const ServingShape& shape, Bytes usable, int most_ranks = 64);

// The fewest FSDP ranks, a power of two up to `most_ranks`, whose share and `others` (activations, runtime: the same on each) fit
// `usable`. Absent where none does.
std::optional<int> fewest_shards(double parameters, const TrainingRecipe& recipe, Bytes others, Bytes usable, int most_ranks = 4096);

}  // namespace ridge::cost
