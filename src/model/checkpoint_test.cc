#include "model/checkpoint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/safetensors_fixture.h"
#include "model/model.h"

namespace ridge::model {
namespace {

using formats::safetensors_fixture::SafetensorsBuilder;
using Kind = CheckpointDifference::Kind;

const char* const kConfig = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2,
  "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512,
  "tie_word_embeddings": false, "torch_dtype": "bfloat16"%})";

std::string config(const std::string& more = {}) {
  std::string text = kConfig;
  return text.replace(text.find('%'), 1, more);
}

struct Entry {
  std::string name, type;
  std::vector<std::int64_t> shape;
};

// The tensors of that model as its publishers would write them.
std::vector<Entry> llama_entries() {
  std::vector<Entry> entries{{"model.embed_tokens.weight", "BF16", {100, 64}}, {"model.norm.weight", "BF16", {64}}, {"lm_head.weight", "BF16", {100, 64}}};
  for (int i = 0; i < 2; ++i) {
    const std::string at = fmt::format("model.layers.{}.", i);
    entries.push_back({at + "input_layernorm.weight", "BF16", {64}});
    entries.push_back({at + "post_attention_layernorm.weight", "BF16", {64}});
    entries.push_back({at + "self_attn.q_proj.weight", "BF16", {64, 64}});
    entries.push_back({at + "self_attn.k_proj.weight", "BF16", {32, 64}});
    entries.push_back({at + "self_attn.v_proj.weight", "BF16", {32, 64}});
    entries.push_back({at + "self_attn.o_proj.weight", "BF16", {64, 64}});
    entries.push_back({at + "mlp.gate_proj.weight", "BF16", {128, 64}});
    entries.push_back({at + "mlp.up_proj.weight", "BF16", {128, 64}});
    entries.push_back({at + "mlp.down_proj.weight", "BF16", {64, 128}});
  }
  return entries;
}

std::string file_of(const std::vector<Entry>& entries) {
  SafetensorsBuilder builder;
  std::uint64_t at = 0;
  for (const Entry& entry : entries) {
    std::uint64_t bytes = entry.type == "F32" ? 4 : entry.type == "BF16" || entry.type == "F16" ? 2 : 1;
    std::string shape;
    for (const std::int64_t size : entry.shape) {
      bytes *= static_cast<std::uint64_t>(size);
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
    }
    builder.tensor(entry.name, entry.type, "[" + shape + "]", at, at + bytes);
    at += bytes;
  }
  return builder.file();
}

Checkpoint inspect(formats::MemoryFileSystem files) {
  const Result<Model> model = load("m/config.json", files);
  EXPECT_TRUE(model) << to_string(model.error());
  Result<std::optional<Checkpoint>> checkpoint = inspect_checkpoint(*model, files, "m/config.json");
  EXPECT_TRUE(checkpoint) << to_string(checkpoint.error());
  EXPECT_TRUE(checkpoint->has_value());
  return **checkpoint;
}

formats::MemoryFileSystem files_of(const std::vector<Entry>& entries, const std::string& text = config()) {
  formats::MemoryFileSystem files;
  files.files = {{"m/config.json", text}, {"m/model.safetensors", file_of(entries)}};
  return files;
}

Entry* find(std::vector<Entry>& entries, const std::string& name) {
  const auto entry = std::ranges::find(entries, name, &Entry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

TEST(Checkpoint, OfTheModelThatTheConfigDescribesDiffersByNothing) {
  const Checkpoint checkpoint = inspect(files_of(llama_entries()));
  EXPECT_TRUE(checkpoint.differences.empty());
  EXPECT_EQ(checkpoint.stored.count, (2 * 100 * 64 + 64 + 2 * (2 * 64 + 2 * 64 * 64 + 2 * 32 * 64 + 3 * 128 * 64)) * 2);
  EXPECT_EQ(checkpoint.described, checkpoint.stored);
  EXPECT_EQ(checkpoint.summary(), "the header holds 173.7 kB, the config describes 173.7 kB (difference 0)");
  ASSERT_EQ(checkpoint.types.size(), 1u);
  EXPECT_EQ(checkpoint.types[0].name, "BF16");
  EXPECT_EQ(checkpoint.types[0].tensors, 21);
}

TEST(Checkpoint, NamesWhatIsMissingAndWhatIsExtra) {
  std::vector<Entry> entries = llama_entries();
  std::erase_if(entries, [](const Entry& entry) { return entry.name.ends_with("k_proj.weight"); });
  entries.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {8}});
  const Checkpoint checkpoint = inspect(files_of(entries));
  ASSERT_EQ(checkpoint.differences.size(), 2u);
  EXPECT_EQ(checkpoint.differences[0].kind, Kind::kMissing);
  EXPECT_EQ(checkpoint.differences[0].name, "model.layers.*.self_attn.k_proj");
  EXPECT_EQ(checkpoint.differences[0].tensors, 2);
  EXPECT_EQ(checkpoint.differences[0].described.count, 2 * 32 * 64 * 2);
  EXPECT_EQ(checkpoint.differences[1].kind, Kind::kExtra);
  EXPECT_EQ(checkpoint.differences[1].stored.count, 32);
  EXPECT_EQ(checkpoint.summary(), "the header holds 165.5 kB, the config describes 173.7 kB (8.160 kB less; missing: model.layers.*.self_attn.k_proj; 1 more)");
}

TEST(Checkpoint, TellsAnotherShapeFromAnotherType) {
  std::vector<Entry> entries = llama_entries();
  find(entries, "model.embed_tokens.weight")->shape = {104, 64};
  find(entries, "lm_head.weight")->type = "F16";
  const Checkpoint checkpoint = inspect(files_of(entries));
  ASSERT_EQ(checkpoint.differences.size(), 2u);
  EXPECT_EQ(checkpoint.differences[0].kind, Kind::kShape);
  EXPECT_EQ(checkpoint.differences[0].detail, "6656 elements in the file, 6400 described");
  EXPECT_EQ(checkpoint.differences[1].kind, Kind::kType);
  EXPECT_EQ(checkpoint.differences[1].name, "lm_head");
  EXPECT_EQ(checkpoint.differences[1].detail, "F16 in the file, bf16 described");
}

TEST(Checkpoint, CountsScalesWithTheirMatrix) {
  std::vector<Entry> entries;
  for (Entry& entry : llama_entries()) {
    if (!entry.name.ends_with("_proj.weight")) {
      entries.push_back(entry);
      continue;
    }
    entry.type = "F8_E4M3";
    entries.push_back(entry);
    entries.push_back({entry.name + "_scale_inv", "F32", {(entry.shape[0] + 127) / 128, (entry.shape[1] + 127) / 128}});
  }
  const std::string fp8 = R"(, "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128]})";
  EXPECT_EQ(inspect(files_of(entries, config(fp8))).summary(), "the header holds 100.0 kB, the config describes 100.0 kB (difference 0)");
  const Checkpoint plain = inspect(files_of(llama_entries(), config(fp8)));
  EXPECT_EQ(plain.differences.front().kind, Kind::kType);
  EXPECT_EQ(plain.differences.front().detail, "BF16 in the file, fp8 described");
}

TEST(Checkpoint, FindsEveryExpertOfALayer) {
  const std::string text = R"({"model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 64, "num_hidden_layers": 1,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 128, "moe_intermediate_size": 32, "num_experts": 4,
    "num_experts_per_tok": 2, "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 100, "max_position_embeddings": 512,
    "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";
  std::vector<Entry> entries{{"model.embed_tokens.weight", "BF16", {100, 64}}, {"model.norm.weight", "BF16", {64}}};
  const std::string at = "model.layers.0.";
  for (const char* norm : {"input_layernorm", "post_attention_layernorm"}) entries.push_back({at + norm + ".weight", "BF16", {64}});
  for (const char* norm : {"q_norm", "k_norm"}) entries.push_back({at + "self_attn." + norm + ".weight", "BF16", {16}});
  entries.push_back({at + "self_attn.q_proj.weight", "BF16", {64, 64}});
  entries.push_back({at + "self_attn.k_proj.weight", "BF16", {32, 64}});
  entries.push_back({at + "self_attn.v_proj.weight", "BF16", {32, 64}});
  entries.push_back({at + "self_attn.o_proj.weight", "BF16", {64, 64}});
  entries.push_back({at + "mlp.gate.weight", "BF16", {4, 64}});
  for (int expert = 0; expert < 4; ++expert) {
    entries.push_back({fmt::format("{}mlp.experts.{}.gate_proj.weight", at, expert), "BF16", {32, 64}});
    entries.push_back({fmt::format("{}mlp.experts.{}.up_proj.weight", at, expert), "BF16", {32, 64}});
    entries.push_back({fmt::format("{}mlp.experts.{}.down_proj.weight", at, expert), "BF16", {64, 32}});
  }
  EXPECT_TRUE(inspect(files_of(entries, text)).differences.empty()) << inspect(files_of(entries, text)).summary();
  std::erase_if(entries, [](const Entry& entry) { return entry.name.find("experts.3.") != std::string::npos; });
  const Checkpoint checkpoint = inspect(files_of(entries, text));
  EXPECT_EQ(checkpoint.differences.size(), 3u);
  EXPECT_EQ(checkpoint.differences[0].name, "model.layers.*.mlp.experts.*.down_proj");
  EXPECT_EQ(checkpoint.differences[0].tensors, 1);
}

TEST(Checkpoint, FindsNamesWithoutTheWrappersFirstWord) {
  std::vector<Entry> entries = llama_entries();
  for (Entry& entry : entries)
    if (entry.name.starts_with("model.")) entry.name = entry.name.substr(6);
  EXPECT_TRUE(inspect(files_of(entries)).differences.empty());
}

TEST(Checkpoint, OfShardsThatAreNotThereIsWhatTheIndexAnnounces) {
  std::vector<Entry> entries = llama_entries(), first, second;
  std::string map;
  for (const Entry& entry : entries) {
    const bool early = entry.name.find("layers.1.") == std::string::npos;
    (early ? first : second).push_back(entry);
    map += fmt::format("{}\"{}\":\"model-0000{}-of-00002.safetensors\"", map.empty() ? "" : ",", entry.name, early ? 1 : 2);
  }
  formats::MemoryFileSystem files;
  files.files["m/config.json"] = config();
  files.files["m/model.safetensors.index.json"] = fmt::format(R"({{"metadata":{{"total_size":173696}},"weight_map":{{{}}}}})", map);
  files.files["m/model-00001-of-00002.safetensors"] = file_of(first);
  const Checkpoint some = inspect(files);
  EXPECT_EQ(some.summary(), "1 of 2 files are absent; the index announces 173.7 kB, the config describes 173.7 kB (difference 0)");
  EXPECT_EQ(some.absent, std::vector<std::string>{"model-00002-of-00002.safetensors: there is no such file"});
  files.files["m/model-00002-of-00002.safetensors"] = file_of(second);
  EXPECT_EQ(inspect(files).summary(), "the header holds 173.7 kB, the config describes 173.7 kB (difference 0)");
  files.files["m/model.safetensors.index.json"] = fmt::format(R"({{"metadata":{{"total_size":7}},"weight_map":{{{}}}}})", map);
  EXPECT_EQ(inspect(files).notes, std::vector<std::string>{"the index announces 7 B, its shards hold 173696 B"});
}

TEST(Checkpoint, OfAFolderWithoutWeightsIsNone) {
  formats::MemoryFileSystem files;
  files.files["m/config.json"] = config();
  const Result<Model> model = load("m", files);
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_FALSE(inspect_checkpoint(*model, files, "m")->has_value());
}

TEST(Checkpoint, OfAnUnknownQuantisationIsWhatTheHeaderHolds) {
  const Checkpoint checkpoint = inspect(files_of(llama_entries(), config(R"(, "quantization_config": {"quant_method": "novel"})")));
  EXPECT_FALSE(checkpoint.described);
  EXPECT_EQ(checkpoint.summary(), "the header holds 173.7 kB, what the quantisation of the config stores is not known");
}

TEST(Checkpoint, ThatIsDamagedIsAnErrorOfTheModel) {
  formats::MemoryFileSystem files = files_of(llama_entries());
  files.files["m/model.safetensors"].pop_back();
  EXPECT_EQ(load("m", files).error().where, "m/model.safetensors");
}

TEST(Load, TakesExactBytesFromTheWeightsBesideAConfigAndNotesDisagreement) {
  std::vector<Entry> entries = llama_entries();
  const Result<Model> agreeing = load("m", files_of(entries));
  ASSERT_TRUE(agreeing) << to_string(agreeing.error());
  EXPECT_EQ(agreeing->checkpoint_bytes->count, 173'696);
  EXPECT_TRUE(agreeing->notes.empty());
  find(entries, "model.embed_tokens.weight")->shape = {104, 64};
  const Result<Model> disagreeing = load("m", files_of(entries));
  ASSERT_TRUE(disagreeing);
  EXPECT_EQ(disagreeing->checkpoint_bytes->count, 174'208);
  ASSERT_EQ(disagreeing->notes.size(), 1u);
  EXPECT_EQ(
      disagreeing->notes[0],
      "the header holds 174.2 kB, the config describes 173.7 kB (512.0 B more; shape differs: model.embed_tokens, 6656 elements in the file, 6400 described)");
}

TEST(Load, OfAConfigByAnotherNameLooksAtNoWeightsBesideIt) {
  formats::MemoryFileSystem files = files_of(llama_entries());
  files.files["m/other.json"] = files.files["m/config.json"];
  EXPECT_FALSE(load("m/other.json", files)->checkpoint_bytes);
}

}  // namespace
}  // namespace ridge::model
