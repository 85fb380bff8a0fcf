#include "model/config_tower.h"

#include <fmt/format.h>

#include "model/limits.h"

namespace ridge::model {
namespace {

constexpr std::string_view kLayers[] = {"num_hidden_layers", "depth", "vt_num_hidden_layers"};
constexpr std::string_view kHeads[] = {"num_attention_heads", "num_heads", "attention_heads", "vt_num_attention_heads"};
constexpr std::string_view kHidden[] = {"hidden_size", "embed_dim", "vt_hidden_size"};
constexpr std::string_view kIntermediate[] = {"intermediate_size", "vt_intermediate_size"};
constexpr std::string_view kChannels[] = {"in_channels", "in_chans", "num_channels"};

Result<TowerShape> read_usual_shape(const ConfigFields& vision) { return read_tower_shape(vision, kLayers, kHeads, kHidden, kIntermediate); }

// One row of the patch embedding: channels × side × side (× frames).
Result<std::int64_t> patch_elements(const ConfigFields& vision, std::int64_t patch_default, std::int64_t frames_default) {
  RIDGE_TRY(const std::int64_t channels, vision.size_or(kChannels, 1000, 3));
  RIDGE_TRY(const std::int64_t side, vision.size_or("patch_size", 10'000, patch_default));
  RIDGE_TRY(const std::int64_t frames, vision.size_or("temporal_patch_size", 1000, frames_default));
  return channels * side * side * frames;
}

Result<std::int64_t> patches(const ConfigFields& vision, std::int64_t image_default, std::int64_t patch_default) {
  RIDGE_TRY(const std::int64_t image, vision.size_or("image_size", kMaxImageSide, image_default));
  RIDGE_TRY(const std::int64_t patch, vision.size_or("patch_size", kMaxImageSide, patch_default));
  const std::int64_t side = image / patch;
  if (side == 0) return vision.error(fmt::format("patch_size {} is larger than image_size {}", patch, image));
  return side * side;
}

void add_positions(TensorList& list, std::string name, std::int64_t rows, std::int64_t hidden) {
  list.table(std::move(name), rows, hidden, Part::kVision).active_copies = 0;
}

void append(Stack& stack, TensorList& list) {
  for (Tensor& tensor : list.take()) stack.tensors.push_back(std::move(tensor));
  for (Tensor& tensor : stack.tensors) tensor.part = Part::kVision;
}

}  // namespace

Result<TowerShape> read_tower_shape(const ConfigFields& vision, Aliases layers, Aliases heads, Aliases hidden, Aliases intermediate) {
  const Aliases wanted[] = {layers, heads, hidden, intermediate};
  RIDGE_TRY_VOID(vision.require(wanted));
  TowerShape shape;
  RIDGE_TRY(shape.layers, vision.size(layers, kMaxLayers));
  RIDGE_TRY(shape.heads, vision.size(heads, kMaxHeads));
  RIDGE_TRY(shape.hidden, vision.size(hidden, kMaxHidden));
  RIDGE_TRY(shape.intermediate, vision.size(intermediate, kMaxIntermediate));
  if (shape.hidden % shape.heads != 0) return vision.error_at(hidden, fmt::format("{} is not a multiple of {} heads", shape.hidden, shape.heads));
  return shape;
}

Stack tower_layers(const TowerShape& shape, Precision native, std::string_view prefix) {
  Block block;
  Attention attention;
  attention.heads = attention.kv_heads = shape.heads;
  attention.head_dim = attention.v_head_dim = shape.hidden / shape.heads;
  attention.qkv_bias = shape.qkv_bias;
  attention.o_bias = shape.o_bias;
  block.attention = attention;
  block.mlp.gated = shape.gated;
  block.mlp.bias = shape.mlp_bias;
  block.mlp.intermediate = shape.intermediate;
  block.norm_bias = shape.norm_bias;
  TensorNames names;
  names.norms = {"norm1", "norm2"};
  block.tensors = layer_tensors(block, shape.hidden, native, names);
  for (Tensor& tensor : block.tensors) tensor.part = Part::kVision;
  Stack stack;
  stack.hidden = shape.hidden;
  stack.layer_prefix = prefix;
  stack.blocks.push_back(std::move(block));
  stack.sequence.assign(static_cast<std::size_t>(shape.layers), 0);
  return stack;
}

// Qwen2.5-VL (arXiv 2502.13923): gated MLPs with biases, RMS norms, patches of two frames, a merger of 2 × 2 patches.
Result<Stack> read_qwen25_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(TowerShape shape, read_usual_shape(vision));
  shape.norm_bias = false;
  shape.gated = true;
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 2));
  RIDGE_TRY(const std::int64_t merge, vision.size_or("spatial_merge_size", 100, 2));
  RIDGE_TRY(const std::int64_t out, vision.size_or("out_hidden_size", kMaxHidden, hidden));
  Stack stack = tower_layers(shape, native, "visual.blocks.");
  TensorList list(native);
  list.table("visual.patch_embed.proj.weight", shape.hidden, patch, Part::kVision);
  const std::int64_t merged = shape.hidden * merge * merge;
  list.norm("visual.merger.ln_q", shape.hidden, false);
  list.linear("visual.merger.mlp.0", merged, merged, true, Part::kVision);
  list.linear("visual.merger.mlp.2", out, merged, true, Part::kVision);
  append(stack, list);
  return stack;
}

// Qwen2-VL (arXiv 2409.12191): plain MLPs of mlp_ratio × embed_dim, layer norms.
Result<Stack> read_qwen2_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  TowerShape shape;
  RIDGE_TRY(shape.layers, vision.size_or(kLayers, kMaxLayers, 32));
  RIDGE_TRY(shape.hidden, vision.size_or("embed_dim", kMaxHidden, 1280));
  RIDGE_TRY(shape.heads, vision.size_or(kHeads, kMaxHeads, 16));
  RIDGE_TRY(const std::int64_t ratio, vision.size_or("mlp_ratio", 100, 4));
  shape.intermediate = ratio * shape.hidden;
  if (shape.hidden % shape.heads != 0) return vision.error_at(kHidden, fmt::format("{} is not a multiple of {} heads", shape.hidden, shape.heads));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 2));
  RIDGE_TRY(const std::int64_t merge, vision.size_or("spatial_merge_size", 100, 2));
  Stack stack = tower_layers(shape, native, "visual.blocks.");
  TensorList list(native);
  list.table("visual.patch_embed.proj.weight", shape.hidden, patch, Part::kVision);
  const std::int64_t merged = shape.hidden * merge * merge;
  list.norm("visual.merger.ln_q", shape.hidden, true);
  list.linear("visual.merger.mlp.0", merged, merged, true, Part::kVision);
  list.linear("visual.merger.mlp.2", hidden, merged, true, Part::kVision);
  append(stack, list);
  return stack;
}

// Qwen3-VL and Qwen3.5: learned positions, and beside the merger one more for every layer that feeds the text model directly.
Result<Stack> read_qwen3_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(const TowerShape shape, read_usual_shape(vision));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 16, 2));
  RIDGE_TRY(const std::int64_t merge, vision.size_or("spatial_merge_size", 100, 2));
  RIDGE_TRY(const std::int64_t out, vision.size_or("out_hidden_size", kMaxHidden, hidden));
  RIDGE_TRY(const std::int64_t positions, vision.size_or("num_position_embeddings", kMaxVocabulary, 2304));
  RIDGE_TRY(const std::vector<std::int64_t> deep, vision.integers("deepstack_visual_indexes", 0, shape.layers - 1));
  if (static_cast<std::int64_t>(deep.size()) > shape.layers) return vision.error("deepstack_visual_indexes has more entries than the tower has layers");
  Stack stack = tower_layers(shape, native, "model.visual.blocks.");
  TensorList list(native);
  list.table("model.visual.patch_embed.proj.weight", shape.hidden, patch, Part::kVision);
  list.vector("model.visual.patch_embed.proj.bias", shape.hidden, Part::kVision);
  add_positions(list, "model.visual.pos_embed.weight", positions, shape.hidden);
  const std::int64_t merged = shape.hidden * merge * merge;
  const auto add_merger = [&](const std::string& module, std::int64_t normed) {
    list.norm(module + "norm", normed, true);
    list.linear(module + "linear_fc1", merged, merged, true, Part::kVision);
    list.linear(module + "linear_fc2", out, merged, true, Part::kVision);
  };
  add_merger("model.visual.merger.", shape.hidden);
  for (std::size_t i = 0; i < deep.size(); ++i) add_merger(fmt::format("model.visual.deepstack_merger_list.{}.", i), merged);
  append(stack, list);
  return stack;
}

// Gemma 3 (arXiv 2503.19786): SigLIP without its pooling head, then one matrix behind a norm.
Result<Stack> read_gemma_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(const TowerShape shape, read_usual_shape(vision));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 1));
  RIDGE_TRY(const std::int64_t count, patches(vision, 896, 14));
  Stack stack = tower_layers(shape, native, "vision_tower.vision_model.encoder.layers.");
  TensorList list(native);
  list.table("vision_tower.vision_model.embeddings.patch_embedding.weight", shape.hidden, patch, Part::kVision);
  list.vector("vision_tower.vision_model.embeddings.patch_embedding.bias", shape.hidden, Part::kVision);
  add_positions(list, "vision_tower.vision_model.embeddings.position_embedding.weight", count, shape.hidden);
  list.norm("vision_tower.vision_model.post_layernorm", shape.hidden, true);
  list.table("multi_modal_projector.mm_input_projection_weight", shape.hidden, hidden, Part::kVision);
  list.norm("multi_modal_projector.mm_soft_emb_norm", shape.hidden, false);
  append(stack, list);
  return stack;
}

// Kimi K2.5's MoonViT (Kimi-VL, arXiv 2504.07491): a learned grid of positions and a merger of 2 × 2 patches.
Result<Stack> read_moonvit_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(const TowerShape shape, read_usual_shape(vision));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 1));
  RIDGE_TRY(const std::int64_t height, vision.size_or("init_pos_emb_height", 10'000, 64));
  RIDGE_TRY(const std::int64_t width, vision.size_or("init_pos_emb_width", 10'000, 64));
  RIDGE_TRY(const std::vector<std::int64_t> kernel, vision.integers("merge_kernel_size", 1, 100));
  RIDGE_TRY(const std::int64_t out, vision.size_or("text_hidden_size", kMaxHidden, hidden));
  std::int64_t merged = shape.hidden;
  if (kernel.size() > 3) return vision.node().get("merge_kernel_size")->error("at most three sides are expected");
  for (std::int64_t side : kernel) merged *= side;
  if (kernel.empty()) merged *= 4;
  Stack stack = tower_layers(shape, native, "vision_tower.encoder.blocks.");
  TensorList list(native);
  list.table("vision_tower.patch_embed.proj.weight", shape.hidden, patch, Part::kVision);
  list.vector("vision_tower.patch_embed.proj.bias", shape.hidden, Part::kVision);
  add_positions(list, "vision_tower.patch_embed.pos_emb.weight", height * width, shape.hidden);
  list.norm("vision_tower.encoder.final_layernorm", shape.hidden, true);
  list.norm("mm_projector.pre_norm", shape.hidden, true);
  list.linear("mm_projector.proj.0", merged, merged, true, Part::kVision);
  list.linear("mm_projector.proj.2", out, merged, true, Part::kVision);
  append(stack, list);
  return stack;
}

// Llama 4: a class token, learned positions, an adapter of two matrices behind the pixel shuffle, one projector matrix.
Result<Stack> read_llama4_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  TowerShape shape;
  RIDGE_TRY(shape.layers, vision.size_or(kLayers, kMaxLayers, 34));
  RIDGE_TRY(shape.heads, vision.size_or(kHeads, kMaxHeads, 16));
  RIDGE_TRY(shape.hidden, vision.size_or(kHidden, kMaxHidden, 1408));
  RIDGE_TRY(shape.intermediate, vision.size_or(kIntermediate, kMaxIntermediate, 5632));
  if (shape.hidden % shape.heads != 0) return vision.error_at(kHidden, fmt::format("{} is not a multiple of {} heads", shape.hidden, shape.heads));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 1));
  RIDGE_TRY(const std::int64_t count, patches(vision, 336, 14));
  RIDGE_TRY(const std::int64_t adapter_in, vision.size_or("projector_input_dim", kMaxHidden, 4096));
  RIDGE_TRY(const std::int64_t adapter_out, vision.size_or("projector_output_dim", kMaxHidden, 4096));
  RIDGE_TRY(const std::int64_t out, vision.size_or("vision_output_dim", kMaxHidden, 4096));
  Stack stack = tower_layers(shape, native, "vision_model.model.layers.");
  TensorList list(native);
  list.table("vision_model.patch_embedding.linear.weight", shape.hidden, patch, Part::kVision);
  list.vector("vision_model.class_embedding", shape.hidden, Part::kVision);
  add_positions(list, "vision_model.positional_embedding_vlm", count + 1, shape.hidden);
  list.norm("vision_model.layernorm_pre", shape.hidden, true);
  list.norm("vision_model.layernorm_post", shape.hidden, true);
  list.matrix("vision_model.vision_adapter.mlp.fc1.weight", adapter_in, shape.intermediate, Part::kVision);
  list.matrix("vision_model.vision_adapter.mlp.fc2.weight", adapter_out, adapter_in, Part::kVision);
  list.matrix("multi_modal_projector.linear_1.weight", hidden, out, Part::kVision);
  append(stack, list);
  return stack;
}

// CLIP behind a projector of two matrices (LLaVA 1.5, arXiv 2310.03744): a class token and a norm on either side.
Result<Stack> read_clip_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(const TowerShape shape, read_usual_shape(vision));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 32, 1));
  RIDGE_TRY(const std::int64_t count, patches(vision, 224, 32));
  RIDGE_TRY(const std::string type, vision.text_or("model_type", "clip_vision_model"));
  const bool clip = type.starts_with("clip");
  Stack stack = tower_layers(shape, native, "vision_tower.vision_model.encoder.layers.");
  TensorList list(native);
  list.table("vision_tower.vision_model.embeddings.patch_embedding.weight", shape.hidden, patch, Part::kVision);
  if (!clip) list.vector("vision_tower.vision_model.embeddings.patch_embedding.bias", shape.hidden, Part::kVision);
  if (clip) list.vector("vision_tower.vision_model.embeddings.class_embedding", shape.hidden, Part::kVision);
  add_positions(list, "vision_tower.vision_model.embeddings.position_embedding.weight", count + (clip ? 1 : 0), shape.hidden);
  if (clip) list.norm("vision_tower.vision_model.pre_layrnorm", shape.hidden, true);
  list.norm("vision_tower.vision_model.post_layernorm", shape.hidden, true);
  list.linear("multi_modal_projector.linear_1", hidden, shape.hidden, true, Part::kVision);
  list.linear("multi_modal_projector.linear_2", hidden, hidden, true, Part::kVision);
  append(stack, list);
  return stack;
}

// GIT (Wang et al., 2022): CLIP's tower, one matrix and a norm into the text model.
Result<Stack> read_git_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(const TowerShape shape, read_usual_shape(vision));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 16, 1));
  RIDGE_TRY(const std::int64_t count, patches(vision, 224, 16));
  Stack stack = tower_layers(shape, native, "git.image_encoder.vision_model.encoder.layers.");
  TensorList list(native);
  list.table("git.image_encoder.vision_model.embeddings.patch_embedding.weight", shape.hidden, patch, Part::kVision);
  list.vector("git.image_encoder.vision_model.embeddings.class_embedding", shape.hidden, Part::kVision);
  add_positions(list, "git.image_encoder.vision_model.embeddings.position_embedding.weight", count + 1, shape.hidden);
  list.norm("git.image_encoder.vision_model.pre_layrnorm", shape.hidden, true);
  list.norm("git.image_encoder.vision_model.post_layernorm", shape.hidden, true);
  list.linear("git.visual_projection.visual_projection.0", hidden, shape.hidden, true, Part::kVision);
  list.norm("git.visual_projection.visual_projection.1", hidden, true);
  append(stack, list);
  return stack;
}

// MAIRA-2: DINOv2 (Oquab et al., 2023) with a learned scale per branch, and a projector of projector_n_layers hidden matrices.
Result<Stack> read_dino_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native) {
  TowerShape shape;
  RIDGE_TRY(shape.layers, vision.size(kLayers, kMaxLayers));
  RIDGE_TRY(shape.heads, vision.size(kHeads, kMaxHeads));
  RIDGE_TRY(shape.hidden, vision.size(kHidden, kMaxHidden));
  RIDGE_TRY(const std::int64_t ratio, vision.size_or("mlp_ratio", 100, 4));
  shape.intermediate = ratio * shape.hidden;
  if (shape.hidden % shape.heads != 0) return vision.error_at(kHidden, fmt::format("{} is not a multiple of {} heads", shape.hidden, shape.heads));
  RIDGE_TRY(shape.qkv_bias, vision.flag_or("qkv_bias", true));
  RIDGE_TRY(const std::int64_t patch, patch_elements(vision, 14, 1));
  RIDGE_TRY(const std::int64_t count, patches(vision, 224, 16));
  RIDGE_TRY(const std::int64_t depth, top.size_or("projector_n_layers", kMaxLayers, 1));
  Stack stack = tower_layers(shape, native, "vision_tower.encoder.layer.");
  TensorList scales(native);
  scales.vector("layer_scale1.lambda1", shape.hidden, Part::kVision);
  scales.vector("layer_scale2.lambda1", shape.hidden, Part::kVision);
  for (Tensor& tensor : scales.take()) stack.blocks[0].tensors.push_back(std::move(tensor));
  TensorList list(native);
  list.vector("vision_tower.embeddings.cls_token", shape.hidden, Part::kVision);
  list.vector("vision_tower.embeddings.mask_token", shape.hidden, Part::kVision);
  add_positions(list, "vision_tower.embeddings.position_embeddings", count + 1, shape.hidden);
  list.table("vision_tower.embeddings.patch_embeddings.projection.weight", shape.hidden, patch, Part::kVision);
  list.vector("vision_tower.embeddings.patch_embeddings.projection.bias", shape.hidden, Part::kVision);
  list.norm("vision_tower.layernorm", shape.hidden, true);
  list.linear("multi_modal_projector.layers.0", hidden, shape.hidden, true, Part::kVision);
  for (std::int64_t i = 0; i < depth; ++i) list.linear(fmt::format("multi_modal_projector.layers.{}", 2 * (i + 1)), hidden, hidden, true, Part::kVision);
  append(stack, list);
  return stack;
}

}  // namespace ridge::model
