#include "model/attention_span.h"

#include <algorithm>
#include <limits>

namespace ridge::model {
namespace {

constexpr std::int64_t kNoCap = std::numeric_limits<std::int64_t>::max();

// Sum over p = 1 … n of floor(p / step): each value v < q stands `step` times (v = 0 once less), q = n / step the rest.
double floor_sum(std::int64_t n, std::int64_t step) {
  const std::int64_t whole = n / step;
  const double q = static_cast<double>(whole);
  const double rest = static_cast<double>(n % step + 1);
  return static_cast<double>(step) * q * (q - 1) / 2 + q * rest;
}

// Over positions context … context + new_tokens − 1, which see 1, 2, … tokens with themselves.
double sum_over_new(std::int64_t context, std::int64_t new_tokens, std::int64_t step, std::int64_t cap) {
  return capped_sum(context + new_tokens, step, cap) - capped_sum(context, step, cap);
}

// Pairs of tokens that see back to the beginning of their chunk: 1 … size, again and again.
double chunk_sum(std::int64_t n, std::int64_t size) {
  const std::int64_t chunks = n / size;
  const double width = static_cast<double>(size), rest = static_cast<double>(n % size);
  return static_cast<double>(chunks) * width * (width + 1) / 2 + rest * (rest + 1) / 2;
}

// What the first new token reads of `held` entries, and the others beyond it, when each may pick `top_k`.
std::int64_t picked(std::int64_t held, std::int64_t new_tokens, std::int64_t top_k) {
  return top_k > held / new_tokens ? held : std::min(held, new_tokens * top_k);
}

}  // namespace

double capped_sum(std::int64_t n, std::int64_t step, std::int64_t cap) {
  // floor(p / step) reaches cap at p = cap × step.
  if (cap > n / step) return floor_sum(n, step);
  const std::int64_t turn = cap * step;
  return floor_sum(turn - 1, step) + static_cast<double>(cap) * static_cast<double>(n - turn + 1);
}

AttentionSpan attention_span(const Attention& attention, std::int64_t context, std::int64_t new_tokens) {
  AttentionSpan span;
  const std::int64_t window = attention.window > 0 ? attention.window : kNoCap;
  switch (attention.kind) {
    case AttentionKind::kNone:
    case AttentionKind::kLinear:
    case AttentionKind::kCross:
      return span;
    case AttentionKind::kFull:
    case AttentionKind::kSliding: {
      const std::int64_t reach = attention.kind == AttentionKind::kSliding ? window : kNoCap;
      span.pairs = sum_over_new(context, new_tokens, 1, reach);
      span.cached = std::min(context, reach - 1);
      return span;
    }
    case AttentionKind::kChunked:
      if (window == kNoCap) {
        span.pairs = sum_over_new(context, new_tokens, 1, kNoCap);
        span.cached = context;
      } else {
        span.pairs = chunk_sum(context + new_tokens, window) - chunk_sum(context, window);
        span.cached = context % window;
      }
      return span;
    case AttentionKind::kLatent: {
      const std::int64_t top_k = attention.indexer ? attention.indexer->top_k : kNoCap;
      span.pairs = sum_over_new(context, new_tokens, 1, top_k);
      span.cached = picked(context, new_tokens, top_k);
      if (attention.indexer) {
        span.index_pairs = sum_over_new(context, new_tokens, 1, kNoCap);
        span.index_cached = context;
      }
      return span;
    }
    case AttentionKind::kCompressed: {
      span.pairs = sum_over_new(context, new_tokens, 1, window);
      span.cached = std::min(context, window - 1);
      if (attention.compress_ratio <= 0) return span;
      const std::int64_t entries = context / attention.compress_ratio;
      const std::int64_t top_k = attention.indexer ? attention.indexer->top_k : kNoCap;
      span.pairs += sum_over_new(context, new_tokens, attention.compress_ratio, top_k);
      span.cached += picked(entries, new_tokens, top_k);
      if (attention.indexer) {
        span.index_pairs = sum_over_new(context, new_tokens, attention.compress_ratio, kNoCap);
        span.index_cached = entries;
      }
      return span;
    }
  }
  return span;
}

}  // namespace ridge::model
