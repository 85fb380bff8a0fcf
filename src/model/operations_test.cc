#include "model/operations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/kv_cache.h"
#include "model/operations_fixture.h"

namespace ridge::model {
namespace {

Model inline_model(double parameters) {
  Model model;
  model.name = "inline";
  model.given_parameters = parameters;
  model.layers = 32;
  model.hidden = model.text.hidden = 4096;
  model.missing = {"intermediate", "vocab"};
  Block block;
  Attention a;
  a.heads = 32;
  a.kv_heads = 8;
  a.head_dim = a.v_head_dim = 128;
  block.attention = a;
  block.mlp.kind = Mlp::Kind::kUnknown;
  model.text.blocks = {block};
  model.text.sequence.assign(32, 0);
  return model;
}

std::vector<Operation> list(const Model& model, const Step& step) {
  Result<std::vector<Operation>> operations = model::operations(model, step);
  EXPECT_TRUE(operations) << to_string(operations.error());
  return operations ? *std::move(operations) : std::vector<Operation>();
}

double sum(const std::vector<Operation>& operations, auto of) {
  return std::accumulate(operations.begin(), operations.end(), 0.0,
                         [&](double total, const Operation& o) { return total + of(o) * static_cast<double>(o.count); });
}
bool is_product(const Operation& o) {
  return o.kind == OperationKind::kGemm || o.kind == OperationKind::kMoe || o.kind == OperationKind::kRouter || o.kind == OperationKind::kLogits;
}
double product_flops(const std::vector<Operation>& operations) {
  return sum(operations, [](const Operation& o) { return is_product(o) ? o.flops.value : 0; });
}
double weight_sum(const std::vector<Operation>& operations) {
  return sum(operations, [](const Operation& o) { return o.weight_bytes.as_double(); });
}
const Operation* find(const std::vector<Operation>& operations, std::string_view name, std::string_view mixer = {}) {
  const auto found = std::ranges::find_if(operations, [&](const Operation& o) { return o.name == name && (mixer.empty() || o.mixer == mixer); });
  return found == operations.end() ? nullptr : &*found;
}

// Elements of all matrices that multiply a token, counted from the tensors themselves.
double active_matrix_elements(const Model& model) {
  double elements = 0;
  const auto add = [&](const std::vector<Tensor>& tensors, std::int64_t layers) {
    for (const Tensor& tensor : tensors)
      if (tensor.columns > 1 && tensor.name != "conv1d.weight") elements += static_cast<double>(tensor.active_elements() * layers);
  };
  for (std::size_t i = 0; i < model.text.blocks.size(); ++i) add(model.text.blocks[i].tensors, model.text.count_of(i));
  add(model.text.tensors, 1);
  return elements;
}
double stored(const Model& model) {
  double bytes = 0;
  for (std::size_t i = 0; i < model.text.blocks.size(); ++i)
    for (const Tensor& tensor : model.text.blocks[i].tensors) bytes += tensor.stored().as_double() * static_cast<double>(model.text.count_of(i));
  for (const Tensor& tensor : model.text.tensors) bytes += tensor.stored().as_double();
  return bytes;
}

TEST(Operations, OfADecodeStepMultiplyEachActiveParameterOncePerToken) {
  for (const Model& model : {dense_model(), latent_model(), hybrid_model()})
    for (const std::int64_t batch : {1, 7, 64})
      EXPECT_NEAR(product_flops(list(model, {.batch = batch, .context = 1000})) / (2 * active_matrix_elements(model) * static_cast<double>(batch)), 1, 1e-12);
}

TEST(Operations, OfAPromptMultiplyEachActiveParameterOncePerTokenButTheHead) {
  for (const Model& model : {dense_model(), latent_model(), hybrid_model()}) {
    const double head = static_cast<double>(*model.vocabulary * *model.hidden);
    const Step step{.phase = Phase::kPrefill, .batch = 2, .new_tokens = 500};
    EXPECT_NEAR(product_flops(list(model, step)) / (2 * ((active_matrix_elements(model) - head) * 1000 + head * 2)), 1, 1e-12) << "logits of the last tokens";
    Step all = step;
    all.logits_for_all = true;
    EXPECT_NEAR(product_flops(list(model, all)) / (2 * active_matrix_elements(model) * 1000), 1, 1e-12);
  }
}

TEST(Operations, OfAVeryLargeBatchReadEveryWeightOnce) {
  for (const Model& model : {dense_model(), latent_model(), hybrid_model()})
    EXPECT_NEAR(weight_sum(list(model, {.batch = 10'000'000})) / stored(model), 1, 1e-7);
}

TEST(Operations, OfOneTokenReadOnlyTheExpertsThatItPicks) {
  const Model model = latent_model();
  const double expert_bytes = 3.0 * 2048 * 7168 * 2;
  EXPECT_NEAR(find(list(model, {}), "layers.experts")->weight_bytes.as_double(), 8 * expert_bytes, 1);
  // 256 · (1 − (1 − 8/256)^16) = 101.96 of 256 experts (notes: 102 expected for sixteen tokens).
  EXPECT_NEAR(find(list(model, {.batch = 16}), "layers.experts")->weight_bytes.as_double() / expert_bytes, 101.96, 0.01);
  EXPECT_EQ(find(list(model, {.batch = 16}), "layers.experts")->m, 2) << "128 assignments over 102 experts, rounded up";
}

TEST(Operations, DivideByTensorParallelism) {
  const Model model = dense_model();
  const auto one = list(model, {.batch = 8, .context = 512});
  for (const int tensor : {2, 4, 8}) {
    const auto some = list(model, {.batch = 8, .context = 512, .layout = {.tensor = tensor}});
    EXPECT_NEAR(product_flops(some) * tensor / product_flops(one), 1, 1e-12);
    EXPECT_EQ(find(some, "layers.attention")->kv_bytes.count * tensor, find(one, "layers.attention")->kv_bytes.count);
    const Operation* reduce = find(some, "all_reduce");
    ASSERT_NE(reduce, nullptr);
    EXPECT_EQ(reduce->count, 65) << "two a layer and the embedding";
    EXPECT_EQ(reduce->link_bytes.count, 8 * 4096 * 2);
    EXPECT_EQ(reduce->link_ranks, tensor);
  }
  EXPECT_EQ(find(one, "all_reduce"), nullptr);
}

TEST(Operations, ReplicateKeyAndValueHeadsBeyondTheirNumber) {
  const auto eight = list(dense_model(), {.batch = 4, .context = 512, .layout = {.tensor = 8}});
  const auto sixteen = list(dense_model(), {.batch = 4, .context = 512, .layout = {.tensor = 16}});
  EXPECT_EQ(find(eight, "layers.attention")->kv_bytes.count, find(sixteen, "layers.attention")->kv_bytes.count);
  EXPECT_EQ(find(sixteen, "layers.qkv")->n, (32 / 16 + 1 + 1) * 128);
}

TEST(Operations, ReadTheCacheThatTheModelSizes) {
  for (const Model& model : {dense_model(), latent_model()}) {
    const auto operations = list(model, {.batch = 3, .context = 777, .kv_cache = Precision::kFp8});
    EXPECT_EQ(sum(operations, [](const Operation& o) { return o.kv_bytes.as_double(); }), kv_bytes(model, Precision::kFp8, 777, {})->as_double() * 3);
  }
}

TEST(Operations, FuseWhatEnginesFuse) {
  const auto operations = list(dense_model(), {.batch = 5});
  const Operation* qkv = find(operations, "layers.qkv");
  EXPECT_EQ(qkv->count, 32);
  EXPECT_EQ(qkv->m, 5);
  EXPECT_EQ(qkv->n, (32 + 8 + 8) * 128);
  EXPECT_EQ(qkv->k, 4096);
  EXPECT_EQ(find(operations, "layers.mlp_up")->n, 2 * 14'336);
  EXPECT_EQ(find(operations, "layers.mlp_down")->k, 14'336);
  EXPECT_EQ(find(operations, "head")->n, 128'256);
  EXPECT_EQ(find(operations, "layers.norm")->count, 64);
  EXPECT_EQ(operations.size(), 11u) << "equal layers are one operation";
}

TEST(Operations, OfDecodeAttentionAreFourFlopPerByteAtFourQueryHeadsPerKeyHead) {
  const Operation attention = *find(list(dense_model(), {.batch = 64, .context = 4096}), "layers.attention");
  EXPECT_NEAR((attention.flops / attention.kv_bytes).value, 4, 0.002);
}

TEST(Operations, OfALatentPromptMultiplyHeadsOfTheirOwn) {
  const Operation attention = *find(list(latent_model(), {.phase = Phase::kPrefill, .new_tokens = 1000}), "layers.attention");
  EXPECT_EQ(attention.flops.value, 2.0 * 128 * (192 + 128) * 1000 * 1001 / 2);
  EXPECT_EQ(attention.kv_bytes.count, 0);
  EXPECT_NE(find(list(latent_model(), {.phase = Phase::kPrefill, .new_tokens = 1000}), "layers.latent_up"), nullptr);
}

TEST(Operations, OfALatentDecodeMultiplyTheLatentsThemselves) {
  const auto operations = list(latent_model(), {.batch = 2, .context = 1000});
  const Operation attention = *find(operations, "layers.attention");
  EXPECT_EQ(attention.flops.value, 2.0 * 128 * (576 + 512) * 1001 * 2);
  EXPECT_EQ(attention.kv_bytes.count, 1000 * 576 * 2 * 2);
  EXPECT_EQ(attention.count, 61) << "dense and expert layers attend alike";
  const Operation absorb = *find(operations, "layers.query_absorb"), up = *find(operations, "layers.value_up");
  EXPECT_EQ(absorb.flops.value + up.flops.value, 2.0 * 2 * 128 * (128 + 128) * 512);
  EXPECT_EQ(absorb.weight_bytes.count + up.weight_bytes.count, 128 * 256 * 512 * 2);
}

TEST(Operations, LiftTheCachedLatentsOfALaterChunk) {
  const Operation up = *find(list(latent_model(), {.phase = Phase::kPrefill, .new_tokens = 100, .context = 900}), "layers.latent_up");
  EXPECT_EQ(up.m, 1000);
}

TEST(Operations, OfAnIndexerScoreAllEntriesAndAttendToTheBest) {
  Model model = latent_model();
  for (Block& block : model.text.blocks) block.attention->indexer = Indexer{64, 128, 2048};
  const auto operations = list(model, {.context = 100'000});
  EXPECT_EQ(find(operations, "layers.attention")->kv_bytes.count, 2048 * 576 * 2);
  const Operation scores = *find(operations, "layers.indexer_scores");
  EXPECT_EQ(scores.kv_bytes.count, 100'000 * 132);
  EXPECT_EQ(scores.flops.value, 2.0 * 64 * 128 * 100'001);
}

TEST(Operations, OfLinearLayersReadAndWriteAStateWhateverTheContext) {
  const auto near = list(hybrid_model(), {.batch = 4, .context = 10});
  const auto far = list(hybrid_model(), {.batch = 4, .context = 100'000});
  const Operation state = *find(near, "layers.state");
  EXPECT_EQ(state.count, 36);
  EXPECT_EQ(state.kv_bytes.count, 4 * (32 * 128 * 128 * 4 + 3 * 8192 * 2));
  EXPECT_EQ(find(far, "layers.state")->kv_bytes.count, state.kv_bytes.count);
  EXPECT_EQ(find(far, "layers.attention")->count, 12);
  EXPECT_GE(state.activation_bytes.count, state.kv_bytes.count) << "the state is written back";
}

TEST(Operations, OfAFirstPromptReadNoState) {
  EXPECT_EQ(find(list(hybrid_model(), {.phase = Phase::kPrefill, .new_tokens = 128}), "layers.state")->kv_bytes.count, 0);
  EXPECT_GT(find(list(hybrid_model(), {.phase = Phase::kPrefill, .new_tokens = 128, .context = 128}), "layers.state")->kv_bytes.count, 0);
}

TEST(Operations, SpreadExpertsAndExchangeTokensUnderExpertParallelism) {
  const Model model = latent_model();
  const auto tensor = list(model, {.batch = 256, .layout = {.tensor = 8}});
  const auto expert = list(model, {.batch = 256, .layout = {.tensor = 8, .expert = 8}});
  EXPECT_NEAR(find(tensor, "layers.experts")->flops.value / find(expert, "layers.experts")->flops.value, 1, 1e-12) << "the same share of the work";
  EXPECT_EQ(find(expert, "layers.experts")->n, 2 * 2048) << "whole experts";
  EXPECT_EQ(find(tensor, "layers.experts")->n, 2 * 256) << "an eighth of each";
  const Operation dispatch = *find(expert, "experts.dispatch"), combine = *find(expert, "experts.combine");
  EXPECT_EQ(dispatch.count, 58);
  EXPECT_EQ(dispatch.link_ranks, 8);
  // 8 · (1 − (7/8)^8) = 5.251 of 8 groups a token; 32 tokens of a rank; bf16 both ways.
  EXPECT_NEAR(dispatch.link_bytes.as_double(), 32 * 5.2511 * 7168 * 2, 100);
  EXPECT_EQ(combine.link_bytes.count, dispatch.link_bytes.count);
  EXPECT_EQ(find(tensor, "all_reduce")->count, 2 * 61 + 1);
  EXPECT_EQ(find(expert, "all_reduce")->count, 61 + 3 + 1) << "expert layers exchange instead of their second sum";
}

TEST(Operations, SumOnceWhereMixerAndMlpHangOnOneNorm) {
  Model model = dense_model();
  model.text.blocks[0].norms = 1;
  EXPECT_EQ(find(list(model, {.layout = {.tensor = 2}}), "all_reduce")->count, 33);
}

TEST(Operations, HandOverBetweenPipelineStages) {
  const auto operations = list(dense_model(), {.batch = 16, .layout = {.tensor = 2, .pipeline = 4}});
  const Operation* handover = find(operations, "stages.handover");
  ASSERT_NE(handover, nullptr);
  EXPECT_EQ(handover->count, 3);
  EXPECT_EQ(handover->link_bytes.count, 2 * 16 * 4096 * 2 / 2);
  EXPECT_EQ(find(operations, "layers.qkv")->count, 32) << "all stages together";
}

TEST(Operations, MultiplyAtTheWiderOfWeightAndActivation) {
  const Model fp8 = [] {
    ModelBuilder builder(4096, 128'256);
    builder.block(32);
    return builder.grouped(32, 8, 128).dense(14'336).stored_in(Precision::kFp8).build();
  }();
  const auto weight_only = list(fp8, {});
  EXPECT_EQ(find(weight_only, "layers.qkv")->compute, Precision::kBf16);
  EXPECT_EQ(find(weight_only, "layers.qkv")->weight_format, Precision::kFp8);
  const auto both = list(fp8, {.activations = Precision::kFp8});
  EXPECT_EQ(find(both, "layers.qkv")->compute, Precision::kFp8);
  EXPECT_EQ(find(both, "head")->compute, Precision::kBf16) << "the head is not quantised";
  EXPECT_EQ(find(both, "layers.attention")->compute, Precision::kBf16);
  const auto four_and_eight = list(fp8, {.weights = Precision::kNvFp4, .activations = Precision::kFp8});
  EXPECT_EQ(find(four_and_eight, "layers.qkv")->compute, Precision::kFp8);
  EXPECT_EQ(find(four_and_eight, "layers.qkv")->weight_bytes.count, 6144 * 4096 * 9 / 16 + 3 * 4) << "with a scale per 16 and one per matrix";
  const auto four = list(fp8, {.activations = Precision::kNvFp4});
  EXPECT_EQ(find(four, "layers.qkv")->compute, Precision::kFp8) << "fp8 weights do not fit the four-bit units";
}

TEST(Operations, OfAnInlineDescriptionAreItsWeightsAndItsAttention) {
  const auto one = list(inline_model(7e9), {});
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].name, "weights");
  EXPECT_EQ(one[0].flops.value, 14e9);
  EXPECT_EQ(one[0].weight_bytes.count, 14'000'000'000);
  EXPECT_EQ(one[0].activation_bytes.count, 0);
  EXPECT_EQ(one[1].kv_bytes.count, 0);
  const auto many = list(inline_model(7e9), {.batch = 64, .context = 4096});
  EXPECT_EQ(sum(many, [](const Operation& o) { return o.kv_bytes.as_double(); }), 34'359'738'368);
  EXPECT_EQ(sum(many, [](const Operation& o) { return o.memory_bytes().as_double(); }), 14e9 + 34'359'738'368);
  EXPECT_NEAR((many[1].flops / many[1].kv_bytes).value, 4, 0.002);
}

TEST(Operations, OfAnInlineDescriptionFollowTheLayout) {
  const auto spread = list(inline_model(7e9), {.layout = {.tensor = 2, .pipeline = 4}});
  const Operation* weights = find(spread, "weights");
  EXPECT_EQ(weights->count, 4);
  EXPECT_EQ(weights->weight_bytes.count * 8, 14'000'000'000);
  EXPECT_EQ(find(spread, "all_reduce")->count, 64);
  EXPECT_EQ(find(spread, "stages.handover")->count, 3);
  EXPECT_EQ(find(list(inline_model(7e9), {.weights = Precision::kInt8}), "weights")->weight_bytes.count, 7'000'000'000);
}

TEST(Operations, OfAnInlineMixtureReadTheExpertsThatTokensPick) {
  Model model = inline_model(47e9);
  model.given_active = 13e9;
  EXPECT_EQ(to_string(operations(model, {}).error()),
            "inline: how many of the inactive weights a step reads needs what the description lacks: experts, top_k\n"
            "  Add them: params=47e9,active=13e9,experts=8,top_k=2,….");
  model.text.blocks[0].mlp.experts = 8;
  model.text.blocks[0].mlp.top_k = 2;
  const auto read = [&model](std::int64_t batch) { return find(list(model, {.batch = batch}), "weights")->weight_bytes.as_double(); };
  EXPECT_NEAR(read(1), 26e9, 10) << "one token reads its active weights";
  EXPECT_NEAR(read(1000), 94e9, 10) << "many read all";
  EXPECT_EQ(find(list(model, {}), "weights")->flops.value, 26e9);
}

TEST(Operations, SayWhatADescriptionLacks) {
  Model count;
  count.name = "7e9";
  count.given_parameters = 7e9;
  EXPECT_EQ(to_string(operations(count, {}).error()),
            "7e9: the operations of a step need what the description lacks: layers, hidden, heads\n"
            "  Describe the model further: params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
  Model shapeless = inline_model(0);
  shapeless.given_parameters.reset();
  EXPECT_EQ(operations(shapeless, {}).error().what, "the operations of a step need what the description lacks: intermediate, vocab, params");
}

TEST(Operations, RefuseStepsBeyondAnyMachine) {
  EXPECT_EQ(operations(dense_model(), {.batch = 0}).error().what, "0 sequences in a step; 1 to 1000000000000 can be priced");
  EXPECT_EQ(operations(dense_model(), {.new_tokens = -1}).error().where, "tokens");
  EXPECT_EQ(operations(dense_model(), {.context = std::int64_t{1} << 60}).error().where, "context");
  EXPECT_FALSE(operations(dense_model(), {.batch = 1'000'000'000, .new_tokens = 1'000'000'000}));
}

TEST(Operations, RefuseLayoutsThatEnginesRefuse) {
  const auto error = [](const Model& model, Layout layout) { return operations(model, {.layout = layout}).error().what; };
  EXPECT_EQ(error(dense_model(), {.tensor = 3}), "the 32 query heads of test do not divide by tensor parallelism 3");
  EXPECT_EQ(error(dense_model(), {.pipeline = 33}), "33 pipeline stages are more than the 32 layers of test");
  EXPECT_EQ(error(dense_model(), {.tensor = 2, .expert = 2}), "expert parallelism 2 spreads experts, and test has none");
  EXPECT_EQ(error(latent_model(), {.tensor = 8, .expert = 3}), "expert parallelism 3 does not divide tensor parallelism 8, whose ranks it uses");
  EXPECT_EQ(error(dense_model(), {.tensor = 0}), "every kind of parallelism is at least 1");
}

TEST(Operations, AreTheSameEveryTime) {
  const auto once = list(hybrid_model(), {.batch = 3, .context = 99, .layout = {.tensor = 2}});
  const auto twice = list(hybrid_model(), {.batch = 3, .context = 99, .layout = {.tensor = 2}});
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].name, twice[i].name);
    EXPECT_EQ(once[i].flops.value, twice[i].flops.value);
    EXPECT_EQ(once[i].memory_bytes().count, twice[i].memory_bytes().count);
  }
}

}  // namespace
}  // namespace ridge::model
