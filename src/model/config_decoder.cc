// The ordinary decoder: attention (full, sliding or chunked) and an MLP or experts in every layer, told apart by Traits.
#include <fmt/format.h>

#include <algorithm>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

constexpr std::string_view kWindow[] = {"sliding_window", "attention_window_size", "window_size"};
constexpr std::string_view kPattern[] = {"sliding_window_pattern", "_sliding_window_pattern"};

Result<void> check_length(const ConfigFields& config, std::string_view list, std::size_t length, std::int64_t layers) {
  if (static_cast<std::int64_t>(length) == layers) return {};
  return config.error_at(Aliases(&list, 1), fmt::format("the list has {} entries for {} layers", length, layers));
}

}  // namespace

Result<bool> read_switch(const ConfigFields& config, const Switch& spec) {
  if (spec.key.empty()) return spec.fallback;
  return config.flag_or(spec.key, spec.fallback);
}

Result<void> check_heads(const ConfigFields& config, std::int64_t heads, std::int64_t kv_heads) {
  if (heads % kv_heads == 0) return {};
  return config.error_at(key::kKvHeads, fmt::format("{} query heads are not a multiple of {} key-value heads", heads, kv_heads));
}

Result<Dimensions> read_dimensions(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  std::vector<Aliases> wanted{key::kLayers, key::kHidden, key::kHeads, key::kVocabulary};
  const bool layers_listed = config.has("layers_block_type") || config.has("hybrid_override_pattern");
  if (layers_listed) wanted.erase(wanted.begin());
  if (traits.heads > 0) wanted.erase(std::find_if(wanted.begin(), wanted.end(), [](Aliases a) { return a.data() == key::kHeads; }));
  if (traits.vocabulary > 0) wanted.pop_back();
  const bool sized_by_experts = traits.moe && config.has(key::kExpertSize);
  if (traits.intermediate == 0 && !sized_by_experts && !traits.own_mlp) wanted.push_back(key::kIntermediate);
  RIDGE_TRY_VOID(config.require(wanted));

  Dimensions d;
  RIDGE_TRY(d.layers, config.size_or(key::kLayers, kMaxLayers, 0));
  RIDGE_TRY(d.hidden, config.size(key::kHidden, kMaxHidden));
  RIDGE_TRY(d.heads, config.size_or(key::kHeads, kMaxHeads, traits.heads));
  RIDGE_TRY(d.vocabulary, config.size_or(key::kVocabulary, kMaxVocabulary, traits.vocabulary));
  RIDGE_TRY(d.context, config.maybe_size(key::kContext, kMaxContext));
  RIDGE_TRY(d.kv_heads, config.size_or(key::kKvHeads, kMaxHeads, traits.kv_heads > 0 ? traits.kv_heads : d.heads));
  RIDGE_TRY(const bool single, read_switch(config, traits.single_kv_head));
  if (single) d.kv_heads = 1;
  RIDGE_TRY(d.head_dim, config.size_or(key::kHeadDim, kMaxHidden, traits.head_dim));
  if (d.head_dim == 0) {
    if (d.hidden % d.heads != 0)
      return config.error_at(key::kHidden, fmt::format("{} is not a multiple of {} heads, and head_dim is not given", d.hidden, d.heads));
    d.head_dim = d.hidden / d.heads;
  }
  RIDGE_TRY(d.intermediate, config.size_or(key::kIntermediate, kMaxIntermediate, traits.intermediate * d.hidden));
  return d;
}

Result<Attention> read_attention(const ConfigFields& config, const Traits& traits, const Dimensions& d) {
  RIDGE_TRY_VOID(check_heads(config, d.heads, d.kv_heads));
  Attention a;
  a.heads = d.heads;
  a.kv_heads = d.kv_heads;
  a.head_dim = a.v_head_dim = d.head_dim;
  RIDGE_TRY(a.qkv_bias, read_switch(config, traits.qkv_bias));
  RIDGE_TRY(a.o_bias, read_switch(config, traits.o_bias));
  RIDGE_TRY(const bool normed, read_switch(config, traits.qk_norm));
  if (normed) a.qk_norm = traits.qk_norm_kind;
  RIDGE_TRY(a.output_gate, read_switch(config, traits.output_gate));
  a.qk_norm_bias = traits.qk_norm_bias;
  a.sinks = traits.sinks;
  a.local_filter = traits.local_filter;
  return a;
}

Result<std::vector<std::string>> read_layer_types(const ConfigFields& config, std::int64_t layers, std::string_view name) {
  RIDGE_TRY(std::vector<std::string> types, config.texts(name));
  if (!types.empty()) RIDGE_TRY_VOID(check_length(config, name, types.size(), layers));
  return types;
}

namespace {

Result<std::vector<Attention>> windows_of_types(const ConfigFields& config, const Traits& traits, const std::vector<std::string>& types,
                                                const Attention& base) {
  std::vector<Attention> attentions;
  RIDGE_TRY(const std::int64_t window, config.size_or(kWindow, kMaxContext, traits.window));
  RIDGE_TRY(const std::int64_t chunk, config.size_or("attention_chunk_size", kMaxContext, 0));
  const auto at = [&](std::size_t i) { return config.node().get("layer_types")->at(i); };
  for (std::size_t i = 0; i < types.size(); ++i) {
    Attention a = base;
    if (types[i] == "sliding_attention" || types[i] == "chunked_attention") {
      const bool sliding = types[i] == "sliding_attention";
      a.kind = sliding ? AttentionKind::kSliding : AttentionKind::kChunked;
      a.window = sliding ? window : chunk;
      if (a.window == 0) return at(i).error(fmt::format("the layer is {}, but {} is missing", types[i], sliding ? "sliding_window" : "attention_chunk_size"));
    } else if (types[i] != "full_attention" && types[i] != "attention" && types[i] != "global_attention") {
      return at(i).error(fmt::format("\"{}\" is no kind of layer that this family has", types[i]),
                         "Known kinds: full_attention, sliding_attention, chunked_attention.");
    }
    attentions.push_back(a);
  }
  return attentions;
}

}  // namespace

Result<std::vector<Attention>> read_windows(Reading& reading, const Traits& traits, const Dimensions& d, const Attention& base) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const std::vector<std::string> types, read_layer_types(config, d.layers, "layer_types"));
  if (!types.empty()) return windows_of_types(config, traits, types, base);

  std::vector<Attention> attentions(static_cast<std::size_t>(d.layers), base);
  if (traits.windows == Windows::kNone) return attentions;
  // An explicit null turns the family's own window off; an absent key does not.
  const bool said = std::any_of(std::begin(kWindow), std::end(kWindow), [&](std::string_view name) { return config.node().node().find(name) != nullptr; });
  RIDGE_TRY(const std::int64_t window, config.size_or(kWindow, kMaxContext, said ? 0 : traits.window));
  if (window == 0) return attentions;
  RIDGE_TRY(const bool used, config.flag_or("use_sliding_window", traits.windows != Windows::kQwen));
  if (!used) return attentions;
  RIDGE_TRY(const std::int64_t first, config.count_or("max_window_layers", kMaxLayers, traits.windows == Windows::kQwen ? 28 : 0));
  RIDGE_TRY(const std::int64_t period, config.size_or(kPattern, kMaxLayers, std::max<std::int64_t>(traits.period, 1)));
  for (std::int64_t i = 0; i < d.layers; ++i) {
    const bool slides = traits.windows == Windows::kAll || (traits.windows == Windows::kQwen && i >= first) ||
                        (traits.windows == Windows::kEven && i % 2 == 0) || (traits.windows == Windows::kPeriod && (i + 1) % period != 0);
    if (!slides) continue;
    attentions[static_cast<std::size_t>(i)].kind = AttentionKind::kSliding;
    attentions[static_cast<std::size_t>(i)].window = window;
  }
  return attentions;
}

Result<Mlp> read_experts(const ConfigFields& config, const Traits& traits, const Dimensions& d) {
  Mlp moe;
  moe.kind = Mlp::Kind::kMoe;
  moe.gated = traits.gated;
  RIDGE_TRY(moe.experts, config.count_or(key::kExperts, kMaxExperts, traits.experts));
  if (moe.experts == 0) {
    if (!config.has(key::kExperts)) RIDGE_TRY_VOID(config.size(key::kExperts, kMaxExperts));
    moe.kind = Mlp::Kind::kDense;
    return moe;
  }
  if (traits.top_k > 0) {
    RIDGE_TRY(moe.top_k, config.size_or(key::kTopK, moe.experts, traits.top_k));
    if (moe.top_k > moe.experts)
      return config.error(fmt::format("num_experts_per_tok is missing, and the family's usual {} are more than {} experts", moe.top_k, moe.experts));
  } else {
    RIDGE_TRY(moe.top_k, config.size(key::kTopK, moe.experts));
  }
  RIDGE_TRY(const std::optional<std::int64_t> size, config.maybe_size(key::kExpertSize, kMaxIntermediate));
  moe.intermediate = size.value_or(d.intermediate);
  if (moe.intermediate == 0) RIDGE_TRY_VOID(config.size(key::kExpertSize, kMaxIntermediate));
  RIDGE_TRY(moe.bias, read_switch(config, traits.mlp_bias));
  if (traits.shared == Shared::kCount) {
    RIDGE_TRY(const std::int64_t count, config.count_or("n_shared_experts", kMaxExperts, 0));
    moe.shared_intermediate = count * moe.intermediate;
  } else if (traits.shared == Shared::kSize) {
    RIDGE_TRY(moe.shared_intermediate, config.count_or("shared_expert_intermediate_size", kMaxIntermediate, traits.shared_size));
  }
  moe.shared_gate = traits.shared_gate && moe.shared_intermediate > 0;
  RIDGE_TRY(moe.correction_bias, read_switch(config, traits.correction_bias));
  moe.router_bias = traits.router_bias;
  moe.router_fp32 = traits.router_fp32;
  return moe;
}

namespace {

// Which layers have experts, as the families say it: by name per layer, by a list of dense ones, by a leading dense run
// and a frequency, or by a step.
Result<std::vector<bool>> expert_layers(const ConfigFields& config, std::int64_t layers) {
  std::vector<bool> sparse(static_cast<std::size_t>(layers), true);
  RIDGE_TRY(const std::vector<std::string> types, read_layer_types(config, layers, "mlp_layer_types"));
  if (!types.empty()) {
    for (std::size_t i = 0; i < types.size(); ++i) sparse[i] = types[i] != "dense";
    return sparse;
  }
  RIDGE_TRY(const std::int64_t first, config.count_or("first_k_dense_replace", kMaxLayers, 0));
  RIDGE_TRY(const std::int64_t step, config.size_or("decoder_sparse_step", kMaxLayers, 1));
  RIDGE_TRY(const std::vector<std::int64_t> dense, config.integers("mlp_only_layers", 0, layers - 1));
  std::vector<std::int64_t> frequencies{1};
  if (const std::optional<formats::NodeRef> node = config.node().get("moe_layer_freq"); node && node->kind() == formats::Node::Kind::kList) {
    RIDGE_TRY(frequencies, config.integers("moe_layer_freq", 0, 1));
    RIDGE_TRY_VOID(check_length(config, "moe_layer_freq", frequencies.size(), layers));
    for (std::size_t i = 0; i < frequencies.size(); ++i) sparse[i] = frequencies[i] != 0;
    return sparse;
  }
  RIDGE_TRY(frequencies[0], config.size_or("moe_layer_freq", kMaxLayers, 1));
  for (std::int64_t i = 0; i < layers; ++i) sparse[static_cast<std::size_t>(i)] = i >= first && i % frequencies[0] == 0 && (i + 1) % step == 0;
  for (std::int64_t i : dense) sparse[static_cast<std::size_t>(i)] = false;
  return sparse;
}

}  // namespace

Result<std::vector<Mlp>> read_mlps(const ConfigFields& config, const Traits& traits, const Dimensions& d) {
  Mlp dense;
  dense.gated = traits.gated;
  dense.intermediate = d.intermediate;
  RIDGE_TRY(dense.bias, read_switch(config, traits.mlp_bias));
  std::vector<Mlp> mlps(static_cast<std::size_t>(d.layers), dense);
  if (!traits.moe) return mlps;
  RIDGE_TRY(const Mlp moe, read_experts(config, traits, d));
  if (moe.kind == Mlp::Kind::kDense) return mlps;
  RIDGE_TRY(const std::vector<bool> sparse, expert_layers(config, d.layers));
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    if (sparse[i]) mlps[i] = moe;
    if (!sparse[i] && d.intermediate == 0) RIDGE_TRY_VOID(config.size(key::kIntermediate, kMaxIntermediate));
  }
  return mlps;
}

void set_summary(Model& model, const Dimensions& d, const Attention& widest) {
  model.layers = d.layers;
  model.hidden = d.hidden;
  model.vocabulary = d.vocabulary;
  model.max_context = d.context;
  if (widest.kind == AttentionKind::kNone) return;
  model.heads = widest.heads;
  model.kv_heads = widest.kv_heads;
  model.head_dim = widest.head_dim;
}

Result<void> add_layer(Reading& reading, Block block) {
  if (reading.text.add(std::move(block))) return {};
  return reading.config.error(fmt::format("more than {} different kinds of layer", kMaxLayerKinds));
}

Result<void> read_decoder(Reading& reading, const Traits& traits) {
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  return build_decoder(reading, traits, d);
}

Result<void> build_decoder(Reading& reading, const Traits& traits, const Dimensions& d) {
  RIDGE_TRY(const Attention base, read_attention(reading.config, traits, d));
  RIDGE_TRY(const std::vector<Attention> attentions, read_windows(reading, traits, d, base));
  RIDGE_TRY(const std::vector<Mlp> mlps, read_mlps(reading.config, traits, d));
  RIDGE_TRY(const bool norm_bias, read_switch(reading.config, traits.norm_bias));
  reading.norm_bias = norm_bias;
  RIDGE_TRY(const bool one_norm, read_switch(reading.config, traits.one_norm));
  Block block;
  for (std::size_t i = 0; i < attentions.size(); ++i) {
    block.attention = attentions[i];
    block.mlp = mlps[i];
    block.norms = one_norm ? 1 : traits.norms;
    block.norm_bias = norm_bias;
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, base);
  RIDGE_TRY(const std::int64_t ahead, reading.config.count_or(key::kPredictLayers, kMaxLayers, 0));
  if (ahead > 0) add_predictor(reading, traits, ahead, block, d);
  return {};
}

// Llama 4: most layers attend within chunks of 8,192 tokens with rotary positions, every fourth to everything without
// positions; experts in every interleave_moe_layer_step-th layer (Llama4TextConfig of the transformers library, 4.51).
Result<void> read_llama4(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention base, read_attention(config, traits, d));
  RIDGE_TRY(const std::vector<std::int64_t> rope, config.integers("no_rope_layers", 0, 1));
  if (!rope.empty()) RIDGE_TRY_VOID(check_length(config, "no_rope_layers", rope.size(), d.layers));
  RIDGE_TRY(const std::int64_t interval, config.size_or("no_rope_layer_interval", kMaxLayers, 4));
  RIDGE_TRY(const std::int64_t chunk, config.size_or("attention_chunk_size", kMaxContext, 8192));
  RIDGE_TRY(Mlp moe, read_experts(config, traits, d));
  moe.shared_intermediate = moe.intermediate;
  Mlp dense;
  RIDGE_TRY(dense.intermediate, config.size_or("intermediate_size_mlp", kMaxIntermediate, 16384));
  RIDGE_TRY(const std::int64_t step, config.size_or("interleave_moe_layer_step", kMaxLayers, 1));
  RIDGE_TRY(const std::vector<std::int64_t> listed, config.integers("moe_layers", 0, d.layers - 1));
  for (std::int64_t i = 0; i < d.layers; ++i) {
    Block block;
    block.attention = base;
    if (rope.empty() ? (i + 1) % interval != 0 : rope[static_cast<std::size_t>(i)] != 0) {
      block.attention->kind = AttentionKind::kChunked;
      block.attention->window = chunk;
    }
    const bool sparse = listed.empty() ? (i + 1) % step == 0 : std::find(listed.begin(), listed.end(), i) != listed.end();
    block.mlp = sparse ? moe : dense;
    RIDGE_TRY_VOID(add_layer(reading, block));
  }
  set_summary(reading.model, d, base);
  return {};
}

}  // namespace ridge::model
