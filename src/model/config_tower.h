// Vision towers: a transformer over image patches, the embedding before it and the projector behind it, as a Stack whose
// tensors all count as Part::kVision.
#pragma once

#include <optional>
#include <string_view>

#include "model/config_fields.h"
#include "model/tensor_builder.h"

namespace ridge::model {

// `vision`: the tower's section; `top`: the whole config; `hidden`: width of the text model.
using TowerReader = Result<Stack> (*)(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);

Result<Stack> read_qwen25_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_qwen2_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_qwen3_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_gemma_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_moonvit_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_llama4_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_mllama_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_clip_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_git_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);
Result<Stack> read_dino_tower(const ConfigFields& vision, const ConfigFields& top, std::int64_t hidden, Precision native);

// The part that all share: `layers` equal transformer layers.
struct TowerShape {
  std::int64_t layers = 0, hidden = 0, heads = 0, intermediate = 0;
  bool qkv_bias = true, o_bias = true, mlp_bias = true, norm_bias = true, gated = false;
};
Result<TowerShape> read_tower_shape(const ConfigFields& vision, Aliases layers, Aliases heads, Aliases hidden, Aliases intermediate);
Stack tower_layers(const TowerShape& shape, Precision native, std::string_view prefix);

}  // namespace ridge::model
