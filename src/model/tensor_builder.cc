#include "model/tensor_builder.h"

#include <fmt/format.h>

namespace ridge::model {

Tensor& TensorList::table(std::string name, std::int64_t rows, std::int64_t columns, Part part, Split split, std::int64_t units) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.rows = rows;
  tensor.columns = columns;
  tensor.part = part;
  tensor.split = split;
  tensor.units = units;
  tensor.storage = plain_storage(native_);
  tensors_.push_back(std::move(tensor));
  return tensors_.back();
}

Tensor& TensorList::matrix(std::string name, std::int64_t rows, std::int64_t columns, Part part, Split split, std::int64_t units) {
  Tensor& tensor = table(std::move(name), rows, columns, part, split, units);
  tensor.quantisable = true;
  return tensor;
}

Tensor& TensorList::vector(std::string name, std::int64_t size, Part part, Split split, std::int64_t units) {
  return table(std::move(name), size, 1, part, split, units);
}

Tensor& TensorList::linear(const std::string& module, std::int64_t rows, std::int64_t columns, bool bias, Part part, Split split, std::int64_t units) {
  // The bias of a row-parallel layer (split by columns) is added once, after the reduction: it is on every rank.
  if (bias) vector(module + ".bias", rows, part, split == Split::kRows ? Split::kRows : Split::kReplicated, split == Split::kRows ? units : 1);
  return matrix(module + ".weight", rows, columns, part, split, units);
}

void TensorList::norm(const std::string& module, std::int64_t size, bool bias, Part part) {
  vector(module + ".weight", size, part);
  if (bias) vector(module + ".bias", size, part);
}

namespace {

// One of the three input projections. In a fused tensor the first slice names it and the others continue it.
void add_projection(TensorList& list, const std::string& module, bool slice, std::int64_t rows, std::int64_t columns, bool bias, std::int64_t units) {
  list.linear(module, rows, columns, bias, Part::kAttention, Split::kRows, units).slice = slice;
  if (bias && slice) (list.tensors().end() - 2)->slice = true;
}

void add_latent(TensorList& list, const Attention& a, std::int64_t hidden, const TensorNames& names) {
  const std::string& at = names.attention;
  if (a.q_lora_rank > 0) {
    list.linear(at + "q_a_proj", a.q_lora_rank, hidden, a.qkv_bias, Part::kAttention);
    list.norm(at + "q_a_layernorm", a.q_lora_rank, false);
    list.matrix(at + "q_b_proj.weight", a.q_width(), a.q_lora_rank, Part::kAttention, Split::kRows, a.heads);
  } else {
    list.matrix(at + "q_proj.weight", a.q_width(), hidden, Part::kAttention, Split::kRows, a.heads);
  }
  list.linear(at + "kv_a_proj_with_mqa", a.kv_lora_rank + a.rope_dim, hidden, a.qkv_bias, Part::kAttention);
  list.norm(at + "kv_a_layernorm", a.kv_lora_rank, false);
  list.matrix(at + "kv_b_proj.weight", a.heads * (a.nope_dim + a.v_head_dim), a.kv_lora_rank, Part::kAttention, Split::kRows, a.heads);
  list.linear(at + names.o, hidden, a.o_width(), a.o_bias, Part::kAttention, Split::kColumns, a.heads);
  if (!a.indexer) return;
  // DeepSeek-V3.2: queries from the query latent, one key per token, per-head weights; every rank scores all of it.
  const std::int64_t width = a.indexer->heads * a.indexer->head_dim;
  list.matrix(at + "indexer.wq_b.weight", width, a.q_lora_rank > 0 ? a.q_lora_rank : hidden, Part::kAttention);
  list.matrix(at + "indexer.wk.weight", a.indexer->head_dim, hidden, Part::kAttention);
  list.norm(at + "indexer.k_norm", a.indexer->head_dim, true);
  list.table(at + "indexer.weights_proj.weight", a.indexer->heads, hidden, Part::kAttention);
}

// Pools `ratio` tokens into one entry of `width`. At the fine ratio (with an indexer) neighbouring groups overlap, so the
// two projections are twice as wide (DeepSeek-V4-Flash checkpoint: compressor.wkv [1024, 4096] at ratio 4, [512, 4096] at 128).
void add_compressor(TensorList& list, const std::string& module, std::int64_t width, std::int64_t ratio, bool overlapping, std::int64_t hidden) {
  const std::int64_t rows = overlapping ? 2 * width : width;
  list.table(module + "wkv.weight", rows, hidden, Part::kAttention);
  list.table(module + "wgate.weight", rows, hidden, Part::kAttention);
  list.table(module + "ape", ratio, rows, Part::kAttention).storage = plain_storage(Precision::kFp32);
  list.norm(module + "norm", width, false);
}

void add_compressed(TensorList& list, const Attention& a, std::int64_t hidden, const TensorNames& names) {
  const std::string& at = names.attention;
  list.matrix(at + "wq_a.weight", a.q_lora_rank, hidden, Part::kAttention);
  list.norm(at + "q_norm", a.q_lora_rank, false);
  list.matrix(at + "wq_b.weight", a.q_width(), a.q_lora_rank, Part::kAttention, Split::kRows, a.heads);
  list.matrix(at + "wkv.weight", a.kv_lora_rank, hidden, Part::kAttention);
  list.norm(at + "kv_norm", a.kv_lora_rank, false);
  list.matrix(at + "wo_a.weight", a.o_groups * a.o_lora_rank, a.o_width() / a.o_groups, Part::kAttention, Split::kRows, a.o_groups);
  list.matrix(at + "wo_b.weight", hidden, a.o_groups * a.o_lora_rank, Part::kAttention, Split::kColumns, a.o_groups);
  list.vector(at + "attn_sink", a.heads, Part::kAttention, Split::kRows, a.heads).storage = plain_storage(Precision::kFp32);
  if (a.compress_ratio == 0) return;
  add_compressor(list, at + "compressor.", a.kv_lora_rank, a.compress_ratio, a.indexer.has_value(), hidden);
  if (!a.indexer) return;
  list.matrix(at + "indexer.wq_b.weight", a.indexer->heads * a.indexer->head_dim, a.q_lora_rank, Part::kAttention);
  list.table(at + "indexer.weights_proj.weight", a.indexer->heads, hidden, Part::kAttention);
  add_compressor(list, at + "indexer.compressor.", a.indexer->head_dim, a.compress_ratio, true, hidden);
}

void add_heads(TensorList& list, const Attention& a, std::int64_t hidden, const TensorNames& names) {
  const std::string& at = names.attention;
  const bool fused = !names.qkv.empty();
  const std::int64_t source = a.kv_source_dim > 0 ? a.kv_source_dim : hidden;
  add_projection(list, at + (fused ? names.qkv : names.q), false, a.q_width() * (a.output_gate ? 2 : 1), hidden, a.qkv_bias, a.heads);
  if (!a.reuses_kv) {
    add_projection(list, at + (fused ? names.qkv : names.k), fused, a.k_width(), source, a.qkv_bias && a.k_bias, a.kv_heads);
    add_projection(list, at + (fused ? names.qkv : names.v), fused, a.v_width(), source, a.qkv_bias, a.kv_heads);
  }
  list.linear(at + names.o, hidden, a.o_width(), a.o_bias, Part::kAttention, Split::kColumns, a.heads);
  if (a.qk_norm == QkNorm::kHead) {
    list.norm(at + names.q_norm, a.head_dim, a.qk_norm_bias);
    if (!a.reuses_kv) list.norm(at + names.k_norm, a.head_dim, a.qk_norm_bias);
  } else if (a.qk_norm == QkNorm::kAllHeads) {
    list.vector(at + names.q_norm + ".weight", a.q_width(), Part::kNorms, Split::kRows, a.heads);
    if (!a.reuses_kv) list.vector(at + names.k_norm + ".weight", a.k_width(), Part::kNorms, Split::kRows, a.kv_heads);
  }
  if (a.local_filter) {
    // Yuan 2.0 (arXiv 2311.15786), section 2.1: hidden → hidden / 2 → hidden, each over two tokens.
    list.table(at + "lf_gate.conv1.weight", hidden / 2, 2 * hidden, Part::kAttention);
    list.vector(at + "lf_gate.conv1.bias", hidden / 2, Part::kAttention);
    list.table(at + "lf_gate.conv2.weight", hidden, hidden / 2 * 2, Part::kAttention);
    list.vector(at + "lf_gate.conv2.bias", hidden, Part::kAttention);
    list.norm(at + "lf_gate.output_layernorm", hidden, false);
  }
  if (a.sinks) list.vector(at + names.sinks, a.heads, Part::kAttention, Split::kRows, a.heads);
}

}  // namespace

void add_attention(TensorList& list, const Attention& attention, std::int64_t hidden, const TensorNames& names) {
  if (attention.kind == AttentionKind::kNone) return;
  if (attention.kind == AttentionKind::kLatent) return add_latent(list, attention, hidden, names);
  if (attention.kind == AttentionKind::kCompressed) return add_compressed(list, attention, hidden, names);
  add_heads(list, attention, hidden, names);
}

void add_norms(TensorList& list, const Block& block, std::int64_t hidden, const TensorNames& names) {
  for (int i = 0; i < block.norms; ++i) {
    const auto index = static_cast<std::size_t>(i);
    list.norm(index < names.norms.size() ? names.norms[index] : fmt::format("norm{}", i), hidden, block.norm_bias);
  }
}

std::vector<Tensor> layer_tensors(const Block& block, std::int64_t hidden, Precision native, const TensorNames& names) {
  TensorList list(native);
  if (block.attention) add_attention(list, *block.attention, hidden, names);
  if (block.linear) add_linear_mixer(list, *block.linear, hidden, names);
  if (block.cross) {
    TensorNames cross = names;
    cross.attention = names.cross;
    add_attention(list, *block.cross, hidden, cross);
  }
  add_mlp(list, block.mlp, hidden, names);
  add_norms(list, block, hidden, names);
  for (int i = 0; i < block.scalar_gates; ++i) list.vector(fmt::format("gate.{}", i), 1, Part::kOther);
  if (block.residual_streams > 1) {
    // Per half layer: pre, post and mixing weights from the n·hidden wide residual (n + n + n² outputs), their base and three scales.
    const std::int64_t n = block.residual_streams;
    for (const char* half : {"hc_attn_", "hc_ffn_"}) {
      const std::string name(half);
      list.table(name + "fn", (2 + n) * n, n * hidden, Part::kOther).storage = plain_storage(Precision::kFp32);
      list.vector(name + "base", (2 + n) * n, Part::kOther).storage = plain_storage(Precision::kFp32);
      list.vector(name + "scale", 3, Part::kOther).storage = plain_storage(Precision::kFp32);
    }
  }
  return list.take();
}

}  // namespace ridge::model
