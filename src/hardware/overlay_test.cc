// The user's own rows over the compiled-in ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/accelerators.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

using ::testing::HasSubstr;

const std::string kPart = R"(
sources:
- {id: lab, title: "Our lab, node 7", tier: user}
accelerators:
- id: my-gpu
  name: My GPU
  vendor: Us
  counts: chip
  aliases: [mine]
  figures:
  - {name: memory_capacity, value: 80, unit: GB, source: lab}
  - {name: memory_bandwidth, value: 2, unit: TB/s, source: lab}
  rates:
  - {precision: bf16, path: tensor, sparsity: dense, value: 500, unit: TFLOP/s, source: lab}
)";
Catalog with(const std::string& yaml) {
  auto catalog = Catalog::with_overlay(yaml, "mine.yaml");
  EXPECT_TRUE(catalog) << to_string(catalog.error());
  if (!catalog) return std::move(*Catalog::with_overlay("{}", "empty"));
  return std::move(*catalog);
}
std::string error_of(const std::string& yaml) {
  auto catalog = Catalog::with_overlay(yaml, "mine.yaml");
  return catalog ? "read" : to_string(catalog.error());
}
// One record with `figure` in it.
std::string part_with(const std::string& figure) { return "accelerators:\n- id: x\n  name: X\n  vendor: V\n  counts: chip\n  figures:\n  - " + figure + "\n"; }
std::string rated(const std::string& rate) { return "accelerators:\n- id: x\n  name: X\n  vendor: V\n  counts: chip\n  rates:\n  - " + rate + "\n"; }

TEST(Overlay, AddsAPartWithItsSource) {
  const Catalog catalog = with(kPart);
  auto found = catalog.resolve("mine:4");
  ASSERT_TRUE(found) << to_string(found.error());
  const Device& device = found->profiles[0];
  EXPECT_EQ(device.id, "my-gpu");
  EXPECT_TRUE(device.user_defined);
  EXPECT_EQ(device.peak.at(Precision::kBf16).value.low, 500e12);
  EXPECT_EQ(device.peak.at(Precision::kBf16).sources, std::vector<std::string>{"lab"});
  EXPECT_EQ(accelerators(catalog).size(), accelerators(Catalog::builtin()).size() + 1);
  EXPECT_FALSE(Catalog::builtin().resolve("mine")) << "the compiled-in catalogue is as it was";
}
TEST(Overlay, ReplacesAPartOfTheSameId) {
  const Catalog catalog = with(
      "accelerators:\n- {id: h100-sxm5, name: Ours, vendor: NVIDIA, counts: chip, figures: [{name: memory_bandwidth, value: 3, unit: TB/s, source: user}]}\n");
  EXPECT_EQ(accelerators(catalog).size(), accelerators(Catalog::builtin()).size());
  EXPECT_EQ(find_record(catalog, "h100-sxm5")->name, "Ours");
  EXPECT_EQ(device_of(catalog, *find_record(catalog, "h100-sxm5")).memory_bandwidth->value.low, 3e12);
}
TEST(Overlay, MovesWithItsCatalogue) {
  Catalog first = with(kPart);
  const Catalog second = std::move(first);
  EXPECT_EQ(find_record(second, "my-gpu")->name, "My GPU");
}
TEST(Overlay, LetsTheUsersFigureStandBesideOthersAsTheMakersOwn) {
  const Catalog catalog = with(part_with("{name: tdp, value: 300, unit: W, source: user}\n  - {name: tdp, value: 400, unit: W, source: hf_hardware}"));
  EXPECT_EQ(figure(catalog, *find_record(catalog, "x"), FigureName::kTdp)->figure.value, (Interval{300, 300}));
}

TEST(Overlay, NamesTheRecordAndTheLineOfWhatIsWrong) {
  EXPECT_EQ(error_of(part_with("{name: tdp, value: 300, unit: GB/s, source: user}")),
            "mine.yaml:7: accelerators[0].figures[0]: in \"x\": tdp has the unit GB/s\n  Use one of: W, kW.");
  EXPECT_THAT(error_of(part_with("{name: tdp, value: 300, unit: watt, source: user}")),
              HasSubstr("mine.yaml:7: accelerators[0].figures[0].unit: in \"x\": \"watt\" is not one of its values\n"));
  EXPECT_EQ(error_of(part_with("{name: tdp, value: 300, unit: W}")), "mine.yaml:7: accelerators[0].figures[0]: in \"x\": the key \"source\" is missing");
  EXPECT_THAT(error_of(part_with("{name: tdp, value: 300, unit: W, source: nobody}")),
              HasSubstr("mine.yaml:7: accelerators[0].figures[0].source: in \"x\": \"nobody\" is not in \"sources\"\n  Add it"));
  EXPECT_EQ(error_of(part_with("{name: tdp, valu: 300, unit: W, source: user}")),
            "mine.yaml:7: accelerators[0].figures[0].valu: in \"x\": the key \"valu\" is unknown\n  Did you mean value?");
  EXPECT_EQ(error_of(part_with("{name: tdp, value: -300, unit: W, source: user}")), "mine.yaml:7: accelerators[0].figures[0]: in \"x\": tdp is negative: -300");
  EXPECT_EQ(error_of(part_with("{name: tdp, value: 0, unit: W, source: user}")),
            "mine.yaml:7: accelerators[0].figures[0]: in \"x\": tdp is zero\n  Leave the figure out where it is not known.");
  EXPECT_THAT(error_of(part_with("{name: tdp, value: .nan, unit: W, source: user}")), HasSubstr("mine.yaml:7"));
  EXPECT_THAT(error_of(part_with("{name: tdp, value: 1e300, unit: W, source: user}")), HasSubstr("is beyond"));
  EXPECT_THAT(error_of(part_with("{name: tdp, unit: W, source: user}")), HasSubstr("tdp has neither a value nor a text"));
  EXPECT_THAT(error_of(rated("{precision: bf17, path: tensor, sparsity: dense, value: 1, unit: TFLOP/s, source: user}")),
              HasSubstr("accelerators[0].rates[0].precision: in \"x\": \"bf17\""));
  EXPECT_EQ(error_of(rated("{precision: int8, path: tensor, sparsity: dense, value: 1, unit: TFLOP/s, source: user}")),
            "mine.yaml:7: accelerators[0].rates[0]: in \"x\": the int8 rate has the unit TFLOP/s\n  Integer rates are in TOP/s.");
  EXPECT_EQ(error_of("accelerators:\n- {id: x, name: X, vendor: V, counts: chip}\n- {id: x, name: X, vendor: V, counts: chip}\n"),
            "mine.yaml:3: accelerators[1].id: in \"x\": \"x\" is defined twice in \"accelerators\"\n  First at mine.yaml:2: accelerators[0].id.");
  EXPECT_THAT(error_of("accelerators:\n- {id: \"My GPU\", name: X, vendor: V, counts: chip}\n"), HasSubstr("a character that the GPU syntax cannot hold"));
  EXPECT_THAT(error_of("accelerators:\n- {id: x, name: X, vendor: V, counts: 8 chips, kind: rack}\n"), HasSubstr("a rack of 1 accelerators"));
  EXPECT_THAT(error_of("gpus: []\n"), HasSubstr("the key \"gpus\" is unknown"));
}
TEST(Overlay, RefusesWhatIsNoDocument) {
  EXPECT_THAT(error_of("[1, 2]"), HasSubstr("a map is expected"));
  EXPECT_THAT(error_of("a: [1, 2"), HasSubstr("not valid YAML"));
  EXPECT_THAT(error_of("sm_limits: 3"), HasSubstr("a list is expected"));
}

}  // namespace
}  // namespace ridge::hardware
