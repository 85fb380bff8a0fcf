// Habits of Llama and what is shaped like it, and of Gemma.
#include "model/config_families.h"
#include "model/config_names.h"

namespace ridge::model::families {

Traits dense(std::string_view type) {
  Traits t;
  t.model_type = type;
  t.read = read_decoder;
  return t;
}

Traits wrapper(std::string_view type) {
  Traits t;
  t.model_type = type;
  t.read = read_wrapper;
  return t;
}

Traits encoder(std::string_view type) {
  Traits t;
  t.model_type = type;
  t.read = refuse_encoder;
  return t;
}

Traits mistral() {
  Traits t = dense("mistral");
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.kv_heads = 8;
  t.windows = Windows::kAll;
  t.window = 4096;
  return t;
}

Traits qwen2(std::string_view type) {
  Traits t = dense(type);
  t.qkv_bias = kYes;
  t.o_bias = t.mlp_bias = kNo;
  t.windows = Windows::kQwen;
  t.window = 4096;
  return t;
}

Traits qwen3(std::string_view type) {
  Traits t = dense(type);
  t.mlp_bias = kNo;
  t.qk_norm = kYes;
  t.head_dim = 128;
  t.windows = Windows::kQwen;
  t.window = 4096;
  return t;
}

Traits mimo() {
  Traits t = qwen2("mimo");
  t.qkv_bias = Switch{"attention_bias", true};
  t.predictor = Predictor::kMimo;
  return t;
}

Traits phi3(std::string_view type) {
  Traits t = dense(type);
  t.names = names::phi3;
  t.qkv_bias = t.o_bias = kAttentionBias;
  t.mlp_bias = kNo;
  t.windows = Windows::kAll;
  return t;
}

Traits stablelm() {
  Traits t = dense("stablelm");
  t.qkv_bias = Switch{"use_qkv_bias", false};
  t.o_bias = t.mlp_bias = kNo;
  t.norm_bias = kYes;
  t.qk_norm = Switch{"qk_layernorm", false};
  t.qk_norm_kind = QkNorm::kAllHeads;
  t.one_norm = Switch{"use_parallel_residual", false};
  return t;
}

Traits baichuan() {
  Traits t = dense("baichuan");
  t.names = names::baichuan;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  return t;
}

Traits internlm2() {
  Traits t = dense("internlm2");
  t.names = names::internlm2;
  t.qkv_bias = t.o_bias = Switch{"bias", false};
  t.mlp_bias = kNo;
  return t;
}

Traits glm4(std::string_view type, int norms) {
  Traits t = dense(type);
  t.names = names::glm4;
  t.qkv_bias = Switch{"attention_bias", true};
  t.o_bias = t.mlp_bias = kNo;
  t.kv_heads = 2;
  t.head_dim = 128;
  t.norms = norms;
  return t;
}

Traits olmo(std::string_view type, bool post_norm) {
  Traits t = dense(type);
  t.mlp_bias = kNo;
  if (!post_norm) {  // the first OLMo's norms have no weights
    t.norms = 0;
    t.final_norm = false;
    return t;
  }
  t.names = names::post_norm;
  t.qk_norm = kYes;
  t.qk_norm_kind = QkNorm::kAllHeads;
  if (type == "olmo3") {
    t.windows = Windows::kPeriod;
    t.window = 4096;
    t.period = 4;
  }
  return t;
}

Traits cohere() {
  Traits t = dense("cohere");
  t.mlp_bias = kNo;
  t.tied = true;
  t.norms = 1;
  t.qk_norm = Switch{"use_qk_norm", false};
  t.qk_norm_kind = QkNorm::kAllHeads;
  return t;
}

Traits granite() {
  Traits t = dense("granite");
  return t;
}

Traits nemotron() {
  Traits t = dense("nemotron");
  t.gated = false;
  t.norm_bias = kYes;
  return t;
}

Traits yuan() {
  Traits t = dense("yuan");
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.tied = true;
  t.local_filter = true;
  return t;
}

// ---- Gemma

Traits gemma(std::string_view type) {
  Traits t = dense(type);
  t.mlp_bias = kNo;
  t.tied = true;
  t.head_dim = 256;
  if (type == "gemma") {
    t.kv_heads = 16;
    return t;
  }
  t.norms = 4;
  t.heads = 8;
  t.kv_heads = 4;
  t.window = 4096;
  if (type == "gemma2") {
    t.vocabulary = 256'000;
    t.windows = Windows::kEven;
    return t;
  }
  t.vocabulary = 262'208;
  t.qk_norm = kYes;
  t.windows = Windows::kPeriod;
  t.period = 6;
  return t;
}

}  // namespace ridge::model::families
