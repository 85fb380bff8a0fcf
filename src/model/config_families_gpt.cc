// Habits of the GPT line and of encoder-decoders.
#include "model/config_families.h"
#include "model/config_names.h"

namespace ridge::model::families {

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

}  // namespace ridge::model::families
