// Older decoders whose fields mean something of their own: Falcon, MPT, ChatGLM, Qwen (the first), OPT.
#include <fmt/format.h>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {

// Falcon (Almazrouei et al., 2023). One key-value head with multi_query; the new decoder has num_kv_heads and a norm each
// for attention and MLP. Norms have biases whatever `bias` says.
Result<void> read_falcon(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(Dimensions d, read_dimensions(reading, traits));
  const bool forty = traits.model_type == "RefinedWeb";  // the 40B model's own type, always of the new kind
  RIDGE_TRY(const bool renewed, config.flag_or("new_decoder_architecture", forty));
  RIDGE_TRY(const bool multi_query, config.flag_or("multi_query", true));
  RIDGE_TRY(const bool parallel, config.flag_or("parallel_attn", true));
  if (!renewed) d.kv_heads = multi_query ? 1 : d.heads;
  RIDGE_TRY(const std::int64_t norms, config.size_or("num_ln_in_parallel_attn", 2, 2));
  Traits habits = traits;
  habits.norms = renewed ? static_cast<int>(norms) : (parallel ? 1 : 2);
  reading.names.norms =
      renewed && norms == 2 ? std::vector<std::string>{"ln_attn", "ln_mlp"} : std::vector<std::string>{"input_layernorm", "post_attention_layernorm"};
  return build_decoder(reading, habits, d);
}

// MPT (MosaicML, 2023): the attention's habits are in attn_config; no_bias drops every bias, also of the norms.
Result<void> read_mpt(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const std::int64_t expansion, config.size_or("expansion_ratio", 1000, 4));
  d.intermediate = expansion * d.hidden;
  RIDGE_TRY(const bool no_bias, config.flag_or("no_bias", true));
  Traits habits = traits;
  habits.qkv_bias = habits.o_bias = habits.mlp_bias = habits.norm_bias = Switch{"", !no_bias};
  bool alibi = true;
  if (const std::optional<ConfigFields> attention = config.section("attn_config")) {
    RIDGE_TRY(alibi, attention->flag_or("alibi", true));
    RIDGE_TRY(const std::string type, attention->text_or("attn_type", "multihead_attention"));
    RIDGE_TRY(d.kv_heads, attention->size_or("kv_n_heads", kMaxHeads, type == "multiquery_attention" ? 1 : d.heads));
    RIDGE_TRY(const bool normed, attention->flag_or("qk_ln", false));
    habits.qk_norm = Switch{"", normed};
    habits.qk_norm_kind = QkNorm::kAllHeads;
  }
  RIDGE_TRY(const bool learned, config.flag_or("learned_pos_emb", true));
  if (learned && !alibi && d.context) {
    TensorList list(reading.model.native);
    list.table("transformer.wpe.weight", *d.context, d.hidden, Part::kEmbedding).active_copies = 0;
    reading.extra = list.take();
  }
  return build_decoder(reading, habits, d);
}

// ChatGLM 2 and 3, GLM-4-9B-chat: multi_query_group_num counts only with multi_query_attention.
Result<void> read_chatglm(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const bool grouped, config.flag_or("multi_query_attention", false));
  if (!grouped) d.kv_heads = d.heads;
  RIDGE_TRY(const bool all_biased, config.flag_or("add_bias_linear", false));
  RIDGE_TRY(const bool rms, config.flag_or("rmsnorm", true));
  RIDGE_TRY(reading.final_norm, config.flag_or("post_layer_norm", true));
  Traits habits = traits;
  habits.o_bias = habits.mlp_bias = Switch{"", all_biased};
  if (all_biased) habits.qkv_bias = Switch{"", true};
  habits.norm_bias = Switch{"", !rms};
  return build_decoder(reading, habits, d);
}

// Qwen (2023): intermediate_size counts gate and up together; queries, keys and values have a bias, nothing else with no_bias.
Result<void> read_qwen1(Reading& reading, const Traits& traits) {
  RIDGE_TRY(Dimensions d, read_dimensions(reading, traits));
  if (d.intermediate % 2 != 0)
    return reading.config.error_at(key::kIntermediate, fmt::format("{} is not even: it counts gate and up together", d.intermediate));
  d.intermediate /= 2;
  RIDGE_TRY(const bool no_bias, reading.config.flag_or("no_bias", true));
  Traits habits = traits;
  habits.o_bias = habits.mlp_bias = Switch{"", !no_bias};
  return build_decoder(reading, habits, d);
}

// OPT (Zhang et al., 2022): embeddings may be narrower than the layers (350m), which then have a projection in and out and
// no final norm.
Result<void> read_opt(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const std::int64_t width, config.size_or("word_embed_proj_dim", kMaxHidden, d.hidden));
  RIDGE_TRY(const bool norm_first, config.flag_or("do_layer_norm_before", true));
  RIDGE_TRY(const bool removed, config.flag_or("_remove_final_layer_norm", false));
  reading.final_norm = norm_first && !removed;
  if (width != d.hidden) {
    reading.embedding_width = width;
    TensorList list(reading.model.native);
    list.matrix("model.decoder.project_in.weight", d.hidden, width, Part::kOther);
    list.matrix("model.decoder.project_out.weight", width, d.hidden, Part::kOther);
    reading.extra = list.take();
  }
  return build_decoder(reading, traits, d);
}

}  // namespace ridge::model
