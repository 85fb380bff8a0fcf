// Weights of the fullest rank.
#include "model/config_fixture.h"
#include "model/layout.h"

namespace ridge::model {
namespace {

const formats::MemoryFileSystem kNone;

std::int64_t bytes_of(const Model& model, std::optional<Precision> format = {}, Layout layout = {}) {
  const auto bytes = weight_bytes(model, format, layout);
  EXPECT_TRUE(bytes) << (bytes ? "" : to_string(bytes.error()));
  return bytes ? bytes->count : -1;
}

TEST(WeightBytes, OfACountAreItsBits) {
  const Model model = *load("7e9", kNone);
  EXPECT_EQ(bytes_of(model, Precision::kFp32), 28'000'000'000);
  EXPECT_EQ(bytes_of(model, Precision::kBf16), 14'000'000'000);
  EXPECT_EQ(bytes_of(model, Precision::kInt8), 7'000'000'000);
  EXPECT_EQ(bytes_of(model, Precision::kInt4, Layout{.tensor = 2}), 1'750'000'000);
}

TEST(WeightBytes, OfADescriptionWithACountFollowTheCount) {
  EXPECT_EQ(bytes_of(*load("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8", kNone), Precision::kBf16), 14'000'000'000);
}

TEST(WeightBytes, OnOneRankAreTheCheckpointWithoutItsPredictors) {
  const Model model = *load("qwen3-next-80b-a3b", kNone);
  EXPECT_EQ(bytes_of(model), 2 * parameters(model)->total);
  EXPECT_GT(checkpoint_bytes(model)->count, bytes_of(model));
}

TEST(WeightBytes, DivideMatricesAndRepeatNorms) {
  const Model model = *load("llama-3.1-8b", kNone);
  const Parameters p = *parameters(model);
  EXPECT_EQ(bytes_of(model, {}, Layout{.tensor = 8}), 2 * ((p.total - p.norms) / 8 + p.norms));
}

TEST(WeightBytes, RepeatKeyAndValueHeadsWhereRanksOutnumberThem) {
  const Model model = *load("llama-3.1-8b", kNone);
  const Parameters p = *parameters(model);
  const std::int64_t kv = 32 * 2 * 1024 * 4096;
  EXPECT_EQ(bytes_of(model, {}, Layout{.tensor = 32}), 2 * ((p.total - p.norms - kv) / 32 + kv / 8 + p.norms));
}

TEST(WeightBytes, SpreadExpertsOverTheirOwnRanksFirst) {
  const Model model = *load("mixtral-8x7b", kNone);
  EXPECT_EQ(bytes_of(model, {}, Layout{.tensor = 8}), bytes_of(model, {}, Layout{.tensor = 8, .expert = 8})) << "whole experts or slices of all: as many bytes";
  const Model odd = *load("qwen1.5-moe-a2.7b", kNone);
  const std::int64_t expert = 3 * 2048 * 1408 * 2;
  EXPECT_EQ(bytes_of(odd, {}, Layout{.tensor = 8, .expert = 8}) - bytes_of(odd, {}, Layout{.tensor = 8}), 24 * (8 * expert - 60 * expert / 8))
      << "60 experts over 8 ranks: one rank holds 8 of them";
}

TEST(WeightBytes, BalanceStagesWithEmbeddingAndHeadAtTheEnds) {
  const Model model = *load("llama-3.1-8b", kNone);
  const Parameters p = *parameters(model);
  const std::int64_t layer = (p.total - p.embedding - p.head - 4096) / 32;
  EXPECT_EQ(bytes_of(model, {}, Layout{.pipeline = 2}), 2 * (16 * layer + p.head + 4096)) << "the last stage has the final norm too";
  EXPECT_EQ(bytes_of(model, {}, Layout{.pipeline = 3}), 2 * (11 * layer + p.embedding)) << "10, 11, 11 layers would be wrong: the last stage is spared";
}

TEST(WeightBytes, CopyATiedEmbeddingToTheLastStage) {
  const Model model = *load("llama-3.2-1b", kNone);
  const Parameters p = *parameters(model);
  const std::int64_t layer = (p.total - p.embedding - 2048) / 16;
  EXPECT_EQ(bytes_of(model, {}, Layout{.pipeline = 2}), 2 * (8 * layer + p.embedding + 2048));
}

TEST(WeightBytes, InAGivenFormatConvertMatricesButNotTheHead) {
  const Model model = *load("llama-3.1-8b", kNone);
  const Parameters p = *parameters(model);
  const std::int64_t matrices = p.attention + p.dense_mlp;
  EXPECT_EQ(bytes_of(model, Precision::kMxFp4), matrices / 2 + matrices / 32 + 2 * (p.total - matrices));
  EXPECT_EQ(bytes_of(model, Precision::kFp32), 4 * p.total) << "with 16 bits and more an engine casts the whole model";
}

TEST(WeightBytes, NeedTheFieldsThatADescriptionLacks) {
  const auto bytes = weight_bytes(*load("layers=32,hidden=4096,heads=32", kNone), Precision::kBf16, Layout{});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(
      to_string(bytes.error()),
      "layers=32,hidden=4096,heads=32: the size of the weights needs what the description lacks: intermediate, vocab\n  Add intermediate, vocab to it, as in "
      "\"layers=32,hidden=4096,heads=32\".");
}

TEST(WeightBytes, RefuseALayoutWithoutRanks) { EXPECT_FALSE(weight_bytes(*load("7e9", kNone), {}, Layout{.tensor = 0})); }

}  // namespace
}  // namespace ridge::model
