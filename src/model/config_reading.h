// Inside of the config readers: the habits of a family as one row of plain values (Traits), and what a reader fills
// (Reading). A family that differs only in habits is a row; one that differs in structure has a reader of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/architecture.h"
#include "model/config_fields.h"
#include "model/tensor_builder.h"

namespace ridge::model {

struct Reading;
struct Traits;
using Reader = Result<void> (*)(Reading& reading, const Traits& traits);

// A yes or no of the config: the key that says it and the family's answer where the key is absent. Without a key the
// answer is fixed.
struct Switch {
  std::string_view key;
  bool fallback = false;
};

enum class Windows {
  kNone,
  kAll,    // every layer slides where sliding_window is given
  kQwen,   // use_sliding_window, from max_window_layers on
  kEven,   // layers 0, 2, 4, … slide
  kPeriod  // all but each sliding_window_pattern-th
};

enum class Shared { kNone, kCount /* n_shared_experts × expert size */, kSize /* shared_expert_intermediate_size */ };

enum class Predictor { kNone, kDeepSeek, kGlm, kQwen, kMimo, kDeepSeekV4, kNotShipped /* configured, but in no published checkpoint */ };

struct Traits {
  std::string_view model_type;
  Reader read = nullptr;
  TensorNames (*names)() = nullptr;  // null: the usual ones

  Switch qkv_bias{"attention_bias", false};
  Switch o_bias{"attention_bias", false};
  Switch mlp_bias{"mlp_bias", false};
  Switch norm_bias;
  Switch qk_norm;
  QkNorm qk_norm_kind = QkNorm::kHead;
  bool qk_norm_bias = false;
  int norms = 2;
  Switch one_norm;  // attention and MLP read the same normed input
  bool final_norm = true;
  bool gated = true;
  bool tied = false;       // where the config says nothing
  bool tied_copy = false;  // the checkpoint holds the tied head as a copy of its own (Falcon)
  Switch head_bias;
  // Where the config says nothing. 0 for heads, vocabulary: they must be given; kv_heads: as many as heads; head_dim: hidden / heads.
  std::int64_t heads = 0, vocabulary = 0, kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t intermediate = 0;    // × hidden; 0: it must be given
  bool own_mlp = false;             // the reader finds the size of the MLP itself
  std::string_view embedding_norm;  // a norm behind the embedding, "" for none
  std::string_view positions;       // learned positional embedding, "" for none
  std::int64_t position_offset = 0;

  Windows windows = Windows::kNone;
  std::int64_t window = 0;  // where absent; 0: no window
  std::int64_t period = 0;
  bool sinks = false;
  bool local_filter = false;
  Switch output_gate;
  Switch single_kv_head;  // multi_query

  bool moe = false;
  std::int64_t experts = 0, top_k = 0;  // where absent; 0: they must be given
  Shared shared = Shared::kNone;
  std::int64_t shared_size = 0;
  bool shared_gate = false;
  Switch correction_bias;
  bool router_bias = false, router_fp32 = false;
  Predictor predictor = Predictor::kNone;
  std::optional<Precision> native;  // of the published weights, where the config says nothing
};

// Layers as they come; equal ones are kept once.
class StackBuilder {
 public:
  // False where there are more than kMaxLayerKinds different ones.
  bool add(Block block);
  Stack& stack() { return stack_; }

 private:
  Stack stack_;
};

struct Reading {
  ConfigFields top;     // the whole file
  ConfigFields config;  // the part that describes the text model
  Model model;
  TensorNames names;
  StackBuilder text;
  std::vector<Tensor> extra;         // of the text model outside the layers, beside embedding, final norm and head
  std::optional<bool> tied;          // where a reader knows better than the fields
  std::optional<bool> norm_bias;     // of the final norm too
  std::int64_t embedding_width = 0;  // where it is not hidden (OPT-350m, ALBERT)
  bool final_norm = true;
  std::string body, head;  // prefixes of a text model inside a wrapper, "" where it stands alone

  const Traits* traits = nullptr;  // of the text model

  Reading(ConfigFields whole, ConfigFields part) : top(std::move(whole)), config(std::move(part)) {}
};

struct Dimensions {
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, vocabulary = 0, intermediate = 0;
  std::optional<std::int64_t> context;
};

// Steps that readers share.
Result<bool> read_switch(const ConfigFields& config, const Switch& spec);
Result<Dimensions> read_dimensions(Reading& reading, const Traits& traits);
Result<Attention> read_attention(const ConfigFields& config, const Traits& traits, const Dimensions& d);
// The mixer kind of every layer, with its window set. `base` is the attention of a full layer.
Result<std::vector<Attention>> read_windows(Reading& reading, const Traits& traits, const Dimensions& d, const Attention& base);
Result<std::vector<Mlp>> read_mlps(const ConfigFields& config, const Traits& traits, const Dimensions& d);
Result<Mlp> read_experts(const ConfigFields& config, const Traits& traits, const Dimensions& d);
Result<std::vector<std::string>> read_layer_types(const ConfigFields& config, std::int64_t layers, std::string_view name);  // absent: empty
Result<void> check_heads(const ConfigFields& config, std::int64_t heads, std::int64_t kv_heads);
Result<void> add_layer(Reading& reading, Block block);
void set_summary(Model& model, const Dimensions& d, const Attention& widest);
// Names of a text model inside a wrapper: BODY + "layers." + i, BODY + "embed_tokens", BODY + "norm", HEAD.
void set_root(TensorNames& names, const std::string& body, const std::string& head);

// The layers of an ordinary decoder of these dimensions.
Result<void> build_decoder(Reading& reading, const Traits& traits, const Dimensions& d);

// Readers.
Result<void> read_decoder(Reading& reading, const Traits& traits);          // config_decoder.cc
Result<void> read_latent(Reading& reading, const Traits& traits);           // config_latent.cc: DeepSeek V2, V3, V3.2, Kimi, GLM-5
Result<void> read_deepseek_v4(Reading& reading, const Traits& traits);      // config_latent.cc
Result<void> read_falcon(Reading& reading, const Traits& traits);           // config_gpt.cc
Result<void> read_mpt(Reading& reading, const Traits& traits);              // config_gpt.cc
Result<void> read_chatglm(Reading& reading, const Traits& traits);          // config_gpt.cc
Result<void> read_qwen1(Reading& reading, const Traits& traits);            // config_gpt.cc
Result<void> read_opt(Reading& reading, const Traits& traits);              // config_gpt.cc
Result<void> read_gated_delta(Reading& reading, const Traits& traits);      // config_hybrid.cc: Qwen3-Next, Qwen3.5
Result<void> read_nemotron_h(Reading& reading, const Traits& traits);       // config_hybrid.cc
Result<void> read_nemotron_nas(Reading& reading, const Traits& traits);     // config_hybrid.cc
Result<void> read_mllama_text(Reading& reading, const Traits& traits);      // config_mllama.cc
Result<void> read_jamba(Reading& reading, const Traits& traits);            // config_hybrid.cc
Result<void> read_minimax_text(Reading& reading, const Traits& traits);     // config_hybrid.cc
Result<void> read_llama4(Reading& reading, const Traits& traits);           // config_decoder.cc
Result<void> read_wrapper(Reading& reading, const Traits& traits);          // config_vision.cc
Result<void> read_encoder_decoder(Reading& reading, const Traits& traits);  // config_encoder.cc
Result<void> refuse_encoder(Reading& reading, const Traits& traits);        // config_encoder.cc
Result<void> read_unknown(Reading& reading, const Traits& traits);          // config_unknown.cc

const Traits* find_traits(std::string_view model_type);  // config_table.cc
// Reads the text model of this type from `reading.config` and lists its tensors.
Result<void> read_text(Reading& reading, std::string_view model_type);
// Multi-token-prediction modules of `count` layers like `block`.
void add_predictor(Reading& reading, const Traits& traits, std::int64_t count, const Block& block, const Dimensions& d);
void set_predictor(Model& model, Stack mtp);

}  // namespace ridge::model
