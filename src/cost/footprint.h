// What a deployment holds in memory, as components that add up: weights, KV cache, activation and logits workspace, runtime
// overhead (a stated range). What training holds is in training_state.h. Sizes are of the fullest rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/training_state.h"
#include "hardware/device.h"
#include "model/model.h"
#include "model/operations.h"
#include "quantity/quantity.h"

namespace ridge::cost {

struct ServingMemory {
  std::vector<Component> components;   // "weights", "kv_cache", "activations", "logits", "runtime"
  std::vector<std::string> uncounted;  // what the description does not allow to count: "activations: no hidden size is given"
  Bytes kv_per_request;                // on that rank; 0 where context is 0
  Bytes logits_per_request;
  Bytes total_low() const;
  Bytes total_high() const;
};

struct ServingShape {
  std::optional<Precision> weights;  // absent: as the checkpoint stores them
  Precision kv_cache = Precision::kBf16;
  std::int64_t context = 0;  // tokens of one request in the cache; 0: no cache is counted
  std::int64_t requests = 1;
  std::int64_t block = 16;             // KV block of the engine (vLLM's default)
  std::int64_t prefill_tokens = 2048;  // of one step, sizes the activation workspace
  model::Layout layout;
  bool ideal = false;  // weights and KV only, unrounded
};

Result<ServingMemory> serving_memory(const model::Model& model, const ServingShape& shape);

// Requests of `shape.context` tokens that fit beside weights, workspace and the high end of the runtime overhead; 0 where even
// one does not fit, Bytes::max().count where a request takes no memory (context 0 under ideal). `usable`: the low end.
Result<std::int64_t> requests_that_fit(const model::Model& model, const ServingShape& shape, Bytes usable);

// Activation workspace of one forward step: 2 B · tokens · hidden · c, at least 70 MiB; c = 11, 6.5, 5, 5 for tensor
// parallelism 1, 2, 4, 8 and twice that for mixtures of experts (ai-dynamo/aiconfigurator @095f58a, memory model of its
// vLLM and TensorRT-LLM back ends).
Bytes activation_workspace(std::int64_t tokens, std::int64_t hidden, int tensor, bool mixture_of_experts);

// CUDA context, allocator slack, NCCL buffers and CUDA graphs of an engine's rank. Low: what llm-d-planner measures on an
// H100 outside the tensor allocator, 0.15 GiB alone and 0.6 GiB with other ranks. High: aiconfigurator's 3.5 GB and, with
// other ranks, 392 MB of NCCL buffers.
Component runtime_overhead(int ranks);

}  // namespace ridge::cost
