#include "model/config_names.h"

namespace ridge::model::names {
namespace {

TensorNames gpt(const char* attention, const char* qkv, const char* o, const char* up, const char* down) {
  TensorNames n;
  n.embedding = "transformer.wte";
  n.final_norm = "transformer.ln_f";
  n.layers = "transformer.h.";
  n.attention = attention;
  n.qkv = qkv;
  n.o = o;
  n.up = up;
  n.down = down;
  n.norms = {"ln_1", "ln_2"};
  return n;
}

void expert_names(TensorNames& n, const char* gate, const char* up, const char* down) {
  n.expert_gate = gate;
  n.expert_up = up;
  n.expert_down = down;
}

}  // namespace

TensorNames mixtral() {
  TensorNames n;
  n.moe = "block_sparse_moe.";
  expert_names(n, "w1", "w3", "w2");
  return n;
}

TensorNames qwen_moe() {
  TensorNames n;
  n.shared = "shared_expert.";
  return n;
}

TensorNames qwen_next() { return qwen_moe(); }

TensorNames qwen35() {
  TensorNames n = qwen_moe();
  n.split_delta_inputs = true;
  return n;
}

TensorNames gpt_oss() {
  TensorNames n;
  n.router = "router";
  n.experts_stacked = true;
  return n;
}

TensorNames llama4() {
  TensorNames n;
  n.mlp = n.moe = "feed_forward.";
  n.router = "router";
  n.experts_stacked = true;
  n.shared = "shared_expert.";
  return n;
}

TensorNames minimax_m2() {
  TensorNames n = mixtral();
  n.correction = "e_score_correction_bias";
  return n;
}

TensorNames minimax_text() {
  TensorNames n = mixtral();
  n.linear = "self_attn.";
  return n;
}

TensorNames deepseek_v4() {
  TensorNames n;
  n.embedding = "embed";
  n.final_norm = "norm";
  n.head = "head";
  n.layers = "layers.";
  n.attention = "attn.";
  n.mlp = n.moe = "ffn.";
  n.gate = "w1";
  n.up = "w3";
  n.down = "w2";
  n.correction = "gate.bias";
  expert_names(n, "w1", "w3", "w2");
  n.norms = {"attn_norm", "ffn_norm"};
  return n;
}

TensorNames nemotron_h() {
  TensorNames n;
  n.embedding = "backbone.embeddings";
  n.final_norm = "backbone.norm_f";
  n.layers = "backbone.layers.";
  n.attention = n.mlp = n.moe = n.linear = "mixer.";
  n.norms = {"norm"};
  return n;
}

TensorNames jamba() {
  TensorNames n;
  n.final_norm = "model.final_layernorm";
  n.mlp = n.moe = "feed_forward.";
  n.router = "router";
  n.linear = "mamba.";
  n.norms = {"input_layernorm", "pre_ff_layernorm"};
  return n;
}

TensorNames phi3() {
  TensorNames n;
  n.qkv = "qkv_proj";
  n.gate_up = "gate_up_proj";
  return n;
}

TensorNames phi() {
  TensorNames n;
  n.final_norm = "model.final_layernorm";
  n.o = "dense";
  n.q_norm = "q_layernorm";
  n.k_norm = "k_layernorm";
  n.up = "fc1";
  n.down = "fc2";
  return n;
}

TensorNames baichuan() {
  TensorNames n;
  n.qkv = "W_pack";
  return n;
}

TensorNames internlm2() {
  TensorNames n;
  n.embedding = "model.tok_embeddings";
  n.head = "output";
  n.attention = "attention.";
  n.qkv = "wqkv";
  n.o = "wo";
  n.mlp = "feed_forward.";
  n.gate = "w1";
  n.up = "w3";
  n.down = "w2";
  n.norms = {"attention_norm", "ffn_norm"};
  return n;
}

TensorNames glm4() {
  TensorNames n;
  n.gate_up = "gate_up_proj";
  n.norms = {"input_layernorm", "post_attention_layernorm", "post_self_attn_layernorm", "post_mlp_layernorm"};
  return n;
}

TensorNames post_norm() {
  TensorNames n;
  n.norms = {"post_attention_layernorm", "post_feedforward_layernorm"};
  return n;
}

TensorNames qwen1() {
  TensorNames n = gpt("attn.", "c_attn", "c_proj", "w1", "c_proj");
  n.gate = "w2";
  return n;
}

TensorNames chatglm() {
  TensorNames n = gpt("self_attention.", "query_key_value", "dense", "", "dense_4h_to_h");
  n.embedding = "transformer.embedding.word_embeddings";
  n.final_norm = "transformer.encoder.final_layernorm";
  n.head = "transformer.output_layer";
  n.layers = "transformer.encoder.layers.";
  n.gate_up = "dense_h_to_4h";
  n.norms = {"input_layernorm", "post_attention_layernorm"};
  return n;
}

TensorNames gpt2() { return gpt("attn.", "c_attn", "c_proj", "c_fc", "c_proj"); }

TensorNames gptj() {
  TensorNames n = gpt("attn.", "", "out_proj", "fc_in", "fc_out");
  return n;
}

TensorNames codegen() { return gpt("attn.", "qkv_proj", "out_proj", "fc_in", "fc_out"); }

TensorNames gpt_neox() {
  TensorNames n = gpt("attention.", "query_key_value", "dense", "dense_h_to_4h", "dense_4h_to_h");
  n.embedding = "gpt_neox.embed_in";
  n.final_norm = "gpt_neox.final_layer_norm";
  n.head = "embed_out";
  n.layers = "gpt_neox.layers.";
  n.norms = {"input_layernorm", "post_attention_layernorm"};
  return n;
}

TensorNames bloom() {
  TensorNames n = gpt("self_attention.", "query_key_value", "dense", "dense_h_to_4h", "dense_4h_to_h");
  n.embedding = "transformer.word_embeddings";
  n.norms = {"input_layernorm", "post_attention_layernorm"};
  return n;
}

TensorNames falcon() { return bloom(); }

TensorNames mpt() {
  TensorNames n = gpt("attn.", "Wqkv", "out_proj", "up_proj", "down_proj");
  n.final_norm = "transformer.norm_f";
  n.layers = "transformer.blocks.";
  n.mlp = "ffn.";
  n.q_norm = "q_ln";
  n.k_norm = "k_ln";
  n.norms = {"norm_1", "norm_2"};
  return n;
}

TensorNames opt() {
  TensorNames n;
  n.embedding = "model.decoder.embed_tokens";
  n.final_norm = "model.decoder.final_layer_norm";
  n.layers = "model.decoder.layers.";
  n.o = "out_proj";
  n.mlp = "";
  n.up = "fc1";
  n.down = "fc2";
  n.norms = {"self_attn_layer_norm", "final_layer_norm"};
  return n;
}

TensorNames starcoder2() {
  TensorNames n;
  n.up = "c_fc";
  n.down = "c_proj";
  return n;
}

TensorNames t5() {
  TensorNames n;
  n.embedding = "shared";
  n.final_norm = "decoder.final_layer_norm";
  n.layers = "decoder.block.";
  n.attention = "layer.0.SelfAttention.";
  n.cross = "layer.1.EncDecAttention.";
  n.q = "q";
  n.k = "k";
  n.v = "v";
  n.o = "o";
  n.mlp = "layer.2.DenseReluDense.";
  n.gate = "wi_0";
  n.up = "wi_1";
  n.down = "wo";
  n.norms = {"layer.0.layer_norm", "layer.1.layer_norm", "layer.2.layer_norm"};
  return n;
}

TensorNames whisper() {
  TensorNames n = opt();
  n.final_norm = "model.decoder.layer_norm";
  n.head = "proj_out";
  n.norms = {"self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"};
  return n;
}

TensorNames git() {
  TensorNames n;
  n.embedding = "git.embeddings.word_embeddings";
  n.head = "output";
  n.layers = "git.encoder.layer.";
  n.attention = "attention.";
  n.q = "self.query";
  n.k = "self.key";
  n.v = "self.value";
  n.o = "output.dense";
  n.mlp = "";
  n.up = "intermediate.dense";
  n.down = "output.dense";
  n.norms = {"attention.output.LayerNorm", "output.LayerNorm"};
  return n;
}

}  // namespace ridge::model::names
