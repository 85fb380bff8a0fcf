#include "hardware/accelerators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const Catalog& catalog() { return Catalog::builtin(); }
const AcceleratorRow& record(std::string_view id) {
  const AcceleratorRow* found = find_record(catalog(), id);
  RIDGE_CHECK(found != nullptr);
  return *found;
}
SourcedFigure rate(std::string_view id, Precision precision, Sparsity sparsity = Sparsity::kDense) {
  auto answer = peak(catalog(), record(id), {.precision = precision, .sparsity = sparsity});
  EXPECT_TRUE(answer) << to_string(answer.error());
  return answer ? answer->figure : SourcedFigure{};
}
SourcedFigure of(std::string_view id, FigureName name) {
  auto answer = figure(catalog(), record(id), name);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return answer ? answer->figure : SourcedFigure{};
}
std::string error_of(std::string_view id, const RateQuestion& question) {
  auto answer = peak(catalog(), record(id), question);
  return answer ? "answered: " + answer->figure.basis : to_string(answer.error());
}

TEST(Peak, IsDenseTensorFinalAndPerChip) {
  const SourcedFigure bf16 = rate("h100-sxm5", Precision::kBf16);
  EXPECT_EQ(bf16.value, (Interval{989.4e12, 989.4e12}));
  EXPECT_EQ(bf16.unit, "FLOP/s");
  EXPECT_EQ(bf16.basis, "dense, tensor, final, per chip, fp32 accumulate");
  EXPECT_THAT(bf16.sources, ElementsAre("nv_h100_wp_v104"));
}
TEST(Peak, AnswersSparseOnlyWhenAsked) {
  const SourcedFigure bf16 = rate("h100-sxm5", Precision::kBf16, Sparsity::kTwoOfFour);
  EXPECT_NEAR(bf16.value.low, 1979e12, 1e12);
  EXPECT_TRUE(bf16.value.is_point()) << "1,978.9 and the page's 1,979 are one figure";
  EXPECT_THAT(bf16.basis, HasSubstr("2:4"));
}
TEST(Peak, IsNeverHalfOfASparseRate) {
  EXPECT_EQ(error_of("h100-nvl", {.precision = Precision::kFp8}),
            "h100-nvl: no fp8 rate is listed that is dense, of the matrix units and final, per chip\n  It lists: 3341 TFLOP/s fp8, 2:4, tensor, final.");
}
TEST(Peak, OfAPrecisionThatIsNotListedSaysWhichAre) {
  const std::string error = error_of("a10g", {.precision = Precision::kFp16});
  EXPECT_THAT(error, HasSubstr("no fp16 rate is listed"));
  EXPECT_THAT(error, HasSubstr("70 TFLOP/s bf16, dense, tensor, final, fp32 accumulate"));
}
TEST(Peak, KeepsBothEndsWhereTheMakersFiguresDisagree) {
  const SourcedFigure fp4 = rate("b300-sxm-hgx", Precision::kFp4);
  EXPECT_EQ(fp4.value, (Interval{13.5e15, 14e15}));
  EXPECT_THAT(fp4.basis, HasSubstr("sources disagree: 13500 TFLOP/s (nv_dgx_b300_page; derived: 108 PF / 8) and 14000 TFLOP/s"));
  EXPECT_THAT(fp4.sources, ElementsAre("nv_dgx_b300_page", "nv_aiconfigurator"));
}
TEST(Peak, OfGb300IsNotHalfOfItsSparseRate) {
  EXPECT_EQ(rate("gb300-gpu", Precision::kFp4).value.low, 15e15);
  EXPECT_EQ(rate("gb300-gpu", Precision::kFp4, Sparsity::kTwoOfFour).value.low, 20e15);
}
TEST(Peak, OfARackSaysThatItCountsSeventyTwoGpus) {
  const SourcedFigure fp4 = rate("gb300-nvl72", Precision::kFp4);
  EXPECT_EQ(fp4.value.low, 1.08e18);
  EXPECT_THAT(fp4.basis, HasSubstr("per 72 GPUs"));
}
TEST(Peak, OfNvfp4IsTheFp4RateAndSaysSo) { EXPECT_THAT(rate("gb300-gpu", Precision::kNvFp4).basis, HasSubstr("the fp4 rate, at which nvfp4 multiplies")); }
TEST(Peak, OfMxfp4IsTheParsOwnRateWhereItHasOne) { EXPECT_EQ(rate("trainium3", Precision::kMxFp4).value.low, 2517e12); }
TEST(Peak, UsesTheVectorUnitsOnlyForWhatTheMatrixUnitDoesNotList) {
  EXPECT_THAT(rate("h100-sxm5", Precision::kFp32).basis, HasSubstr("vector"));
  EXPECT_THAT(rate("mi300x", Precision::kFp32).basis, HasSubstr("matrix"));
  EXPECT_EQ(rate("v100-sxm2-16gb", Precision::kFp16).value.low, 125e12);
}
TEST(Peak, TakesTheFp32AccumulatorAndGivesTheOtherWhenAsked) {
  EXPECT_EQ(rate("rtx4090", Precision::kFp8).value.low, 330.3e12);
  auto other = peak(catalog(), record("rtx4090"), {.precision = Precision::kFp8, .accumulate = Accumulate::kFp16});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->figure.value.low, 660.6e12);
}
TEST(Peak, NeverMixesUnitsCounted) {
  EXPECT_EQ(rate("mi250x", Precision::kBf16).value, (Interval{383e12, 383e12}));
  EXPECT_THAT(rate("mi250x", Precision::kBf16).basis, HasSubstr("per OAM of 2 GCDs"));
  auto gcd = peak(catalog(), record("mi250x"), {.precision = Precision::kBf16, .per = "GCD"});
  ASSERT_TRUE(gcd);
  EXPECT_EQ(gcd->figure.value.low, 191.5e12);
}
TEST(Peak, NeverUsesAnEstimateOrADisputedFigure) {
  EXPECT_EQ(rate("tpu-v6e", Precision::kBf16).value, (Interval{918e12, 918e12}));
  EXPECT_EQ(rate("l4", Precision::kBf16).value, (Interval{121e12, 121e12}));
}
TEST(Peak, OfRubinsInferenceFigureIsNotDense) {
  EXPECT_THAT(error_of("rubin-gpu-blog", {.precision = Precision::kFp4}), HasSubstr("50000 TFLOP/s fp4, inference, tensor, preliminary"));
}

TEST(BestPeak, NamesThePrecision) {
  auto volta = best_peak(catalog(), record("v100-sxm2-16gb"));
  auto ultra = best_peak(catalog(), record("gb300-gpu"));
  ASSERT_TRUE(volta && ultra);
  EXPECT_EQ(volta->precision, Precision::kFp16);
  EXPECT_EQ(ultra->precision, Precision::kFp4);
  EXPECT_DOUBLE_EQ(ultra->answer.figure.value.low / volta->answer.figure.value.low, 120);
}

TEST(Figures, AreNumbersWhereACoarsePrintAgrees) {
  EXPECT_EQ(of("h100-sxm5", FigureName::kMemoryBandwidth).value, (Interval{3352e9, 3352e9}));
  EXPECT_EQ(of("h100-pcie", FigureName::kMemoryBandwidth).value, (Interval{2039e9, 2039e9}));
  EXPECT_EQ(of("h100-nvl", FigureName::kMemoryCapacity).value, (Interval{94e9, 94e9}));
}
TEST(Figures, AreRangesWhereFinalSourcesDisagree) {
  EXPECT_EQ(of("t4", FigureName::kMemoryBandwidth).value, (Interval{300e9, 320e9}));
  EXPECT_EQ(of("p100-sxm", FigureName::kMemoryBandwidth).value, (Interval{720e9, 732e9}));
}
TEST(Figures, LetNoUpperBoundAnswerBesideAFigure) { EXPECT_EQ(of("b300-sxm-hgx", FigureName::kMemoryBandwidth).value, (Interval{7750e9, 7750e9})); }
TEST(Figures, OfAnotherConfigurationDoNotAnswer) {
  EXPECT_EQ(of("a100-sxm4-80gb", FigureName::kTdp).value, (Interval{400, 400}));
  EXPECT_EQ(of("b200-sxm-hgx", FigureName::kMemoryCapacity).value, (Interval{180e9, 180e9}));
}
TEST(Figures, OfOnChipMemoriesCountInPowersOfTwo) { EXPECT_EQ(of("h100-sxm5", FigureName::kSmemPerSm).value.low, 228 * 1024.0); }

TEST(Links, AreHalvedWhereTheSourceGivesBothDirections) {
  auto link = link_per_direction(catalog(), record("v100-sxm2-16gb"), FigureName::kScaleUp);
  ASSERT_TRUE(link);
  EXPECT_EQ(link->figure.value.low, 150e9);
  EXPECT_EQ(link->figure.basis, "per direction, NVLink, final, per chip, derived: 300 GB/s of both directions / 2");
  EXPECT_EQ(link->figure.provenance, Provenance::kDerived);
}
TEST(Links, AgreeBetweenTotalsAndDirections) {
  auto link = link_per_direction(catalog(), record("h100-sxm5"), FigureName::kScaleUp);
  ASSERT_TRUE(link);
  EXPECT_EQ(link->figure.value, (Interval{450e9, 450e9}));
}
TEST(Links, WithoutADirectionAreAssumedAndSaySo) {
  auto link = link_per_direction(catalog(), record("trainium2"), FigureName::kScaleUp);
  ASSERT_TRUE(link);
  EXPECT_EQ(link->figure.value.low, 640e9);
  EXPECT_EQ(link->figure.provenance, Provenance::kAssumed);
}

TEST(UsableMemory, IsWhatTheDriverReportsWhereASourceSaysIt) {
  auto memory = usable_memory(catalog(), record("h100-sxm5"));
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->low, Bytes{81559 * kMiB});
  EXPECT_EQ(memory->high, memory->low);
}
TEST(UsableMemory, IsOtherwiseTheLabelInTensToTwos) {
  auto memory = usable_memory(catalog(), record("a100-sxm4-80gb"));
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->low, Bytes{80'000'000'000});
  EXPECT_EQ(memory->high, Bytes{80 * kGiB});
  EXPECT_THAT(memory->basis, HasSubstr("label × 10^9 to label × 2^30"));
}
TEST(UsableMemory, TakesNoConversionOfTheEc2Api) { EXPECT_EQ(usable_memory(catalog(), record("a10g"))->low, Bytes{24'000'000'000}); }
TEST(UsableMemory, TakesTheEc2ApiWhereItGivesTheDriversTotal) { EXPECT_EQ(usable_memory(catalog(), record("b200-sxm-hgx"))->low, Bytes{183359 * kMiB}); }

// Properties of the whole catalogue.
TEST(Catalogue, HasASourceForEveryFigure) {
  int figures = 0;
  for (const AcceleratorRow& row : accelerators(catalog())) {
    for (const FigureRow& figure : row.figures) {
      ++figures;
      EXPECT_FALSE(figure.source.empty()) << row.id;
      for (std::string_view source : figure.source) EXPECT_NE(find_source(catalog(), source), nullptr) << row.id << " " << source;
    }
    for (const RateRow& rate : row.rates) {
      ++figures;
      EXPECT_FALSE(rate.source.empty()) << row.id;
      for (std::string_view source : rate.source) EXPECT_NE(find_source(catalog(), source), nullptr) << row.id << " " << source;
    }
  }
  EXPECT_EQ(accelerators(catalog()).size(), 65u);
  EXPECT_GT(figures, 700);
}
TEST(Catalogue, ResolvesEveryRecord) {
  for (const AcceleratorRow& row : accelerators(catalog())) {
    auto found = find_records(catalog(), row.id);
    ASSERT_TRUE(found) << row.id;
    EXPECT_EQ(found->front()->id, row.id);
    EXPECT_EQ(static_cast<bool>(catalog().resolve(row.id)), row.kind == PartKind::kChip) << row.id;
    if (!row.chip.empty()) {
      EXPECT_TRUE(catalog().resolve(row.chip)) << row.id << " names the chip " << row.chip;
    }
  }
}
TEST(Catalogue, HasRangesFromFinalSourcesOnly) {
  const auto of_final_sources = [](const Answer& answer) {
    if (!answer.disagree()) return true;
    return answer.choice.used.size() > 1 && std::all_of(answer.choice.used.begin(), answer.choice.used.end(), [](const Candidate& used) {
             return used.status == Status::kFinal && !used.rounded && !used.up_to && !used.sources.empty();
           });
  };
  int ranges = 0;
  for (const AcceleratorRow& row : accelerators(catalog())) {
    for (const auto& name : kFigureNames) {
      auto answer = figure(catalog(), row, name.value);
      if (answer) {
        EXPECT_TRUE(of_final_sources(*answer)) << row.id << " " << name.name << " " << answer->figure.basis;
      }
      ranges += answer && answer->disagree();
    }
    for (Precision precision : listed_precisions(row)) {
      auto answer = peak(catalog(), row, {.precision = precision});
      if (answer) {
        EXPECT_TRUE(of_final_sources(*answer)) << row.id << " " << answer->figure.basis;
      }
      ranges += answer && answer->disagree();
    }
  }
  EXPECT_GT(ranges, 5);
}
TEST(Catalogue, HasNoIdThatIsAlsoAnAliasOfAnotherRecord) {
  std::set<std::string_view> ids;
  for (const AcceleratorRow& row : accelerators(catalog())) ids.insert(row.id);
  for (const AcceleratorRow& row : accelerators(catalog()))
    for (std::string_view alias : row.aliases) EXPECT_FALSE(ids.contains(alias)) << row.id << " " << alias;
}

TEST(Devices, HoldWhatTheAnalysesAsk) {
  const Device device = device_of(catalog(), record("h100-sxm5"));
  EXPECT_EQ(device.peak.at(Precision::kBf16).value.low, 989.4e12);
  EXPECT_EQ(device.vector_fp32->value.low, 67e12);
  EXPECT_EQ(device.memory_bandwidth->value.low, 3352e9);
  EXPECT_EQ(device.scale_up->value.low, 450e9);
  EXPECT_EQ(device.host_link->value.low, 64e9);
  EXPECT_EQ(device.host_link_name, "PCIe Gen5 x16");
  EXPECT_EQ(device.power->value.low, 700);
}
TEST(Devices, SayWhereASourceDeniesAScaleUpLink) {
  EXPECT_TRUE(device_of(catalog(), record("rtx4090")).scale_up_none);
  EXPECT_FALSE(device_of(catalog(), record("l4")).scale_up_none) << "no source says either";
}
TEST(Devices, AreNoRacks) {
  for (const Device& device : catalog().devices()) EXPECT_EQ(device.id.find("nvl72"), std::string::npos) << device.id;
}
TEST(Devices, AnswerNvfp4WithTheFp4Rate) {
  auto rate = device_of(catalog(), record("gb300-gpu")).peak_of(Precision::kNvFp4);
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->value.low, 15e15);
}
TEST(Devices, ListThePrecisionsThatExist) {
  auto rate = device_of(catalog(), record("a10g")).peak_of(Precision::kFp16);
  ASSERT_FALSE(rate);
  EXPECT_EQ(to_string(rate.error()), "a10g: no dense fp16 rate is listed\n  Dense rates are listed for: bf16, int8.");
}

}  // namespace
}  // namespace ridge::hardware
