// The families: one row each, what their code does where the config says nothing included. The habits are those of the
// configuration and modelling classes of the transformers library, or of the code beside the published weights.
#include <array>

#include "model/config_names.h"
#include "model/config_reading.h"

namespace ridge::model {
namespace {

constexpr Switch kYes{"", true};
constexpr Switch kNo{"", false};
constexpr Switch kAttentionBias{"attention_bias", false};

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

// ---- Llama and what is shaped like it

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

// ---- The GPT line

Traits gpt(std::string_view type, TensorNames (*names)()) {
  Traits t = dense(type);
  t.names = names;
  t.gated = false;
  t.qkv_bias = t.o_bias = t.mlp_bias = t.norm_bias = kYes;
  t.intermediate = 4;
  return t;
}

Traits gpt2() {
  Traits t = gpt("gpt2", names::gpt2);
  t.tied = true;
  t.positions = "transformer.wpe";
  t.native = Precision::kFp32;
  return t;
}

Traits gpt_bigcode() {
  Traits t = gpt("gpt_bigcode", names::gpt2);
  t.tied = true;
  t.positions = "transformer.wpe";
  t.single_kv_head = Switch{"multi_query", true};
  return t;
}

Traits gptj() {
  Traits t = gpt("gptj", names::gptj);
  t.qkv_bias = t.o_bias = kNo;
  t.norms = 1;
  t.head_bias = kYes;
  return t;
}

Traits codegen() {
  Traits t = gptj();
  t.model_type = "codegen";
  t.names = names::codegen;
  return t;
}

Traits gpt_neox() {
  Traits t = gpt("gpt_neox", names::gpt_neox);
  t.qkv_bias = t.o_bias = Switch{"attention_bias", true};
  return t;
}

Traits bloom() {
  Traits t = gpt("bloom", names::bloom);
  t.tied = true;
  t.embedding_norm = "transformer.word_embeddings_layernorm";
  return t;
}

Traits falcon(std::string_view type) {
  Traits t = gpt(type, names::falcon);
  t.read = read_falcon;
  t.qkv_bias = t.o_bias = t.mlp_bias = Switch{"bias", false};
  t.tied = true;
  t.tied_copy = true;
  return t;
}

Traits mpt() {
  Traits t = gpt("mpt", names::mpt);
  t.read = read_mpt;
  t.tied = true;
  return t;
}

Traits opt() {
  Traits t = gpt("opt", names::opt);
  t.read = read_opt;
  t.qkv_bias = t.o_bias = t.mlp_bias = Switch{"enable_bias", true};
  t.norm_bias = Switch{"layer_norm_elementwise_affine", true};
  t.intermediate = 0;
  t.tied = true;
  t.positions = "model.decoder.embed_positions";
  t.position_offset = 2;
  return t;
}

Traits phi() {
  Traits t = gpt("phi", names::phi);
  t.norms = 1;
  t.intermediate = 0;
  t.qk_norm = Switch{"qk_layernorm", false};
  t.qk_norm_bias = true;
  t.head_bias = kYes;
  return t;
}

Traits starcoder2() {
  Traits t = gpt("starcoder2", names::starcoder2);
  t.qkv_bias = t.o_bias = t.mlp_bias = Switch{"use_bias", true};
  t.intermediate = 0;
  t.kv_heads = 2;
  t.tied = true;
  t.windows = Windows::kAll;
  return t;
}

Traits chatglm() {
  Traits t = dense("chatglm");
  t.read = read_chatglm;
  t.names = names::chatglm;
  t.qkv_bias = Switch{"add_qkv_bias", false};
  return t;
}

Traits qwen1() {
  Traits t = dense("qwen");
  t.read = read_qwen1;
  t.names = names::qwen1;
  t.qkv_bias = kYes;
  return t;
}

Traits git_text() {
  Traits t = gpt("git_text", names::git);
  t.intermediate = 0;
  t.final_norm = false;
  t.head_bias = kYes;
  t.positions = "git.embeddings.position_embeddings";
  t.embedding_norm = "git.embeddings.LayerNorm";
  return t;
}

Traits t5(std::string_view type) {
  Traits t = dense(type);
  t.read = read_encoder_decoder;
  t.names = names::t5;
  t.qkv_bias = t.o_bias = t.mlp_bias = kNo;
  t.tied = true;
  return t;
}

Traits whisper() {
  Traits t = dense("whisper");
  t.read = read_encoder_decoder;
  t.names = names::whisper;
  t.norm_bias = kYes;
  t.tied = true;
  return t;
}

const std::vector<Traits>& table() {
  static const std::vector<Traits> rows{dense("llama"),
                                        mistral(),
                                        qwen2("qwen2"),
                                        qwen2("qwen2_vl_text"),
                                        qwen2("qwen2_5_vl_text"),
                                        qwen3("qwen3"),
                                        qwen3("qwen3_vl_text"),
                                        mimo(),
                                        phi3("phi3"),
                                        stablelm(),
                                        baichuan(),
                                        internlm2(),
                                        glm4("glm", 2),
                                        glm4("glm4", 4),
                                        olmo("olmo", false),
                                        olmo("olmo2", true),
                                        olmo("olmo3", true),
                                        cohere(),
                                        granite(),
                                        nemotron(),
                                        yuan(),
                                        gemma("gemma"),
                                        gemma("gemma2"),
                                        gemma("gemma3_text"),
                                        mixtral(),
                                        qwen2_moe(),
                                        qwen3_moe("qwen3_moe"),
                                        qwen3_moe("qwen3_vl_moe_text"),
                                        qwen_hybrid("qwen3_next", true),
                                        qwen_hybrid("qwen3_5_text", false),
                                        qwen_hybrid("qwen3_5_moe_text", true),
                                        deepseek("deepseek_v2", false),
                                        deepseek("deepseek_v3", true),
                                        deepseek("deepseek_v32", true),
                                        deepseek("kimi_k2", true),
                                        glm_moe_dsa(),
                                        glm4_moe(),
                                        deepseek_v4("deepseek_v4"),
                                        deepseek_v4("deepseek_ref"),
                                        gpt_oss(),
                                        llama4(),
                                        minimax_m2(),
                                        minimax_text("minimax_text_01"),
                                        minimax_text("minimax"),
                                        olmoe(),
                                        phimoe(),
                                        nemotron_h(),
                                        nemotron_nas("nemotron-nas"),
                                        nemotron_nas("deci"),
                                        jamba(),
                                        mllama_text(),
                                        gpt2(),
                                        gpt_bigcode(),
                                        gptj(),
                                        codegen(),
                                        gpt_neox(),
                                        bloom(),
                                        falcon("falcon"),
                                        falcon("RefinedWebModel"),
                                        falcon("RefinedWeb"),
                                        mpt(),
                                        opt(),
                                        phi(),
                                        starcoder2(),
                                        chatglm(),
                                        qwen1(),
                                        git_text(),
                                        t5("t5"),
                                        t5("mt5"),
                                        whisper(),
                                        wrapper("qwen2_vl"),
                                        wrapper("qwen2_5_vl"),
                                        wrapper("qwen3_vl"),
                                        wrapper("qwen3_vl_moe"),
                                        wrapper("qwen3_5"),
                                        wrapper("qwen3_5_moe"),
                                        wrapper("gemma3"),
                                        wrapper("llama4"),
                                        wrapper("kimi_k25"),
                                        wrapper("mllama"),
                                        wrapper("llava"),
                                        wrapper("maira2"),
                                        wrapper("git"),
                                        wrapper("phi4mm"),
                                        encoder("albert"),
                                        encoder("bert"),
                                        encoder("roberta"),
                                        encoder("distilbert"),
                                        encoder("deberta-v2"),
                                        encoder("xlm-roberta")};
  return rows;
}

}  // namespace

const Traits* find_traits(std::string_view model_type) {
  for (const Traits& row : table())
    if (row.model_type == model_type) return &row;
  return nullptr;
}

std::vector<std::string> known_model_types() {
  std::vector<std::string> types;
  for (const Traits& row : table()) types.emplace_back(row.model_type);
  return types;
}

}  // namespace ridge::model
