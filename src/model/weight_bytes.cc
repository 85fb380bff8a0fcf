// Weights of the fullest rank. Column- and row-parallel matrices as in Shoeybi et al., "Megatron-LM" (2019), section 3:
// heads and MLP features are divided, key-value heads repeat where there are fewer of them than ranks, embedding and head
// are divided by words, norms and routers are on every rank; experts go to expert-parallel ranks whole first. Pipeline
// stages hold the layers that stage_layers() gives them, the first one the embedding and the towers, the last one the head.
#include <fmt/format.h>

#include <algorithm>

#include "model/layout.h"
#include "model/model.h"
#include "model/operations.h"
#include "model/shard.h"

namespace ridge::model {
namespace {

Bytes sum_on_rank(const std::vector<Tensor>& tensors, const Layout& layout, std::optional<Precision> format) {
  Bytes bytes;
  for (const Tensor& tensor : tensors) bytes += shard_bytes(shard_of(tensor, layout), storage_in(tensor, format));
  return bytes;
}

Bytes stack_on_rank(const Stack& stack, const Layout& layout, std::optional<Precision> format) {
  Bytes bytes = sum_on_rank(stack.tensors, layout, format);
  for (std::size_t i = 0; i < stack.blocks.size(); ++i) bytes += sum_on_rank(stack.blocks[i].tensors, layout, format) * stack.count_of(i);
  return bytes;
}

Bytes fullest_stage(const Model& model, const Layout& layout, std::optional<Precision> format) {
  const Stack& text = model.text;
  std::vector<Bytes> of_block;
  for (const Block& block : text.blocks) of_block.push_back(sum_on_rank(block.tensors, layout, format));
  Bytes first;
  Bytes last;
  for (const Tensor& tensor : text.tensors) {
    const bool enters = tensor.part == Part::kEmbedding;
    (enters ? first : last) += shard_bytes(shard_of(tensor, layout), storage_in(tensor, format));
    // A tied head is the embedding again, on the last stage.
    if (enters && tensor.active_copies > 0 && layout.pipeline > 1) last += shard_bytes(shard_of(tensor, layout), storage_in(tensor, format));
  }
  if (model.encoder) first += stack_on_rank(*model.encoder, layout, format);
  if (model.vision) first += stack_on_rank(*model.vision, layout, format);
  Bytes most;
  for (int stage = 0; stage < layout.pipeline; ++stage) {
    const auto [begin, end] = stage_layers(text.layers(), layout.pipeline, stage);
    Bytes bytes;
    for (std::int64_t i = begin; i < end; ++i) bytes += of_block[static_cast<std::size_t>(text.sequence[static_cast<std::size_t>(i)])];
    if (stage == 0) bytes += first;
    if (stage == layout.pipeline - 1) bytes += last;
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace

Result<Bytes> weight_bytes(const Model& model, std::optional<Precision> format, const Layout& layout) {
  RIDGE_TRY_VOID(allows(model, layout));
  if (model.given_parameters && (model.origin == "count" || !model.shapes_known() || model.origin == "inline")) {
    const double bits = element_bits(format.value_or(model.native));
    return Bytes::from_double(*model.given_parameters * bits / 8 / layout.ranks());
  }
  if (!model.shapes_known()) return missing_fields(model, "the size of the weights");
  if (!format && !model.storage_known) return tl::unexpected<Error>(checkpoint_bytes(model).error());
  return fullest_stage(model, layout, format);
}

}  // namespace ridge::model
