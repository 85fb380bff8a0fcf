// DeepSeek's attentions: MLA (V2, V3, Kimi, GLM-5), MLA with a sparse indexer (V3.2), and V4's window with compressed
// entries beyond it.
#include <fmt/format.h>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

// DeepSeek-V4: layers that pool by this ratio choose their entries with an indexer; coarser ones read all of them.
constexpr std::int64_t kIndexedRatio = 4;

Result<std::optional<Indexer>> read_indexer(const ConfigFields& config) {
  RIDGE_TRY(const std::optional<std::int64_t> heads, config.maybe_size("index_n_heads", kMaxHeads));
  if (!heads) return std::nullopt;
  Indexer indexer;
  indexer.heads = *heads;
  RIDGE_TRY(indexer.head_dim, config.size("index_head_dim", kMaxHidden));
  RIDGE_TRY(indexer.top_k, config.size("index_topk", kMaxContext));
  return indexer;
}

Result<Attention> read_mla(const ConfigFields& config, const Traits& traits, const Dimensions& d) {
  Attention a;
  a.kind = AttentionKind::kLatent;
  a.heads = a.kv_heads = d.heads;
  // The defaults are those of DeepseekV2Config and DeepseekV3Config (transformers library); q_lora_rank: null means one full matrix.
  const bool q_said = config.node().node().find("q_lora_rank") != nullptr;
  RIDGE_TRY(a.q_lora_rank, config.size_or("q_lora_rank", kMaxHidden, q_said ? 0 : 1536));
  RIDGE_TRY(a.kv_lora_rank, config.size_or("kv_lora_rank", kMaxHidden, 512));
  RIDGE_TRY(a.rope_dim, config.size_or("qk_rope_head_dim", kMaxHidden, 64));
  RIDGE_TRY(a.nope_dim, config.size_or("qk_nope_head_dim", kMaxHidden, 128));
  RIDGE_TRY(a.v_head_dim, config.size_or("v_head_dim", kMaxHidden, 128));
  a.head_dim = a.nope_dim + a.rope_dim;
  RIDGE_TRY(a.qkv_bias, read_switch(config, traits.qkv_bias));
  a.o_bias = a.qkv_bias;
  RIDGE_TRY(a.indexer, read_indexer(config));
  return a;
}

}  // namespace

Result<void> read_latent(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_mla(config, traits, d));
  RIDGE_TRY(std::vector<Mlp> mlps, read_mlps(config, traits, d));
  // The bias by which experts are balanced without an auxiliary loss (DeepSeek-V3 report, section 2.1.2).
  RIDGE_TRY(const std::string method, config.text_or("topk_method", traits.correction_bias.fallback ? "noaux_tc" : ""));
  Block block;
  for (Mlp& mlp : mlps) {
    if (mlp.kind == Mlp::Kind::kMoe) mlp.correction_bias = method == "noaux_tc";
    block.attention = attention;
    block.mlp = mlp;
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, attention);
  RIDGE_TRY(const std::int64_t ahead, config.count_or(key::kPredictLayers, kMaxLayers, 0));
  if (ahead > 0) add_predictor(reading, traits, ahead, block, d);
  return {};
}

namespace {

Result<Attention> read_compressed(const ConfigFields& config, const Dimensions& d) {
  Attention a;
  a.kind = AttentionKind::kCompressed;
  a.heads = d.heads;
  a.kv_heads = 1;
  a.head_dim = a.v_head_dim = a.kv_lora_rank = d.head_dim;
  RIDGE_TRY(a.q_lora_rank, config.size("q_lora_rank", kMaxHidden));
  RIDGE_TRY(a.rope_dim, config.size("qk_rope_head_dim", kMaxHidden));
  if (a.rope_dim > a.head_dim) return config.node().get("qk_rope_head_dim")->error(fmt::format("{} is more than head_dim {}", a.rope_dim, a.head_dim));
  a.nope_dim = a.head_dim - a.rope_dim;
  RIDGE_TRY(a.o_groups, config.size("o_groups", kMaxHeads));
  RIDGE_TRY(a.o_lora_rank, config.size("o_lora_rank", kMaxHidden));
  if (a.heads % a.o_groups != 0) return config.node().get("o_groups")->error(fmt::format("{} heads are not a multiple of {} groups", a.heads, a.o_groups));
  RIDGE_TRY(a.window, config.size("sliding_window", kMaxContext));
  a.sinks = true;
  return a;
}

void add_output_streams(Reading& reading, std::int64_t streams, std::int64_t hidden) {
  TensorList list(reading.model.native);
  list.table("hc_head_fn", streams, streams * hidden, Part::kOther).storage = plain_storage(Precision::kFp32);
  list.vector("hc_head_base", streams, Part::kOther).storage = plain_storage(Precision::kFp32);
  list.vector("hc_head_scale", 1, Part::kOther).storage = plain_storage(Precision::kFp32);
  reading.extra = list.take();
}

}  // namespace

// Shapes from the tensors of the DeepSeek-V4-Flash checkpoint; experts of the first num_hash_layers are looked up by token id.
Result<void> read_deepseek_v4(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention base, read_compressed(config, d));
  RIDGE_TRY(const std::optional<Indexer> indexer, read_indexer(config));
  RIDGE_TRY(const std::vector<std::int64_t> ratios, config.integers("compress_ratios", 0, kMaxContext));
  RIDGE_TRY(const std::int64_t ahead, config.count_or(key::kPredictLayers, kMaxLayers, 0));
  const auto given = static_cast<std::int64_t>(ratios.size());
  if (given != d.layers && given != d.layers + ahead)
    return config.error(fmt::format("compress_ratios has {} entries for {} layers and {} MTP modules", given, d.layers, ahead));
  RIDGE_TRY(const std::int64_t hashed, config.count_or("num_hash_layers", kMaxLayers, 0));
  RIDGE_TRY(const std::int64_t streams, config.size_or("hc_mult", 64, 1));
  RIDGE_TRY(Mlp mlp, read_experts(config, traits, d));
  mlp.correction_bias = true;
  Mlp hash_mlp = mlp;
  hash_mlp.correction_bias = false;
  hash_mlp.hash_routed_vocabulary = d.vocabulary;
  const auto layer = [&](std::int64_t i) {
    Block block;
    block.attention = base;
    block.attention->compress_ratio = i < given ? ratios[static_cast<std::size_t>(i)] : 0;
    if (block.attention->compress_ratio == kIndexedRatio) block.attention->indexer = indexer;
    block.mlp = i < hashed ? hash_mlp : mlp;
    block.residual_streams = streams;
    return block;
  };
  for (std::int64_t i = 0; i < d.layers; ++i) RIDGE_TRY_VOID(add_layer(reading, layer(i)));
  if (streams > 1) add_output_streams(reading, streams, d.hidden);
  Attention widest = base;
  set_summary(reading.model, d, widest);
  if (ahead > 0) add_predictor(reading, traits, ahead, layer(d.layers), d);
  return {};
}

}  // namespace ridge::model
