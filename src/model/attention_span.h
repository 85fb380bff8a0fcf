// How far new tokens look back: the pairs of query and key that attention multiplies, and the cached entries it reads.
// Invariant: exact sums per sequence, never averages; new token number i (from 0) stands at position context + i and sees
// itself and what its kind of attention lets it see before itself.
#pragma once

#include <cstdint>

#include "model/architecture.h"

namespace ridge::model {

struct AttentionSpan {
  double pairs = 0;         // query-key pairs of one head over all new tokens
  std::int64_t cached = 0;  // entries of the cache that are read, each once
  double index_pairs = 0;   // pairs that an indexer scores, of one of its heads
  std::int64_t index_cached = 0;
};

AttentionSpan attention_span(const Attention& attention, std::int64_t context, std::int64_t new_tokens);

// Sum over p = 1 … n of min(floor(p / step), cap).
double capped_sum(std::int64_t n, std::int64_t step, std::int64_t cap);

}  // namespace ridge::model
