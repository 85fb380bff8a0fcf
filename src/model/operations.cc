#include "model/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/layer_operations.h"

namespace ridge::model {
namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;  // of tokens or sequences: beyond any machine, and products stay in double

Result<void> check_step(const Model& model, const Step& step) {
  const auto in_range = [](std::int64_t value, std::int64_t low) { return value >= low && value <= kMost; };
  if (!in_range(step.batch, 1)) return fail("batch", fmt::format("{} sequences in a step; 1 to {} can be priced", step.batch, kMost));
  if (!in_range(step.new_tokens, 1)) return fail("tokens", fmt::format("{} new tokens of a sequence; 1 to {} can be priced", step.new_tokens, kMost));
  if (!in_range(step.context, 0)) return fail("context", fmt::format("{} tokens in the cache; 0 to {} can be priced", step.context, kMost));
  if (static_cast<double>(step.batch) * static_cast<double>(step.new_tokens + step.context) > 1e15)
    return fail("batch", "batch × tokens is more than any machine holds");
  return allows(model, step.layout);
}

// Why the step of an incomplete description cannot be listed.
tl::unexpected<Error> lacking(const Model& model) {
  std::string names;
  const auto add = [&names](std::string_view name) { names += (names.empty() ? "" : ", ") + std::string(name); };
  if (model.text.sequence.empty()) {
    if (!model.layers) add("layers");
    if (!model.hidden) add("hidden");
    if (!model.heads) add("heads");
    if (names.empty()) add("the layers themselves");
  } else {
    for (const std::string& name : model.missing) add(name);
    if (!model.given_parameters) add("params");
  }
  return fail(model.name, "the operations of a step need what the description lacks: " + names,
              "Describe the model further: params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
}

// Share of the weights that a step reads. Where a description gives fewer active parameters than there are, the difference
// is the experts that a token does not pick: of E experts it picks k, so total − active = R · (1 − k/E) gives their sum R,
// of which T tokens touch 1 − (1 − k/E)^T (uniform routing, as in add_experts).
Result<double> share_read(const StepContext& context, const Model& model) {
  const double total = *model.given_parameters;
  if (!model.given_active || *model.given_active >= total) return 1.0;
  for (const Block& block : model.text.blocks) {
    if (block.mlp.experts <= block.mlp.top_k || block.mlp.top_k <= 0) continue;
    const double picked = static_cast<double>(block.mlp.top_k) / static_cast<double>(block.mlp.experts);
    const double routed = std::min(total, (total - *model.given_active) / (1 - picked));
    return 1 - routed / total * std::exp(context.token_count() * std::log1p(-picked));
  }
  return fail(model.name, "how many of the inactive weights a step reads needs what the description lacks: experts, top_k",
              "Add them: params=47e9,active=13e9,experts=8,top_k=2,….");
}

// The weights of a description that gives their number but not their shapes: one multiplication per pipeline stage.
Result<void> add_given_weights(const StepContext& context, const Model& model, OperationList& list) {
  Operation operation;
  operation.name = "weights";
  operation.count = context.layout.pipeline;
  operation.weight_format = context.step.weights.value_or(context.native);
  operation.compute = context.compute(operation.weight_format);
  operation.m = context.tokens;
  operation.flops = Flop{2 * model.given_active.value_or(*model.given_parameters) / context.layout.ranks() * context.token_count()};
  RIDGE_TRY(const double share, share_read(context, model));
  RIDGE_TRY(const Bytes all, weight_bytes(model, context.step.weights, context.layout));
  operation.weight_bytes = Bytes::from_double(all.as_double() * share);
  list.add(operation);
  return {};
}

void add_embedding(const StepContext& context, const Tensor& table, OperationList& list) {
  const Shard shard = shard_of(table, context.layout);
  const double rows = std::min(context.token_count(), static_cast<double>(shard.rows));
  Operation operation;
  operation.kind = OperationKind::kEmbedding;
  operation.name = "embedding";
  operation.weight_format = table.storage.format;
  operation.compute = context.wide;
  operation.weight_bytes = Bytes::from_double(shard_bytes(shard, table.storage).as_double() * rows / static_cast<double>(shard.rows));
  operation.activation_bytes = Bytes::from_double(context.token_count() * static_cast<double>(shard.columns) * context.wide_bytes);
  list.add(operation);
}

// A message of all new tokens' hidden values among the ranks of the tensor group.
void add_reduction(const StepContext& context, std::int64_t count, OperationList& list) {
  if (context.layout.tensor <= 1 || count == 0) return;
  Operation operation;
  operation.kind = OperationKind::kAllReduce;
  operation.name = "all_reduce";
  operation.count = count;
  operation.compute = operation.weight_format = context.wide;
  operation.link_bytes = Bytes::from_double(context.token_count() * static_cast<double>(context.hidden) * context.wide_bytes);
  operation.link_ranks = context.layout.tensor;
  list.add(operation);
}

// Sums over ranks that a layer makes: after its mixer and after its MLP, or one where both hang on the same norm
// (parallel residual). Experts on ranks of their own exchange tokens instead.
std::int64_t reductions_of(const StepContext& context, const Block& block) {
  const bool mixer = block.attention || block.linear;
  const bool exchanges = block.mlp.kind == Mlp::Kind::kMoe && context.layout.expert > 1;
  const bool mlp = block.mlp.kind != Mlp::Kind::kNone && !exchanges;
  if (mixer && mlp && block.norms == 1) return 1;
  return (mixer ? 1 : 0) + (mlp ? 1 : 0);
}

// Expert parallelism: each group of ranks sends its share of the tokens to the groups that hold their experts, and gets the
// results back. With uniform routing a token that picks k experts needs e · (1 − (1 − 1/e)^k) of e groups. (The sum after
// attention is then a scatter, and the gather after the experts completes it: together one all-reduce, listed above.)
void add_exchange(const StepContext& context, const Block& block, std::int64_t count, OperationList& list) {
  const double groups = context.layout.expert;
  if (groups <= 1 || block.mlp.kind != Mlp::Kind::kMoe) return;
  const double width = static_cast<double>(block.mlp.latent > 0 ? block.mlp.latent : context.hidden);
  const double reached = groups * -std::expm1(static_cast<double>(block.mlp.top_k) * std::log1p(-1 / groups));
  const double elements = context.token_count() / groups * reached * width;
  Operation operation;
  operation.kind = OperationKind::kAllToAll;
  operation.count = count;
  operation.compute = operation.weight_format = context.wide;
  operation.link_ranks = context.layout.expert;
  operation.name = "experts.dispatch";
  operation.link_bytes = Bytes::from_double(elements * StepContext::input_bytes(context.step.activations));
  list.add(operation);
  operation.name = "experts.combine";
  operation.link_bytes = Bytes::from_double(elements * context.wide_bytes);
  list.add(operation);
}

// Between stages: hidden values and residual (vLLM hands over both), each tensor rank its slice.
void add_handover(const StepContext& context, OperationList& list) {
  if (context.layout.pipeline <= 1) return;
  Operation operation;
  operation.kind = OperationKind::kSendReceive;
  operation.name = "stages.handover";
  operation.count = context.layout.pipeline - 1;
  operation.compute = operation.weight_format = context.wide;
  operation.link_bytes = Bytes::from_double(2 * context.token_count() * static_cast<double>(context.hidden) * context.wide_bytes / context.layout.tensor);
  operation.link_ranks = 2;
  list.add(operation);
}

// The matrix that makes logits: the head, or the embedding again where they are tied.
const Tensor* head_of(const Model& model) {
  const auto table = [](Part part) { return [part](const Tensor& tensor) { return tensor.part == part && tensor.columns > 1; }; };
  const auto& tensors = model.text.tensors;
  const auto head = std::ranges::find_if(tensors, table(Part::kHead));
  if (head != tensors.end()) return &*head;
  const auto embedding = std::ranges::find_if(tensors, table(Part::kEmbedding));
  return embedding != tensors.end() ? &*embedding : nullptr;
}

// Matrices outside the layers that are neither embedding nor head.
void add_outer(const StepContext& context, const Model& model, OperationList& list) {
  for (const Tensor& tensor : model.text.tensors)
    if (tensor.part == Part::kOther && tensor.columns > 1 && tensor.active_copies > 0)
      list.add(gemm(context, "other", context.token_count(), shard_of(tensor, context.layout), storage_in(tensor, context.step.weights)));
}

// Final norm, logits, their gathering, and the choice of a token from them in fp32.
void add_head(const StepContext& context, const Model& model, OperationList& list) {
  const double rows = static_cast<double>(context.step.phase == Phase::kDecode || context.step.logits_for_all ? context.tokens : context.step.batch);
  Bytes norms{}, biases{};
  for (const Tensor& tensor : model.text.tensors) {
    if (tensor.part == Part::kNorms) norms += shard_bytes(shard_of(tensor, context.layout), tensor.storage);
    if (tensor.part == Part::kHead && tensor.columns <= 1) biases += shard_bytes(shard_of(tensor, context.layout), tensor.storage);
  }
  Operation norm;
  norm.kind = OperationKind::kNorm;
  norm.name = "head.norm";
  norm.compute = norm.weight_format = context.wide;
  norm.weight_bytes = norms;
  norm.flops = Flop{4 * rows * static_cast<double>(context.hidden)};
  norm.activation_bytes = Bytes::from_double(4 * rows * static_cast<double>(context.hidden) * context.wide_bytes);
  list.add(norm);
  const Tensor* head = head_of(model);
  if (head == nullptr) return;
  Operation logits = gemm(context, "head", rows, shard_of(*head, context.layout), storage_in(*head, context.step.weights));
  logits.kind = OperationKind::kLogits;
  logits.weight_bytes += biases;
  list.add(logits);
  const double all = rows * static_cast<double>(head->rows);
  if (context.layout.tensor > 1) {
    Operation gather;
    gather.kind = OperationKind::kAllGather;
    gather.name = "head.gather";
    gather.compute = gather.weight_format = context.wide;
    gather.link_bytes = Bytes::from_double(all * context.wide_bytes);
    gather.link_ranks = context.layout.tensor;
    list.add(gather);
  }
  Operation choice;
  choice.kind = OperationKind::kElementwise;
  choice.name = "head.choice";
  choice.compute = choice.weight_format = Precision::kFp32;
  choice.flops = Flop{all};
  choice.activation_bytes = Bytes::from_double(all * (context.wide_bytes + 4 + 4));  // widened to fp32, then searched
  list.add(choice);
}

// Layers of a text model that only work on an image or an encoder's output.
bool idle_without_image(const Block& block) { return block.cross && !block.attention && !block.linear; }

void add_layers(const StepContext& context, const Model& model, OperationList& list) {
  std::vector<std::int64_t> counts(model.text.blocks.size());
  for (const std::int32_t block : model.text.sequence) ++counts[static_cast<std::size_t>(block)];
  std::int64_t reductions = context.has_shapes ? 1 : 0;  // the embedding, split by words
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Block& block = model.text.blocks[i];
    if (counts[i] == 0 || idle_without_image(block)) continue;
    if (context.has_shapes)
      add_layer(context, block, counts[i], list);
    else if (block.attention)
      add_attention(context, block, counts[i], Bytes{}, list);
    add_exchange(context, block, counts[i], list);
    reductions += counts[i] * reductions_of(context, block);
  }
  add_reduction(context, reductions, list);
}

}  // namespace

std::string_view name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kEmbedding:
      return "embedding";
    case OperationKind::kGemm:
      return "matrix product";
    case OperationKind::kAttention:
      return "attention";
    case OperationKind::kLinearAttention:
      return "linear attention";
    case OperationKind::kMoe:
      return "experts";
    case OperationKind::kNorm:
      return "norm";
    case OperationKind::kElementwise:
      return "elementwise";
    case OperationKind::kRouter:
      return "router";
    case OperationKind::kLogits:
      return "logits";
    case OperationKind::kAllReduce:
      return "all-reduce";
    case OperationKind::kAllGather:
      return "all-gather";
    case OperationKind::kAllToAll:
      return "all-to-all";
    case OperationKind::kSendReceive:
      return "send and receive";
  }
  return "";
}

StepContext::StepContext(const Model& model, const Step& request)
    : step(request),
      layout(request.layout),
      native(model.native),
      hidden(model.text.hidden),
      tokens(request.batch * request.new_tokens),
      wide(element_bits(request.activations) >= 16 ? request.activations
           : element_bits(model.native) >= 16      ? model.native
                                                   : Precision::kBf16),
      wide_bytes(element_bits(wide) / 8.0),
      has_shapes(model.shapes_known()) {}

Precision StepContext::compute(Precision format) const {
  if (element_bits(step.activations) >= 16) return step.activations;
  return element_bits(format) > element_bits(step.activations) ? format : step.activations;
}

void OperationList::add(const Operation& operation) {
  const auto alike = [&operation](const Operation& other) {
    return other.kind == operation.kind && other.name == operation.name && other.mixer == operation.mixer && other.m == operation.m && other.n == operation.n &&
           other.k == operation.k && other.compute == operation.compute && other.weight_format == operation.weight_format && other.flops == operation.flops &&
           other.weight_bytes == operation.weight_bytes && other.kv_bytes == operation.kv_bytes && other.activation_bytes == operation.activation_bytes &&
           other.link_bytes == operation.link_bytes;
  };
  const auto same = std::ranges::find_if(operations_, alike);
  if (same != operations_.end())
    same->count += operation.count;
  else
    operations_.push_back(operation);
}

Result<void> allows(const Model& model, const Layout& layout) {
  if (layout.tensor < 1 || layout.pipeline < 1 || layout.expert < 1) return fail("layout", "every kind of parallelism is at least 1");
  if (layout.tensor % layout.expert != 0)
    return fail("layout", fmt::format("expert parallelism {} does not divide tensor parallelism {}, whose ranks it uses", layout.expert, layout.tensor));
  if (layout.expert > 1 && !model.is_mixture_of_experts)
    return fail("layout", fmt::format("expert parallelism {} spreads experts, and {} has none", layout.expert, model.name));
  if (!model.text.sequence.empty() && layout.pipeline > model.text.layers())
    return fail("layout", fmt::format("{} pipeline stages are more than the {} layers of {}", layout.pipeline, model.text.layers(), model.name));
  for (const Block& block : model.text.blocks) {
    if (block.attention && block.attention->heads > 0 && block.attention->heads % layout.tensor != 0)
      return fail("layout", fmt::format("the {} query heads of {} do not divide by tensor parallelism {}", block.attention->heads, model.name, layout.tensor),
                  "Engines refuse it; take a divisor of the heads.");
    if (block.linear && block.linear->heads > 0 && block.linear->heads % layout.tensor != 0)
      return fail("layout",
                  fmt::format("the {} heads of {} layers of {} do not divide by tensor parallelism {}", block.linear->heads, name_of(block.linear->kind),
                              model.name, layout.tensor),
                  "Engines refuse it; take a divisor of the heads.");
    if (block.mlp.kind == Mlp::Kind::kMoe && layout.expert > block.mlp.experts)
      return fail("layout", fmt::format("expert parallelism {} is more than the {} experts of {}", layout.expert, block.mlp.experts, model.name));
  }
  return {};
}

Result<std::vector<Operation>> operations(const Model& model, const Step& step) {
  RIDGE_TRY_VOID(check_step(model, step));
  if (model.text.sequence.empty() || (!model.shapes_known() && !model.given_parameters)) return lacking(model);
  if (model.encoder)
    return fail(model.name, "an encoder's input stands beside the tokens of a step, and its length is not part of the question",
                "Steps are listed for decoders; take a decoder-only model.");
  const StepContext context(model, step);
  OperationList list;
  if (context.has_shapes) {
    for (const Tensor& tensor : model.text.tensors)
      if (tensor.part == Part::kEmbedding && tensor.columns > 1) add_embedding(context, tensor, list);
  } else {
    RIDGE_TRY_VOID(add_given_weights(context, model, list));
  }
  add_layers(context, model, list);
  if (context.has_shapes) {
    add_outer(context, model, list);
    add_head(context, model, list);
  }
  add_handover(context, list);
  return list.take();
}

}  // namespace ridge::model
