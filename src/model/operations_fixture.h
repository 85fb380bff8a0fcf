// Models for tests and benchmarks of operations(), written out by hand, tensor by tensor, so that sums over them are
// independent of the config readers.
#pragma once

#include <string>

#include "model/operations.h"

namespace ridge::model {

class ModelBuilder {
 public:
  ModelBuilder(std::int64_t hidden, std::int64_t vocabulary) {
    model_.name = "test";
    model_.hidden = model_.text.hidden = hidden;
    model_.vocabulary = vocabulary;
    outside("embed_tokens.weight", vocabulary, hidden, Part::kEmbedding, Split::kRows).active_copies = 0;
    outside("norm.weight", hidden, 1, Part::kNorms, Split::kReplicated);
    outside("lm_head.weight", vocabulary, hidden, Part::kHead, Split::kRows);
  }

  Block& block(std::int32_t layers) {
    for (std::int32_t i = 0; i < layers; ++i) model_.text.sequence.push_back(static_cast<std::int32_t>(model_.text.blocks.size()));
    Block block;
    block.mlp.kind = Mlp::Kind::kNone;
    model_.text.blocks.push_back(block);
    add("input_layernorm.weight", hidden(), 1, Part::kNorms, Split::kReplicated, 1, false);
    add("post_attention_layernorm.weight", hidden(), 1, Part::kNorms, Split::kReplicated, 1, false);
    return model_.text.blocks.back();
  }

  ModelBuilder& grouped(std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim) {
    Attention a;
    a.heads = heads;
    a.kv_heads = kv_heads;
    a.head_dim = a.v_head_dim = head_dim;
    last().attention = a;
    add("q_proj.weight", heads * head_dim, hidden(), Part::kAttention, Split::kRows, heads);
    add("k_proj.weight", kv_heads * head_dim, hidden(), Part::kAttention, Split::kRows, kv_heads);
    add("v_proj.weight", kv_heads * head_dim, hidden(), Part::kAttention, Split::kRows, kv_heads);
    add("o_proj.weight", hidden(), heads * head_dim, Part::kAttention, Split::kColumns, heads);
    return *this;
  }

  ModelBuilder& latent(std::int64_t heads, std::int64_t q_lora, std::int64_t kv_lora, std::int64_t nope, std::int64_t rope, std::int64_t value) {
    Attention a;
    a.kind = AttentionKind::kLatent;
    a.heads = a.kv_heads = heads;
    a.head_dim = nope + rope;
    a.v_head_dim = value;
    a.q_lora_rank = q_lora;
    a.kv_lora_rank = kv_lora;
    a.nope_dim = nope;
    a.rope_dim = rope;
    last().attention = a;
    add("q_a_proj.weight", q_lora, hidden(), Part::kAttention, Split::kReplicated, 1);
    add("q_b_proj.weight", heads * (nope + rope), q_lora, Part::kAttention, Split::kRows, heads);
    add("kv_a_proj_with_mqa.weight", kv_lora + rope, hidden(), Part::kAttention, Split::kReplicated, 1);
    add("kv_b_proj.weight", heads * (nope + value), kv_lora, Part::kAttention, Split::kRows, heads);
    add("o_proj.weight", hidden(), heads * value, Part::kAttention, Split::kColumns, heads);
    return *this;
  }

  ModelBuilder& dense(std::int64_t intermediate) {
    last().mlp.kind = Mlp::Kind::kDense;
    last().mlp.intermediate = intermediate;
    mlp("mlp.", intermediate, Part::kDenseMlp);
    return *this;
  }

  ModelBuilder& experts(std::int64_t count, std::int64_t top_k, std::int64_t intermediate, std::int64_t shared) {
    model_.is_mixture_of_experts = true;
    Mlp& spec = last().mlp;
    spec.kind = Mlp::Kind::kMoe;
    spec.experts = count;
    spec.top_k = top_k;
    spec.intermediate = intermediate;
    spec.shared_intermediate = shared;
    add("gate.weight", count, hidden(), Part::kRouter, Split::kReplicated, 1, false);
    const std::size_t first = last().tensors.size();
    mlp("experts.*.", intermediate, Part::kRoutedExperts);
    for (std::size_t i = first; i < last().tensors.size(); ++i) {
      last().tensors[i].copies = count;
      last().tensors[i].active_copies = top_k;
      last().tensors[i].by_expert = true;
    }
    if (shared > 0) mlp("shared_experts.", shared, Part::kSharedExperts);
    return *this;
  }

  ModelBuilder& gated_delta(std::int64_t key_heads, std::int64_t heads, std::int64_t dim) {
    LinearMixer m{.kind = LinearKind::kGatedDelta, .heads = heads, .key_heads = key_heads, .key_dim = dim, .value_dim = dim, .conv_kernel = 4};
    m.conv_channels = 2 * key_heads * dim + heads * dim;
    last().linear = m;
    add("in_proj_qkvz.weight", 2 * key_heads * dim + 2 * heads * dim, hidden(), Part::kLinearAttention, Split::kRows, key_heads);
    add("in_proj_ba.weight", 2 * heads, hidden(), Part::kLinearAttention, Split::kRows, heads);
    add("conv1d.weight", m.conv_channels, 4, Part::kLinearAttention, Split::kRows, key_heads, false);
    add("A_log", heads, 1, Part::kLinearAttention, Split::kRows, heads, false);
    add("out_proj.weight", hidden(), heads * dim, Part::kLinearAttention, Split::kColumns, heads);
    return *this;
  }

  ModelBuilder& stored_in(Precision format) {
    for (Block& b : model_.text.blocks)
      for (Tensor& tensor : b.tensors)
        if (tensor.quantisable) tensor.storage = plain_storage(format);
    return *this;
  }

  Model build() const { return model_; }
  Block& last() { return model_.text.blocks.back(); }

 private:
  std::int64_t hidden() const { return model_.text.hidden; }
  Tensor& outside(const std::string& name, std::int64_t rows, std::int64_t columns, Part part, Split split) {
    Tensor tensor;
    tensor.name = name;
    tensor.rows = rows;
    tensor.columns = columns;
    tensor.part = part;
    tensor.split = split;
    tensor.units = rows;
    return model_.text.tensors.emplace_back(tensor);
  }
  void add(const std::string& name, std::int64_t rows, std::int64_t columns, Part part, Split split, std::int64_t units, bool quantisable = true) {
    Tensor tensor;
    tensor.name = name;
    tensor.rows = rows;
    tensor.columns = columns;
    tensor.part = part;
    tensor.split = split;
    tensor.units = units;
    tensor.quantisable = quantisable;
    last().tensors.push_back(tensor);
  }
  void mlp(const std::string& prefix, std::int64_t intermediate, Part part) {
    add(prefix + "gate_proj.weight", intermediate, hidden(), part, Split::kRows, intermediate);
    add(prefix + "up_proj.weight", intermediate, hidden(), part, Split::kRows, intermediate);
    add(prefix + "down_proj.weight", hidden(), intermediate, part, Split::kColumns, intermediate);
  }

  Model model_;
};

// Llama 3.1 8B.
inline Model dense_model() {
  ModelBuilder builder(4096, 128'256);
  builder.block(32);
  return builder.grouped(32, 8, 128).dense(14'336).build();
}

// DeepSeek-V3: three dense layers, 58 with 256 experts of which 8 and a shared one work on a token.
inline Model latent_model() {
  ModelBuilder builder(7168, 129'280);
  builder.block(3);
  builder.latent(128, 1536, 512, 128, 64, 128).dense(18'432);
  builder.block(58);
  return builder.latent(128, 1536, 512, 128, 64, 128).experts(256, 8, 2048, 2048).build();
}

// Qwen3-Next's proportions: three layers of the gated delta rule to one of attention, experts in all.
inline Model hybrid_model() {
  ModelBuilder builder(2048, 151'936);
  builder.block(36);
  builder.gated_delta(16, 32, 128).experts(512, 10, 512, 512);
  builder.block(12);
  return builder.grouped(16, 2, 256).experts(512, 10, 512, 512).build();
}

}  // namespace ridge::model
