// Names of GGUF tensors → what they are. The names are those of gguf-py's constants (MODEL_TENSOR) of llama.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/gguf_layer.h"
#include "model/gguf_model.h"

namespace ridge::model {
namespace {

// First row whose prefix fits wins.
struct NameRow {
  std::string_view prefix;
  Part part;
  Split split = Split::kReplicated;
};

constexpr std::array kNames{
    NameRow{"attn_qkv.", Part::kAttention, Split::kRows},
    NameRow{"attn_q.", Part::kAttention, Split::kRows},
    NameRow{"attn_k.", Part::kAttention, Split::kRows},
    NameRow{"attn_v.", Part::kAttention, Split::kRows},
    NameRow{"attn_output.", Part::kAttention, Split::kColumns},
    NameRow{"attn_q_a.", Part::kAttention},
    NameRow{"attn_q_b.", Part::kAttention, Split::kRows},
    NameRow{"attn_kv_a_mqa.", Part::kAttention},
    NameRow{"attn_kv_b.", Part::kAttention, Split::kRows},
    NameRow{"attn_k_b.", Part::kAttention, Split::kRows},
    NameRow{"attn_v_b.", Part::kAttention, Split::kRows},
    NameRow{"attn_sinks.", Part::kAttention, Split::kRows},
    NameRow{"indexer.k_norm.", Part::kNorms},
    NameRow{"indexer.", Part::kAttention},
    NameRow{"ffn_gate_inp_shexp.", Part::kSharedExperts},
    NameRow{"ffn_gate_inp.", Part::kRouter},
    NameRow{"exp_probs_b.", Part::kRouter},
    NameRow{"ffn_gate_tid2eid.", Part::kRouter},
    NameRow{"ffn_latent_", Part::kRoutedExperts},
    NameRow{"ffn_gate_shexp.", Part::kSharedExperts, Split::kRows},
    NameRow{"ffn_up_shexp.", Part::kSharedExperts, Split::kRows},
    NameRow{"ffn_down_shexp.", Part::kSharedExperts, Split::kColumns},
    NameRow{"ffn_gate_exps.", Part::kRoutedExperts, Split::kRows},
    NameRow{"ffn_up_exps.", Part::kRoutedExperts, Split::kRows},
    NameRow{"ffn_gate_up_exps.", Part::kRoutedExperts, Split::kRows},
    NameRow{"ffn_down_exps.", Part::kRoutedExperts, Split::kColumns},
    NameRow{"ffn_gate.", Part::kDenseMlp, Split::kRows},
    NameRow{"ffn_up.", Part::kDenseMlp, Split::kRows},
    NameRow{"ffn_down.", Part::kDenseMlp, Split::kColumns},
    NameRow{"ssm_norm.", Part::kLinearAttention, Split::kRows},
    NameRow{"ssm_out.", Part::kLinearAttention, Split::kColumns},
    NameRow{"ssm_x.", Part::kLinearAttention, Split::kColumns},
    NameRow{"ssm_", Part::kLinearAttention, Split::kRows},
    NameRow{"shortconv.out_proj.", Part::kLinearAttention, Split::kColumns},
    NameRow{"shortconv.", Part::kLinearAttention, Split::kRows},
    NameRow{"attn_gate.", Part::kLinearAttention, Split::kRows},
};

NameRow row_of(std::string_view name, const Block& block) {
  const auto row = std::ranges::find_if(kNames, [name](const NameRow& r) { return name.starts_with(r.prefix); });
  if (row != kNames.end()) {
    // The gate on attention's output stands beside queries where there is no linear mixer.
    if (row->prefix == "attn_gate." && !block.linear) return {row->prefix, Part::kAttention, Split::kRows};
    // The gated delta rule's queries, keys and values are written as attention's.
    if (row->part == Part::kAttention && block.linear && !block.attention) return {row->prefix, Part::kLinearAttention, row->split};
    return *row;
  }
  if (name.find("norm") != std::string_view::npos) return {name, Part::kNorms};
  return {name, Part::kOther};
}

std::int64_t units_of(const Tensor& tensor, std::string_view name, const Block& block) {
  if (tensor.part == Part::kAttention && block.attention) {
    if (name.starts_with("attn_k.") || name.starts_with("attn_v.") || name.starts_with("attn_qkv.")) return block.attention->kv_heads;
    return block.attention->heads;
  }
  if (tensor.part == Part::kLinearAttention && block.linear) return std::max<std::int64_t>(1, block.linear->heads);
  return tensor.split == Split::kColumns ? tensor.columns : tensor.rows;
}

Precision format_of(const formats::GgmlType& type) {
  struct Row {
    std::string_view name;
    Precision format;
  };
  constexpr std::array kPlain{Row{"F64", Precision::kFp64},  Row{"F32", Precision::kFp32},    Row{"F16", Precision::kFp16},
                              Row{"BF16", Precision::kBf16}, Row{"MXFP4", Precision::kMxFp4}, Row{"NVFP4", Precision::kNvFp4},
                              Row{"I16", Precision::kFp16},  Row{"I32", Precision::kFp32},    Row{"I64", Precision::kFp64}};
  const auto row = std::ranges::find(kPlain, type.name, &Row::name);
  if (row != kPlain.end()) return row->format;
  return type.bits() >= 5 ? Precision::kInt8 : Precision::kInt4;  // how an integer unit would have to multiply it
}

void set_shape(Tensor& tensor, const formats::GgufTensor& from) {
  const auto size = [&from](std::size_t i) { return i < from.sizes.size() ? from.sizes[i] : 1; };
  const bool vector = from.sizes.size() < 2;
  // A vector stands as a column, but whole blocks lie along it.
  const bool blocks = from.type->block_elements > 1;
  tensor.columns = vector && !blocks ? 1 : size(0);
  tensor.rows = vector && !blocks ? size(0) : size(1);
  tensor.copies = size(2) * size(3);
}

}  // namespace

Storage storage_of(const formats::GgmlType& type) {
  Storage storage;
  storage.format = format_of(type);
  const std::int64_t bits = std::int64_t{8} * type.block_bytes, elements = type.block_elements;
  storage.bits = static_cast<int>(bits / elements);
  storage.scale_bits = static_cast<int>(bits % elements);
  if (elements > 1) {
    storage.tile_rows = 1;
    storage.tile_columns = elements;
  }
  return storage;
}

Result<Tensor> gguf_tensor(const formats::GgufTensor& from, std::string_view name, std::int64_t copies, const Block& block) {
  Tensor tensor;
  tensor.name = std::string(name);
  tensor.storage = storage_of(*from.type);
  set_shape(tensor, from);
  const NameRow row = row_of(name, block);
  tensor.part = row.part;
  tensor.split = row.split;
  if (row.part == Part::kRoutedExperts && row.split != Split::kReplicated) {
    if (from.sizes.size() < 3 && name.find("bias") != std::string_view::npos) {  // one bias per expert: {rows, experts}
      tensor.copies = tensor.rows;
      tensor.rows = tensor.columns;
      tensor.columns = 1;
    }
    if (copies > 1) tensor.copies = copies;  // written one by one
    if (tensor.copies != block.mlp.experts) return fail("", fmt::format("{} experts, where the metadata say {}", tensor.copies, block.mlp.experts));
    tensor.active_copies = block.mlp.top_k;
    tensor.by_expert = true;
  } else if (tensor.copies > 1) {
    // MLA's halves, one matrix per head: keys as {nope, latent, heads}, values as {latent, value, heads}.
    if (name.starts_with("attn_k_b.")) std::swap(tensor.rows, tensor.columns);
    tensor.rows *= std::exchange(tensor.copies, 1);
  }
  tensor.units = tensor.split == Split::kReplicated ? 1 : units_of(tensor, name, block);
  tensor.quantisable = tensor.columns > 1 && name.ends_with(".weight") && row.part != Part::kNorms && row.part != Part::kRouter &&
                       !name.starts_with("ssm_conv1d") && !name.starts_with("shortconv.conv");
  if (name.starts_with("ssm_a") && tensor.part == Part::kLinearAttention && !name.starts_with("ssm_alpha")) tensor.quantisable = false;
  return tensor;
}

Tensor gguf_outer_tensor(const formats::GgufTensor& from, bool tied) {
  Tensor tensor;
  tensor.name = from.name;
  tensor.storage = storage_of(*from.type);
  set_shape(tensor, from);
  tensor.rows *= std::exchange(tensor.copies, 1);
  const auto is = [&from](std::string_view prefix) { return from.name.starts_with(prefix); };
  if (is("token_embd.") || is("position_embd.") || is("token_types.") || is("per_layer_token_embd.")) {
    tensor.part = Part::kEmbedding;
    tensor.split = is("position_embd.") || is("token_types.") ? Split::kReplicated : Split::kRows;
    tensor.active_copies = tied && is("token_embd.") ? 1 : 0;
  } else if (is("output.")) {
    tensor.part = Part::kHead;
    tensor.split = Split::kRows;
  } else if (from.name.find("norm") != std::string::npos) {
    tensor.part = Part::kNorms;
  } else if (is("v.") || is("mm.") || is("a.")) {
    tensor.part = Part::kVision;
  }
  tensor.units = tensor.split == Split::kRows ? tensor.rows : 1;
  return tensor;
}

}  // namespace ridge::model
