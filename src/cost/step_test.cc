#include "cost/step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::cost {
namespace {

using model::Operation;
using model::OperationKind;

SourcedFigure figure(double low, double high, std::string unit) { return {{low, high}, std::move(unit), "test", {}, Provenance::kPublished}; }

hardware::Device h100() {
  hardware::Device d;
  d.id = "h100-sxm5";
  d.vendor = "NVIDIA";
  d.architecture = "Hopper GH100";
  d.peak.emplace(Precision::kBf16, figure(989.4e12, 989.4e12, "FLOP/s"));
  d.peak.emplace(Precision::kFp8, figure(1978.9e12, 1978.9e12, "FLOP/s"));
  d.vector_fp32 = figure(66.9e12, 66.9e12, "FLOP/s");
  d.memory_bandwidth = figure(3352e9, 3352e9, "B/s");
  d.scale_up = figure(450e9, 450e9, "B/s");
  return d;
}

Operation gemm(double m, double n, double k, std::int64_t count = 1) {
  Operation op;
  op.name = "gemm";
  op.count = count;
  op.m = static_cast<std::int64_t>(m);
  op.flops = {2 * m * n * k};
  op.weight_bytes = Bytes::from_double(2 * n * k);
  op.activation_bytes = Bytes::from_double(2 * m * (n + k));
  return op;
}

Operation all_reduce(std::int64_t bytes, int ranks) {
  Operation op;
  op.kind = OperationKind::kAllReduce;
  op.name = "all_reduce";
  op.link_bytes = {bytes};
  op.link_ranks = ranks;
  return op;
}

StepTime priced(std::vector<Operation> operations, PricingOptions options = {}, const hardware::Device& device = h100()) {
  const auto step = price_step(operations, device, {}, options);
  EXPECT_TRUE(step) << to_string(step.error());
  return step ? *step : StepTime{};
}

constexpr PricingOptions kIdeal{.ideal = true};

TEST(PriceStep, OfReadingSevenBillionWeightsIsFourMilliseconds) {
  Operation weights;
  weights.m = 1;
  weights.flops = {14e9};
  weights.weight_bytes = {14'000'000'000};
  const StepTime step = priced({weights}, kIdeal);
  EXPECT_NEAR(step.total.value, 4.1766e-3, 1e-7);
  EXPECT_NEAR(step.compute_alone.value, 14.15e-6, 1e-8);
  EXPECT_EQ(step.bound, Bound::kMemory);
  EXPECT_NEAR(tokens_per_second(1, step).value, 239.43, 0.01);
}

TEST(PriceStep, IdealHasNoLaunchNoOverheadAndNoBand) {
  const StepTime step = priced({gemm(64, 8192, 8192, 80), all_reduce(1 << 20, 8)}, kIdeal);
  EXPECT_EQ(step.launch.value, 0);
  EXPECT_EQ(step.overhead.value, 0);
  EXPECT_EQ(step.error_low, 0);
  EXPECT_EQ(step.error_high, 0);
}

TEST(PriceStep, IdealIsNeverSlowerThanThePrediction) {
  for (const double m : {1.0, 16.0, 128.0, 1000.0, 8192.0})
    for (const double n : {512.0, 8192.0, 65536.0}) EXPECT_LT(priced({gemm(m, n, 4096)}, kIdeal).total, priced({gemm(m, n, 4096)}).total) << m << " " << n;
}

TEST(PriceStep, TermsAndOverheadMakeTheTotal) {
  const StepTime step = priced({gemm(1, 8192, 8192, 80), gemm(4096, 8192, 8192, 3), all_reduce(8 << 20, 8)}, {.requests = 64});
  EXPECT_NEAR((step.compute + step.memory + step.link + step.launch + step.overhead).value, step.total.value, 1e-12);
  EXPECT_GT(step.compute.value, 0);
  EXPECT_GT(step.memory.value, 0);
  EXPECT_GT(step.link.value, 0);
}

TEST(PriceStep, CountsEveryLaunchOfAnOperation) {
  const StepTime once = priced({gemm(8, 4096, 4096)}, kIdeal), often = priced({gemm(8, 4096, 4096, 32)}, kIdeal);
  EXPECT_DOUBLE_EQ(often.total.value, 32 * once.total.value);
  EXPECT_EQ(often.memory_bytes, once.memory_bytes * 32);
}

TEST(PriceStep, AGemmOfTheKernelTableIsWithinItsFit) {
  // H100, vLLM 0.24.0, bf16, n = k = 8192: 46.4 us at m = 16, 164 us at m = 1024, 698 us at m = 4096 (aiconfigurator's table).
  for (const auto& [m, us] : {std::pair{16.0, 46.438}, {1024.0, 163.956}, {4096.0, 697.748}}) {
    const StepTime step = priced({gemm(m, 8192, 8192)});
    EXPECT_NEAR((step.total - step.overhead).value / (us * 1e-6), 1, 0.15) << m;
  }
}

TEST(PriceStep, ASmallMatrixIsBoundByItsLaunch) {
  const StepTime step = priced({gemm(1, 1024, 1024, 100)});
  EXPECT_EQ(step.bound, Bound::kLaunch);
}

TEST(PriceStep, AllReduceCrossesTheLinkTwiceLessOneShare) {
  // Data-sheet rate under ideal: 2 · 7/8 · 450e6 B over 450 GB/s.
  EXPECT_NEAR(priced({all_reduce(450'000'000, 8)}, kIdeal).total.value, 2 * 7.0 / 8 * 1e-3, 1e-12);
}

TEST(PriceStep, AllReduceOfAMegabyteTakesWhatWasMeasured) {
  // H100, vLLM's custom all-reduce in a graph, 8 ranks: 19.4 us for 1,048,576 elements of two bytes.
  const StepTime step = priced({all_reduce(2 << 20, 8)});
  EXPECT_NEAR((step.total - step.overhead).value, 19.4e-6, 5e-6);
}

TEST(PriceStep, AnAllReduceAmongPcieCardsIsFarSlower) {
  hardware::Device l40s = h100();
  l40s.id = "l40s";
  l40s.architecture = "Ada AD102";
  l40s.scale_up.reset();
  const Seconds nvlink = priced({all_reduce(2 << 20, 4)}).total, pcie = priced({all_reduce(2 << 20, 4)}, {}, l40s).total;
  EXPECT_GT(pcie / nvlink, 5);
}

TEST(PriceStep, TheIdealOfACollectiveNeedsALink) {
  hardware::Device d = h100();
  d.scale_up.reset();
  const auto step = price_step(std::vector{all_reduce(1 << 20, 4)}, d, {}, kIdeal);
  ASSERT_FALSE(step);
  EXPECT_EQ(to_string(step.error()),
            "h100-sxm5: 4 ranks exchange data, and no link rate of this part is known\n  leave --ideal out, or add the link in a --catalog file");
}

TEST(PriceStep, RefusesAPrecisionThatTheDeviceLacks) {
  Operation op = gemm(8, 1024, 1024);
  op.name = "layers.qkv";
  op.compute = Precision::kNvFp4;
  const auto step = price_step(std::vector{op}, h100(), {}, {});
  ASSERT_FALSE(step);
  EXPECT_EQ(to_string(step.error()), "h100-sxm5: layers.qkv multiplies in nvfp4, of which this part has no dense rate\n  it has bf16, fp8");
}

TEST(PriceStep, RefusesADeviceWithoutMemoryBandwidth) {
  hardware::Device d = h100();
  d.memory_bandwidth.reset();
  EXPECT_FALSE(price_step(std::vector{gemm(1, 8, 8)}, d, {}, {}));
}

TEST(PriceStep, TakesTheEndOfARangeThatIsAskedFor) {
  hardware::Device d = h100();
  d.memory_bandwidth = figure(1e12, 2e12, "B/s");
  const StepTime low = priced({gemm(1, 8192, 8192)}, kIdeal, d), high = priced({gemm(1, 8192, 8192)}, {.ideal = true, .end = PricingOptions::End::kHigh}, d);
  EXPECT_NEAR(low.total / high.total, 2, 1e-9);
}

TEST(PriceStep, AttentionOfOneTokenReadsTheCacheAndAPromptMultiplies) {
  Operation decode;
  decode.kind = OperationKind::kAttention;
  decode.m = 1;
  decode.flops = {4e9};
  decode.kv_bytes = {1'000'000'000};
  Operation prefill = decode;
  prefill.m = 2048;
  prefill.flops = {1e12};
  prefill.kv_bytes = {};
  prefill.activation_bytes = {50'000'000};
  EXPECT_EQ(priced({decode}).bound, Bound::kMemory);
  EXPECT_EQ(priced({prefill}).bound, Bound::kCompute);
}

TEST(PriceStep, ReadsAnFp8CacheWithItsOwnEfficiency) {
  Operation decode;
  decode.kind = OperationKind::kAttention;
  decode.m = 1;
  decode.kv_bytes = {1'000'000'000};
  EXPECT_GT(priced({decode}, {.kv_cache = Precision::kFp8}).total, priced({decode}).total) << "0.75 of the bandwidth against 0.85";
}

TEST(PriceStep, ExpertsRunByTheTokensThatEachGets) {
  // 64 tokens, 8 of 128 experts each, hidden 4096, intermediate 1536, bf16: about 4 rows an expert, so memory decides.
  Operation experts;
  experts.kind = OperationKind::kMoe;
  const double touched = 128 * (1 - std::pow(1 - 8.0 / 128, 64));
  experts.flops = {2 * 64 * 8 * 3 * 4096.0 * 1536};
  experts.weight_bytes = Bytes::from_double(touched * 3 * 4096 * 1536 * 2);
  const StepTime step = priced({experts});
  EXPECT_EQ(step.bound, Bound::kMemory);
  // aiconfigurator's table, H100, vLLM 0.24.0, power law 1.01: within the spread of such shapes.
  EXPECT_GT(step.total - step.overhead, experts.weight_bytes / BytesPerSecond{3352e9});
}

TEST(PriceStep, HostTimeGrowsWithTheRequests) {
  const StepTime one = priced({gemm(1, 8, 8)}, {.requests = 1}), many = priced({gemm(1, 8, 8)}, {.requests = 101});
  EXPECT_NEAR((many.overhead - one.overhead).value, 400e-6, 1e-9);
}

TEST(PriceStep, DetailsCanBeLeftOut) {
  EXPECT_EQ(priced({gemm(1, 8, 8)}).operations.size(), 1u);
  EXPECT_TRUE(priced({gemm(1, 8, 8)}, {.details = false}).operations.empty());
}

TEST(PriceStep, OfNoOperationsIsTheOverheadAlone) {
  const StepTime step = priced({});
  EXPECT_EQ(step.total, step.overhead);
}

}  // namespace
}  // namespace ridge::cost
