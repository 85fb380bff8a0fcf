// Nemotron-H (arXiv 2504.03624) and Nemotron 3: every layer is one thing, Mamba-2, attention, an MLP or experts, in the
// order of hybrid_override_pattern ("M*-E") or of layers_block_type.
#include <fmt/format.h>

#include <algorithm>

#include "model/config_reading.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

enum class Kind { kMamba, kAttention, kMlp, kExperts };

Result<std::vector<Kind>> parse_pattern(const formats::NodeRef& node) {
  RIDGE_TRY(const std::string pattern, node.as_text());
  if (pattern.empty() || static_cast<std::int64_t>(pattern.size()) > kMaxLayers)
    return node.error(fmt::format("{} letters; 1 to {} are expected", pattern.size(), kMaxLayers));
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    switch (pattern[i]) {
      case 'M':
        kinds.push_back(Kind::kMamba);
        break;
      case '*':
        kinds.push_back(Kind::kAttention);
        break;
      case '-':
        kinds.push_back(Kind::kMlp);
        break;
      case 'E':
        kinds.push_back(Kind::kExperts);
        break;
      default:
        return node.error(fmt::format("letter {} stands for no kind of layer", i + 1), "Known letters: M (Mamba-2), * (attention), - (MLP), E (experts).");
    }
  }
  return kinds;
}

Result<std::vector<Kind>> parse_types(const formats::NodeRef& list) {
  std::vector<Kind> kinds;
  if (list.size() == 0 || static_cast<std::int64_t>(list.size()) > kMaxLayers)
    return list.error(fmt::format("{} entries; a list of 1 to {} is expected", list.size(), kMaxLayers));
  for (std::size_t i = 0; i < list.size(); ++i) {
    RIDGE_TRY(const std::string type, list.at(i).as_text());
    if (type == "mamba")
      kinds.push_back(Kind::kMamba);
    else if (type == "attention")
      kinds.push_back(Kind::kAttention);
    else if (type == "mlp")
      kinds.push_back(Kind::kMlp);
    else if (type == "moe")
      kinds.push_back(Kind::kExperts);
    else
      return list.at(i).error(fmt::format("\"{}\" is no kind of layer that this family has", type), "Known kinds: mamba, attention, mlp, moe.");
  }
  return kinds;
}

// Absent both: empty.
Result<std::vector<Kind>> read_kinds(const ConfigFields& config, std::string_view list, std::string_view pattern) {
  if (const std::optional<formats::NodeRef> types = config.node().get(list)) return parse_types(*types);
  if (const std::optional<formats::NodeRef> letters = config.node().get(pattern)) return parse_pattern(*letters);
  return std::vector<Kind>{};
}

struct Parts {
  Attention attention;
  LinearMixer mamba;
  Mlp mlp;
  Mlp experts;
};

Result<LinearMixer> read_mamba2(const ConfigFields& config) {
  LinearMixer m;
  m.kind = LinearKind::kMamba2;
  // Defaults of NemotronHConfig.
  RIDGE_TRY(m.heads, config.size_or("mamba_num_heads", kMaxHeads, 128));
  RIDGE_TRY(m.value_dim, config.size_or("mamba_head_dim", kMaxHidden, 64));
  RIDGE_TRY(m.key_heads, config.size_or("n_groups", kMaxHeads, 8));
  RIDGE_TRY(m.key_dim, config.size_or("ssm_state_size", kMaxHidden, 128));
  RIDGE_TRY(m.conv_kernel, config.size_or("conv_kernel", kMaxKernel, 4));
  if (m.heads % m.key_heads != 0)
    return config.node().get("n_groups")->error(fmt::format("{} Mamba heads are not a multiple of {} groups", m.heads, m.key_heads));
  m.conv_channels = m.inner() + 2 * m.key_heads * m.key_dim;
  RIDGE_TRY(m.conv_bias, config.flag_or("use_conv_bias", true));
  RIDGE_TRY(m.proj_bias, config.flag_or("mamba_proj_bias", false));
  RIDGE_TRY(const std::string state, config.text_or("mamba_ssm_cache_dtype", "float32"));
  RIDGE_TRY(m.state, parse_precision(state));
  return m;
}

Result<Mlp> read_latent_experts(const ConfigFields& config, const Traits& traits, const Dimensions& d) {
  RIDGE_TRY(Mlp moe, read_experts(config, traits, d));
  RIDGE_TRY(const std::int64_t shared, config.count_or("n_shared_experts", kMaxExperts, 1));
  RIDGE_TRY(const std::int64_t size, config.size_or("moe_shared_expert_intermediate_size", kMaxIntermediate, moe.intermediate));
  moe.shared_intermediate = shared * size;
  RIDGE_TRY(moe.latent, config.size_or("moe_latent_size", kMaxHidden, 0));
  moe.correction_bias = true;
  return moe;
}

Block layer_of(Kind kind, const Parts& parts) {
  Block block;
  block.norms = 1;
  block.mlp.kind = Mlp::Kind::kNone;
  if (kind == Kind::kMamba) block.linear = parts.mamba;
  if (kind == Kind::kAttention) block.attention = parts.attention;
  if (kind == Kind::kMlp) block.mlp = parts.mlp;
  if (kind == Kind::kExperts) block.mlp = parts.experts;
  return block;
}

// Layers of one MTP module: the first begins with the projection of state and embedding, the last ends with a norm.
void add_modules(Reading& reading, const std::vector<Kind>& kinds, const Parts& parts, std::int64_t count, std::int64_t hidden) {
  Stack mtp;
  mtp.hidden = hidden;
  mtp.layer_prefix = "mtp.layers.";
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    Block block = layer_of(kinds[i], parts);
    block.tensors = layer_tensors(block, hidden, reading.model.native, reading.names);
    TensorList list(reading.model.native);
    if (i == 0) {
      list.table("eh_proj.weight", hidden, 2 * hidden, Part::kMtp);
      list.norm("enorm", hidden, false);
      list.norm("hnorm", hidden, false);
    }
    if (i + 1 == kinds.size()) list.norm("final_layernorm", hidden, false);
    for (Tensor& tensor : list.take()) block.tensors.push_back(std::move(tensor));
    mtp.blocks.push_back(std::move(block));
  }
  for (std::int64_t i = 0; i < count * static_cast<std::int64_t>(kinds.size()); ++i)
    mtp.sequence.push_back(static_cast<std::int32_t>(i % static_cast<std::int64_t>(kinds.size())));
  set_predictor(reading.model, std::move(mtp));
}

}  // namespace

Result<void> read_nemotron_h(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const std::vector<Kind> kinds, read_kinds(config, "layers_block_type", "hybrid_override_pattern"));
  if (kinds.empty()) return config.error("a field is missing: hybrid_override_pattern");
  const auto listed = static_cast<std::int64_t>(kinds.size());
  if (d.layers != 0 && d.layers != listed)
    return config.error_at(key::kLayers, fmt::format("{} layers, but the pattern of layers has {} entries", d.layers, listed));
  d.layers = listed;

  Parts parts;
  RIDGE_TRY(parts.attention, read_attention(config, traits, d));
  RIDGE_TRY(parts.mamba, read_mamba2(config));
  parts.mlp.gated = false;
  parts.mlp.intermediate = d.intermediate;
  RIDGE_TRY(parts.mlp.bias, read_switch(config, traits.mlp_bias));
  const bool sparse = std::find(kinds.begin(), kinds.end(), Kind::kExperts) != kinds.end();
  if (sparse) {
    RIDGE_TRY(parts.experts, read_latent_experts(config, traits, d));
  }
  if (!sparse && d.intermediate == 0) RIDGE_TRY_VOID(config.size(key::kIntermediate, kMaxIntermediate));
  for (Kind kind : kinds) RIDGE_TRY_VOID(add_layer(reading, layer_of(kind, parts)));
  Attention widest = parts.attention;
  if (std::find(kinds.begin(), kinds.end(), Kind::kAttention) == kinds.end()) widest.kind = AttentionKind::kNone;
  set_summary(reading.model, d, widest);

  RIDGE_TRY(const std::int64_t ahead, config.count_or(key::kPredictLayers, 100, 0));
  RIDGE_TRY(const std::vector<Kind> module, read_kinds(config, "mtp_layers_block_type", "mtp_hybrid_override_pattern"));
  if (ahead > 0 && !module.empty()) add_modules(reading, module, parts, ahead, d.hidden);
  return {};
}

}  // namespace ridge::model
