#include "hardware/chips.h"

#include <gtest/gtest.h>

#include "hardware/accelerators.h"

namespace ridge::hardware {
namespace {

const Catalog& catalog() { return Catalog::builtin(); }

const ProcessClaimRow& claim(std::string_view id) {
  for (const ProcessClaimRow& row : chips(catalog()).claims)
    if (row.id == id) return row;
  ADD_FAILURE() << id;
  return chips(catalog()).claims.front();
}

const ExposureFieldRow& field(std::size_t index) { return chips(catalog()).fields[index]; }

constexpr Metres mm(double value) { return {value * 1e-3}; }
constexpr SquareMetres mm2(double value) { return {value * 1e-6}; }

TEST(FindDie, KnowsADieByItsNameAndByTheAcceleratorThatCarriesIt) {
  for (const char* name : {"gh100", "GH100", "h100-sxm5", "H200-SXM", "h100-sxm5/mig-3g.40gb"}) {
    const auto die = find_die(catalog(), name);
    ASSERT_TRUE(die) << name << ": " << to_string(die.error());
    EXPECT_EQ((*die)->id, "gh100") << name;
  }
}

TEST(FindDie, SaysWhenNoSourceNamesTheDieOfAPart) {
  const auto die = find_die(catalog(), "h20-96gb");
  ASSERT_FALSE(die);
  EXPECT_EQ(to_string(die.error()), "h20-96gb: no source names the die of this part\n  Give the die's size: --area MM2, or --width and --height.");
}

TEST(FindDie, ListsNearNames) {
  const auto die = find_die(catalog(), "gh10");
  ASSERT_FALSE(die);
  EXPECT_EQ(die.error().what, "there is no die and no accelerator of that name");
  EXPECT_TRUE(die.error().advice.starts_with("Did you mean gh100, ")) << die.error().advice;
}

TEST(FindDie, KnowsEveryDieThatAnAcceleratorNames) {
  for (const AcceleratorRow& part : accelerators(catalog())) {
    if (part.die.empty()) continue;
    const auto die = find_die(catalog(), part.id);
    ASSERT_TRUE(die) << part.id << ": " << to_string(die.error());
    EXPECT_EQ((*die)->name, part.die) << part.id;
  }
}

TEST(FindDie, AgreesWithTheAreasOfTheAcceleratorsOwnRecords) {
  int compared = 0;
  for (const AcceleratorRow& part : accelerators(catalog())) {
    const auto area = figure(catalog(), part, FigureName::kDieArea);
    if (!area) continue;
    const auto die = find_die(catalog(), part.id);
    ASSERT_TRUE(die && die_shape(**die)) << part.id;
    EXPECT_NEAR(die_shape(**die)->area.value, area->figure.low(), 1e-9) << part.id;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST(DieShape, ComesFromTheSidesOrTheArea) {
  EXPECT_DOUBLE_EQ(die_shape(std::nullopt, mm(26), mm(30))->area.value, 780e-6);
  EXPECT_FALSE(die_shape(mm2(814), std::nullopt, std::nullopt)->width);
  EXPECT_TRUE(die_shape(mm2(814), mm(26), mm(31.3)));
}

TEST(DieShape, RefusesSidesThatDoNotMakeTheArea) {
  EXPECT_EQ(die_shape(mm2(814), mm(26), mm(33)).error().what, "the sides make 858.0 mm², and the area is 814.0 mm²");
  EXPECT_EQ(die_shape(std::nullopt, mm(26), std::nullopt).error().what, "the width is given without the height");
  EXPECT_EQ(die_shape(std::nullopt, std::nullopt, std::nullopt).error().what, "neither the area nor the sides of the die are known");
  EXPECT_EQ(die_shape(mm2(0), std::nullopt, std::nullopt).error().what, "a die of no area");
}

TEST(DieShape, IsAbsentWhereNoSourceGivesTheArea) {
  EXPECT_FALSE(die_shape(**find_die(catalog(), "ad102")));
  EXPECT_FALSE(die_shape(**find_die(catalog(), "b200-sxm-hgx")));
}

TEST(ShareOfField, TellsAFitOnlyByTheSides) {
  const FieldShare by_area = share_of_field(*die_shape(mm2(814), std::nullopt, std::nullopt), field(0));
  EXPECT_NEAR(by_area.share, 0.9487, 5e-5);
  EXPECT_EQ(by_area.fits, Fits::kUnknown);
  EXPECT_EQ(share_of_field(*die_shape(std::nullopt, mm(31.3), mm(26)), field(0)).fits, Fits::kYes) << "either way round";
  EXPECT_EQ(share_of_field(*die_shape(std::nullopt, mm(28.5), mm(28.5)), field(0)).fits, Fits::kNo) << "a square of the same area is too wide";
}

TEST(ShareOfField, KnowsThatALargerAreaCannotFit) {
  const DieShape gh100 = *die_shape(mm2(814), std::nullopt, std::nullopt);
  EXPECT_EQ(share_of_field(gh100, field(1)).fits, Fits::kNo);
  EXPECT_NEAR(share_of_field(gh100, field(1)).share, 814.0 / 429, 1e-9);
}

TEST(ShapeToPlace, IsTheSquarestThatTheFieldHolds) {
  const PlacedShape small = shape_to_place(*die_shape(mm2(400), std::nullopt, std::nullopt), field(0));
  EXPECT_NEAR(small.width.value, 0.020, 1e-12);
  EXPECT_TRUE(small.assumed);
  const PlacedShape large = shape_to_place(*die_shape(mm2(814), std::nullopt, std::nullopt), field(0));
  EXPECT_DOUBLE_EQ(large.width.value, 0.026);
  EXPECT_NEAR(large.height.value, 0.0313, 1e-4);
  EXPECT_FALSE(shape_to_place(*die_shape(std::nullopt, mm(10), mm(20)), field(0)).assumed);
}

TEST(NodeKey, ForgetsTheMakerAndTheSpelling) {
  for (const char* text : {"N2P", "TSMC N2P", "n2p", "tsmc-n2p"}) EXPECT_EQ(node_key(text), "n2p") << text;
  EXPECT_EQ(node_key("NVIDIA 4NP"), "4np");
}

TEST(NodeComparisons, PutTheNewestClaimFirst) {
  const auto comparisons = node_comparisons(chips(catalog()), "TSMC N2P");
  ASSERT_TRUE(comparisons);
  ASSERT_EQ(comparisons->size(), 2U);
  EXPECT_EQ(comparisons->front().baseline, "N3E");
  ASSERT_EQ(comparisons->front().claims.size(), 2U);
  EXPECT_EQ(comparisons->front().claims[0]->id, "n2p-n3e-2025");
  EXPECT_EQ(comparisons->front().claims[1]->id, "n2p-n3e-2024");
}

TEST(NodeComparisons, KeepBaselinesApart) {
  const auto comparisons = node_comparisons(chips(catalog()), "n4p");
  ASSERT_TRUE(comparisons);
  ASSERT_EQ(comparisons->size(), 2U);
  EXPECT_EQ((*comparisons)[0].baseline, "N5");
  EXPECT_DOUBLE_EQ((*comparisons)[0].claims[0]->speed[0], 0.11);
  EXPECT_EQ((*comparisons)[1].baseline, "N4");
  EXPECT_DOUBLE_EQ((*comparisons)[1].claims[0]->speed[0], 0.06);
}

TEST(NodeComparisons, ListNearNodesForAnUnknownOne) {
  const auto unknown = node_comparisons(chips(catalog()), "n4x");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().what, "no claim about this node is in the catalogue");
  EXPECT_NE(unknown.error().advice.find("Did you mean"), std::string::npos);
  EXPECT_TRUE(node_comparisons(chips(catalog()), "n7")->empty()) << "N7 is a baseline only";
}

TEST(AnswerClaim, KeepsAlternativesApart) {
  const ProcessClaimRow& n2p = claim("n2p-n3e-2025");
  EXPECT_EQ(answer_claim(n2p, 0.18, std::nullopt), ClaimAnswer::kClaimed);
  EXPECT_EQ(answer_claim(n2p, std::nullopt, 0.36), ClaimAnswer::kClaimed);
  EXPECT_EQ(answer_claim(n2p, 0.18, 0.36), ClaimAnswer::kNotTogether);
  EXPECT_EQ(answer_claim(n2p, 0.01, 0.01), ClaimAnswer::kNotTogether) << "nothing is claimed of a mixture";
  EXPECT_EQ(answer_claim(n2p, 0.19, std::nullopt), ClaimAnswer::kBeyond);
}

TEST(AnswerClaim, IsSureOfTheLowEndOfARangeOnly) {
  const ProcessClaimRow& n2 = claim("n2-n3e");
  EXPECT_EQ(answer_claim(n2, 0.10, std::nullopt), ClaimAnswer::kClaimed);
  EXPECT_EQ(answer_claim(n2, 0.12, std::nullopt), ClaimAnswer::kBeyond);
  EXPECT_EQ(answer_claim(n2, std::nullopt, 0.25), ClaimAnswer::kClaimed);
  EXPECT_EQ(answer_claim(n2, std::nullopt, 0.26), ClaimAnswer::kBeyond);
}

TEST(AnswerClaim, DoesNotAddWhatAClaimLeavesOut) {
  EXPECT_EQ(answer_claim(claim("n4p-n4"), std::nullopt, 0.1), ClaimAnswer::kNothingClaimed);
  EXPECT_EQ(answer_claim(claim("n3x-n3p"), 0.05, std::nullopt), ClaimAnswer::kNothingClaimed) << "more frequency at more voltage is no speed at the same power";
}

// An overlay goes through the same checks as data/chips.yaml.
std::string overlay_error(std::string_view yaml) {
  const auto laid = Catalog::with_overlay(yaml, "mine.yaml");
  return laid ? "" : to_string(laid.error());
}

TEST(ChipsOverlay, AddsADie) {
  const auto mine = Catalog::with_overlay("dies:\n- {id: own, name: OWN1, area: 100 mm2, width: 10 mm, height: 10 mm, source: user}\n", "mine.yaml");
  ASSERT_TRUE(mine) << to_string(mine.error());
  EXPECT_DOUBLE_EQ(die_shape(**find_die(*mine, "own1"))->width->value, 0.01);
  EXPECT_TRUE(find_die(*mine, "gh100"));
}

TEST(ChipsOverlay, TakesAnotherSpellingOfANodeForTheSame) {
  const auto mine = Catalog::with_overlay(
      "process_claims:\n- {id: x, node: tsmc n2p, foundry: F, relation: joint, speed: [0.2], power: [-0.3], baseline: n3e, date: \"2027\", source: user}\n",
      "mine.yaml");
  ASSERT_TRUE(mine) << to_string(mine.error());
  const auto comparisons = node_comparisons(chips(*mine), "N2P");
  ASSERT_EQ(comparisons->size(), 2U);
  EXPECT_EQ(comparisons->front().claims.front()->id, "x") << "the newest";
  EXPECT_EQ(answer_claim(*comparisons->front().claims.front(), 0.2, 0.3), ClaimAnswer::kClaimed);
}

TEST(ChipsOverlay, RefusesWhatCannotBe) {
  EXPECT_NE(overlay_error("exposure_fields:\n- {id: x, name: x, width: \"\", height: 2 mm, source: user}\n").find("width is empty"), std::string::npos);
  EXPECT_NE(overlay_error("process_claims:\n- {id: x, node: TSMC, foundry: F, relation: single, text: t, source: user}\n").find("is not the name of a node"),
            std::string::npos);
  EXPECT_EQ(overlay_error("dies:\n- {id: own, name: OWN1, area: \"100\", source: user}\n"),
            "mine.yaml:2: dies[0]: in \"own\": area: \"100\" has no unit\n  Add one of: mm2, cm2, m2, mm², cm²; as in 814mm2.");
  EXPECT_NE(overlay_error("dies:\n- {id: own, name: OWN1, area: 100 m2, source: user}\n").find("beyond 0.1 m2"), std::string::npos);
  EXPECT_NE(overlay_error("dies:\n- {id: own, name: OWN1, area: 100 mm2}\n").find("have no \"source\""), std::string::npos);
  EXPECT_NE(
      overlay_error("process_claims:\n- {id: x, node: X1, foundry: F, relation: joint, speed: [18], baseline: X0, source: user}\n").find("Gains are fractions"),
      std::string::npos);
  EXPECT_NE(overlay_error("process_claims:\n- {id: x, node: X1, foundry: F, relation: joint, speed: [0.1], source: user}\n").find("no \"baseline\""),
            std::string::npos);
  EXPECT_NE(overlay_error("defect_densities:\n- {id: x, density: 0.1, when: now, source: user}\n").size(), 0U);
}

}  // namespace
}  // namespace ridge::hardware
