// operations() over every model that is compiled in: what holds of all of them, whatever their layers are.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/kv_cache.h"
#include "model/model.h"
#include "model/operations.h"

namespace ridge::model {
namespace {

class Catalogue : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const formats::MemoryFileSystem none;
    Result<Model> model = load(GetParam(), none);
    ASSERT_TRUE(model) << to_string(model.error());
    model_ = *std::move(model);
    if (model_.encoder) GTEST_SKIP() << "an encoder's input is not part of a step";
  }
  std::vector<Operation> list(const Step& step) const {
    Result<std::vector<Operation>> operations = model::operations(model_, step);
    EXPECT_TRUE(operations) << to_string(operations.error());
    return operations ? *std::move(operations) : std::vector<Operation>();
  }
  // Bytes of text tensors, with their copies; `matches` chooses.
  double stored(auto matches) const {
    double bytes = 0;
    for (std::size_t i = 0; i < model_.text.blocks.size(); ++i)
      for (const Tensor& tensor : model_.text.blocks[i].tensors)
        if (matches(tensor) && !is_idle(model_.text.blocks[i])) bytes += tensor.stored().as_double() * static_cast<double>(model_.text.count_of(i));
    for (const Tensor& tensor : model_.text.tensors)
      if (matches(tensor)) bytes += tensor.stored().as_double();
    return bytes;
  }
  double elements(auto matches) const {
    double count = 0;
    for (const Tensor& tensor : model_.text.tensors)
      if (matches(tensor)) count += static_cast<double>(tensor.elements());
    return count;
  }
  static bool is_idle(const Block& block) { return block.cross && !block.attention && !block.linear; }
  double idle_elements() const {
    double count = 0;
    for (std::size_t i = 0; i < model_.text.blocks.size(); ++i)
      if (is_idle(model_.text.blocks[i]))
        for (const Tensor& tensor : model_.text.blocks[i].tensors) count += static_cast<double>(tensor.elements() * model_.text.count_of(i));
    return count;
  }
  Model model_;
};

double sum(const std::vector<Operation>& operations, auto of) {
  double total = 0;
  for (const Operation& o : operations) total += of(o) * static_cast<double>(o.count);
  return total;
}
bool is_product(const Operation& o) {
  return o.kind == OperationKind::kGemm || o.kind == OperationKind::kMoe || o.kind == OperationKind::kRouter || o.kind == OperationKind::kLogits;
}

TEST_P(Catalogue, MultipliesItsActiveParametersOncePerToken) {
  const Parameters p = *parameters(model_);
  // Not multiplied: tables that are only looked up (which `active` of a mixture of experts leaves out already), the vision
  // tower, and layers that only work on an image.
  const double lookups = model_.is_mixture_of_experts ? 0 : elements([](const Tensor& tensor) { return tensor.active_copies == 0; });
  const double active = static_cast<double>(p.active - p.vision) - lookups - idle_elements();
  const double flops = sum(list({.batch = 4, .context = 100}), [](const Operation& o) { return is_product(o) ? o.flops.value : 0; });
  EXPECT_NEAR(flops / (2 * 4 * active), 1, 0.01) << "vectors and convolutions aside";
}

TEST_P(Catalogue, ReadsEveryWeightOnceAtAVeryLargeBatch) {
  const double read = sum(list({.batch = 100'000'000}), [](const Operation& o) { return o.weight_bytes.as_double(); });
  double expected = stored([](const Tensor& tensor) { return tensor.part != Part::kVision; });
  if (model_.tied_embeddings && std::ranges::none_of(model_.text.tensors, [](const Tensor& t) { return t.part == Part::kHead; }))
    expected += stored([](const Tensor& tensor) { return tensor.part == Part::kEmbedding && tensor.active_copies > 0; });  // looked up, and the head
  EXPECT_NEAR(read / expected, 1, 0.002);
}

TEST_P(Catalogue, ReadsTheCacheThatItHolds) {
  constexpr std::int64_t kTokens = 3000;
  const double read = sum(list({.batch = 2, .context = kTokens}), [](const Operation& o) { return o.kv_bytes.as_double(); });
  const double held = kv_bytes(model_, Precision::kBf16, kTokens, {})->as_double() * 2;
  EXPECT_LE(read, held * 1.0000001) << "more is read than there is";
  const bool all_is_read = std::ranges::all_of(model_.text.blocks, [](const Block& block) {
    return !block.attention || block.attention->kind == AttentionKind::kFull || (block.attention->kind == AttentionKind::kLatent && !block.attention->indexer);
  });
  const bool shared = std::ranges::any_of(model_.text.blocks, [](const Block& block) { return block.attention && block.attention->reuses_kv; });
  if (all_is_read && !shared) {
    EXPECT_NEAR(read / held, 1, 1e-9);
  }
}

TEST_P(Catalogue, AsksForFiniteWorkInEveryPhaseAndLayout) {
  for (const Phase phase : {Phase::kPrefill, Phase::kDecode})
    for (const int tensor : {1, 2}) {
      const Step step{.phase = phase, .batch = 3, .new_tokens = phase == Phase::kPrefill ? 512 : 1, .context = 256, .layout = {.tensor = tensor}};
      if (!allows(model_, step.layout)) continue;
      for (const Operation& o : list(step)) {
        EXPECT_FALSE(o.name.empty());
        EXPECT_GE(o.count, 1);
        EXPECT_GE(o.flops.value, 0);
        EXPECT_LT(o.flops.value, 1e18) << o.name;
        EXPECT_GE(o.weight_bytes.count, 0) << o.name;
        EXPECT_GE(o.activation_bytes.count, 0) << o.name;
        EXPECT_LT(o.memory_bytes().count, 1'000'000'000'000) << o.name;
        EXPECT_EQ(o.link_bytes.count > 0, o.link_ranks > 1) << o.name;
      }
    }
}

TEST_P(Catalogue, TakesAsMuchInChunksAsInOnePrompt) {
  const auto attention = [this](std::int64_t context, std::int64_t tokens) {
    return sum(list({.phase = Phase::kPrefill, .new_tokens = tokens, .context = context}),
               [](const Operation& o) { return o.kind == OperationKind::kAttention && o.name == "layers.attention" ? o.flops.value : 0; });
  };
  const bool indexed = std::ranges::any_of(model_.text.blocks, [](const Block& block) { return block.attention && block.attention->indexer; });
  if (indexed) GTEST_SKIP() << "a long enough prompt multiplies the latents themselves";
  EXPECT_NEAR(attention(0, 1000) + attention(1000, 500), attention(0, 1500), attention(0, 1500) * 1e-12);
}

std::string plain(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue, testing::ValuesIn(catalogue_names()), plain);

}  // namespace
}  // namespace ridge::model
