// The piece of a tensor that the fullest rank of a layout holds, and how an engine stores it. Weights in memory and weights
// read in a step are both made of it.
#pragma once

#include <optional>

#include "model/layout.h"
#include "model/tensor.h"

namespace ridge::model {

struct Shard {
  std::int64_t rows = 1;     // of one copy on this rank
  std::int64_t columns = 1;  // of one copy on this rank
  std::int64_t copies = 1;   // on this rank
  std::int64_t elements() const { return rows * columns * copies; }
};

// Experts are spread over layout.expert ranks first; a matrix is then split over the ranks that are left (all of the tensor
// group where it is no expert's). A split dimension falls apart into `units` only, so key and value heads replicate.
Shard shard_of(const Tensor& tensor, const Layout& layout);

// How an engine holds a matrix that it was asked to hold in `format`: with the scales that such checkpoints usually have.
Storage engine_storage(Precision format);

// Absent: as the checkpoint stores it. Given, with 16 bits or more: in that format, as an engine casts the whole model.
// Given with fewer: matrices of linear layers but the head's in that format, all else as the checkpoint stores it.
Storage storage_in(const Tensor& tensor, std::optional<Precision> format);

// Bytes of the shard in a storage.
Bytes shard_bytes(const Shard& shard, const Storage& storage);

}  // namespace ridge::model
