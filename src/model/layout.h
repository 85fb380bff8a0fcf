// Layout: how one replica is spread over ranks, and who holds what. Invariant: every room asks here which share the fullest
// rank holds, so memory and time agree on it.
#pragma once

#include <cstdint>
#include <utility>

namespace ridge::model {

// World size of one replica = tensor × pipeline (expert parallelism reuses the tensor ranks: ep divides tensor). GQA heads
// replicate where tensor > kv heads; MLA's latent is replicated on every rank.
struct Layout {
  int tensor = 1;
  int pipeline = 1;
  int expert = 1;
  int ranks() const { return tensor * pipeline; }
  friend bool operator==(const Layout&, const Layout&) = default;
};

// Layers [first, second) of a pipeline stage. Each stage holds layers / stages; the remainder goes one each to the stages
// before the last, from the back, as the last one also holds the head: vLLM's default partition.
std::pair<std::int64_t, std::int64_t> stage_layers(std::int64_t layers, int stages, int stage);

// Indivisible units (heads, features) of the fullest of `ranks`: rounded up, so at least one where there is any.
inline std::int64_t rank_share(std::int64_t units, std::int64_t ranks) { return (units + ranks - 1) / ranks; }

}  // namespace ridge::model
