#include "plan/layout_costs.h"

#include <algorithm>

namespace ridge::plan {

const Result<LayoutCosts>& LayoutCostCache::of(const PrecisionChoice& precision, const model::Layout& layout) {
  const Key key{precision.weights ? static_cast<int>(*precision.weights) : -1, static_cast<int>(precision.activations), layout.tensor, layout.pipeline,
                layout.expert};
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second;
  return made_.emplace(key, make(precision, layout)).first->second;
}

model::Step LayoutCostCache::step(const PrecisionChoice& precision, const model::Layout& layout) const {
  model::Step step;
  step.weights = precision.weights;
  step.activations = precision.activations;
  step.kv_cache = options_.kv_cache.value_or(Precision::kBf16);
  step.layout = layout;
  return step;
}

Result<std::vector<model::Operation>> LayoutCostCache::decode_step(const PrecisionChoice& precision, const model::Layout& layout, std::int64_t batch) const {
  model::Step decode = step(precision, layout);
  decode.phase = model::Phase::kDecode;
  decode.batch = std::max<std::int64_t>(1, (batch + layout.pipeline - 1) / layout.pipeline);
  // Over its life a request's cache grows from `input` to `input + output`: the mean is halfway.
  decode.context = demand_.input + demand_.output / 2;
  return model::operations(model_, decode);
}

Result<LayoutCosts> LayoutCostCache::make(const PrecisionChoice& precision, const model::Layout& layout) const {
  LayoutCosts costs;
  cost::ServingShape shape;
  shape.weights = precision.weights;
  shape.kv_cache = options_.kv_cache.value_or(Precision::kBf16);
  shape.context = demand_.input + demand_.output;
  shape.requests = 1;
  shape.block = options_.ideal ? 1 : options_.block;
  shape.prefill_tokens = std::min(options_.token_budget, demand_.input);
  shape.layout = layout;
  shape.ideal = options_.ideal;
  RIDGE_TRY(const cost::ServingMemory memory, cost::serving_memory(model_, shape));
  RIDGE_TRY(costs.weights, model::weight_bytes(model_, precision.weights, layout));
  costs.per_request = memory.kv_per_request + memory.logits_per_request;
  costs.fixed = memory.total_high() - costs.per_request;

  for (std::int64_t batch = 1;; batch *= 2) {
    const std::int64_t at = std::min(batch, options_.max_sequences);
    RIDGE_TRY(std::vector<model::Operation> operations, decode_step(precision, layout, at));
    costs.batches.push_back(at);
    costs.decode.push_back(std::move(operations));
    if (at >= options_.max_sequences) break;
  }

  // A prompt longer than the budget takes several steps. Cost is close to linear in the tokens already cached, so the full
  // chunks are priced at their mean context.
  model::Step prefill = step(precision, layout);
  prefill.phase = model::Phase::kPrefill;
  const std::int64_t full = demand_.input / options_.token_budget;
  const std::int64_t rest = demand_.input % options_.token_budget;
  if (full > 0) {
    prefill.new_tokens = options_.token_budget;
    prefill.context = (full - 1) * options_.token_budget / 2;
    RIDGE_TRY(std::vector<model::Operation> operations, model::operations(model_, prefill));
    costs.prefill.emplace_back(full, std::move(operations));
  }
  if (rest > 0) {
    prefill.new_tokens = rest;
    prefill.context = full * options_.token_budget;
    RIDGE_TRY(std::vector<model::Operation> operations, model::operations(model_, prefill));
    costs.prefill.emplace_back(1, std::move(operations));
  }
  return costs;
}

}  // namespace ridge::plan
