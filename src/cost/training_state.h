// What training holds: the state that an optimizer keeps per parameter, how FSDP or ZeRO shards it, and the activations of one
// micro-batch. Adam in mixed precision: 2 weights + 2 gradients + 4 master weights + 4 + 4 moments = 16 B a parameter
// (Rajbhandari et al., "ZeRO", SC20, section 3.1). Example: 7e9 parameters: 112e9 B; over 8 ranks 14e9 B each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "quantity/quantity.h"

namespace ridge::cost {

// A part of a footprint. `name` is stable: "weights", "kv_cache", "activations", "runtime", "master_weights", …
struct Component {
  std::string name;
  Bytes low, high;    // equal where exact
  std::string basis;  // formula and source in words
};
Bytes total_low(std::span<const Component> components);
Bytes total_high(std::span<const Component> components);

// Bytes per parameter that an optimizer keeps.
struct Optimizer {
  std::string_view name;
  std::string_view about;
  double weights = 2, gradients = 2, master = 4;
  double first_moment = 0;
  double second_moment = 0;       // and its scales
  double second_moment_high = 0;  // where shapes decide, the most that it can be
  std::string_view source;
};
std::span<const Optimizer> optimizers();
// Unknown names list the nearest.
Result<Optimizer> find_optimizer(std::string_view name);

struct TrainingRecipe {
  std::string optimizer = "adam";  // a name of optimizers()
  int fsdp = 1;                    // ways the state is sharded
  // What is sharded (ZeRO, section 5): 1 optimizer state and master weights, 2 and gradients, 3 and weights (FSDP full shard).
  int stage = 3;
};

struct TrainingState {
  std::vector<Component> components;  // "weights", "gradients", "master_weights", "first_moment", "second_moment": whole model
  std::vector<Component> per_rank_components;
  Bytes total;  // high end of the sum, as are per_rank
  Bytes per_rank;
  double bytes_per_parameter = 0;
};
Result<TrainingState> training_state(double parameters, const TrainingRecipe& recipe);

enum class Recompute { kNone, kSelective, kFull };

// Activations that one rank keeps for the backward pass of one micro-batch, in 16 bits, with s tokens, batch b, hidden h, a heads,
// tensor parallelism t, per layer (Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models",
// arXiv 2205.05198, equations 1, 2 and 5 and section 5):
//   none       s b h (10 + 24/t + 5 a s / (h t))
//   selective  s b h (10 + 24/t)      the score matrix is made again, as fused attention kernels do
//   full       2 s b h                inputs of the layers only, and one layer's whole set while it is made again
// plus 4 s b v / t for fp32 logits (section 4.3). The paper's layer has an MLP of width 4 h; for others it is an estimate.
struct TrainingShape {
  std::int64_t micro_batch = 1;
  std::int64_t sequence = 0;
  Recompute recompute = Recompute::kSelective;
  int tensor = 1;
};
Result<Component> training_activations(const model::Model& model, const TrainingShape& shape);

// What full sharding holds besides its shards: two layers' whole 16-bit weights, the one at work and the one being fetched
// (Zhao et al., "PyTorch FSDP", VLDB 2023, section 3.3). Absent where nothing is sharded at stage 3 or the layers are unknown.
std::optional<Component> gathered_layers(double parameters, const model::Model& model, const TrainingRecipe& recipe);

}  // namespace ridge::cost
