#include <gtest/gtest.h>

#include <algorithm>

#include "formats/file_system.h"
#include "plan/plan.h"

namespace ridge::plan {
namespace {

SourcedFigure figure(double value, std::string unit) { return {{value, value}, std::move(unit), "test", {"test"}, Provenance::kUser}; }

Fleet fleet(std::string id, double bandwidth, std::int64_t memory, double price_per_gpu) {
  Fleet made;
  made.device.id = made.device.name = std::move(id);
  made.device.user_defined = true;
  made.device.peak.emplace(Precision::kBf16, figure(989.4e12, "FLOP/s"));
  made.device.memory_bandwidth = figure(bandwidth, "B/s");
  made.device.usable_memory = hardware::UsableMemory{{memory}, {memory}, "test", {"test"}};
  made.device.scale_up = figure(450e9, "B/s");
  made.device.power = figure(700, "W");
  made.precisions = {{.label = "bf16", .weights = Precision::kBf16, .activations = Precision::kBf16, .as_checkpoint = true, .note = ""}};
  hardware::Offer offer;
  offer.accelerators = 1;
  offer.sold_by_accelerator = true;
  offer.per_hour = price_per_gpu;
  made.offers = {offer};
  return made;
}

model::Model load(const std::string& text) {
  const formats::MemoryFileSystem none;
  return *model::load(text, none);
}

const model::Model& seven_billion() {
  static const model::Model model = load("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8");
  return model;
}

Plan must(const model::Model& model, const std::vector<Fleet>& fleets, const Demand& demand, const Options& options) {
  const Result<Plan> plan = search(model, fleets, demand, options);
  EXPECT_TRUE(plan) << to_string(plan.error());
  return *plan;
}

Options ideal() {
  Options options;
  options.ideal = true;
  options.max_gpus = 8;
  return options;
}

TEST(Search, GivesTheBoundOfOneRequestAlone) {
  Demand demand;
  demand.rate = {0.01};
  demand.input = 16;
  demand.output = 2;
  const Plan plan = must(seven_billion(), {fleet("h100", 3.352e12, 80'000'000'000, 2)}, demand, ideal());
  ASSERT_EQ(plan.ranked.size(), 1u);
  // 14e9 B of weights over 3.352 TB/s, and 17 tokens of 131,072 B beside them.
  EXPECT_NEAR(plan.ranked[0].decode_step.value, (14e9 + 17 * 131072.0) / 3.352e12, 1e-7);
  EXPECT_EQ(plan.ranked[0].bound, cost::Bound::kMemory);
  EXPECT_EQ(plan.ranked[0].replicas, 1);
}

TEST(Search, RanksByCostAndThenByGpus) {
  Demand demand;
  demand.rate = {2};
  const Plan plan = must(seven_billion(), {fleet("dear", 3.352e12, 80'000'000'000, 4), fleet("cheap", 3.352e12, 80'000'000'000, 1)}, demand, ideal());
  ASSERT_EQ(plan.ranked.size(), 2u);
  EXPECT_EQ(plan.ranked[0].fleet, 1u);
  EXPECT_LE(plan.ranked[0].price->value, plan.ranked[1].price->value);
}

TEST(Search, PutsWhatHasNoPriceLast) {
  Demand demand;
  std::vector<Fleet> fleets{fleet("unpriced", 3.352e12, 80'000'000'000, 1), fleet("priced", 2e12, 80'000'000'000, 9)};
  fleets[0].offers.clear();
  const Plan plan = must(seven_billion(), fleets, demand, ideal());
  ASSERT_EQ(plan.ranked.size(), 2u);
  EXPECT_EQ(plan.ranked[1].fleet, 0u);
  EXPECT_FALSE(plan.ranked[1].price);
}

TEST(Search, SaysByHowMuchAModelDoesNotFit) {
  Demand demand;
  Options options = ideal();
  options.max_gpus = 1;
  const Plan plan = must(seven_billion(), {fleet("small", 1e12, 12'000'000'000, 1)}, demand, options);
  EXPECT_TRUE(plan.ranked.empty());
  ASSERT_EQ(plan.dropped.size(), 1u);
  EXPECT_EQ(plan.dropped[0].reason, Reason::kDoesNotFit);
  // 14e9 + 1280 tokens × 131,072 B − 12e9.
  EXPECT_NEAR(plan.dropped[0].distance, 2e9 + 1280 * 131072.0, 1);
}

TEST(Search, HoldsTheLoadUnderTheLimitAndTheMemory) {
  for (double rate : {0.5, 5.0, 20.0}) {
    Demand demand;
    demand.rate = {rate};
    Options options = ideal();
    options.max_gpus = 64;
    for (const Deployment& d :
         must(seven_billion(), {fleet("a", 3.352e12, 80'000'000'000, 2), fleet("b", 1e12, 24'000'000'000, 0.5)}, demand, options).ranked) {
      EXPECT_LE(rate, options.max_utilisation * d.saturation.value * (1 + 1e-9));
      EXPECT_LE(d.point.batch, static_cast<double>(d.max_batch));
      EXPECT_GE(d.memory.headroom.count, 0);
      EXPECT_EQ(d.gpus, d.replicas * d.layout.ranks());
      EXPECT_NEAR(d.point.batch, rate / static_cast<double>(d.replicas) * 255 * d.point.time_per_output_token.value, 1e-6 * d.point.batch + 1e-9);
    }
  }
}

TEST(Search, KeepsThePromise) {
  Demand demand;
  demand.rate = {10};
  demand.per_token = Seconds{0.008};
  demand.first_token = Seconds{0.1};
  Options options = ideal();
  options.max_gpus = 64;
  const Plan plan = must(seven_billion(), {fleet("a", 3.352e12, 80'000'000'000, 2)}, demand, options);
  ASSERT_EQ(plan.ranked.size(), 1u);
  EXPECT_LE(plan.ranked[0].point.time_per_output_token.value, 0.008);
  EXPECT_LE(plan.ranked[0].point.first_token_tail.value, 0.1);
  // One replica fewer would break it, or stand above the limit of utilisation.
  if (plan.ranked[0].replicas > 1) {
    demand.per_token.reset();
    demand.first_token.reset();
    EXPECT_LE(must(seven_billion(), {fleet("a", 3.352e12, 80'000'000'000, 2)}, demand, options).ranked[0].gpus, plan.ranked[0].gpus);
  }
}

TEST(Search, SaysThatAPromiseIsOutOfReach) {
  Demand demand;
  demand.per_token = Seconds{0.0001};
  Options options = ideal();
  options.max_gpus = 1;
  const Plan plan = must(seven_billion(), {fleet("a", 3.352e12, 80'000'000'000, 2)}, demand, options);
  ASSERT_EQ(plan.dropped.size(), 1u);
  EXPECT_EQ(plan.dropped[0].reason, Reason::kPerToken);
}

TEST(Search, CountsSparesAndOwnedGpus) {
  Demand demand;
  demand.rate = {1};
  Options options = ideal();
  options.spare = 1;
  std::vector<Fleet> fleets{fleet("a", 3.352e12, 80'000'000'000, 2)};
  const Plan with = must(seven_billion(), fleets, demand, options);
  ASSERT_EQ(with.ranked.size(), 1u);
  EXPECT_EQ(with.ranked[0].spares, 1);
  EXPECT_EQ(with.ranked[0].gpus, 2);
  EXPECT_DOUBLE_EQ(with.ranked[0].price->value, 4);
  fleets[0].max_gpus = 1;
  const Plan without = must(seven_billion(), fleets, demand, options);
  EXPECT_TRUE(without.ranked.empty());
  EXPECT_EQ(without.dropped.front().reason, Reason::kTooManyGpus);
}

TEST(Search, DropsAPartWithoutAFigureAndNeverFails) {
  std::vector<Fleet> fleets{fleet("no-bandwidth", 1e12, 80'000'000'000, 1), fleet("no-memory", 1e12, 80'000'000'000, 1),
                            fleet("no-peak", 1e12, 80'000'000'000, 1)};
  fleets[0].device.memory_bandwidth.reset();
  fleets[1].device.usable_memory.reset();
  fleets[2].device.peak.clear();
  const Plan plan = must(seven_billion(), fleets, {}, ideal());
  EXPECT_TRUE(plan.ranked.empty());
  EXPECT_TRUE(std::all_of(plan.dropped.begin(), plan.dropped.end(), [](const Dropped& d) { return d.reason == Reason::kNoFigure; }));
}

TEST(Search, NamesTheFieldThatAModelLacks) {
  const Result<Plan> plan = search(load("7e9"), {fleet("a", 1e12, 80'000'000'000, 1)}, {}, ideal());
  ASSERT_FALSE(plan);
  EXPECT_NE(to_string(plan.error()).find("layers"), std::string::npos) << to_string(plan.error());
}

TEST(Search, IsTheSameEveryTime) {
  Demand demand;
  demand.rate = {7};
  const std::vector<Fleet> fleets{fleet("a", 3.352e12, 80'000'000'000, 2), fleet("b", 2e12, 80'000'000'000, 2)};
  const Plan first = must(load("llama-3.1-8b"), fleets, demand, ideal());
  const Plan second = must(load("llama-3.1-8b"), fleets, demand, ideal());
  ASSERT_EQ(first.ranked.size(), second.ranked.size());
  for (std::size_t i = 0; i < first.ranked.size(); ++i) {
    EXPECT_EQ(first.ranked[i].fleet, second.ranked[i].fleet);
    EXPECT_EQ(first.ranked[i].layout, second.ranked[i].layout);
    EXPECT_EQ(first.ranked[i].point.batch, second.ranked[i].point.batch);
  }
}

}  // namespace
}  // namespace ridge::plan
