// ConfigFields: typed and bounded reading of a config.json, where one thing has several names (num_hidden_layers, n_layer,
// num_layers). Invariant: every number that comes out is within the limit that was asked for, and every error names the
// file and the key path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tree.h"
#include "quantity/result.h"

namespace ridge::model {

// The names that configuration classes give to one thing, the usual one first.
using Aliases = std::span<const std::string_view>;

namespace key {
inline constexpr std::string_view kLayers[] = {"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
inline constexpr std::string_view kHidden[] = {"hidden_size", "d_model", "n_embd", "n_embed"};
inline constexpr std::string_view kHeads[] = {"num_attention_heads", "n_head", "n_heads", "num_heads"};
inline constexpr std::string_view kKvHeads[] = {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"};
inline constexpr std::string_view kHeadDim[] = {"head_dim", "kv_channels", "attention_head_dim", "d_kv"};
inline constexpr std::string_view kIntermediate[] = {"intermediate_size", "ffn_dim", "ffn_hidden_size", "n_inner", "d_ff"};
inline constexpr std::string_view kVocabulary[] = {"vocab_size", "padded_vocab_size"};
inline constexpr std::string_view kContext[] = {"max_position_embeddings", "n_positions",      "n_ctx",      "max_seq_len",
                                                "max_sequence_length",     "model_max_length", "seq_length", "max_target_positions"};
inline constexpr std::string_view kDtype[] = {"torch_dtype", "dtype"};
inline constexpr std::string_view kExperts[] = {"n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"};
inline constexpr std::string_view kTopK[] = {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_k", "moe_top_k"};
inline constexpr std::string_view kExpertSize[] = {"moe_intermediate_size", "expert_intermediate_size"};
inline constexpr std::string_view kPredictLayers[] = {"num_nextn_predict_layers", "mtp_num_hidden_layers"};
}  // namespace key

class ConfigFields {
 public:
  explicit ConfigFields(formats::NodeRef node) : node_(std::move(node)) {}

  const formats::NodeRef& node() const { return node_; }
  bool has(std::string_view name) const { return node_.has(name); }
  bool has(Aliases names) const { return find(names).has_value(); }
  std::optional<formats::NodeRef> find(Aliases names) const;  // the first that is there and not null
  tl::unexpected<Error> error(std::string what, std::string advice = {}) const { return node_.error(std::move(what), std::move(advice)); }
  // An error at one key of this map.
  tl::unexpected<Error> error_at(Aliases names, std::string what, std::string advice = {}) const;

  // All of `wanted` that are absent, in one error.
  Result<void> require(std::span<const Aliases> wanted) const;

  // A size: from 1 to `most`.
  Result<std::int64_t> size(Aliases names, std::int64_t most) const;
  Result<std::optional<std::int64_t>> maybe_size(Aliases names, std::int64_t most) const;
  Result<std::int64_t> size_or(Aliases names, std::int64_t most, std::int64_t fallback) const;
  // A count: from 0 to `most`.
  Result<std::int64_t> count_or(Aliases names, std::int64_t most, std::int64_t fallback) const;

  Result<std::int64_t> size(std::string_view name, std::int64_t most) const { return size(Aliases(&name, 1), most); }
  Result<std::optional<std::int64_t>> maybe_size(std::string_view name, std::int64_t most) const { return maybe_size(Aliases(&name, 1), most); }
  Result<std::int64_t> size_or(std::string_view name, std::int64_t most, std::int64_t fallback) const { return size_or(Aliases(&name, 1), most, fallback); }
  Result<std::int64_t> count_or(std::string_view name, std::int64_t most, std::int64_t fallback) const { return count_or(Aliases(&name, 1), most, fallback); }

  Result<bool> flag_or(std::string_view name, bool fallback) const;
  Result<std::string> text_or(std::string_view name, std::string fallback) const;
  Result<std::optional<double>> maybe_real(std::string_view name) const;
  Result<std::vector<std::int64_t>> integers(std::string_view name, std::int64_t low, std::int64_t high) const;  // absent: empty
  Result<std::vector<std::string>> texts(std::string_view name) const;                                           // absent: empty
  std::optional<ConfigFields> section(std::string_view name) const;                                              // a map; absent: nullopt

 private:
  formats::NodeRef node_;
};

}  // namespace ridge::model
