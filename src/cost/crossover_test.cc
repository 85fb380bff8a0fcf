#include "cost/crossover.h"

#include <gtest/gtest.h>

#include "formats/file_system.h"

namespace ridge::cost {
namespace {

hardware::Device h100() {
  hardware::Device d;
  d.id = "h100-sxm5";
  d.architecture = "Hopper GH100";
  d.peak.emplace(Precision::kBf16, SourcedFigure{{989.4e12, 989.4e12}, "FLOP/s", "", {}, Provenance::kPublished});
  d.memory_bandwidth = SourcedFigure{{3352e9, 3352e9}, "B/s", "", {}, Provenance::kPublished};
  return d;
}

Crossovers of(const char* text, std::int64_t context, bool ideal) {
  const formats::MemoryFileSystem files;
  const auto model = model::load(text, files);
  EXPECT_TRUE(model) << to_string(model.error());
  model::Step step;
  step.context = context;
  const auto pricer = Pricer::make(h100(), {.ideal = ideal});
  EXPECT_TRUE(pricer);
  const auto found = crossovers(*model, step, *pricer);
  EXPECT_TRUE(found) << to_string(found.error());
  return found ? *found : Crossovers{};
}

constexpr const char* kSevenBillion = "params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8";

TEST(Crossovers, OfSixteenBitWeightsAreTheRidgePointUnderIdeal) { EXPECT_NEAR(*of(kSevenBillion, 0, true).compute, 295.17, 0.01); }

TEST(Crossovers, OfTheCacheAreWhereItIsAsLargeAsTheWeights) {
  // 14e9 B of weights over 4,096 · 131,072 B a sequence.
  EXPECT_NEAR(*of(kSevenBillion, 4096, true).kv_bandwidth, 14e9 / (4096.0 * 131072), 1e-6);
}

TEST(Crossovers, WithoutACacheHaveNoneOfIt) { EXPECT_FALSE(of(kSevenBillion, 0, true).kv_bandwidth); }

TEST(Crossovers, WithEfficienciesComeEarlierForArithmetic) {
  const auto real = of(kSevenBillion, 4096, false).compute;
  ASSERT_TRUE(real);
  EXPECT_LT(*real, 295);
  EXPECT_GT(*real, 64);
}

}  // namespace
}  // namespace ridge::cost
