// Tensor: one weight of a network (or several alike: the experts of a layer) with its shape, how it is stored and how
// parallel ranks share it. Parameter counts, bytes on disk and bytes per rank are all sums over these, so they cannot disagree.
// Invariants: rows ≥ 1, columns ≥ 1, copies ≥ 1; elements() fits in int64 because config readers bound every dimension.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quantity/quantity.h"

namespace ridge::model {

// What a tensor belongs to: the rows of the table of parameters.
enum class Part {
  kEmbedding,
  kHead,
  kAttention,
  kLinearAttention,
  kDenseMlp,
  kRoutedExperts,
  kSharedExperts,
  kRouter,
  kNorms,
  kEncoder,
  kVision,
  kMtp,
  kOther
};
std::string_view name_of(Part part);  // "embedding", "routed experts", …

// How ranks of a tensor-parallel group share a matrix (Shoeybi et al., "Megatron-LM", 2019, section 3). Rows are output features.
enum class Split { kReplicated, kRows, kColumns };

// How the elements lie in the checkpoint. A scale (and a zero point) belongs to a tile of tile_rows × tile_columns
// elements; 0 means the whole extent of that dimension, so 0 × 0 is one scale per tensor and 1 × 0 one per output feature.
struct Storage {
  Precision format = Precision::kBf16;  // the number format of the elements
  int bits = 16;                        // of one element; packed without gaps
  int scale_bits = 0;                   // per tile
  int zero_bits = 0;                    // per tile
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  int tensor_bits = 0;        // beside the tiles, once per matrix: second-level scale, input scale, stored shape
  int column_bits = 0;        // once per input feature: GPTQ's g_idx
  int nested_scale_bits = 0;  // a scale of `nested_tiles` scales (bitsandbytes' double quantisation)
  std::int64_t nested_tiles = 0;

  bool quantised() const { return scale_bits != 0 || tensor_bits != 0 || bits < 16; }
  friend bool operator==(const Storage&, const Storage&) = default;
};
Storage plain_storage(Precision format);  // elements alone, no scales

// Bytes of one rows × columns matrix: elements, scales, zero points and what stands beside them.
Bytes stored_bytes(std::int64_t rows, std::int64_t columns, const Storage& storage);

struct Tensor {
  std::string name;                // within its layer or model: "self_attn.q_proj.weight"; of experts: "mlp.experts.*.up_proj.weight"
  std::int64_t rows = 1;           // output features
  std::int64_t columns = 1;        // input features; 1 for a vector
  std::int64_t copies = 1;         // alike: the experts of one layer
  std::int64_t active_copies = 1;  // multiplied per token: top-k of the experts, 0 for a table that is only looked up
  Part part = Part::kOther;
  Split split = Split::kReplicated;
  std::int64_t units = 1;    // indivisible pieces of the split dimension: heads, KV heads, features
  bool quantisable = false;  // a matrix of a linear layer, which quantisation methods may convert
  bool by_expert = false;    // copies are spread over expert-parallel ranks first
  bool slice = false;        // a further part of the fused tensor of the same name (k and v of qkv_proj, up of gate_up_proj)
  Storage storage;

  std::int64_t elements() const { return rows * columns * copies; }
  std::int64_t active_elements() const { return rows * columns * active_copies; }
  Bytes stored() const { return stored_bytes(rows, columns, storage) * copies; }
};

}  // namespace ridge::model
