#include "model/gguf_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/gguf_fixture.h"
#include "model/kv_cache.h"
#include "model/model.h"
#include "model/operations.h"

namespace ridge::model {
namespace {

namespace gguf = formats::gguf_fixture;

enum Type : std::uint32_t { kF32 = 0, kF16 = 1, kQ4K = 12, kQ6K = 14, kMxFp4 = 39 };

// Lays tensors one after the other, aligned, and keeps the sum of their bytes.
class ModelFile {
 public:
  explicit ModelFile(const std::string& architecture) : architecture_(architecture) {
    builder_.key("general.architecture", gguf::kText, gguf::text(architecture));
  }
  ModelFile& number(const std::string& name, std::uint32_t value) {
    builder_.number(architecture_ + "." + name, value);
    return *this;
  }
  ModelFile& numbers(const std::string& name, const std::vector<std::uint32_t>& values) {
    std::string array = gguf::u32(gguf::kU32) + gguf::u64(values.size());
    for (const std::uint32_t value : values) array += gguf::u32(value);
    builder_.key(architecture_ + "." + name, gguf::kArray, array);
    return *this;
  }
  ModelFile& general(const std::string& name, std::uint32_t value) {
    builder_.number("general." + name, value);
    return *this;
  }
  ModelFile& tensor(const std::string& name, const std::vector<std::uint64_t>& sizes, Type type = kF16) {
    std::uint64_t elements = 1;
    for (const std::uint64_t size : sizes) elements *= size;
    const formats::GgmlType& row = *formats::find_ggml_type(type);
    const std::uint64_t bytes = elements / row.block_elements * row.block_bytes;
    builder_.tensor(name, sizes, type, at_, bytes);
    at_ += (bytes + 31) / 32 * 32;
    bytes_ += bytes;
    return *this;
  }
  std::string file() const { return builder_.file(); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_); }

 private:
  std::string architecture_;
  gguf::GgufBuilder builder_;
  std::uint64_t at_ = 0, bytes_ = 0;
};

Result<Model> read(const ModelFile& file) {
  formats::MemoryFileSystem files;
  files.files["m.gguf"] = file.file();
  return read_gguf_model(files, "m.gguf");
}
std::string error_of(const ModelFile& file) {
  const Result<Model> model = read(file);
  return model ? "no error" : to_string(model.error());
}

std::int64_t stored(const Model& model) {
  Bytes bytes{};
  const auto add = [&bytes](const Stack& stack) {
    for (std::size_t i = 0; i < stack.blocks.size(); ++i)
      for (const Tensor& tensor : stack.blocks[i].tensors) bytes += tensor.stored() * stack.count_of(i);
    for (const Tensor& tensor : stack.tensors) bytes += tensor.stored();
  };
  add(model.text);
  if (model.mtp) add(*model.mtp);
  return bytes.count;
}

constexpr std::uint64_t kHidden = 512;

ModelFile dense_layers(ModelFile file, int layers, std::uint64_t q = 512, std::uint64_t kv = 128) {
  for (int i = 0; i < layers; ++i) {
    const std::string at = fmt::format("blk.{}.", i);
    file.tensor(at + "attn_norm.weight", {kHidden}, kF32).tensor(at + "ffn_norm.weight", {kHidden}, kF32);
    file.tensor(at + "attn_q.weight", {kHidden, q}, kQ4K).tensor(at + "attn_k.weight", {kHidden, kv}, kQ4K).tensor(at + "attn_v.weight", {kHidden, kv}, kQ6K);
    file.tensor(at + "attn_output.weight", {q, kHidden}, kQ4K);
    file.tensor(at + "ffn_gate.weight", {kHidden, 1024}, kQ4K)
        .tensor(at + "ffn_up.weight", {kHidden, 1024}, kQ4K)
        .tensor(at + "ffn_down.weight", {1024, kHidden}, kQ6K);
  }
  return file;
}

ModelFile llama_keys(const std::string& architecture, std::uint32_t layers) {
  return ModelFile(architecture)
      .number("block_count", layers)
      .number("embedding_length", kHidden)
      .number("attention.head_count", 8)
      .number("attention.head_count_kv", 2);
}

ModelFile llama() {
  return dense_layers(llama_keys("llama", 3).general("file_type", 15).number("context_length", 8192), 3)
      .tensor("token_embd.weight", {kHidden, 1000}, kQ4K)
      .tensor("output_norm.weight", {kHidden}, kF32)
      .tensor("output.weight", {kHidden, 1000}, kQ6K);
}

TEST(GgufModel, OfLlamaHasItsDimensionsAndExactlyTheFilesBytes) {
  const Result<Model> model = read(llama());
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->family, "llama");
  EXPECT_EQ(model->origin, "gguf");
  EXPECT_EQ(model->layers, 3);
  EXPECT_EQ(model->heads, 8);
  EXPECT_EQ(model->kv_heads, 2);
  EXPECT_EQ(model->head_dim, 64);
  EXPECT_EQ(model->vocabulary, 1000);
  EXPECT_EQ(model->max_context, 8192);
  EXPECT_EQ(model->quantisation_name, "Q4_K_M");
  EXPECT_FALSE(model->tied_embeddings);
  ASSERT_EQ(model->text.blocks.size(), 1u) << "equal layers are kept once";
  EXPECT_EQ(model->text.blocks[0].norms, 2);
  EXPECT_EQ(model->text.blocks[0].mlp.intermediate, 1024);
  EXPECT_EQ(model->checkpoint_bytes->count, llama().bytes());
  EXPECT_EQ(stored(*model), llama().bytes());
}

TEST(GgufModel, OfLlamaAnswersForCacheAndSteps) {
  const Result<Model> model = read(llama());
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(kv_bytes(*model, Precision::kFp16, 1, {})->count, 3 * 2 * 2 * 64 * 2);
  const auto operations = model::operations(*model, {.batch = 10'000'000, .activations = Precision::kFp16});
  ASSERT_TRUE(operations) << to_string(operations.error());
  double weights = 0;
  for (const Operation& operation : *operations) weights += operation.weight_bytes.as_double() * static_cast<double>(operation.count);
  EXPECT_NEAR(weights / static_cast<double>(llama().bytes()), 1, 1e-9);
}

TEST(GgufModel, WithoutAnOutputMatrixIsTied) {
  const Result<Model> model = read(dense_layers(llama_keys("llama", 1), 1).tensor("token_embd.weight", {kHidden, 1000}));
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_TRUE(model->tied_embeddings);
  const auto operations = model::operations(*model, {});
  ASSERT_TRUE(operations);
  EXPECT_TRUE(std::ranges::any_of(*operations, [](const Operation& o) { return o.kind == OperationKind::kLogits && o.n == 1000; }));
}

TEST(GgufModel, TakesHeadsLayerByLayer) {
  ModelFile file = ModelFile("deci")
                       .number("block_count", 2)
                       .number("embedding_length", kHidden)
                       .numbers("attention.head_count", {8, 4})
                       .numbers("attention.head_count_kv", {2, 1});
  file.number("attention.key_length", 64);
  file = dense_layers(std::move(file), 1);
  file.tensor("blk.1.attn_q.weight", {kHidden, 256}).tensor("blk.1.attn_k.weight", {kHidden, 64}).tensor("blk.1.attn_v.weight", {kHidden, 64});
  file.tensor("blk.1.attn_output.weight", {256, kHidden}).tensor("token_embd.weight", {kHidden, 10});
  const Result<Model> model = read(file);
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->text.blocks[1].attention->heads, 4);
  EXPECT_EQ(model->text.blocks[1].mlp.kind, Mlp::Kind::kNone);
  EXPECT_EQ(kv_bytes(*model, Precision::kFp16, 1, {})->count, (2 + 1) * 2 * 64 * 2);
}

TEST(GgufModel, OfExpertsCountsThemFromTheStackedTensors) {
  ModelFile file = llama_keys("qwen3moe", 1).number("expert_count", 4).number("expert_used_count", 2);
  file.tensor("blk.0.attn_q.weight", {kHidden, 512}).tensor("blk.0.attn_k.weight", {kHidden, 128}).tensor("blk.0.attn_v.weight", {kHidden, 128});
  file.tensor("blk.0.attn_output.weight", {512, kHidden}).tensor("blk.0.ffn_gate_inp.weight", {kHidden, 4}, kF32).tensor("blk.0.exp_probs_b.bias", {4}, kF32);
  file.tensor("blk.0.ffn_gate_exps.weight", {kHidden, 256, 4}, kMxFp4).tensor("blk.0.ffn_up_exps.weight", {kHidden, 256, 4}, kMxFp4);
  file.tensor("blk.0.ffn_down_exps.weight", {256, kHidden, 4}, kMxFp4).tensor("blk.0.ffn_down_exps.bias", {kHidden, 4}, kF32);
  file.tensor("blk.0.ffn_up_shexp.weight", {kHidden, 128})
      .tensor("blk.0.ffn_gate_shexp.weight", {kHidden, 128})
      .tensor("blk.0.ffn_down_shexp.weight", {128, kHidden});
  file.tensor("token_embd.weight", {kHidden, 10});
  const Result<Model> model = read(file);
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_TRUE(model->is_mixture_of_experts);
  const Mlp& mlp = model->text.blocks[0].mlp;
  EXPECT_EQ(mlp.experts, 4);
  EXPECT_EQ(mlp.top_k, 2);
  EXPECT_EQ(mlp.intermediate, 256);
  EXPECT_EQ(mlp.shared_intermediate, 128);
  EXPECT_TRUE(mlp.correction_bias);
  EXPECT_EQ(stored(*model), file.bytes());
  const auto operations = model::operations(*model, {});
  const auto experts = std::ranges::find(*operations, OperationKind::kMoe, &Operation::kind);
  ASSERT_NE(experts, operations->end());
  EXPECT_EQ(experts->flops.value, 2.0 * 2 * 3 * 512 * 256);
  EXPECT_EQ(experts->weight_bytes.count, 2 * (3 * 512 * 256 * 17 / 32 + 512 * 4));
  EXPECT_EQ(experts->weight_format, Precision::kMxFp4);
}

TEST(GgufModel, JoinsExpertsThatWereWrittenOneByOne) {
  ModelFile file = dense_layers(llama_keys("llama", 1).number("expert_count", 2).number("expert_used_count", 1), 0);
  file.tensor("blk.0.attn_q.weight", {kHidden, 512}).tensor("blk.0.attn_k.weight", {kHidden, 128}).tensor("blk.0.attn_v.weight", {kHidden, 128});
  file.tensor("blk.0.attn_output.weight", {512, kHidden});
  for (const int expert : {0, 1})
    file.tensor(fmt::format("blk.0.ffn_gate.{}.weight", expert), {kHidden, 256})
        .tensor(fmt::format("blk.0.ffn_up.{}.weight", expert), {kHidden, 256})
        .tensor(fmt::format("blk.0.ffn_down.{}.weight", expert), {256, kHidden});
  const Result<Model> model = read(file.tensor("token_embd.weight", {kHidden, 10}));
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->text.blocks[0].mlp.kind, Mlp::Kind::kMoe);
  EXPECT_EQ(stored(*model), file.bytes());
}

ModelFile latent_keys() {
  return ModelFile("deepseek2")
      .number("block_count", 1)
      .number("embedding_length", kHidden)
      .number("attention.head_count", 4)
      .number("attention.q_lora_rank", 96)
      .number("attention.kv_lora_rank", 64)
      .number("rope.dimension_count", 32);
}

void latent_tensors(ModelFile& file) {
  file.tensor("blk.0.attn_q_a.weight", {kHidden, 96}).tensor("blk.0.attn_q_b.weight", {96, 4 * 96}).tensor("blk.0.attn_kv_a_mqa.weight", {kHidden, 96});
  file.tensor("blk.0.attn_output.weight", {4 * 48, kHidden}).tensor("token_embd.weight", {kHidden, 10});
}

TEST(GgufModel, OfLatentAttentionReadsOldAndNewKeysAlike) {
  ModelFile old = latent_keys().number("attention.head_count_kv", 4).number("attention.key_length", 96).number("attention.value_length", 48);
  latent_tensors(old);
  old.tensor("blk.0.attn_kv_b.weight", {64, 4 * (64 + 48)});
  // Since 2025-04: one key-value head as wide as the latent, the heads' widths beside, and the matrix in halves.
  ModelFile now = latent_keys().number("attention.head_count_kv", 1).number("attention.key_length", 96).number("attention.value_length", 64);
  now.number("attention.key_length_mla", 96).number("attention.value_length_mla", 48);
  latent_tensors(now);
  now.tensor("blk.0.attn_k_b.weight", {64, 64, 4}).tensor("blk.0.attn_v_b.weight", {64, 48, 4});
  for (const ModelFile& file : {old, now}) {
    const Result<Model> model = read(file);
    ASSERT_TRUE(model) << to_string(model.error());
    const Attention& a = *model->text.blocks[0].attention;
    EXPECT_EQ(a.kind, AttentionKind::kLatent);
    EXPECT_EQ(a.kv_lora_rank, 64);
    EXPECT_EQ(a.nope_dim, 64);
    EXPECT_EQ(a.rope_dim, 32);
    EXPECT_EQ(a.v_head_dim, 48);
    EXPECT_EQ(kv_bytes(*model, Precision::kFp16, 1, {})->count, (64 + 32) * 2);
    EXPECT_EQ(stored(*model), file.bytes());
    const auto operations = model::operations(*model, {});
    const auto up = std::ranges::find(*operations, "layers.value_up", &Operation::name);
    ASSERT_NE(up, operations->end());
    EXPECT_EQ(up->flops.value, 2.0 * 4 * 48 * 64);
  }
}

TEST(GgufModel, KnowsWhichLayersSlide) {
  const auto kinds = [](ModelFile file) {
    const Result<Model> model = read(dense_layers(std::move(file), 6).tensor("token_embd.weight", {kHidden, 10}));
    EXPECT_TRUE(model) << to_string(model.error());
    std::string text;
    for (const std::int32_t block : model->text.sequence)
      text += model->text.blocks[static_cast<std::size_t>(block)].attention->kind == AttentionKind::kSliding ? 's' : 'f';
    return text;
  };
  EXPECT_EQ(kinds(llama_keys("gemma3", 6).number("attention.sliding_window", 1024)), "sssssf") << "the architecture's habit";
  EXPECT_EQ(kinds(llama_keys("gemma2", 6).number("attention.sliding_window", 4096)), "sfsfsf");
  EXPECT_EQ(kinds(llama_keys("gemma3", 6).number("attention.sliding_window", 1024).number("attention.sliding_window_pattern", 3)), "ssfssf") << "a period";
  EXPECT_EQ(kinds(llama_keys("mimo2", 6).number("attention.sliding_window", 128).numbers("attention.sliding_window_pattern", {0, 1, 1, 0, 1, 1})), "fssfss");
  EXPECT_EQ(kinds(llama_keys("qwen2", 6).number("attention.sliding_window", 128)), "ffffff") << "no layer is said to have it";
}

TEST(GgufModel, OfAGatedDeltaHybridReadsStatesAndAttention) {
  ModelFile file = llama_keys("qwen3next", 2)
                       .number("ssm.conv_kernel", 4)
                       .number("ssm.inner_size", 256)
                       .number("ssm.state_size", 32)
                       .number("ssm.time_step_rank", 8)
                       .number("ssm.group_count", 4);
  file.tensor("blk.0.attn_qkv.weight", {kHidden, 2 * 4 * 32 + 256})
      .tensor("blk.0.attn_gate.weight", {kHidden, 256})
      .tensor("blk.0.ssm_ba.weight", {kHidden, 16});
  file.tensor("blk.0.ssm_conv1d.weight", {4, 512}, kF32).tensor("blk.0.ssm_a", {8}, kF32).tensor("blk.0.ssm_out.weight", {256, kHidden});
  file.tensor("blk.1.attn_q.weight", {kHidden, 2 * 512}).tensor("blk.1.attn_k.weight", {kHidden, 128}).tensor("blk.1.attn_v.weight", {kHidden, 128});
  file.tensor("blk.1.attn_output.weight", {512, kHidden}).tensor("token_embd.weight", {kHidden, 10});
  const Result<Model> model = read(file);
  ASSERT_TRUE(model) << to_string(model.error());
  const Block& linear = model->text.blocks[0];
  ASSERT_TRUE(linear.linear);
  EXPECT_FALSE(linear.attention) << "its attn_qkv is the mixer's input";
  EXPECT_EQ(linear.linear->kind, LinearKind::kGatedDelta);
  EXPECT_EQ(linear.linear->state_elements(), 8 * 32 * 32);
  EXPECT_EQ(linear.linear->conv_channels, 512);
  EXPECT_TRUE(model->text.blocks[1].attention->output_gate);
  EXPECT_EQ(stored(*model), file.bytes());
  const auto operations = model::operations(*model, {});
  ASSERT_TRUE(operations) << to_string(operations.error());
  const auto in = std::ranges::find(*operations, "layers.mixer_in", &Operation::name);
  ASSERT_NE(in, operations->end());
  EXPECT_EQ(in->n, 512 + 256 + 16);
}

TEST(GgufModel, OfMambaTellsTheFirstFromTheSecond) {
  const auto keys = [](const std::string& architecture) {
    return ModelFile(architecture)
        .number("block_count", 1)
        .number("embedding_length", kHidden)
        .number("ssm.conv_kernel", 4)
        .number("ssm.inner_size", 1024)
        .number("ssm.state_size", 16);
  };
  ModelFile first = keys("mamba")
                        .number("ssm.time_step_rank", 32)
                        .tensor("blk.0.ssm_in.weight", {kHidden, 2048})
                        .tensor("blk.0.ssm_x.weight", {1024, 64})
                        .tensor("token_embd.weight", {kHidden, 10});
  ModelFile second = keys("mamba2")
                         .number("ssm.time_step_rank", 16)
                         .number("ssm.group_count", 2)
                         .tensor("blk.0.ssm_in.weight", {kHidden, 2128})
                         .tensor("token_embd.weight", {kHidden, 10});
  const Result<Model> one = read(first), two = read(second);
  ASSERT_TRUE(one) << to_string(one.error());
  ASSERT_TRUE(two) << to_string(two.error());
  EXPECT_EQ(one->text.blocks[0].linear->kind, LinearKind::kMamba1);
  EXPECT_EQ(one->text.blocks[0].linear->state_elements(), 1024 * 16);
  EXPECT_EQ(two->text.blocks[0].linear->kind, LinearKind::kMamba2);
  EXPECT_EQ(two->text.blocks[0].linear->value_dim, 64);
  EXPECT_EQ(two->text.blocks[0].linear->conv_channels, 1024 + 2 * 2 * 16);
}

TEST(GgufModel, KeepsPredictionLayersApart) {
  ModelFile file = dense_layers(llama_keys("glm4moe", 3).number("nextn_predict_layers", 1), 3).tensor("token_embd.weight", {kHidden, 10});
  const Result<Model> model = read(file);
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->text.layers(), 2);
  ASSERT_TRUE(model->mtp);
  EXPECT_EQ(model->mtp->layers(), 1);
  EXPECT_EQ(stored(*model), file.bytes());
}

TEST(GgufModel, SaysWhatIsMissingOrAbsurd) {
  EXPECT_EQ(error_of(ModelFile("llama").tensor("token_embd.weight", {kHidden, 10})), "m.gguf: key llama.block_count: the key is missing");
  EXPECT_EQ(error_of(ModelFile("llama").number("block_count", 0)), "m.gguf: key llama.block_count: a whole number from 1 to 10000 is expected");
  EXPECT_EQ(error_of(llama_keys("llama", 1)), "m.gguf: the file holds no tensors\n  It may be a vocabulary or a part of a model.");
  EXPECT_EQ(error_of(dense_layers(llama_keys("llama", 2), 1)), "m.gguf: layer 1 of 2 has no tensors");
  EXPECT_EQ(error_of(dense_layers(llama_keys("llama", 1), 2)), "m.gguf: tensor blk.1.attn_norm.weight: the metadata say that there are 1 layers");
  EXPECT_EQ(error_of(dense_layers(ModelFile("llama").number("block_count", 1).number("embedding_length", kHidden).number("attention.head_count", 7), 1)),
            "m.gguf: key llama.attention.head_count: 7 does not divide an embedding of 512, and attention.key_length is missing");
  EXPECT_EQ(error_of(dense_layers(ModelFile("llama")
                                      .number("block_count", 1)
                                      .number("embedding_length", kHidden)
                                      .number("attention.head_count", 8)
                                      .number("attention.head_count_kv", 3),
                                  1)),
            "m.gguf: key llama.attention.head_count_kv: layer 0: 8 query heads are not a multiple of 3 key-value heads");
  EXPECT_EQ(error_of(ModelFile("clip")),
            "m.gguf: key general.architecture: this is the vision part of a model (mmproj), not its language model\n  Give the other .gguf file.");
  EXPECT_EQ(error_of(ModelFile("rwkv6").number("block_count", 1).number("embedding_length", kHidden).tensor("blk.0.time_mix_w1.weight", {kHidden, 8})),
            "m.gguf: the time mixing of rwkv6 is not known here\n  Attention, Mamba and the gated delta rule are.");
}

TEST(GgufModel, RefusesMoreParametersThanAnyModelHas) {
  formats::GgufCheckpoint checkpoint;
  const std::string header = gguf::GgufBuilder()
                                 .key("general.architecture", gguf::kText, gguf::text("llama"))
                                 .number("llama.block_count", 1)
                                 .number("llama.embedding_length", kHidden)
                                 .tensor("token_embd.weight", {kHidden, 2'000'000'000'000}, kF16, 0)
                                 .header();
  checkpoint.first = *formats::parse_gguf(header, std::nullopt, "m.gguf");
  EXPECT_EQ(to_string(model_of(checkpoint).error()), "m.gguf: tensor token_embd.weight: with this tensor the model has more than 1e+15 parameters");
}

TEST(GgufModel, RefusesAModelOfWhichPartsAreAbsent) {
  formats::MemoryFileSystem files;
  files.files["m-00001-of-00002.gguf"] = llama().file();
  EXPECT_EQ(to_string(read_gguf_model(files, "m-00001-of-00002.gguf").error()),
            "m-00002-of-00002.gguf: there is no such file; 1 of 2 parts of the model are absent\n  Fetch all parts into one folder.");
}

TEST(Load, RecognisesAGgufFileByItsContentAndAFolderByItsOnlyOne) {
  formats::MemoryFileSystem files;
  files.files = {{"d/tiny-Q4_K_M.gguf", llama().file()}, {"d/mmproj-tiny.gguf", "x"}, {"blob", llama().file()}, {"-", llama().file()}};
  const Result<Model> named = load("d/tiny-Q4_K_M.gguf", files);
  ASSERT_TRUE(named) << to_string(named.error());
  EXPECT_EQ(named->name, "tiny-Q4_K_M");
  EXPECT_EQ(load("./blob", files) ? "found" : "no", std::string("no")) << "a path is as it is written";
  EXPECT_EQ(load("blob", files)->name, "blob");
  EXPECT_EQ(load("d", files)->name, "tiny-Q4_K_M");
  EXPECT_EQ(load("-", files)->layers, 3);
  EXPECT_EQ(weight_bytes(*named, std::nullopt, {})->count, llama().bytes());
  files.files["d/other.gguf"] = "x";
  EXPECT_EQ(to_string(load("d", files).error()), "d: the folder holds 2 models: other.gguf, tiny-Q4_K_M.gguf\n  Give one of the files.");
}

TEST(StorageOf, TakesExactlyTheBytesOfItsBlocks) {
  for (const formats::GgmlType& type : formats::ggml_types()) {
    const std::int64_t columns = 4 * type.block_elements;
    EXPECT_EQ(stored_bytes(3, columns, storage_of(type)).count, 3 * 4 * type.block_bytes) << type.name;
  }
}

}  // namespace
}  // namespace ridge::model
