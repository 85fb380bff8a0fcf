#include "model/tensor.h"

#include <algorithm>

namespace ridge::model {

std::string_view name_of(Part part) {
  switch (part) {
    case Part::kEmbedding:
      return "embedding";
    case Part::kHead:
      return "head";
    case Part::kAttention:
      return "attention";
    case Part::kLinearAttention:
      return "linear attention";
    case Part::kDenseMlp:
      return "dense MLP";
    case Part::kRoutedExperts:
      return "routed experts";
    case Part::kSharedExperts:
      return "shared experts";
    case Part::kRouter:
      return "router";
    case Part::kNorms:
      return "norms";
    case Part::kEncoder:
      return "encoder";
    case Part::kVision:
      return "vision tower";
    case Part::kMtp:
      return "MTP modules";
    case Part::kOther:
      return "other";
  }
  return "";
}

Storage plain_storage(Precision format) {
  Storage storage;
  storage.format = format;
  storage.bits = element_bits(format);
  return storage;
}

Bytes stored_bytes(std::int64_t rows, std::int64_t columns, const Storage& storage) {
  const auto pieces = [](std::int64_t extent, std::int64_t tile) { return tile <= 0 ? 1 : (extent + tile - 1) / tile; };
  const std::int64_t tiles = pieces(rows, storage.tile_rows) * pieces(columns, storage.tile_columns);
  const auto bytes_of = [](std::int64_t bits) { return (bits + 7) / 8; };
  std::int64_t bytes = bytes_of(rows * columns * storage.bits);
  bytes += bytes_of(tiles * storage.scale_bits) + bytes_of(tiles * storage.zero_bits);
  if (storage.nested_scale_bits != 0) bytes += bytes_of(pieces(tiles, storage.nested_tiles) * storage.nested_scale_bits);
  bytes += bytes_of(storage.tensor_bits) + bytes_of(columns * storage.column_bits);
  return {bytes};
}

}  // namespace ridge::model
