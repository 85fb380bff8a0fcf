#include "cost/efficiency.h"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/file_system.h"
#include "hardware/catalog.h"

namespace ridge::cost {
namespace {

hardware::Device device(std::string id, std::string architecture, std::string vendor = "NVIDIA", bool nvlink = true) {
  hardware::Device d;
  d.id = std::move(id);
  d.architecture = std::move(architecture);
  d.vendor = std::move(vendor);
  if (nvlink) d.scale_up = SourcedFigure{{450e9, 450e9}, "B/s", "per direction", {}, Provenance::kPublished};
  return d;
}

DeviceEfficiency builtin(const hardware::Device& d) { return EfficiencyTables::builtin().of(d); }

std::string calibration_error(std::string_view yaml) {
  const auto tables = EfficiencyTables::with_calibration(yaml, "mine.yaml");
  return tables ? "" : to_string(tables.error());
}

std::string class_of(std::string_view id) {
  const auto found = hardware::Catalog::builtin().resolve(id);
  EXPECT_TRUE(found) << to_string(found.error());
  return found ? std::string(EfficiencyTables::builtin().class_of(found->profiles.front()).id) : "";
}

TEST(EfficiencyClasses, AMeasuredPartHasItsOwnClass) {
  for (const auto& [id, name] : {std::pair("a100-sxm4-80gb", "a100-sxm4"),
                                 {"a100-sxm4-40gb", "a100-sxm4"},
                                 {"h100-sxm5", "h100-sxm5"},
                                 {"h200-sxm", "h200-sxm"},
                                 {"b200-sxm-hgx", "b200-sxm"},
                                 {"gb200-gpu", "gb200"},
                                 {"l40s", "l40s"},
                                 {"rtx-pro6000-blackwell-server", "rtx-pro6000-server"}})
    EXPECT_EQ(class_of(id), name) << id;
}

TEST(EfficiencyClasses, AnUnmeasuredPartTakesAfterItsFamily) {
  for (const auto& [id, name] : {std::pair("a100-pcie-80gb", "ampere"),
                                 {"a30", "ampere"},
                                 {"rtx3090", "gddr6"},
                                 {"a10g", "gddr6"},
                                 {"l4", "gddr6"},
                                 {"h800-sxm", "hopper"},
                                 {"b300-sxm-hgx", "blackwell"},
                                 {"rtx5090", "blackwell-gddr7"},
                                 {"t4", "older-nvidia"},
                                 {"rubin-gpu", "rubin"}})
    EXPECT_EQ(class_of(id), name) << id;
}

TEST(EfficiencyClasses, AnotherVendorsPartIsAssumed) {
  for (const char* id : {"mi300x", "tpu-v5e", "gaudi3", "trainium2", "peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB"}) EXPECT_EQ(class_of(id), "default") << id;
  EXPECT_EQ(builtin(device("mi300x", "CDNA3 gfx942", "AMD")).evidence, Evidence::kAssumed);
}

TEST(EfficiencyClasses, EveryListedDeviceIsInTheCatalogue) {
  for (const ClassRow& row : EfficiencyTables::builtin().classes())
    for (const std::string_view id : row.devices) EXPECT_TRUE(hardware::Catalog::builtin().resolve(id)) << id;
}

TEST(EfficiencyTables, AnswerEveryKernelFormatAndCollectiveOfEveryClass) {
  for (const ClassRow& row : EfficiencyTables::builtin().classes())
    for (const bool nvlink : {false, true}) {
      const std::string id(row.devices.empty() ? "" : row.devices[0]);
      const std::string architecture(row.architectures.empty() ? "" : row.architectures[0]);
      hardware::Device part = device(id, architecture, "", nvlink);
      if (!row.capabilities.empty()) part.compute_capability = row.capabilities[0];
      const DeviceEfficiency e = builtin(part);
      EXPECT_EQ(e.class_id, row.id);
      EXPECT_GT(e.per_step.value, 0);
      for (int k = 0; k < kKernels; ++k)
        for (const Precision p : all_precisions()) {
          const KernelEfficiency& kernel = e.kernel(static_cast<Kernel>(k), p, p);
          EXPECT_GT(kernel.launch.value, 0) << row.id << " " << formats::word_of(static_cast<Kernel>(k)) << " " << name_of(p);
          EXPECT_NE(EfficiencyTables::builtin().source(kernel.source), nullptr) << kernel.source;
        }
      for (const Collective c : {Collective::kAllReduce, Collective::kAllGather, Collective::kAllToAll, Collective::kSendReceive})
        for (const int ranks : {2, 3, 8, 64}) {
          const CollectiveEfficiency collective = e.collective(c, ranks);
          EXPECT_TRUE(collective.share > 0 || collective.rate.value > 0);
          EXPECT_TRUE(nvlink || collective.rate.value > 0) << row.id << ": a part of whose links nothing is known needs an absolute rate";
        }
    }
}

TEST(EfficiencyTables, ShareOfPeakAndBandwidthIsNeverAboveOne) {
  for (const KernelRow& row : EfficiencyTables::builtin().kernels()) {
    EXPECT_LE(row.memory, 1) << row.of;
    for (const double share : row.compute) EXPECT_LE(share, 1) << row.of;
  }
}

TEST(EfficiencyTables, OnlyRowsWithoutAFitAreAssumed) {
  for (const KernelRow& row : EfficiencyTables::builtin().kernels()) EXPECT_EQ(row.fit_median.has_value(), row.of != "default") << row.of;
}

TEST(KernelEfficiency, IsLinearInTheLogarithmOfRows) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  const KernelEfficiency& gemm = h100.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16);
  const double at_256 = gemm.compute_at(256), at_512 = gemm.compute_at(512);
  EXPECT_NEAR(gemm.compute_at(std::sqrt(256.0 * 512)), (at_256 + at_512) / 2, 1e-12);
}

TEST(KernelEfficiency, ATileIsPaddedBelowTheFirstPoint) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  const KernelEfficiency& gemm = h100.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16);
  EXPECT_NEAR(gemm.compute_at(4), gemm.compute_at(16) / 4, 1e-12) << "4 rows take as long as 16";
}

TEST(KernelEfficiency, IsConstantAboveTheLastPoint) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  const KernelEfficiency& gemm = h100.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16);
  EXPECT_EQ(gemm.compute_at(4096), gemm.compute_at(1e9));
}

TEST(KernelEfficiency, AFormatWithoutARowTakesItsRelatives) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  EXPECT_EQ(&h100.kernel(Kernel::kGemm, Precision::kFp16, Precision::kFp16), &h100.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16));
  EXPECT_EQ(&h100.kernel(Kernel::kMoe, Precision::kNvFp4, Precision::kBf16), &h100.kernel(Kernel::kMoe, Precision::kNvFp4, Precision::kFp8));
}

TEST(CollectiveEfficiency, IsOfTheRowWithEnoughRanks) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  EXPECT_EQ(h100.collective(Collective::kAllReduce, 3).ranks, 4);
  EXPECT_EQ(h100.collective(Collective::kAllReduce, 8).ranks, 8);
}

TEST(CollectiveEfficiency, BeyondTheLastRowTheLaunchGrowsWithTheTree) {
  const DeviceEfficiency h100 = builtin(device("h100-sxm5", "Hopper"));
  const Seconds at_8 = h100.collective(Collective::kAllReduce, 8).launch;
  EXPECT_NEAR(h100.collective(Collective::kAllReduce, 64).launch / at_8, 2, 1e-12);
}

TEST(CollectiveEfficiency, OverPcieIsFarBelowNvlink) {
  const CollectiveEfficiency pcie = builtin(device("l40s", "Ada", "NVIDIA", false)).collective(Collective::kAllReduce, 4);
  EXPECT_LT(pcie.rate.value, 10e9);
}

TEST(Calibration, ReplacesTheRowOfTheSameClassKernelAndFormat) {
  const auto tables = EfficiencyTables::with_calibration(
      "kernels:\n- {of: h100-sxm5, kernel: gemm, format: bf16, peak: bf16, launch_us: 2, memory: 0.5, compute: [0.25], source: user}\n", "mine.yaml");
  ASSERT_TRUE(tables) << to_string(tables.error());
  EXPECT_TRUE(tables->calibrated());
  const DeviceEfficiency h100 = tables->of(device("h100-sxm5", "Hopper"));
  const KernelEfficiency& gemm = h100.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16);
  EXPECT_EQ(gemm.memory, 0.5);
  EXPECT_EQ(gemm.compute_at(1), 0.25);
  EXPECT_EQ(gemm.source, "user");
  EXPECT_NE(h100.kernel(Kernel::kGemm, Precision::kFp8, Precision::kFp8).memory, 0.5) << "other rows stay";
}

TEST(Calibration, AddsAClassForAPartOfOnesOwn) {
  const auto tables = EfficiencyTables::with_calibration(
      "classes:\n- {id: mine, title: my part, like: hopper, devices: [my-gpu], evidence: measured, step_us: 50, source: user}\n"
      "kernels:\n- {of: mine, kernel: gemm, format: bf16, peak: bf16, launch_us: 1, memory: 0.99, compute: [0.9], source: user}\n",
      "mine.yaml");
  ASSERT_TRUE(tables) << to_string(tables.error());
  const DeviceEfficiency mine = tables->of(device("my-gpu", ""));
  EXPECT_EQ(mine.class_id, "mine");
  EXPECT_NEAR(mine.per_step.value, 50e-6, 1e-12);
  EXPECT_EQ(mine.kernel(Kernel::kGemm, Precision::kBf16, Precision::kBf16).memory, 0.99);
  EXPECT_EQ(mine.kernel(Kernel::kMoe, Precision::kBf16, Precision::kBf16).source, "aic-moe-vllm") << "the rest is Hopper's";
}

TEST(Calibration, ReadsTheExampleOfItsPage) {
  const auto page = formats::DiskFileSystem().read_all(RIDGE_SOURCE_DIR "/docs/efficiency.md", 1u << 20);
  ASSERT_TRUE(page) << to_string(page.error());
  const std::size_t begin = page->find("```yaml\n") + 8;
  const auto tables = EfficiencyTables::with_calibration(page->substr(begin, page->find("```", begin) - begin), "efficiency.md");
  ASSERT_TRUE(tables) << to_string(tables.error());
  EXPECT_EQ(tables->of(device("h100-pcie", "Hopper")).class_id, "mine");
}

TEST(Calibration, OfAnEmptyDocumentChangesNothing) { EXPECT_EQ(calibration_error("{}"), ""); }

TEST(Calibration, RefusesAnUnknownClass) {
  const std::string error =
      calibration_error("kernels:\n- {of: h100, kernel: gemm, format: bf16, peak: bf16, launch_us: 2, memory: 0.5, compute: [0.25], source: user}\n");
  EXPECT_NE(error.find("mine.yaml:2"), std::string::npos) << error;
  EXPECT_NE(error.find("h100-sxm5"), std::string::npos) << error;
}

TEST(Calibration, RefusesAbsurdValuesWithTheirPlace) {
  const auto kernel = [](std::string_view middle) {
    return calibration_error("kernels:\n- {of: default, kernel: gemm, format: bf16, peak: bf16, source: user, " + std::string(middle) + "}\n");
  };
  EXPECT_NE(kernel("launch_us: -1, memory: 0.5, compute: [0.5]").find("launch_us is -1, outside 0 to 1e+06"), std::string::npos);
  EXPECT_NE(kernel("launch_us: 1, memory: 80, compute: [0.5]").find("memory is 80, outside 0.001 to 1.5"), std::string::npos);
  EXPECT_NE(kernel("launch_us: 1, memory: 0.5, compute: []").find("compute has no value"), std::string::npos);
  EXPECT_NE(kernel("launch_us: 1, memory: 0.5, compute: [0]").find("a value of compute is 0"), std::string::npos);
  EXPECT_NE(kernel("launch_us: 1, memory: 0.5, rows: [8, 4], compute: [0.5, 0.5]").find("rows go from 8 to 4"), std::string::npos);
  EXPECT_NE(kernel("launch_us: 1, memory: 0.5, rows: [8], compute: [0.5, 0.5]").find("compute has 2 values for 1 rows"), std::string::npos);
}

TEST(Calibration, RefusesARingOfClasses) {
  const std::string error = calibration_error("classes:\n- {id: a, title: a, like: b}\n- {id: b, title: b, like: a}\n");
  EXPECT_NE(error.find("class \"a\" never comes to \"default\""), std::string::npos) << error;
}

TEST(Calibration, RefusesACollectiveWithoutARate) {
  EXPECT_NE(
      calibration_error("collectives:\n- {of: default, collective: all_reduce, ranks: 2, launch_us: 5, source: user}\n").find("neither share nor rate_gbs"),
      std::string::npos);
}

}  // namespace
}  // namespace ridge::cost
