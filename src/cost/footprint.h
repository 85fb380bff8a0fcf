// What a deployment holds in memory, as components that add up: weights, KV cache, activation and logits workspace, runtime
// overhead (a stated range); and what training holds (state by recipe and shards).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/device.h"
#include "model/model.h"
#include "model/operations.h"
#include "quantity/quantity.h"

namespace ridge::cost {

struct Component {
  std::string name;   // "weights", "kv_cache", "activations", "runtime"
  Bytes low, high;    // equal where exact
  std::string basis;  // formula and source in words
};

struct ServingMemory {
  std::vector<Component> components;  // of the fullest rank
  Bytes kv_per_request;               // on that rank
  Bytes total_low() const;
  Bytes total_high() const;
};

struct ServingShape {
  std::optional<Precision> weights;  // absent: as the checkpoint stores them
  Precision kv_cache = Precision::kBf16;
  std::int64_t context = 0;  // tokens of one request in the cache
  std::int64_t requests = 1;
  std::int64_t block = 16;             // KV block of the engine (vLLM's default)
  std::int64_t prefill_tokens = 2048;  // of one step, sizes the activation workspace
  model::Layout layout;
  bool ideal = false;  // weights and KV only, unrounded
};

Result<ServingMemory> serving_memory(const model::Model& model, const ServingShape& shape);

// Requests of `shape.context` tokens that fit beside the weights on the low end of the usable memory; 0 where the weights do not fit.
Result<std::int64_t> requests_that_fit(const model::Model& model, const ServingShape& shape, Bytes usable);

// Bytes per parameter of training state. Adam in mixed precision: 2 weights + 2 gradients + 4 master + 4 + 4 moments = 16
// (Rajbhandari et al., "ZeRO", SC20, section 3.1).
struct TrainingRecipe {
  std::string optimizer = "adam";  // adam, adam-fp32, adam-8bit, sgd, adafactor, …: see training_state.cc's table
  int fsdp = 1;                    // ways the state is sharded
};
struct TrainingState {
  std::vector<Component> components;  // weights, gradients, master weights, first moment, second moment: whole model
  Bytes total;
  Bytes per_rank;
};
Result<TrainingState> training_state(double parameters, const TrainingRecipe& recipe);

}  // namespace ridge::cost
