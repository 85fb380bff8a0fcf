#include "hardware/lint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "formats/csv.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

using ::testing::HasSubstr;

const Linter& linter() {
  static const Linter one(Catalog::builtin());
  return one;
}
std::string error_of(std::string_view text, std::string_view format = {}) {
  auto table = read_claims(text, "claims", format);
  return table ? fmt::format("read {} claims", table->claims.size()) : to_string(table.error());
}
Judgement judge(std::string_view row) {
  auto table = read_claims("accelerator,metric,precision,claimed,unit\n" + std::string(row) + "\n", "claims.csv");
  EXPECT_TRUE(table) << to_string(table.error());
  return table ? linter().judge(table->claims.at(0)) : Judgement{};
}
std::string flag(std::string_view row) { return std::string(word_for(judge(row).flag)); }

// The oracle: claims found in public data sets, wrong ones and right ones, with what is wrong and what is right.
TEST(Lint, JudgesTheClaimsOfPublicDataSetsAsTheyAre) {
  std::ifstream file(std::string(RIDGE_SOURCE_DIR) + "/tests/oracles/lint_cases.csv");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto expected = formats::read_csv(text, "lint_cases.csv");
  auto claims = read_claims(text, "lint_cases.csv");
  ASSERT_TRUE(expected) << to_string(expected.error());
  ASSERT_TRUE(claims) << to_string(claims.error());
  ASSERT_EQ(claims->claims.size(), 30u);
  const std::size_t flag_column = *expected->column("expected_flag"), right_column = *expected->column("right_value"),
                    unit_column = *expected->column("right_unit");
  for (std::size_t i = 0; i < claims->claims.size(); ++i) {
    const Judgement judgement = linter().judge(claims->claims[i]);
    const std::vector<std::string>& row = expected->rows[i];
    EXPECT_EQ(word_for(judgement.flag), row[flag_column]) << claims->claims[i].label << ": " << judgement.explanation;
    EXPECT_FALSE(judgement.explanation.empty());
    if (row[right_column].empty()) {
      EXPECT_FALSE(judgement.right.has_value()) << claims->claims[i].label << " " << judgement.right_text;
      continue;
    }
    ASSERT_TRUE(judgement.right) << claims->claims[i].label;
    EXPECT_FALSE(judgement.sources.empty()) << claims->claims[i].label;
    const double factor = row[unit_column] == "GB/s" || row[unit_column] == "GB" ? 1e9 : 1e12;
    const double right = *parse_real(row[right_column]) * factor;
    EXPECT_NEAR(judgement.right->low, right, 0.001 * right) << claims->claims[i].label;
    EXPECT_TRUE(judgement.right->is_point()) << claims->claims[i].label;
  }
}

// More of the same kinds, from the list of errors in public data sets and of like making.
struct Case {
  const char* row;
  const char* flag;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.row << " is " << one.flag; }
class LintOfMoreClaims : public ::testing::TestWithParam<Case> {};
TEST_P(LintOfMoreClaims, NamesTheMistake) {
  const Judgement judgement = judge(GetParam().row);
  EXPECT_EQ(word_for(judgement.flag), std::string_view(GetParam().flag)) << GetParam().row << ": " << judgement.explanation;
}
INSTANTIATE_TEST_SUITE_P(
    Sparse, LintOfMoreClaims,
    ::testing::Values(Case{"h100-sxm5,peak,bf16,1979,TFLOP/s", "sparse_as_dense"}, Case{"h100-sxm5,peak,fp8,3958,TFLOP/s", "sparse_as_dense"},
                      Case{"h200-sxm,peak,bf16,1979,TFLOP/s", "sparse_as_dense"}, Case{"l4,peak,bf16,242,TFLOP/s", "sparse_as_dense"},
                      Case{"l40s,peak,bf16,733,TFLOP/s", "sparse_as_dense"}, Case{"a100-sxm4-80gb,peak,bf16,624,TFLOP/s", "sparse_as_dense"},
                      Case{"rtx4090,peak,bf16,330.4,TFLOP/s", "sparse_as_dense"}, Case{"rtx5090,peak,fp4,3352,TFLOP/s", "sparse_as_dense"},
                      Case{"gb300-gpu,peak,fp4,20,PFLOP/s", "sparse_as_dense"}, Case{"gb300-nvl72,peak,fp4,1440,PFLOP/s", "sparse_as_dense"},
                      Case{"gb200-nvl72,peak,fp4,1440,PFLOP/s", "sparse_as_dense"}, Case{"mi355x,peak,fp8,10.1,PFLOP/s", "sparse_as_dense"},
                      Case{"trainium2,peak,bf16,2563,TFLOP/s", "sparse_as_dense"}, Case{"rubin-gpu,peak,nvfp4,50,PFLOP/s", "sparse_as_dense"},
                      Case{"mi300x,peak,bf16,2614.9,TFLOP/s", "sparse_as_dense"}, Case{"gh200-144gb,peak,bf16,1979,TFLOP/s", "sparse_as_dense"},
                      Case{"mi355x,peak,bf16,5000,TFLOP/s", "sparse_as_dense"}, Case{"b200-sxm-hgx,peak,bf16,4500,TFLOP/s", "sparse_as_dense"}));
INSTANTIATE_TEST_SUITE_P(
    UnitCounted, LintOfMoreClaims,
    ::testing::Values(Case{"b200-sxm-hgx,memory_bandwidth,,64,TB/s", "unit_counted"}, Case{"b200-sxm-hgx,memory_capacity,,1440,GB", "unit_counted"},
                      Case{"b200-sxm-hgx,scale_up,,14.4,TB/s", "unit_counted"}, Case{"b200-sxm-hgx,peak,fp4,72,PFLOP/s", "unit_counted"},
                      Case{"gb200-gpu,memory_capacity,,372,GB", "unit_counted"}, Case{"gb200-gpu,memory_bandwidth,,16,TB/s", "unit_counted"},
                      Case{"gb300-gpu,memory_bandwidth,,576,TB/s", "unit_counted"}, Case{"gb300-nvl72,memory_bandwidth,,8,TB/s", "unit_counted"},
                      Case{"gb300-nvl72,memory_capacity,,288,GB", "unit_counted"}, Case{"gb300-nvl72,peak,fp4,15,PFLOP/s", "unit_counted"},
                      Case{"h100-sxm5,memory_capacity,,640,GB", "unit_counted"}, Case{"a100-sxm4-40gb,memory_capacity,,320,GB", "unit_counted"},
                      Case{"h100-nvl,memory_bandwidth,,7.8,TB/s", "unit_counted"}, Case{"mi250x,memory_capacity,,64,GiB", "unit_counted"},
                      Case{"mi250,peak,fp16,181,TFLOP/s", "unit_counted"}, Case{"trainium1,peak,bf16,95,TFLOP/s", "unit_counted"},
                      Case{"trainium2,peak,bf16,79,TFLOP/s", "unit_counted"}, Case{"gh200-96gb,memory_capacity,,192,GB", "unit_counted"},
                      Case{"b200-sxm-hgx,power,,14.3,kW", "unit_counted"}, Case{"tpu-v5p,memory_capacity,,380,GB", "unit_counted"},
                      Case{"mi300x,memory_capacity,,1536,GB", "unit_counted"}, Case{"mi250x,memory_capacity,,64,GB", "unit_counted"},
                      Case{"trainium2,memory_bandwidth,,46,TB/s", "unit_counted"}, Case{"gb200-superchip,memory_bandwidth,,8,TB/s", "unit_counted"}));
INSTANTIATE_TEST_SUITE_P(OtherSku, LintOfMoreClaims,
                         ::testing::Values(Case{"gb300-gpu,peak,int8,5000,TOP/s", "other_sku"}, Case{"a10g,peak,int8,250,TOP/s", "other_sku"},
                                           Case{"h800-sxm,peak,bf16,756,TFLOP/s", "other_sku"}, Case{"h100-pcie,memory_bandwidth,,3.35,TB/s", "other_sku"},
                                           Case{"h100-sxm5,memory_bandwidth,,2039,GB/s", "other_sku"}, Case{"h100-sxm5,memory_capacity,,94,GB", "other_sku"},
                                           Case{"a100-sxm4-40gb,memory_capacity,,80,GB", "other_sku"},
                                           Case{"a100-sxm4-80gb,memory_bandwidth,,1555,GB/s", "other_sku"},
                                           Case{"rtx-pro6000-blackwell-maxq,memory_bandwidth,,1597,GB/s", "other_sku"},
                                           Case{"l40s,peak,bf16,181.05,TFLOP/s", "other_sku"}, Case{"h100-sxm5,peak,bf16,312,TFLOP/s", "other_sku"},
                                           Case{"a10,peak,bf16,70,TFLOP/s", "other_sku"}, Case{"h100-pcie,power,,700,W", "other_sku"},
                                           Case{"h100-pcie,peak,bf16,989,TFLOP/s", "other_sku"}, Case{"h100-sxm5,scale_up,,1800,GB/s", "other_sku"},
                                           Case{"h20-96gb,peak,bf16,989,TFLOP/s", "other_sku"}, Case{"v100-pcie,peak,fp16,125,TFLOP/s", "other_sku"},
                                           Case{"mi325x,memory_bandwidth,,5.3,TB/s", "other_sku"}));
INSTANTIATE_TEST_SUITE_P(Preliminary, LintOfMoreClaims,
                         ::testing::Values(Case{"h100-sxm5,peak,bf16,1000,TFLOP/s", "preliminary"}, Case{"h100-sxm5,peak,bf16,2000,TFLOP/s", "preliminary"},
                                           Case{"h100-pcie,peak,bf16,800,TFLOP/s", "preliminary"}, Case{"h100-pcie,memory_bandwidth,,2000,GB/s", "preliminary"},
                                           Case{"h100-sxm5,peak,fp64,60,TFLOP/s", "preliminary"}, Case{"b100,memory_capacity,,192,GB", "preliminary"}));
INSTANTIATE_TEST_SUITE_P(
    Vector, LintOfMoreClaims,
    ::testing::Values(Case{"rtx3090,peak,bf16,35.6,TFLOP/s", "vector_as_tensor"}, Case{"rtx-a6000,peak,bf16,38.7,TFLOP/s", "vector_as_tensor"},
                      Case{"h100-sxm5,peak,fp16,267.6,TFLOP/s", "vector_as_tensor"}, Case{"a100-sxm4-80gb,peak,fp16,77.97,TFLOP/s", "vector_as_tensor"},
                      Case{"l4,peak,bf16,30.3,TFLOP/s", "vector_as_tensor"}, Case{"l40s,peak,fp16,91.6,TFLOP/s", "vector_as_tensor"},
                      Case{"h100-sxm5,peak,bf16,133,TFLOP/s", "vector_as_tensor"}, Case{"mi300x,peak,fp16,330.6,TFLOP/s", "vector_as_tensor"},
                      Case{"mi300x,peak,fp16,163.4,TFLOP/s", "vector_as_tensor"}, Case{"a100-sxm4-80gb,peak,tf32,19.5,TFLOP/s", "vector_as_tensor"},
                      Case{"v100-sxm2-16gb,peak,fp16,31.4,TFLOP/s", "vector_as_tensor"}));
INSTANTIATE_TEST_SUITE_P(
    Prefix, LintOfMoreClaims,
    ::testing::Values(Case{"a100-sxm4-80gb,memory_bandwidth,,2199,GB/s", "binary_prefix"}, Case{"a30,memory_bandwidth,,1001.8,GB/s", "binary_prefix"},
                      Case{"h100-sxm5,memory_bandwidth,,3.35,TiB/s", "binary_prefix"}, Case{"a100-sxm4-80gb,memory_capacity,,85.9,GB", "binary_prefix"},
                      Case{"h200-sxm,memory_bandwidth,,4.8,TiB/s", "binary_prefix"}, Case{"a100-sxm4-80gb,memory_bandwidth,,2048,GB/s", "mismatch"}));
INSTANTIATE_TEST_SUITE_P(
    Precision, LintOfMoreClaims,
    ::testing::Values(Case{"a100-sxm4-80gb,peak,fp8,1248,TFLOP/s", "unsupported_precision"},
                      Case{"v100-sxm2-16gb,peak,bf16,125,TFLOP/s", "unsupported_precision"}, Case{"t4,peak,bf16,65,TFLOP/s", "unsupported_precision"},
                      Case{"h100-sxm5,peak,fp4,4000,TFLOP/s", "unsupported_precision"}, Case{"l40s,peak,nvfp4,1466,TFLOP/s", "unsupported_precision"},
                      Case{"v100-sxm2-16gb,peak,tf32,62,TFLOP/s", "unsupported_precision"}, Case{"b200-sxm-hgx,peak,int4,9000,TOP/s", "unsupported_precision"},
                      Case{"mi250x,peak,fp8,766,TFLOP/s", "unsupported_precision"}, Case{"mi300x,peak,fp4,5230,TFLOP/s", "unsupported_precision"},
                      Case{"h100-sxm5,peak,mxfp8,1979,TFLOP/s", "unsupported_precision"}, Case{"b200-sxm-hgx,peak,bf16,9000,TFLOP/s", "other_precision"},
                      Case{"b200-sxm-hgx,peak,fp8,2250,TFLOP/s", "other_precision"}, Case{"t4,peak,fp16,130,TFLOP/s", "other_precision"}));
INSTANTIATE_TEST_SUITE_P(Others, LintOfMoreClaims,
                         ::testing::Values(Case{"h100-sxm5,memory_bandwidth,,80,GB/s", "capacity_as_bandwidth"},
                                           Case{"h200-sxm,memory_bandwidth,,141,GB/s", "capacity_as_bandwidth"},
                                           Case{"tpu-v5p,memory_bandwidth,,95,GB/s", "capacity_as_bandwidth"},
                                           Case{"tpu-v6e,peak,bf16,926,TFLOP/s", "press_estimate"}, Case{"l4,peak,bf16,60.6,TFLOP/s", "disputed"},
                                           Case{"a100-sxm4-80gb,power,,500,W", "other_configuration"}, Case{"mi300x,peak,bf16,1300,TFLOP/s", "mismatch"},
                                           Case{"b300-sxm-hgx,compute_capability,,10.0,", "mismatch"},
                                           Case{"h100-sxm5,memory_bandwidth,,3400,GB/s", "mismatch"}, Case{"rubin-gpu,peak,nvfp4,25,PFLOP/s", "mismatch"}));
INSTANTIATE_TEST_SUITE_P(Right, LintOfMoreClaims,
                         ::testing::Values(Case{"h100-sxm5,peak,bf16,989,TFLOP/s", "ok"}, Case{"h100-sxm5,peak,bf16,989.4,TFLOPS", "ok"},
                                           Case{"h100-sxm5,peak,bf16,0.989,PFLOP/s", "ok"}, Case{"t4,memory_bandwidth,,300,GB/s", "ok"},
                                           Case{"t4,memory_bandwidth,,320,GB/s", "ok"}, Case{"b300-sxm-hgx,peak,nvfp4,14,PFLOP/s", "ok"},
                                           Case{"b300-sxm-hgx,memory_bandwidth,,8,TB/s", "ok"}, Case{"rubin-gpu,memory_bandwidth,,22,TB/s", "ok"},
                                           Case{"rubin-gpu,memory_bandwidth,,19.2,TB/s", "ok"}, Case{"h100-sxm5,scale_up,,900,GB/s", "ok"},
                                           Case{"h100-sxm5,scale_up,,450,GB/s", "ok"}, Case{"h100-sxm5,peak,fp64,34,TFLOP/s", "ok"},
                                           Case{"h100-sxm5,peak,fp64,67,TFLOP/s", "ok"}, Case{"mi300x,memory_capacity,,192,GB", "ok"},
                                           Case{"mi300x,memory_capacity,,192,GiB", "ok"}, Case{"h100-sxm5,memory_capacity,,81559,MiB", "ok"},
                                           Case{"b200-sxm-hgx,memory_capacity,,192,GB", "ok"}, Case{"a100-sxm4-80gb,memory_bandwidth,,2,TB/s", "ok"},
                                           Case{"tpu-v6e,peak,bf16,920,TFLOP/s", "ok"}, Case{"mi355x,peak,bf16,2.5,PFLOP/s", "ok"},
                                           Case{"rtx4090,peak,fp8,660.6,TFLOP/s", "ok"}, Case{"gb300-nvl72,peak,fp4,1080,PFLOP/s", "ok"},
                                           Case{"mi250x,peak,bf16,383,TFLOP/s", "ok"}, Case{"b300-sxm-hgx,compute_capability,,10.3,", "ok"},
                                           Case{"NVIDIA H100 80GB HBM3,memory_bandwidth,,3.35,TB/s", "ok"}, Case{"h100-sxm5,sm_count,,132,SM", "ok"},
                                           Case{"h100-sxm5,power,,700,W", "ok"}));
INSTANTIATE_TEST_SUITE_P(Undecided, LintOfMoreClaims,
                         ::testing::Values(Case{"h100,peak,bf16,989,TFLOP/s", "ambiguous"}, Case{"h100,peak,bf16,1979,TFLOP/s", "sparse_as_dense"},
                                           Case{"a100x,memory_capacity,,80,GB", "unknown_part"},
                                           Case{"NVIDIA A100-SXM-64GB,memory_capacity,,64,GB", "unknown_part"},
                                           Case{"h200-sxm,peak,fp16,989,TFLOP/s", "no_figure"}, Case{"a100,memory_capacity,,28,GB", "mismatch"},
                                           Case{"h100,peak,int4,3958,TOP/s", "unsupported_precision"}));

TEST(Lint, SaysWhatIsRightInTheUnitOfTheClaim) {
  const Judgement judgement = judge("h100-sxm5,peak,bf16,1.979,PFLOP/s");
  EXPECT_EQ(judgement.right_text, "0.9894 PFLOP/s");
  EXPECT_THAT(judgement.explanation, HasSubstr("1978.9 TFLOP/s is the rate with 2:4 sparsity"));
  EXPECT_EQ(judge("b300-sxm-hgx,peak,fp4,18,PFLOP/s").right_text, "13.5 to 14 PFLOP/s");
}
TEST(Lint, HoldsASparseClaimAgainstTheSparseRate) {
  auto table = read_claims("accelerator,metric,precision,sparsity,claimed,unit\nh100-sxm5,peak,bf16,2:4,1979,TFLOP/s\nh100-sxm5,peak,bf16,dense,1979,TFLOP/s\n",
                           "c.csv");
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(linter().judge(table->claims[0]).flag, LintFlag::kOk);
  EXPECT_EQ(linter().judge(table->claims[1]).flag, LintFlag::kSparseAsDense);
}
// Every figure that answers a question is a claim that holds.
TEST(Lint, HoldsEveryAnswerOfTheCatalogue) {
  int claims = 0;
  for (const AcceleratorRow& record : accelerators(Catalog::builtin())) {
    for (Precision precision : listed_precisions(record)) {
      auto answer = peak(Catalog::builtin(), record, {.precision = precision});
      if (!answer || answer->choice.status != Status::kFinal) continue;
      for (const Candidate& used : answer->choice.used) {
        ++claims;
        const std::string row = fmt::format("{},peak,{},{},TFLOP/s", record.id, ridge::name_of(precision), used.printed);
        EXPECT_EQ(flag(row), "ok") << row << ": " << judge(row).explanation;
      }
    }
    auto bandwidth = figure(Catalog::builtin(), record, FigureName::kMemoryBandwidth);
    if (!bandwidth) continue;
    for (const Candidate& used : bandwidth->choice.used) EXPECT_EQ(flag(fmt::format("{},memory_bandwidth,,{},B/s", record.id, used.value)), "ok") << record.id;
  }
  EXPECT_GT(claims, 200);
}

TEST(Claims, AreReadFromCsvTsvJsonAndYamlAlike) {
  const std::string json = R"([{"accelerator":"l4","metric":"peak","precision":"bf16","claimed":242,"unit":"TFLOP/s","case":"a"}])";
  const std::string yaml = "claims:\n- {accelerator: l4, metric: peak, precision: bf16, claimed: 242, unit: TFLOP/s, case: a}\n";
  const std::string csv = "case,accelerator,metric,precision,claimed,unit,who\na,l4,peak,bf16,242,TFLOP/s,me\n";
  const std::string tsv = "case\taccelerator\tmetric\tprecision\tclaimed\tunit\na\tl4\tpeak\tbf16\t242\tTFLOP/s\n";
  for (const std::string& text : {json, yaml, csv, tsv}) {
    auto table = read_claims(text, "claims");
    ASSERT_TRUE(table) << text << to_string(table.error());
    ASSERT_EQ(table->claims.size(), 1u);
    EXPECT_EQ(table->claims[0].label, "a");
    EXPECT_EQ(table->claims[0].value, 242e12);
  }
  EXPECT_THAT(read_claims(csv, "claims")->ignored, ::testing::ElementsAre("who"));
}
TEST(Claims, ReadNumbersAsPeopleWriteThem) {
  auto table = read_claims("accelerator,metric,precision,claimed,unit\nh100-sxm5,peak,bf16,\"1,979\",TFLOPS\nl4,bandwidth,,300 GB/s,\n", "c.csv");
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(table->claims[0].value, 1979e12);
  EXPECT_EQ(table->claims[1].value, 300e9);
}
TEST(Claims, NameTheLineThatIsWrong) {
  const std::string header = "accelerator,metric,precision,claimed,unit\n";
  EXPECT_EQ(error_of(header + "l4,peek,bf16,242,TFLOP/s\n"),
            "claims:2: metric: \"peek\" is not a metric that can be checked\n  Known: peak, memory_bandwidth, memory_capacity, scale_up, pcie, host_link, "
            "power, sm_count, cu_count, die_area, "
            "transistors, compute_capability.");
  EXPECT_THAT(error_of(header + "l4,peak,,242,TFLOP/s\n"), HasSubstr("claims:2: precision: a peak needs its precision"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,300,GB\n"), HasSubstr("claims:2: unit: \"GB\" is not a unit of"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,300,\n"), HasSubstr("claims:2: unit: \"300\" has no unit"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,fast,GB/s\n"), HasSubstr("claims:2: claimed:"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,-300,GB/s\n"), HasSubstr("claims:2"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,0,GB/s\n"), HasSubstr("\"0\" is no figure of a part"));
  EXPECT_THAT(error_of(header + "l4,memory_bandwidth,,nan,GB/s\n"), HasSubstr("claims:2"));
  EXPECT_THAT(error_of(header + ",memory_bandwidth,,300,GB/s\n"), HasSubstr("the name of a part is missing"));
  EXPECT_EQ(
      error_of("gpu,figure,claimed\nl4,peak,3\n"),
      "claims: header: there is no column \"metric\"\n  Columns: gpu, figure, claimed. Needed: accelerator, metric, claimed, unit; precision for a peak.");
  EXPECT_THAT(error_of("gpu,accelerator,metric,claimed\nl4,l4,peak,3\n"), HasSubstr("stands beside another column"));
  EXPECT_THAT(error_of("[{\"accelerator\":\"l4\",\"metric\":\"peak\",\"claimed\":[1]}]"), HasSubstr("text or a number is expected"));
  EXPECT_THAT(error_of("{\"rows\":[]}"), HasSubstr("the key \"claims\" is missing"));
  EXPECT_THAT(error_of("[3]"), HasSubstr("a claim is a map"));
  EXPECT_THAT(error_of("", "xml"), HasSubstr("is no format"));
}

}  // namespace
}  // namespace ridge::hardware
