#include "cost/training_state.h"

#include <gtest/gtest.h>

namespace ridge::cost {
namespace {

TrainingState state_of(double parameters, TrainingRecipe recipe) {
  auto state = training_state(parameters, recipe);
  EXPECT_TRUE(state) << to_string(state.error());
  return *state;
}

// The 22 B model of Korthikanti et al., table 3: 48 layers, hidden 6,144, 64 heads, sequence 2,048, micro-batch 4, tensor 8.
model::Model paper_22b() {
  model::Model model;
  model.name = "22B";
  model.layers = 48;
  model.hidden = 6144;
  model.heads = 64;
  return model;
}

TEST(TrainingState, OfAdamInMixedPrecisionIsSixteenBytesAParameter) {
  const TrainingState state = state_of(7e9, {});
  EXPECT_EQ(state.total.count, 112'000'000'000);
  EXPECT_EQ(state.bytes_per_parameter, 16);
  EXPECT_EQ(state.per_rank, state.total);
}

TEST(TrainingState, IsAnEighthPerRankOverEightWayFsdp) { EXPECT_EQ(state_of(7e9, {.fsdp = 8}).per_rank.count, 14'000'000'000); }

TEST(TrainingState, ComponentsAddUp) {
  for (const Optimizer& o : optimizers()) {
    const TrainingState state = state_of(1.3e9, {.optimizer = std::string(o.name), .fsdp = 7});
    EXPECT_EQ(total_high(state.components), state.total) << o.name;
    EXPECT_EQ(total_high(state.per_rank_components), state.per_rank) << o.name;
  }
}

TEST(TrainingState, StageOneShardsMasterWeightsAndMomentsOnly) {
  // ZeRO, figure 1: 2 + 2 + 12/N bytes a parameter.
  EXPECT_EQ(state_of(8e9, {.fsdp = 8, .stage = 1}).per_rank.count, 8'000'000'000 * 4 + 12'000'000'000);
}

TEST(TrainingState, StageTwoShardsGradientsToo) {
  // ZeRO, figure 1: 2 + 14/N bytes a parameter.
  EXPECT_EQ(state_of(8e9, {.fsdp = 8, .stage = 2}).per_rank.count, 8'000'000'000 * 2 + 14'000'000'000);
}

TEST(TrainingState, AShardOfAnOddSizeIsRoundedUp) { EXPECT_EQ(state_of(1, {.optimizer = "adam-fp32", .fsdp = 3}).per_rank.count, 4 * 2); }

TEST(TrainingState, EightBitMomentsTakeAByteAndTheirScales) {
  const TrainingState state = state_of(256e6, {.optimizer = "adamw-8bit"});
  EXPECT_EQ(state.total.count, 256'000'000LL * 10 + 2 * 4'000'000);
}

TEST(TrainingState, AdafactorSecondMomentIsARange) {
  const TrainingState state = state_of(1e9, {.optimizer = "adafactor"});
  const Component& second = state.components.back();
  EXPECT_EQ(second.name, "second_moment");
  EXPECT_EQ(second.low.count, 0);
  EXPECT_EQ(second.high.count, 7'812'500);
}

TEST(TrainingState, RefusesAnUnknownOptimizerWithTheNearestNames) {
  const auto state = training_state(7e9, {.optimizer = "adan"});
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().what, "no optimizer is called \"adan\"");
  EXPECT_NE(state.error().advice.find("adam"), std::string::npos);
}

TEST(TrainingState, RefusesAbsurdNumbers) {
  EXPECT_FALSE(training_state(0, {}));
  EXPECT_FALSE(training_state(-1, {}));
  EXPECT_FALSE(training_state(7e9, {.fsdp = 0}));
  EXPECT_FALSE(training_state(7e9, {.stage = 4}));
  EXPECT_EQ(state_of(1e300, {}).total, Bytes::max()) << "a size beyond int64 saturates";
}

TEST(TrainingActivations, MatchTheFormulasOfThePaper) {
  const model::Model model = paper_22b();
  const double sbh = 2048.0 * 4 * 6144;
  const auto bytes = [&](Recompute recompute) {
    const auto component = training_activations(model, {.micro_batch = 4, .sequence = 2048, .recompute = recompute, .tensor = 8});
    EXPECT_TRUE(component);
    return component->high.as_double();
  };
  EXPECT_DOUBLE_EQ(bytes(Recompute::kNone), 48 * sbh * (10 + 3 + 5 * 64.0 * 2048 / 6144 / 8));
  EXPECT_DOUBLE_EQ(bytes(Recompute::kSelective), 48 * sbh * 13);
  EXPECT_DOUBLE_EQ(bytes(Recompute::kFull), 48 * sbh * 2 + sbh * 13);
}

TEST(TrainingActivations, NameTheFieldThatIsMissing) {
  model::Model bare;
  bare.name = "7e9";
  const auto component = training_activations(bare, {.sequence = 2048});
  ASSERT_FALSE(component);
  EXPECT_EQ(to_string(component.error()), "7e9: activations need the number of layers\n  name a model, or add layers= to the description");
}

TEST(GatheredLayers, AreTwoLayersOfSixteenBitsUnderFullShardingOnly) {
  const model::Model model = paper_22b();
  EXPECT_EQ(gathered_layers(48e9, model, {.fsdp = 8})->high.count, 4'000'000'000);
  EXPECT_FALSE(gathered_layers(48e9, model, {.fsdp = 8, .stage = 2}));
  EXPECT_FALSE(gathered_layers(48e9, model, {}));
}

}  // namespace
}  // namespace ridge::cost
