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

}  // namespace ridge::model
