// Llama 3.2 Vision (MllamaForConditionalGeneration of the transformers library): a text model some of whose layers attend
// to the image alone, and a tower of local and global layers over up to max_num_tiles tiles.
#include <fmt/format.h>

#include <algorithm>

#include "model/config_reading.h"
#include "model/config_tower.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

constexpr std::int64_t kExtraWords = 8;  // rows of the embedding beyond vocab_size: the image token and its neighbours
constexpr std::string_view kLayers[] = {"num_hidden_layers"};
constexpr std::string_view kHeads[] = {"attention_heads"};
constexpr std::string_view kIntermediate[] = {"intermediate_size"};

}  // namespace

Result<void> read_mllama_text(Reading& reading, const Traits& traits) {
  const ConfigFields& config = reading.config;
  RIDGE_TRY(const Dimensions d, read_dimensions(reading, traits));
  RIDGE_TRY(const Attention attention, read_attention(config, traits, d));
  RIDGE_TRY(const std::vector<std::int64_t> crossing, config.integers("cross_attention_layers", 0, d.layers - 1));
  Block self;
  self.attention = attention;
  self.mlp.intermediate = d.intermediate;
  Block cross = self;
  cross.attention.reset();
  cross.cross = attention;
  cross.cross->kind = AttentionKind::kCross;
  cross.cross->qk_norm = QkNorm::kHead;
  cross.scalar_gates = 2;
  for (std::int64_t i = 0; i < d.layers; ++i) {
    const bool crosses = std::find(crossing.begin(), crossing.end(), i) != crossing.end();
    RIDGE_TRY_VOID(add_layer(reading, crosses ? cross : self));
  }
  TensorList extra(reading.model.native);
  extra.table(reading.names.embedding + ".weight", kExtraWords, d.hidden, Part::kEmbedding).active_copies = 0;
  reading.extra = extra.take();
  reading.extra.back().slice = true;
  set_summary(reading.model, d, attention);
  return {};
}

Result<Stack> read_mllama_tower(const ConfigFields& vision, const ConfigFields&, std::int64_t hidden, Precision native) {
  RIDGE_TRY(TowerShape shape, read_tower_shape(vision, kLayers, kHeads, key::kHidden, kIntermediate));
  shape.qkv_bias = shape.o_bias = false;
  RIDGE_TRY(const std::int64_t global, vision.size_or("num_global_layers", kMaxLayers, 8));
  RIDGE_TRY(const std::int64_t image, vision.size_or("image_size", kMaxImageSide, 448));
  RIDGE_TRY(const std::int64_t patch, vision.size_or("patch_size", kMaxImageSide, 14));
  RIDGE_TRY(const std::int64_t channels, vision.size_or("num_channels", 1000, 3));
  RIDGE_TRY(const std::int64_t tiles, vision.size_or("max_num_tiles", 1000, 4));
  const std::optional<formats::NodeRef> ratios = vision.node().get("supported_aspect_ratios");
  const std::int64_t arrangements = (ratios ? static_cast<std::int64_t>(ratios->size()) : 8) + 1;
  if (patch > image) return vision.error(fmt::format("patch_size {} is larger than image_size {}", patch, image));
  const std::int64_t side = image / patch;
  const std::int64_t positions = side * side + 1;
  RIDGE_TRY(const std::int64_t out, vision.size_or("vision_output_dim", kMaxHidden, 7680));

  Stack stack = tower_layers(shape, native, "vision_model.transformer.layers.");
  Block gated = stack.blocks[0];
  gated.scalar_gates = 2;
  TensorList gates(native);
  gates.vector("gate_attn", 1, Part::kVision);
  gates.vector("gate_ffn", 1, Part::kVision);
  for (Tensor& tensor : gates.take()) gated.tensors.push_back(std::move(tensor));
  stack.blocks.push_back(std::move(gated));
  stack.sequence.insert(stack.sequence.end(), static_cast<std::size_t>(global), 1);

  TensorList list(native);
  const std::int64_t width = shape.hidden;
  list.vector("vision_model.class_embedding", width, Part::kVision);
  list.table("vision_model.patch_embedding.weight", width, channels * patch * patch, Part::kVision);
  list.table("vision_model.gated_positional_embedding.embedding", positions, width, Part::kVision).active_copies = 0;
  list.vector("vision_model.gated_positional_embedding.gate", 1, Part::kVision);
  list.table("vision_model.gated_positional_embedding.tile_embedding.weight", arrangements * tiles, positions * width, Part::kVision).active_copies = 0;
  for (const char* name : {"pre_tile", "post_tile"}) {
    list.table(fmt::format("vision_model.{}_positional_embedding.embedding.weight", name), arrangements, tiles * width, Part::kVision).active_copies = 0;
    list.vector(fmt::format("vision_model.{}_positional_embedding.gate", name), 1, Part::kVision);
  }
  list.norm("vision_model.layernorm_pre", width, true, Part::kVision);
  list.norm("vision_model.layernorm_post", width, true, Part::kVision);
  list.linear("multi_modal_projector", hidden, out, true, Part::kVision);
  stack.tensors = list.take();
  return stack;
}

}  // namespace ridge::model
