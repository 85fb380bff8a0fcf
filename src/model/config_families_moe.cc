// Habits of mixtures of experts and of families with layers of several kinds.
#include "model/config_families.h"
#include "model/config_names.h"

namespace ridge::model::families {

// ---- Mixtures of experts

Traits mixtral() {
  Traits t = mistral();
  t.model_type = "mixtral";
  t.names = names::mixtral;
  t.window = 0;
  t.moe = true;
  t.experts = 8;
  t.top_k = 2;
  return t;
}

Traits qwen2_moe() {
  Traits t = qwen2("qwen2_moe");
  t.names = names::qwen_moe;
  t.moe = true;
  t.experts = 60;
  t.top_k = 4;
  t.shared = Shared::kSize;
  t.shared_size = 5632;
  t.shared_gate = true;
  return t;
}

Traits qwen3_moe(std::string_view type) {
  Traits t = qwen3(type);
  t.head_dim = 0;
  t.moe = true;
  t.experts = 128;
  t.top_k = 8;
  return t;
}

Traits qwen_hybrid(std::string_view type, bool moe) {
  Traits t = dense(type);
  t.read = read_gated_delta;
  t.names = type == "qwen3_next" ? names::qwen_next : names::qwen35;
  t.mlp_bias = kNo;
  t.qk_norm = kYes;
  t.head_dim = 256;
  t.output_gate = Switch{"attn_output_gate", true};
  t.predictor = Predictor::kQwen;
  if (!moe) return t;
  t.moe = true;
  t.experts = type == "qwen3_next" ? 512 : 256;
  t.top_k = type == "qwen3_next" ? 10 : 8;
  t.shared = Shared::kSize;
  t.shared_size = 512;
  t.shared_gate = true;
  return t;
}

Traits deepseek(std::string_view type, bool balanced_by_bias) {
  Traits t = dense(type);
  t.read = read_latent;
  t.head_dim = 1;  // of no use to MLA, and hidden / heads is often no whole number
  t.moe = true;
  t.mlp_bias = kNo;
  t.shared = Shared::kCount;
  t.correction_bias.fallback = balanced_by_bias;
  t.predictor = Predictor::kDeepSeek;
  return t;
}

Traits glm_moe_dsa() {
  Traits t = deepseek("glm_moe_dsa", true);
  t.predictor = Predictor::kGlm;
  return t;
}

Traits glm4_moe() {
  Traits t = dense("glm4_moe");
  t.qkv_bias = Switch{"attention_bias", false};
  t.o_bias = t.mlp_bias = kNo;
  t.head_dim = 128;
  t.qk_norm = Switch{"use_qk_norm", false};
  t.moe = true;
  t.shared = Shared::kCount;
  t.correction_bias = kYes;
  t.predictor = Predictor::kDeepSeek;
  return t;
}

Traits deepseek_v4(std::string_view type) {
  Traits t = dense(type);
  t.read = read_deepseek_v4;
  t.names = names::deepseek_v4;
  t.mlp_bias = kNo;
  t.moe = true;
  t.shared = Shared::kCount;
  t.predictor = Predictor::kDeepSeekV4;
  return t;
}

Traits gpt_oss() {
  Traits t = dense("gpt_oss");
  t.names = names::gpt_oss;
  t.qkv_bias = t.o_bias = Switch{"attention_bias", true};
  t.mlp_bias = kYes;
  t.kv_heads = 8;
  t.head_dim = 64;
  t.windows = Windows::kEven;
  t.window = 128;
  t.sinks = true;
  t.moe = true;
  t.experts = 128;
  t.top_k = 4;
  t.router_bias = true;
  t.native = Precision::kBf16;
  return t;
}

Traits llama4() {
  Traits t = dense("llama4_text");
  t.read = read_llama4;
  t.names = names::llama4;
  t.mlp_bias = kNo;
  t.kv_heads = 8;
  t.head_dim = 128;
  t.moe = true;
  t.experts = 16;
  t.top_k = 1;
  return t;
}

Traits minimax_m2() {
  Traits t = dense("minimax_m2");
  t.names = names::minimax_m2;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.qk_norm = Switch{"use_qk_norm", false};
  t.qk_norm_kind = QkNorm::kAllHeads;
  t.moe = true;
  t.correction_bias = Switch{"use_routing_bias", false};
  t.router_fp32 = true;
  t.predictor = Predictor::kNotShipped;
  t.native = Precision::kBf16;
  return t;
}

Traits minimax_text(std::string_view type) {
  Traits t = dense(type);
  t.read = read_minimax_text;
  t.names = names::minimax_text;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.moe = true;
  return t;
}

Traits olmoe() {
  Traits t = dense("olmoe");
  t.mlp_bias = kNo;
  t.qk_norm = kYes;
  t.qk_norm_kind = QkNorm::kAllHeads;
  t.moe = true;
  t.experts = 64;
  t.top_k = 8;
  return t;
}

Traits phimoe() {
  Traits t = dense("phimoe");
  t.names = names::mixtral;
  t.qkv_bias = t.o_bias = kAttentionBias;
  t.mlp_bias = kNo;
  t.norm_bias = kYes;
  t.kv_heads = 8;
  t.windows = Windows::kAll;
  t.head_bias = Switch{"lm_head_bias", false};
  t.moe = true;
  t.experts = 16;
  t.top_k = 2;
  return t;
}

// ---- Layers of several kinds

Traits nemotron_h() {
  Traits t = dense("nemotron_h");
  t.read = read_nemotron_h;
  t.names = names::nemotron_h;
  t.own_mlp = true;
  t.gated = false;
  t.kv_heads = 8;
  t.head_dim = 128;
  t.moe = true;
  return t;
}

Traits nemotron_nas(std::string_view type) {
  Traits t = dense(type);
  t.read = read_nemotron_nas;
  t.own_mlp = true;
  return t;
}

Traits jamba() {
  Traits t = dense("jamba");
  t.read = read_jamba;
  t.names = names::jamba;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.kv_heads = 8;
  t.moe = true;
  t.experts = 16;
  t.top_k = 2;
  return t;
}

Traits mllama_text() {
  Traits t = dense("mllama_text_model");
  t.read = read_mllama_text;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.kv_heads = 8;
  return t;
}

}  // namespace ridge::model::families
