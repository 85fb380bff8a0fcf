#include "hardware/identify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Identity one(const std::string& text, std::optional<Bytes> memory = std::nullopt) {
  const std::vector<std::string> texts{text};
  auto found = identify(Catalog::builtin(), texts, memory);
  EXPECT_TRUE(found) << to_string(found.error());
  return found ? found->front() : Identity{};
}
std::string id(const std::string& text, std::optional<Bytes> memory = std::nullopt) {
  const Identity identity = one(text, memory);
  if (identity.match == Match::kExact) return std::string(identity.candidates.front()->id);
  std::string ids(word_for(identity.match));
  for (const AcceleratorRow* record : identity.candidates) ids += " " + std::string(record->id);
  return ids;
}
std::string error_of(const std::vector<std::string>& texts) {
  auto found = identify(Catalog::builtin(), texts);
  return found ? "identified" : to_string(found.error());
}

TEST(Identify, KnowsEveryDriverNameInEverySpelling) {
  int names = 0;
  for (const DeviceNameRow& row : Catalog::builtin().tables().data.device_names) {
    if (row.kind != NameKind::kDriver || row.accelerators.empty() || row.inferred) continue;
    ++names;
    std::string label(row.name), file(row.name);
    std::replace(label.begin(), label.end(), ' ', '-');
    std::replace(file.begin(), file.end(), ' ', '_');
    const std::string expected(row.accelerators.front());
    EXPECT_EQ(id(std::string(row.name)), expected);
    EXPECT_EQ(id("nvidia.com/gpu.product=" + label), expected) << "GFD joins the words with '-'";
    EXPECT_EQ(id("nvidia.com/gpu.product=" + label + "-SHARED"), expected);
    EXPECT_EQ(id(file), expected) << "vLLM writes '_' for spaces";
    if (row.name.starts_with("NVIDIA ")) {
      EXPECT_EQ(id(std::string(row.name.substr(7))), expected) << "old drivers leave the prefix out";
    }
    EXPECT_EQ(id(fmt::format("GPU 0: {} (UUID: GPU-6d9d1d0d-2a2b)", row.name)), expected);
    EXPECT_EQ(id(fmt::format("DCGM_FI_DEV_GPU_UTIL{{gpu=\"0\",modelName=\"{}\",Hostname=\"n\"}} 98", row.name)), expected);
    EXPECT_EQ(id(fmt::format("E=8,N=14336,device_name={},dtype=fp8_w8a8.json", file)), expected);
  }
  EXPECT_GT(names, 35);
}
TEST(Identify, TellsOneLetterApart) {
  EXPECT_EQ(id("NVIDIA A10G"), "a10g");
  EXPECT_EQ(id("NVIDIA A10"), "a10");
  EXPECT_EQ(id("NVIDIA L40S"), "l40s");
}
TEST(Identify, NeverTakesAnUnknownPartForANearOne) {
  for (const char* text : {"NVIDIA A100X", "NVIDIA Graphics Device", "GRID A100D-7-80C", "NVIDIA A100-PG509-200", "NVIDIA A100-SXM-64GB", "NVIDIA H100",
                           "NVIDIA A2", "NVIDIA A100-SXM4-30GB"})
    EXPECT_EQ(id(text), "unknown") << text;
  EXPECT_THAT(one("NVIDIA H100").note, HasSubstr("a product of its own"));
  EXPECT_THAT(one("NVIDIA A100X").near, Contains("NVIDIA A10"));
}
TEST(Identify, ListsThePartsOfAnAmbiguousName) {
  EXPECT_EQ(id("NVIDIA A100"), "ambiguous a100-sxm4-40gb a100-sxm4-80gb a100-pcie-40gb a100-pcie-80gb");
  EXPECT_EQ(id("h100"), "ambiguous h100-sxm5 h100-pcie h100-nvl");
  EXPECT_EQ(id("karpenter.azure.com/sku-gpu-name=A100"), "ambiguous a100-sxm4-40gb a100-sxm4-80gb a100-pcie-80gb");
}
TEST(Identify, TellsPartsOfOneNameApartByTheirMemory) {
  EXPECT_EQ(id("karpenter.k8s.aws/instance-gpu-name=a100"), "ambiguous a100-sxm4-40gb a100-sxm4-80gb");
  EXPECT_EQ(id("karpenter.k8s.aws/instance-gpu-name=a100", Bytes{81920 * kMiB}), "a100-sxm4-80gb");
  const std::vector<std::string> labels{"karpenter.k8s.aws/instance-gpu-name=a100", "karpenter.k8s.aws/instance-gpu-memory=40960"};
  auto found = identify(Catalog::builtin(), labels);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1u) << "a label of memory names no device";
  EXPECT_EQ(found->front().candidates.front()->id, "a100-sxm4-40gb");
  EXPECT_EQ(id("NVIDIA A100", Bytes{40536 * kMiB}), "ambiguous a100-sxm4-40gb a100-pcie-40gb");
}
TEST(Identify, TakesMigAndSharingOffTheName) {
  const Identity slice = one("nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED");
  EXPECT_EQ(slice.candidates.front()->id, "h100-sxm5");
  EXPECT_EQ(slice.mig_profile, "1g.10gb");
  EXPECT_TRUE(slice.shared);
  EXPECT_EQ(one("A100-SXM4-40GB-MIG-1g.5gb-SHARED").mig_profile, "1g.5gb") << "an old driver's name";
  EXPECT_EQ(one("nvidia.com/mig-3g.40gb.product=NVIDIA-H100-80GB-HBM3-MIG-3g.40gb").mig_profile, "3g.40gb");
  EXPECT_EQ(one("NVIDIA H100 80GB HBM3 MIG 3g.40gb").mig_profile, "3g.40gb") << "as PyTorch prints it";
  EXPECT_FALSE(one("NVIDIA-A10G").shared);
}
TEST(Identify, ReadsTheLabelsOfClouds) {
  EXPECT_EQ(id("cloud.google.com/gke-accelerator=nvidia-l4"), "l4");
  EXPECT_EQ(id("cloud.google.com/gke-accelerator: nvidia-h100-mega-80gb"), "h100-sxm5");
  EXPECT_EQ(id("cloud.google.com/gke-accelerator=nvidia-tesla-p100"), "unknown") << "the form factor is not stated";
  EXPECT_EQ(id("cloud.google.com/gke-accelerator=nvidia-tesla-v100"), "inferred v100-sxm2-16gb");
  EXPECT_EQ(id("cloud.google.com/gke-tpu-accelerator=tpu-v6e-slice"), "tpu-v6e");
  EXPECT_EQ(id("karpenter.k8s.aws/instance-accelerator-name=trainium"), "trainium1");
  EXPECT_EQ(id("karpenter.k8s.aws/instance-gpu-name=t4g"), "unknown");
  EXPECT_EQ(id("amd.com/gpu.product-name=AMD_Instinct_MI300X_OAM"), "mi300x");
  EXPECT_EQ(id("AMD Instinct MI300X"), "mi300x");
}
TEST(Identify, ReadsPciIds) {
  EXPECT_EQ(id("10de:2330"), "h100-sxm5");
  EXPECT_EQ(id("10de:26b9"), "l40s");
  EXPECT_EQ(id("10de:2342"), "inferred gh200-96gb");
  EXPECT_EQ(id("10de:ffff"), "unknown");
}
TEST(Identify, ReadsALineOfLspci) { EXPECT_EQ(id("65:00.0 3D controller: NVIDIA Corporation GA102GL [A10G] (rev a1)"), "a10g"); }
TEST(Identify, KnowsTheNamesOfTheCatalogue) {
  EXPECT_EQ(id("h100-sxm5"), "h100-sxm5");
  EXPECT_EQ(one("rubin-gpu").candidates.size(), 2u);
  EXPECT_EQ(one("rubin-gpu").match, Match::kExact) << "two profiles are one part";
}
TEST(Identify, RefusesALabelThatNamesNothing) {
  EXPECT_THAT(error_of({"kubernetes.io/arch=amd64"}),
              HasSubstr("kubernetes.io/arch: this label names no accelerator\n  Labels that do: nvidia.com/gpu.product"));
  EXPECT_THAT(error_of({"nvidia.com/gpu.memory=lots"}), HasSubstr("\"lots\" is not a memory in MiB"));
  EXPECT_THAT(error_of({""}), HasSubstr("is empty"));
  EXPECT_THAT(error_of({"nvidia.com/gpu.memory=81559"}), HasSubstr("no name of a device"));
  EXPECT_THAT(error_of({std::string(5000, 'a')}), HasSubstr("a name of 5000 characters"));
}

}  // namespace
}  // namespace ridge::hardware
