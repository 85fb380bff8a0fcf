#include "model/token_cost.h"

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

const formats::MemoryFileSystem kNone;

TEST(TokenCost, OfDecodeIsTwoFlopPerMultipliedParameterAndAllWeightsRead) {
  const Model model = *load("llama-3.1-8b", kNone);
  const Parameters p = *parameters(model);
  Step step;
  const TokenCost cost = *token_cost(model, step);
  const double matrices = static_cast<double>(p.total - p.embedding - p.norms);
  EXPECT_NEAR(cost.flops.value, 2 * matrices, 0.001 * matrices) << "attention to one token is next to nothing";
  EXPECT_NEAR(cost.weight_bytes, 2 * static_cast<double>(p.total - p.embedding), 0.001 * matrices);
}

TEST(TokenCost, SharesWeightsAmongTheSequencesOfAStep) {
  const Model model = *load("llama-3.1-8b", kNone);
  Step step;
  step.context = 4096;
  const TokenCost alone = *token_cost(model, step);
  step.batch = 64;
  const TokenCost many = *token_cost(model, step);
  EXPECT_NEAR(many.weight_bytes, alone.weight_bytes / 64, alone.weight_bytes * 1e-3);
  EXPECT_DOUBLE_EQ(many.cache_bytes, alone.cache_bytes) << "every sequence reads its own cache";
  EXPECT_NEAR(many.flops.value, alone.flops.value, alone.flops.value * 1e-9);
}

TEST(TokenCost, IsAnErrorWhereTheDescriptionLacksLayers) { EXPECT_FALSE(token_cost(*load("7e9", kNone), Step{})); }

}  // namespace
}  // namespace ridge::model
