#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/accelerators.h"

namespace ridge::hardware {
namespace {

using ::testing::HasSubstr;

GpuReference resolve(std::string_view text) {
  auto found = Catalog::builtin().resolve(text);
  EXPECT_TRUE(found) << to_string(found.error());
  return found ? *found : GpuReference{};
}
std::string error_of(std::string_view text) {
  auto found = Catalog::builtin().resolve(text);
  return found ? "resolved" : to_string(found.error());
}

TEST(Resolve, ReadsANameWithACount) {
  const GpuReference reference = resolve("h100-sxm5:8");
  EXPECT_EQ(reference.profiles[0].id, "h100-sxm5");
  EXPECT_EQ(reference.count, 8);
  EXPECT_TRUE(reference.count_given);
  EXPECT_FALSE(resolve("h100-sxm5").count_given);
}
TEST(Resolve, ReadsAnAlias) {
  EXPECT_EQ(resolve("h100-sxm").profiles[0].id, "h100-sxm5");
  EXPECT_EQ(resolve("A100-80GB-SXM:4").profiles[0].id, "a100-sxm4-80gb");
  EXPECT_EQ(resolve("RTX_4090").profiles[0].id, "rtx4090");
}
TEST(Resolve, NeverChoosesAmongTheSkusOfAName) {
  EXPECT_EQ(error_of("h100"), "h100: \"h100\" may be any of 3 parts\n  They differ in memory, links or rates: name one of h100-sxm5, h100-pcie, h100-nvl.");
  EXPECT_THAT(error_of("a100:8"), HasSubstr("a100-sxm4-40gb, a100-sxm4-80gb, a100-pcie-40gb, a100-pcie-80gb"));
}
TEST(Resolve, GivesOneDevicePerProfileOfAPart) {
  const GpuReference rubin = resolve("rubin-gpu");
  ASSERT_EQ(rubin.profiles.size(), 2u);
  EXPECT_EQ(rubin.profiles[0].memory_bandwidth->value.low, 19.2e12);
  EXPECT_EQ(rubin.profiles[1].memory_bandwidth->value.low, 22e12);
  EXPECT_NE(rubin.profiles[0].profile, rubin.profiles[1].profile);
}
TEST(Resolve, ListsTheNearestOfAnUnknownName) {
  EXPECT_THAT(error_of("h100-smx5"), HasSubstr("\"h100-smx5\" is no GPU of the catalogue\n  Did you mean h100-sxm"));
  EXPECT_THAT(error_of("x"), HasSubstr("ridge gpu list"));
}
TEST(Resolve, RefusesARackAndNamesItsGpu) {
  EXPECT_EQ(error_of("gb300-nvl72"),
            "gb300-nvl72: \"gb300-nvl72\" is a rack of 72 GPUs + 36 Grace CPUs, not an accelerator\n  Name the accelerator and how many: gb300-gpu:72.");
}
TEST(Resolve, RefusesACountThatIsNone) {
  EXPECT_EQ(error_of("l4:0"), "l4:0: \"0\" is not a count of GPUs\n  Write NAME or NAME:COUNT with a whole number from 1, as in h100-sxm5:8.");
  EXPECT_THAT(error_of("l4:"), HasSubstr("is not a count of GPUs"));
  EXPECT_THAT(error_of("l4:-1"), HasSubstr("is not a count of GPUs"));
  EXPECT_THAT(error_of("l4:1.5"), HasSubstr("is not a count of GPUs"));
  EXPECT_THAT(error_of("l4:9999999999"), HasSubstr("GPUs are more than 1000000"));
  EXPECT_THAT(error_of(""), HasSubstr("missing"));
}

TEST(InlineGpu, HoldsWhatWasGiven) {
  const GpuReference reference = resolve("peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB,link=450GB/s,power=700W,name=mine:4");
  EXPECT_EQ(reference.count, 4);
  const Device& device = reference.profiles[0];
  EXPECT_TRUE(device.user_defined);
  EXPECT_EQ(device.name, "mine");
  EXPECT_EQ(device.peak_of(Precision::kBf16)->value.low, 500e12);
  EXPECT_EQ(device.memory_bandwidth->value.low, 2e12);
  EXPECT_EQ(device.usable_memory->low, Bytes{80'000'000'000});
  EXPECT_EQ(device.scale_up->value.low, 450e9);
  EXPECT_EQ(device.power->value.low, 700);
  EXPECT_EQ(device.memory_bandwidth->provenance, Provenance::kUser);
}
TEST(InlineGpu, TakesARateOfOnePrecision) {
  const Device device = resolve("peak=500TFLOP/s,peak.fp8=1PFLOP/s,bandwidth=2TB/s").profiles[0];
  EXPECT_EQ(device.peak_of(Precision::kFp8)->value.low, 1e15);
  EXPECT_EQ(device.peak_of(Precision::kBf16)->value.low, 500e12);
  EXPECT_FALSE(device.usable_memory) << "missing is not zero";
}
TEST(InlineGpu, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(error_of("peak=500"),
            "peak: \"500\" has no unit\n  Add one of: FLOP/s, GFLOP/s, TFLOP/s, PFLOP/s, EFLOP/s, GFLOPS, TFLOPS, PFLOPS, EFLOPS, OP/s, GOP/s, TOP/s, POP/s, "
            "EOP/s, TOPS, POPS; as in 500TFLOP/s.");
  EXPECT_THAT(error_of("memory=80GB,memory=40GB"), HasSubstr("\"memory\" stands twice"));
  EXPECT_THAT(error_of("memory=0GB"), HasSubstr("zero is no rating"));
  EXPECT_THAT(error_of("speed=5"), HasSubstr("Known fields: peak, bandwidth"));
  EXPECT_THAT(error_of("memory=80GB,"), HasSubstr("is not KEY=VALUE"));
}

}  // namespace
}  // namespace ridge::hardware
