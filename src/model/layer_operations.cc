#include "model/layer_operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ridge::model {
namespace {

// Matrices of one layer that an engine multiplies in one launch: same input, same name, same storage.
struct Group {
  std::string_view name;
  OperationKind kind = OperationKind::kGemm;
  Shard shard{0, 0, 1};
  Storage storage;
  Bytes bytes{};
  double elements = 0;  // that multiply each token
};

bool is_latent(const Block& block) {
  return block.attention && (block.attention->kind == AttentionKind::kLatent || block.attention->kind == AttentionKind::kCompressed);
}

// kv_b_proj of MLA, from the latent to keys and values of all heads; in GGUF files one matrix for either.
bool lifts_latent(const Tensor& tensor, const Block& block) {
  if (!block.attention || block.attention->kind != AttentionKind::kLatent || tensor.part != Part::kAttention) return false;
  const Attention& a = *block.attention;
  if (tensor.columns != a.kv_lora_rank || tensor.split != Split::kRows) return false;
  return tensor.rows == a.heads * (a.nope_dim + a.v_head_dim) || tensor.rows == a.heads * a.nope_dim || tensor.rows == a.heads * a.v_head_dim;
}

std::string_view attention_name(const Tensor& tensor, const Block& block, std::int64_t hidden) {
  if (tensor.split == Split::kColumns) return "layers.attention_out";
  if (tensor.columns == hidden) return is_latent(block) && tensor.split == Split::kReplicated ? "layers.latent_down" : "layers.qkv";
  if (!is_latent(block)) return "layers.attention_matrix";
  if (tensor.columns != block.attention->q_lora_rank) return "layers.attention_matrix";
  return tensor.split == Split::kReplicated ? "layers.indexer_queries" : "layers.query_up";
}

std::string_view group_name(const Tensor& tensor, const Block& block, std::int64_t hidden) {
  const bool out = tensor.split == Split::kColumns;
  switch (tensor.part) {
    case Part::kAttention:
      return attention_name(tensor, block, hidden);
    case Part::kLinearAttention:
      if (out) return tensor.rows == hidden ? "layers.mixer_out" : "layers.mixer_matrix";
      return tensor.columns == hidden ? "layers.mixer_in" : "layers.mixer_matrix";
    case Part::kDenseMlp:
      return out ? "layers.mlp_down" : "layers.mlp_up";
    case Part::kSharedExperts:
      return tensor.rows == 1 ? "layers.shared_gate" : out ? "layers.shared_down" : "layers.shared_up";
    case Part::kRoutedExperts:
      return tensor.columns == hidden ? "layers.experts_in" : "layers.experts_out";
    case Part::kRouter:
      return "layers.router";
    default:
      return "layers.other";
  }
}

// A matrix that multiplies every token. Convolutions, tables that are looked up and tables that are added are none.
bool multiplies(const Tensor& tensor, const Block& block) {
  if (tensor.columns <= 1 || tensor.active_copies == 0) return false;
  if (tensor.quantisable) return true;
  if (tensor.part == Part::kLinearAttention) return false;
  // DeepSeek-V4's positions within a group of compressed tokens, one row each.
  const bool added =
      tensor.part == Part::kAttention && block.attention && block.attention->compress_ratio > 0 && tensor.rows == block.attention->compress_ratio;
  return !added;
}

constexpr std::size_t kParts = static_cast<std::size_t>(Part::kOther) + 1;

// A layer taken apart: groups of matrices in the order of its tensors, and per part the bytes of everything else.
struct Pieces {
  std::vector<Group> groups;
  std::vector<const Tensor*> experts;
  Group lift;  // rows 0: none
  std::array<Bytes, kParts> loose{};

  Bytes take(Part part) { return std::exchange(loose[static_cast<std::size_t>(part)], Bytes{}); }
  Bytes take_rest() {
    Bytes sum{};
    for (Bytes& bytes : loose) sum += std::exchange(bytes, Bytes{});
    return sum;
  }
};

void add_to_group(const StepContext& context, const Tensor& tensor, std::string_view name, std::vector<Group>& groups) {
  const Shard shard = shard_of(tensor, context.layout);
  const Storage storage = storage_in(tensor, context.step.weights);
  const auto same = [&](const Group& group) { return group.name == name && group.shard.columns == shard.columns && group.storage.format == storage.format; };
  const auto found = std::ranges::find_if(groups, same);
  Group& group = found != groups.end() ? *found : groups.emplace_back(Group{name, OperationKind::kGemm, {0, shard.columns, 1}, storage, {}, 0});
  if (tensor.part == Part::kRouter) group.kind = OperationKind::kRouter;
  group.shard.rows += shard.rows * shard.copies;
  group.bytes += shard_bytes(shard, storage);
  group.elements += static_cast<double>(shard.elements()) * static_cast<double>(tensor.active_copies) / static_cast<double>(tensor.copies);
}

Pieces take_apart(const StepContext& context, const Block& block) {
  Pieces pieces;
  pieces.groups.reserve(12);
  for (const Tensor& tensor : block.tensors) {
    if (tensor.by_expert) {
      pieces.experts.push_back(&tensor);
    } else if (lifts_latent(tensor, block)) {
      const Shard shard = shard_of(tensor, context.layout);
      pieces.lift.storage = storage_in(tensor, context.step.weights);
      pieces.lift.shard = {pieces.lift.shard.rows + shard.rows, shard.columns, 1};
      pieces.lift.bytes += shard_bytes(shard, pieces.lift.storage);
    } else if (multiplies(tensor, block)) {
      add_to_group(context, tensor, group_name(tensor, block, context.hidden), pieces.groups);
    } else {
      const Shard shard = shard_of(tensor, context.layout);
      Bytes bytes = shard_bytes(shard, storage_in(tensor, context.step.weights));
      if (tensor.active_copies == 0)  // a row per token
        bytes = Bytes::from_double(bytes.as_double() * std::min(1.0, context.token_count() / static_cast<double>(shard.rows)));
      pieces.loose[static_cast<std::size_t>(tensor.part)] += bytes;
    }
  }
  return pieces;
}

Operation multiply(const StepContext& context, const Group& group) {
  Operation operation = gemm(context, group.name, context.token_count(), group.shard, group.storage);
  operation.kind = group.kind;
  operation.weight_bytes = group.bytes;
  operation.flops = Flop{2 * context.token_count() * group.elements};
  return operation;
}

// All groups whose name is in `names`, in the layer's order.
void add_groups(const StepContext& context, const Pieces& pieces, std::initializer_list<std::string_view> names, std::int64_t count, OperationList& list) {
  for (const Group& group : pieces.groups) {
    if (std::ranges::find(names, group.name) == names.end()) continue;
    Operation operation = multiply(context, group);
    operation.count = count;
    list.add(operation);
  }
}

// The matrix from MLA's latent to keys and values. Absorbed, its key half turns queries into the latent's space and its
// value half brings the result back, so only new tokens pass it; else every token of the sequence does (DeepSeek-V2,
// section 2.1.2; vLLM's prefill lifts the cached latents too).
void add_lift(const StepContext& context, const Block& block, const Group& lift, std::int64_t count, OperationList& list) {
  const Attention& a = *block.attention;
  const std::int64_t heads = lift.shard.rows / std::max<std::int64_t>(1, a.nope_dim + a.v_head_dim);
  if (!absorbs_latent(context, a)) {
    const double sequence = static_cast<double>(context.step.batch) * static_cast<double>(context.step.context + context.step.new_tokens);
    Operation operation = gemm(context, "layers.latent_up", sequence, lift.shard, lift.storage);
    operation.weight_bytes = lift.bytes;
    operation.count = count;
    return list.add(operation);
  }
  const auto add_half = [&](std::string_view name, std::int64_t n, std::int64_t k, std::int64_t width, Bytes bytes) {
    Operation operation = gemm(context, name, context.token_count(), {n, k, 1}, lift.storage);
    const double per_head = static_cast<double>(n) * static_cast<double>(k);
    operation.count = count;
    operation.weight_bytes = bytes;
    operation.flops = Flop{2 * context.token_count() * per_head * static_cast<double>(heads)};
    operation.activation_bytes = Bytes::from_double(context.token_count() * static_cast<double>(heads * (width + a.kv_lora_rank)) * context.wide_bytes);
    list.add(operation);
  };
  const Bytes keys = Bytes::from_double(lift.bytes.as_double() * static_cast<double>(a.nope_dim) / static_cast<double>(a.nope_dim + a.v_head_dim));
  add_half("layers.query_absorb", a.kv_lora_rank, a.nope_dim, a.nope_dim, keys);
  add_half("layers.value_up", a.v_head_dim, a.kv_lora_rank, a.v_head_dim, lift.bytes - keys);
}

// Routed experts as one grouped multiplication. Routing is taken as uniform: of E experts, T tokens that pick k each touch
// E · (1 − (1 − k/E)^T) in expectation. Skewed routing touches fewer, and loads the busiest expert-parallel rank more.
// m is the mean number of tokens of a touched expert, n and k are the shape of one expert's first matrices.
void add_experts(const StepContext& context, const Block& block, const Pieces& pieces, std::int64_t count, OperationList& list) {
  if (pieces.experts.empty()) return;
  const Tensor& first = *pieces.experts.front();
  const double experts = static_cast<double>(first.copies), picked = static_cast<double>(first.active_copies);
  const double local = static_cast<double>(shard_of(first, context.layout).copies);
  const double touched = local * -std::expm1(context.token_count() * std::log1p(-std::min(1.0, picked / experts)));
  const double assignments = context.token_count() * picked * local / experts;
  const std::int64_t width = block.mlp.latent > 0 ? block.mlp.latent : context.hidden;

  Operation operation;
  operation.kind = OperationKind::kMoe;
  operation.name = "layers.experts";
  operation.count = count;
  double elements = 0, inner = 0;
  Bytes bytes{};
  for (const Tensor* tensor : pieces.experts) {
    Shard one = shard_of(*tensor, context.layout);
    one.copies = 1;
    const Storage storage = storage_in(*tensor, context.step.weights);
    bytes += shard_bytes(one, storage);
    if (tensor->columns <= 1) continue;  // a bias
    elements += static_cast<double>(one.elements());
    if (tensor->split == Split::kColumns) {
      inner = static_cast<double>(one.columns);
    } else {
      operation.n += one.rows;
      operation.k = one.columns;
    }
    operation.weight_format = storage.format;
  }
  operation.compute = context.compute(operation.weight_format);
  operation.m = static_cast<std::int64_t>(std::ceil(assignments / std::max(touched, 1.0)));
  operation.flops = Flop{2 * assignments * elements};
  operation.weight_bytes = Bytes::from_double(touched * bytes.as_double());
  // Tokens in and out once; between the launches each assignment's hidden values, and its share of the result, are written and read.
  const double tokens_here = context.token_count() * std::min(1.0, assignments / context.token_count());
  operation.activation_bytes =
      Bytes::from_double(context.wide_bytes * (2 * tokens_here * static_cast<double>(width) +
                                               2 * assignments * (static_cast<double>(operation.n) + inner + static_cast<double>(width))));
  list.add(operation);
}

// The activation function between the matrices of a dense or shared MLP: reads gate and up, writes their product.
void add_activation(const StepContext& context, const Block& block, const Pieces& pieces, std::string_view down, Bytes weights, std::int64_t count,
                    OperationList& list) {
  const auto group = std::ranges::find(pieces.groups, down, &Group::name);
  if (group == pieces.groups.end()) return;
  const double elements = context.token_count() * static_cast<double>(group->shard.columns) * (block.mlp.gated ? 3 : 2);
  Operation operation;
  operation.kind = OperationKind::kElementwise;
  operation.name = "layers.activation";
  operation.count = count;
  operation.compute = operation.weight_format = context.wide;
  operation.flops = Flop{elements};
  operation.weight_bytes = weights;
  operation.activation_bytes = Bytes::from_double(elements * context.wide_bytes);
  list.add(operation);
}

// Each norm takes up the residual: reads the layer's output and the residual, writes the sum and its normed form. One
// read of four per element is a square and its sum, then two multiplications.
void add_norms(const StepContext& context, const Block& block, Bytes weights, std::int64_t count, OperationList& list) {
  const std::int64_t norms = std::max(1, block.norms);
  if (block.norms == 0 && weights.count == 0) return;
  const double elements = context.token_count() * static_cast<double>(context.hidden);
  Operation operation;
  operation.kind = OperationKind::kNorm;
  operation.name = "layers.norm";
  operation.count = count * norms;
  operation.compute = operation.weight_format = context.wide;
  operation.flops = Flop{4 * elements};
  operation.weight_bytes = Bytes{weights.count / norms};
  operation.activation_bytes = Bytes::from_double(4 * elements * context.wide_bytes);
  list.add(operation);
}

}  // namespace

Operation gemm(const StepContext& context, std::string_view name, double m, const Shard& shard, const Storage& storage) {
  Operation operation;
  operation.kind = OperationKind::kGemm;
  operation.name = name;
  operation.weight_format = storage.format;
  operation.compute = context.compute(storage.format);
  operation.m = static_cast<std::int64_t>(m);
  operation.n = shard.rows * shard.copies;
  operation.k = shard.columns;
  const double n = static_cast<double>(operation.n), k = static_cast<double>(operation.k);
  operation.flops = Flop{2 * m * n * k};
  operation.weight_bytes = shard_bytes(shard, storage);
  operation.activation_bytes = Bytes::from_double(m * (k * StepContext::input_bytes(operation.compute) + n * context.wide_bytes));
  return operation;
}

void add_layer(const StepContext& context, const Block& block, std::int64_t count, OperationList& list) {
  Pieces pieces = take_apart(context, block);
  const Bytes attention = pieces.take(Part::kAttention), mixer = pieces.take(Part::kLinearAttention);
  const Bytes shared = pieces.take(Part::kSharedExperts), dense = pieces.take(Part::kDenseMlp);
  add_norms(context, block, pieces.take_rest(), count, list);
  if (block.attention) {
    add_groups(context, pieces, {"layers.latent_down", "layers.qkv", "layers.query_up", "layers.indexer_queries"}, count, list);
    if (pieces.lift.shard.rows > 0) add_lift(context, block, pieces.lift, count, list);
    add_attention(context, block, count, attention, list);
    add_groups(context, pieces, {"layers.attention_matrix", "layers.attention_out"}, count, list);
  }
  if (block.linear) {
    add_groups(context, pieces, {"layers.mixer_in", "layers.mixer_matrix"}, count, list);
    add_linear_mixer(context, *block.linear, count, mixer, list);
    add_groups(context, pieces, {"layers.mixer_out"}, count, list);
  }
  add_groups(context, pieces, {"layers.router"}, count, list);
  add_groups(context, pieces, {"layers.experts_in"}, count, list);
  add_experts(context, block, pieces, count, list);
  add_groups(context, pieces, {"layers.experts_out", "layers.shared_gate", "layers.shared_up"}, count, list);
  add_activation(context, block, pieces, "layers.shared_down", shared, count, list);
  add_groups(context, pieces, {"layers.shared_down", "layers.mlp_up"}, count, list);
  add_activation(context, block, pieces, "layers.mlp_down", dense, count, list);
  add_groups(context, pieces, {"layers.mlp_down", "layers.other"}, count, list);
}

}  // namespace ridge::model
