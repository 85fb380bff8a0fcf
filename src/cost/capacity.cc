#include "cost/capacity.h"

#include <algorithm>

namespace ridge::cost {
namespace {

constexpr int kHost = 8;  // accelerators that share the fast link of one machine

}  // namespace

std::optional<LayoutFit> smallest_layout(const model::Model& model, const ServingShape& shape, Bytes usable, int most_ranks) {
  for (int ranks = 1; ranks <= most_ranks; ranks *= 2) {
    for (int tensor = std::min(ranks, kHost); tensor >= 1; tensor /= 2) {
      ServingShape tried = shape;
      tried.layout = {
          .tensor = tensor, .pipeline = ranks / tensor, .expert = shape.layout.expert > 1 && tensor % shape.layout.expert == 0 ? shape.layout.expert : 1};
      if (!model::allows(model, tried.layout)) continue;
      const auto memory = serving_memory(model, tried);
      if (memory && memory->total_high() <= usable) return LayoutFit{tried.layout, memory->total_low(), memory->total_high()};
    }
  }
  return std::nullopt;
}

std::optional<int> fewest_shards(double parameters, const TrainingRecipe& recipe, Bytes others, Bytes usable, int most_ranks) {
  for (int ranks = 1; ranks <= most_ranks; ranks *= 2) {
    TrainingRecipe tried = recipe;
    tried.fsdp = ranks;
    const auto state = training_state(parameters, tried);
    if (state && state->per_rank + others <= usable) return ranks;
  }
  return std::nullopt;
}

}  // namespace ridge::cost
