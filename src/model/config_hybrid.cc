// Families that mix attention with layers of fixed state, or whose layers differ one by one: Qwen3-Next and Qwen3.5,
// Jamba, MiniMax-Text-01, and the searched architectures of Nemotron.
#include <fmt/format.h>

#include <cmath>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

Result<LinearMixer> read_delta_rule(const ConfigFields& config) {
  LinearMixer m;
  m.kind = LinearKind::kGatedDelta;
  // Defaults of Qwen3NextConfig (transformers library, 4.57).
  RIDGE_TRY(m.key_heads, config.size_or("linear_num_key_heads", kMaxHeads, 16));
  RIDGE_TRY(m.heads, config.size_or("linear_num_value_heads", kMaxHeads, 32));
  RIDGE_TRY(m.key_dim, config.size_or("linear_key_head_dim", kMaxHidden, 128));
  RIDGE_TRY(m.value_dim, config.size_or("linear_value_head_dim", kMaxHidden, 128));
  RIDGE_TRY(m.conv_kernel, config.size_or("linear_conv_kernel_dim", kMaxKernel, 4));
  if (m.heads % m.key_heads != 0)
    return config.error_at(Aliases(), fmt::format("linear_num_value_heads {} is not a multiple of linear_num_key_heads {}", m.heads, m.key_heads));
  m.conv_channels = 2 * m.key_heads * m.key_dim + m.inner();
  RIDGE_TRY(const std::string state, config.text_or("mamba_ssm_dtype", "float32"));
  RIDGE_TRY(m.state, parse_precision(state));
  return m;
}

}  // namespace

// Qwen3-Next and Qwen3.5: the gated delta rule, but every full_attention_interval-th layer attends in full with an output gate.
Result<void> read_gated_delta(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_attention(config, traits, d));
  RIDGE_TRY(const LinearMixer mixer, read_delta_rule(config));
  RIDGE_TRY(const std::vector<Mlp> mlps, read_mlps(config, traits, d));
  RIDGE_TRY(const std::vector<std::string> types, read_layer_types(config, d.layers, "layer_types"));
  RIDGE_TRY(const std::int64_t interval, config.size_or("full_attention_interval", kMaxLayers, 4));
  for (std::int64_t i = 0; i < d.layers; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const bool full = types.empty() ? (i + 1) % interval == 0 : types[index] == "full_attention";
    if (!types.empty() && !full && types[index] != "linear_attention")
      return config.node()
          .get("layer_types")
          ->at(index)
          .error(fmt::format("\"{}\" is no kind of layer that this family has", types[index]), "Known kinds: full_attention, linear_attention.");
    Block block;
    if (full)
      block.attention = attention;
    else
      block.linear = mixer;
    block.mlp = mlps[index];
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, attention);
  RIDGE_TRY(const std::int64_t ahead, config.count_or(key::kPredictLayers, kMaxLayers, 1));
  Block module;
  module.attention = attention;
  module.mlp = mlps.back();
  if (ahead > 0) add_predictor(reading, traits, ahead, module, d);
  return {};
}

// Jamba (Lieber et al., 2024): Mamba, but attention in every attn_layer_period-th layer; experts in every expert_layer_period-th.
Result<void> read_jamba(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_attention(config, traits, d));
  LinearMixer mamba;
  mamba.kind = LinearKind::kMamba1;
  RIDGE_TRY(const std::int64_t expand, config.size_or("mamba_expand", 64, 2));
  mamba.heads = expand * d.hidden;
  mamba.value_dim = mamba.key_heads = 1;
  RIDGE_TRY(mamba.key_dim, config.size_or("mamba_d_state", kMaxHidden, 16));
  RIDGE_TRY(mamba.conv_kernel, config.size_or("mamba_d_conv", kMaxKernel, 4));
  mamba.conv_channels = mamba.heads;
  // "auto" is hidden / 16, rounded up (Mamba's default).
  const std::optional<formats::NodeRef> rank = config.node().get("mamba_dt_rank");
  mamba.dt_rank = (d.hidden + 15) / 16;
  if (rank && rank->kind() != formats::Node::Kind::kText) {
    RIDGE_TRY(mamba.dt_rank, rank->as_integer(1, kMaxHidden));
  }
  RIDGE_TRY(mamba.conv_bias, config.flag_or("mamba_conv_bias", true));
  RIDGE_TRY(mamba.proj_bias, config.flag_or("mamba_proj_bias", false));
  RIDGE_TRY(mamba.inner_norms, config.flag_or("mamba_inner_layernorms", true));
  RIDGE_TRY(const std::int64_t attention_period, config.size_or("attn_layer_period", kMaxLayers, 8));
  RIDGE_TRY(const std::int64_t attention_offset, config.count_or("attn_layer_offset", kMaxLayers, 4));
  RIDGE_TRY(const std::int64_t expert_period, config.size_or("expert_layer_period", kMaxLayers, 2));
  RIDGE_TRY(const std::int64_t expert_offset, config.count_or("expert_layer_offset", kMaxLayers, 1));
  RIDGE_TRY(Mlp moe, read_experts(config, traits, d));
  Mlp dense;
  dense.intermediate = d.intermediate;
  // A layer with one expert is a dense one.
  if (moe.kind != Mlp::Kind::kMoe || moe.experts == 1) moe = dense;
  for (std::int64_t i = 0; i < d.layers; ++i) {
    Block block;
    if (i % attention_period == attention_offset)
      block.attention = attention;
    else
      block.linear = mamba;
    block.mlp = i % expert_period == expert_offset ? moe : dense;
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, attention);
  return {};
}

// MiniMax-Text-01 (arXiv 2501.08313): lightning attention, but softmax where attn_type_list says 1; experts in every layer.
Result<void> read_minimax_text(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_attention(config, traits, d));
  LinearMixer lightning;
  lightning.kind = LinearKind::kLightning;
  lightning.heads = lightning.key_heads = d.heads;
  lightning.key_dim = lightning.value_dim = d.head_dim;
  RIDGE_TRY(const std::vector<Mlp> mlps, read_mlps(config, traits, d));
  RIDGE_TRY(const std::vector<std::int64_t> list, config.integers("attn_type_list", 0, 1));
  RIDGE_TRY(const std::vector<std::string> types, read_layer_types(config, d.layers, "layer_types"));
  if (types.empty() && static_cast<std::int64_t>(list.size()) != d.layers)
    return config.error(fmt::format("attn_type_list has {} entries for {} layers", list.size(), d.layers));
  for (std::size_t i = 0; i < mlps.size(); ++i) {
    Block block;
    if (types.empty() ? list[i] == 1 : types[i] == "full_attention")
      block.attention = attention;
    else
      block.linear = lightning;
    block.mlp = mlps[i];
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, attention);
  return {};
}

namespace {

// Rounds 2·mult·hidden/3 down to a whole number and up to a multiple of 256, as the model's own code sizes its MLPs.
Result<std::int64_t> searched_intermediate(const ConfigFields& ffn, std::int64_t hidden) {
  RIDGE_TRY(const std::optional<std::int64_t> size, ffn.maybe_size("intermediate_size", kMaxIntermediate));
  if (size) return *size;
  RIDGE_TRY(const std::optional<double> multiple, ffn.maybe_real("ffn_mult"));
  if (!multiple) return ffn.error("fields are missing: intermediate_size or ffn_mult");
  const double width = 2.0 * *multiple * static_cast<double>(hidden) / 3.0;
  if (!(width >= 1 && width <= static_cast<double>(kMaxIntermediate)))
    return ffn.node().get("ffn_mult")->error(fmt::format("{} makes an MLP of width {}", *multiple, width));
  return (static_cast<std::int64_t>(width) + 255) / 256 * 256;
}

Result<Block> searched_layer(const ConfigFields& config, const ConfigFields& layer, const Dimensions& d, const Attention& base) {
  Block block;
  block.norms = 0;
  block.mlp.kind = Mlp::Kind::kNone;
  const std::optional<ConfigFields> attention = layer.section("attention");
  const std::optional<ConfigFields> ffn = layer.section("ffn");
  if (!attention || !ffn) return layer.error("a map with the keys attention and ffn is expected");
  RIDGE_TRY(const bool no_attention, attention->flag_or("no_op", false));
  RIDGE_TRY(const bool linear, attention->flag_or("replace_with_linear", false));
  if (linear) {
    block.linear = LinearMixer{.kind = LinearKind::kLinear};
  } else if (!no_attention) {
    block.attention = base;
    RIDGE_TRY(const std::int64_t group, attention->size_or("n_heads_in_group", kMaxHeads, 0));
    RIDGE_TRY(block.attention->kv_heads, attention->size_or("num_key_value_heads", kMaxHeads, group > 0 ? d.heads / group : d.kv_heads));
    if (group > 0 && d.heads % group != 0) return attention->node().get("n_heads_in_group")->error(fmt::format("{} heads are not a multiple of it", d.heads));
    RIDGE_TRY_VOID(check_heads(config, d.heads, block.attention->kv_heads));
    RIDGE_TRY(block.attention->window, attention->size_or("window_length", kMaxContext, 0));
    if (block.attention->window > 0) block.attention->kind = AttentionKind::kSliding;
  }
  RIDGE_TRY(const bool no_ffn, ffn->flag_or("no_op", false));
  RIDGE_TRY(const bool linear_ffn, ffn->flag_or("replace_with_linear", false));
  if (linear_ffn) {
    block.mlp.kind = Mlp::Kind::kLinear;
  } else if (!no_ffn) {
    block.mlp.kind = Mlp::Kind::kDense;
    RIDGE_TRY(block.mlp.intermediate, searched_intermediate(*ffn, d.hidden));
  }
  block.norms = (no_attention ? 0 : 1) + (no_ffn ? 0 : 1);
  return block;
}

}  // namespace

// Nemotron-NAS (Puzzle, arXiv 2411.19146): block_configs gives every layer its own attention and MLP, or none.
Result<void> read_nemotron_nas(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention base, read_attention(config, traits, d));
  RIDGE_TRY(const formats::NodeRef layers, config.node().require("block_configs"));
  if (layers.kind() != formats::Node::Kind::kList) return layers.error(fmt::format("a list is expected, found {}", name_of(layers.kind())));
  if (static_cast<std::int64_t>(layers.size()) != d.layers) return layers.error(fmt::format("the list has {} entries for {} layers", layers.size(), d.layers));
  Attention widest;
  widest.kind = AttentionKind::kNone;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    RIDGE_TRY(const Block block, searched_layer(config, ConfigFields(layers.at(i)), d, base));
    if (block.attention && (widest.kind == AttentionKind::kNone || block.attention->kv_heads > widest.kv_heads)) widest = *block.attention;
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, widest);
  return {};
}

}  // namespace ridge::model
