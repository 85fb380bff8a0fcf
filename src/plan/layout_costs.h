// What one (precision, layout) of a model costs on any device: memory and the operation lists of its steps, made once and
// priced on every accelerator. Invariant: batches ascend; decode[i] belongs to batches[i].
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace ridge::plan {

struct LayoutCosts {
  Bytes weights;                      // of the fullest GPU
  Bytes fixed;                        // weights, workspace and the high end of the runtime's range
  Bytes per_request;                  // KV of one whole request
  std::vector<std::int64_t> batches;  // of the whole replica; a pipeline works on batch / stages at a time
  std::vector<std::vector<model::Operation>> decode;
  std::vector<std::pair<std::int64_t, std::vector<model::Operation>>> prefill;  // how many steps of each kind one prompt takes
};

class LayoutCostCache {
 public:
  LayoutCostCache(const model::Model& model, const Demand& demand, const Options& options) : model_(model), demand_(demand), options_(options) {}

  // The error is the model's: a missing field, or a layout that its shapes do not allow.
  const Result<LayoutCosts>& of(const PrecisionChoice& precision, const model::Layout& layout);

  // The decode step of exactly `batch` sequences.
  Result<std::vector<model::Operation>> decode_step(const PrecisionChoice& precision, const model::Layout& layout, std::int64_t batch) const;

 private:
  struct Key {
    int weights, activations, tensor, pipeline, expert;
    auto operator<=>(const Key&) const = default;
  };

  Result<LayoutCosts> make(const PrecisionChoice& precision, const model::Layout& layout) const;
  model::Step step(const PrecisionChoice& precision, const model::Layout& layout) const;

  const model::Model& model_;
  const Demand& demand_;
  const Options& options_;
  std::map<Key, Result<LayoutCosts>> made_;
};

}  // namespace ridge::plan
