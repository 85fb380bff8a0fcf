// What one token costs in a step: the operations of operations() summed and divided by the tokens they make. One rank.
#pragma once

#include "model/operations.h"

namespace ridge::model {

struct TokenCost {
  Flop flops{};             // per token
  double weight_bytes = 0;  // read, per token: the step's weights divided by its tokens
  double cache_bytes = 0;   // read from the cache, per token
  double activation_bytes = 0;
  double bytes() const { return weight_bytes + cache_bytes + activation_bytes; }
};

Result<TokenCost> token_cost(const Model& model, const Step& step);

}  // namespace ridge::model
