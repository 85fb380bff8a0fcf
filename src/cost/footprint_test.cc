#include "cost/footprint.h"

#include <gtest/gtest.h>

#include "formats/file_system.h"

namespace ridge::cost {
namespace {

model::Model load(const char* text) {
  const formats::MemoryFileSystem files;
  auto model = model::load(text, files);
  EXPECT_TRUE(model) << to_string(model.error());
  return model ? *model : model::Model{};
}

// 7e9 parameters in 16 bits; 131,072 B of cache a token: 32 layers · 2 · 8 heads · 128 · 2 B.
model::Model seven_billion() { return load("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8"); }

ServingMemory memory_of(const model::Model& model, const ServingShape& shape) {
  auto memory = serving_memory(model, shape);
  EXPECT_TRUE(memory) << to_string(memory.error());
  return memory ? *memory : ServingMemory{};
}

const Component* component(const ServingMemory& memory, std::string_view name) {
  for (const Component& c : memory.components)
    if (c.name == name) return &c;
  return nullptr;
}

TEST(ServingMemory, IdealIsWeightsAndCacheExactly) {
  ServingShape shape;
  shape.context = 4096;
  shape.requests = 128;
  shape.ideal = true;
  const ServingMemory memory = memory_of(seven_billion(), shape);
  EXPECT_EQ(memory.total_low().count, 82'719'476'736);
  EXPECT_EQ(memory.total_high().count, 82'719'476'736);
}

TEST(ServingMemory, IdealDoesNotRoundTheCacheToBlocks) {
  ServingShape shape;
  shape.context = 1;
  shape.ideal = true;
  EXPECT_EQ(memory_of(seven_billion(), shape).kv_per_request.count, 131'072);
  shape.ideal = false;
  EXPECT_EQ(memory_of(seven_billion(), shape).kv_per_request.count, 16 * 131'072);
}

TEST(ServingMemory, ComponentsAddUp) {
  ServingShape shape;
  shape.context = 1000;
  shape.requests = 7;
  const ServingMemory memory = memory_of(seven_billion(), shape);
  Bytes low, high;
  for (const Component& c : memory.components) {
    low += c.low;
    high += c.high;
    EXPECT_LE(c.low, c.high) << c.name;
  }
  EXPECT_EQ(low, memory.total_low());
  EXPECT_EQ(high, memory.total_high());
  EXPECT_EQ(component(memory, "kv_cache")->low, memory.kv_per_request * 7);
}

TEST(ServingMemory, SaysWhatABareCountDoesNotAllowToCount) {
  const ServingMemory memory = memory_of(load("7e9"), {});
  EXPECT_EQ(memory.uncounted, (std::vector<std::string>{"activations: no hidden size is given", "logits: no vocabulary is given"}));
  EXPECT_EQ(component(memory, "activations"), nullptr) << "missing is not zero";
}

TEST(ServingMemory, OfABareCountWithAContextNamesTheMissingField) {
  ServingShape shape;
  shape.context = 2048;
  const auto memory = serving_memory(load("7e9"), shape);
  ASSERT_FALSE(memory);
  EXPECT_NE(to_string(memory.error()).find("layers"), std::string::npos) << to_string(memory.error());
}

TEST(ActivationWorkspace, FollowsTheTableOfTensorParallelism) {
  EXPECT_EQ(activation_workspace(8192, 8192, 1, false).count, 2LL * 8192 * 8192 * 11);
  EXPECT_EQ(activation_workspace(8192, 8192, 2, false).count, 13LL * 8192 * 8192);
  EXPECT_EQ(activation_workspace(8192, 8192, 8, false).count, 10LL * 8192 * 8192);
  EXPECT_EQ(activation_workspace(8192, 8192, 8, true).count, 20LL * 8192 * 8192);
}

TEST(ActivationWorkspace, IsAtLeastSeventyMebibytes) { EXPECT_EQ(activation_workspace(1, 1, 1, false).count, 70 * kMiB); }

TEST(RuntimeOverhead, IsMoreBesideOtherRanks) {
  EXPECT_LT(runtime_overhead(1).low, runtime_overhead(2).low);
  EXPECT_LT(runtime_overhead(1).high, runtime_overhead(2).high);
}

TEST(RequestsThatFit, IsTheLastCountThatFits) {
  const model::Model model = seven_billion();
  ServingShape shape;
  shape.context = 4096;
  const Bytes usable{79'650'000'000};
  const auto fit = requests_that_fit(model, shape, usable);
  ASSERT_TRUE(fit);
  ASSERT_GT(*fit, 0);
  shape.requests = *fit;
  EXPECT_LE(memory_of(model, shape).total_high(), usable);
  shape.requests = *fit + 1;
  EXPECT_GT(memory_of(model, shape).total_high(), usable);
}

TEST(RequestsThatFit, IsZeroWhereTheWeightsDoNotFit) {
  ServingShape shape;
  shape.context = 4096;
  EXPECT_EQ(*requests_that_fit(seven_billion(), shape, {10'000'000'000}), 0);
}

TEST(RequestsThatFit, HasNoEndWhereARequestTakesNothing) {
  ServingShape shape;
  shape.ideal = true;
  EXPECT_EQ(*requests_that_fit(seven_billion(), shape, {80'000'000'000}), Bytes::max().count);
}

}  // namespace
}  // namespace ridge::cost
