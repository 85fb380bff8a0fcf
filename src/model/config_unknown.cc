// A model_type that no row of the table names. Where its fields are those of an ordinary decoder they are read as such;
// fields that speak of another structure are refused by name, since sizes read past them would be wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/config_reading.h"

namespace ridge::model {
namespace {

// Parts of names that no ordinary decoder's config has: states in place of attention, layers that share a cache or differ
// one by one, embeddings per layer, experts placed by rules of their own.
constexpr std::array kForeign{
    std::string_view("ssm_"),
    std::string_view("mamba"),
    std::string_view("linear_attn_config"),
    std::string_view("linear_num_"),
    std::string_view("conv_L_cache"),
    std::string_view("attn_type_list"),
    std::string_view("block_types"),
    std::string_view("layers_block_type"),
    std::string_view("block_configs"),
    std::string_view("rwkv"),
    std::string_view("xlstm"),
    std::string_view("hybrid_"),
    std::string_view("altup"),
    std::string_view("laurel"),
    std::string_view("per_layer_input"),
    std::string_view("kv_shared"),
    std::string_view("cla_share"),
    std::string_view("compress_ratios"),
    std::string_view("cross_attention_"),
    std::string_view("is_encoder_decoder"),
    std::string_view("moe_layer_start"),
    std::string_view("moe_layer_interval"),
    std::string_view("moe_layers_enum"),
    std::string_view("expert_layer_period"),
};

Traits unknown_traits(const ConfigFields& config) {
  Traits traits;
  traits.read = read_decoder;
  traits.moe = config.has(key::kExperts);
  traits.shared = config.has("n_shared_experts") ? Shared::kCount : (config.has("shared_expert_intermediate_size") ? Shared::kSize : Shared::kNone);
  traits.qk_norm = Switch{"use_qk_norm", false};
  // A config with a window and no word of where it holds means every layer, as Mistral's does.
  traits.windows = Windows::kQwen;
  if (!config.has("use_sliding_window") && !config.has("max_window_layers")) traits.windows = Windows::kAll;
  return traits;
}

}  // namespace

Result<void> read_unknown(Reading& reading, const Traits& unknown) {
  const ConfigFields& config = reading.config;
  for (const auto& [name, value] : config.node().node().map) {
    const bool foreign = std::any_of(kForeign.begin(), kForeign.end(), [&name = name](std::string_view stem) { return name.find(stem) != std::string::npos; });
    const bool off = value.kind == formats::Node::Kind::kNull || (value.kind == formats::Node::Kind::kBoolean && !value.boolean);
    if (!foreign || off) continue;
    return config.node().get(name)->error(fmt::format("model_type \"{}\" is not known, and this field says that it is no ordinary decoder", unknown.model_type),
                                          "Give a parameter count, or describe it: params=…,layers=…,hidden=…,heads=….");
  }
  Traits traits = unknown_traits(config);
  traits.model_type = unknown.model_type;
  const bool latent = config.has("kv_lora_rank");
  if (latent) traits.head_dim = 1;  // of no use to MLA, and often no divisor
  RIDGE_TRY_VOID(latent ? read_latent(reading, traits) : read_decoder(reading, traits));
  reading.model.notes.push_back(fmt::format("model_type \"{}\" is not known: read as the decoder that its fields describe", unknown.model_type));
  return {};
}

}  // namespace ridge::model
