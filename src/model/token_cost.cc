#include "model/token_cost.h"

namespace ridge::model {

Result<TokenCost> token_cost(const Model& model, const Step& step) {
  RIDGE_TRY(const std::vector<Operation> list, operations(model, step));
  const double tokens = static_cast<double>(step.batch) * static_cast<double>(step.new_tokens);
  TokenCost cost;
  for (const Operation& operation : list) {
    const double share = static_cast<double>(operation.count) / tokens;
    cost.flops += operation.flops * share;
    cost.weight_bytes += operation.weight_bytes.as_double() * share;
    cost.cache_bytes += operation.kv_bytes.as_double() * share;
    cost.activation_bytes += operation.activation_bytes.as_double() * share;
  }
  return cost;
}

}  // namespace ridge::model
