#include "model/shard.h"

#include <algorithm>

namespace ridge::model {
namespace {

std::int64_t split(std::int64_t extent, std::int64_t units, std::int64_t ways) {
  if (ways <= 1) return extent;
  const std::int64_t unit = rank_share(extent, std::max<std::int64_t>(units, 1));
  return std::min(extent, unit * rank_share(std::max<std::int64_t>(units, 1), ways));
}

}  // namespace

Shard shard_of(const Tensor& tensor, const Layout& layout) {
  Shard shard{tensor.rows, tensor.columns, tensor.copies};
  std::int64_t ways = layout.tensor;
  if (tensor.by_expert) {
    shard.copies = rank_share(tensor.copies, layout.expert);
    ways = std::max(1, layout.tensor / layout.expert);
  }
  if (tensor.split == Split::kRows) shard.rows = split(tensor.rows, tensor.units, ways);
  if (tensor.split == Split::kColumns) shard.columns = split(tensor.columns, tensor.units, ways);
  return shard;
}

Storage engine_storage(Precision format) {
  Storage storage = plain_storage(format);
  switch (format) {
    case Precision::kFp64:
    case Precision::kFp32:
    case Precision::kTf32:
    case Precision::kFp16:
    case Precision::kBf16:
    case Precision::kFp6:
    case Precision::kFp4:
      break;
    case Precision::kFp8:  // one fp32 scale per matrix (vLLM's fp8 without a checkpoint of its own)
      storage.tensor_bits = 32;
      break;
    case Precision::kInt8:  // one fp32 scale per output feature (compressed-tensors, int-quantized W8A8)
      storage.scale_bits = 32;
      storage.tile_rows = 1;
      break;
    case Precision::kInt4:  // one fp16 scale per 128 inputs of an output feature (GPTQ, AWQ; symmetric)
      storage.scale_bits = 16;
      storage.tile_rows = 1;
      storage.tile_columns = 128;
      break;
    case Precision::kMxFp8:
    case Precision::kMxFp6:
    case Precision::kMxFp4:  // OCP Microscaling Formats v1.0, section 5.2: 8 bits per 32 elements
      storage.scale_bits = 8;
      storage.tile_rows = 1;
      storage.tile_columns = 32;
      break;
    case Precision::kNvFp4:  // an fp8 scale per 16 elements and one fp32 scale per matrix
      storage.scale_bits = 8;
      storage.tile_rows = 1;
      storage.tile_columns = 16;
      storage.tensor_bits = 32;
      break;
  }
  return storage;
}

Storage storage_in(const Tensor& tensor, std::optional<Precision> format) {
  if (!format || tensor.storage.format == *format) return tensor.storage;
  if (element_bits(*format) >= 16) return plain_storage(*format);
  return tensor.quantisable && tensor.part != Part::kHead ? engine_storage(*format) : tensor.storage;
}

Bytes shard_bytes(const Shard& shard, const Storage& storage) { return stored_bytes(shard.rows, shard.columns, storage) * shard.copies; }

}  // namespace ridge::model
