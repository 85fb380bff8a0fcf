#include "cost/footprint.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::cost {
namespace {

constexpr std::int64_t kMiB70 = 70 * kMiB;

// Elements of workspace per token and hidden unit, by tensor parallelism (see the header).
double workspace_factor(int tensor) {
  if (tensor >= 4) return 5;
  return tensor >= 2 ? 6.5 : 11;
}

void check_shape_counts(const ServingShape& shape) {
  RIDGE_CHECK(shape.requests >= 0);
  RIDGE_CHECK(shape.context >= 0);
  RIDGE_CHECK(shape.block >= 1);
}

}  // namespace

Bytes ServingMemory::total_low() const { return cost::total_low(components); }
Bytes ServingMemory::total_high() const { return cost::total_high(components); }

Bytes activation_workspace(std::int64_t tokens, std::int64_t hidden, int tensor, bool mixture_of_experts) {
  const double factor = workspace_factor(tensor) * (mixture_of_experts ? 2 : 1);
  const Bytes size = Bytes::from_double(2 * static_cast<double>(tokens) * static_cast<double>(hidden) * factor);
  return std::max(size, Bytes{kMiB70});
}

Component runtime_overhead(int ranks) {
  const Bytes low = Bytes::from_double((ranks > 1 ? 0.6 : 0.15) * static_cast<double>(kGiB));
  const Bytes high = Bytes{3'500'000'000} + (ranks > 1 ? Bytes{392'000'000} : Bytes{});
  return {"runtime", low, high, "context, NCCL buffers, graphs, allocator slack; llm-d-planner to aiconfigurator"};
}

Result<ServingMemory> serving_memory(const model::Model& model, const ServingShape& shape) {
  check_shape_counts(shape);
  ServingMemory memory;
  RIDGE_TRY(const Bytes weights, model::weight_bytes(model, shape.weights, shape.layout));
  memory.components.push_back({"weights", weights, weights,
                               model.shapes_known() ? "every tensor of the fullest rank in its format, scales included" : "parameters × bits / 8 / ranks"});

  if (shape.context > 0) {
    RIDGE_TRY(memory.kv_per_request, model::kv_bytes(model, shape.kv_cache, shape.context, shape.layout, shape.ideal ? 1 : shape.block));
    const Bytes cache = memory.kv_per_request * shape.requests;
    const std::string rounding = shape.ideal || shape.block == 1 ? "" : fmt::format(", in blocks of {} tokens", shape.block);
    memory.components.push_back({"kv_cache", cache, cache, fmt::format("{} requests of {} tokens{}", shape.requests, shape.context, rounding)});
  }
  if (shape.ideal) return memory;

  if (model.hidden) {
    const Bytes workspace = activation_workspace(shape.prefill_tokens, *model.hidden, shape.layout.tensor, model.is_mixture_of_experts);
    memory.components.push_back({"activations", workspace, workspace,
                                 fmt::format("2 B · {} tokens of one step · hidden · {}, at least 70 MiB; aiconfigurator", shape.prefill_tokens,
                                             workspace_factor(shape.layout.tensor) * (model.is_mixture_of_experts ? 2 : 1))});
  } else {
    memory.uncounted.push_back("activations: no hidden size is given");
  }
  if (model.vocabulary) {
    memory.logits_per_request = Bytes{4} * *model.vocabulary;
    const Bytes logits = memory.logits_per_request * shape.requests;
    memory.components.push_back({"logits", logits, logits, "one fp32 row of the vocabulary a request, for sampling"});
  } else {
    memory.uncounted.push_back("logits: no vocabulary is given");
  }
  memory.components.push_back(runtime_overhead(shape.layout.ranks()));
  return memory;
}

Result<std::int64_t> requests_that_fit(const model::Model& model, const ServingShape& shape, Bytes usable) {
  ServingShape one = shape;
  one.requests = 1;
  RIDGE_TRY(const ServingMemory memory, serving_memory(model, one));
  const Bytes each = memory.kv_per_request + memory.logits_per_request;
  const Bytes fixed = memory.total_high() - each;
  if (fixed > usable) return 0;
  if (each.count <= 0) return Bytes::max().count;
  return (usable - fixed).count / each.count;
}

}  // namespace ridge::cost
