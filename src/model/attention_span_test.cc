#include "model/attention_span.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::model {
namespace {

Attention of_kind(AttentionKind kind, std::int64_t window = 0) {
  Attention attention;
  attention.kind = kind;
  attention.window = window;
  return attention;
}

// The sums written out, position by position.
double counted(std::int64_t context, std::int64_t new_tokens, auto seen) {
  double sum = 0;
  for (std::int64_t p = context; p < context + new_tokens; ++p) sum += static_cast<double>(seen(p));
  return sum;
}

TEST(CappedSum, IsTheSumWrittenOut) {
  for (const std::int64_t step : {1, 2, 4, 7})
    for (const std::int64_t cap : {1, 3, 10, 1000})
      for (std::int64_t n = 0; n <= 60; ++n) {
        double sum = 0;
        for (std::int64_t p = 1; p <= n; ++p) sum += static_cast<double>(std::min(p / step, cap));
        ASSERT_EQ(capped_sum(n, step, cap), sum) << n << " in steps of " << step << " up to " << cap;
      }
}

TEST(AttentionSpan, OfOneTokenIsItsContextAndItself) {
  const AttentionSpan span = attention_span(of_kind(AttentionKind::kFull), 4096, 1);
  EXPECT_EQ(span.pairs, 4097);
  EXPECT_EQ(span.cached, 4096);
}

TEST(AttentionSpan, OfAPromptIsHalfTheSquare) {
  EXPECT_EQ(attention_span(of_kind(AttentionKind::kFull), 0, 1000).pairs, 1000.0 * 1001 / 2);
  EXPECT_EQ(attention_span(of_kind(AttentionKind::kFull), 0, 1000).cached, 0);
}

TEST(AttentionSpan, OfChunksOfAPromptAddsUpToThePrompt) {
  for (const AttentionKind kind : {AttentionKind::kFull, AttentionKind::kSliding, AttentionKind::kChunked}) {
    const Attention attention = of_kind(kind, 100);
    const double whole = attention_span(attention, 0, 1000).pairs;
    EXPECT_EQ(attention_span(attention, 0, 300).pairs + attention_span(attention, 300, 700).pairs, whole) << name_of(kind);
  }
}

TEST(AttentionSpan, OfAWindowIsTheSumWrittenOut) {
  for (const std::int64_t context : {0, 5, 99, 100, 101, 1000})
    for (const std::int64_t tokens : {1, 2, 50, 300}) {
      const AttentionSpan sliding = attention_span(of_kind(AttentionKind::kSliding, 100), context, tokens);
      EXPECT_EQ(sliding.pairs, counted(context, tokens, [](std::int64_t p) { return std::min<std::int64_t>(p + 1, 100); }));
      EXPECT_EQ(sliding.cached, std::min<std::int64_t>(context, 99)) << "with itself a token sees 100";
      const AttentionSpan chunked = attention_span(of_kind(AttentionKind::kChunked, 100), context, tokens);
      EXPECT_EQ(chunked.pairs, counted(context, tokens, [](std::int64_t p) { return p % 100 + 1; }));
      EXPECT_EQ(chunked.cached, context % 100);
    }
}

TEST(AttentionSpan, OfAnIndexerScoresAllAndAttendsToTheBest) {
  Attention attention = of_kind(AttentionKind::kLatent);
  attention.indexer = Indexer{64, 128, 2048};
  const AttentionSpan far = attention_span(attention, 100'000, 1);
  EXPECT_EQ(far.pairs, 2048);
  EXPECT_EQ(far.cached, 2048);
  EXPECT_EQ(far.index_pairs, 100'001);
  EXPECT_EQ(far.index_cached, 100'000);
  const AttentionSpan near = attention_span(attention, 1000, 1);
  EXPECT_EQ(near.pairs, 1001) << "what is there is fewer than it may pick";
  EXPECT_EQ(near.cached, 1000);
  EXPECT_EQ(attention_span(attention, 100'000, 10).cached, 20'480) << "each token picks its own";
  EXPECT_EQ(attention_span(attention, 100'000, 100).cached, 100'000);
}

TEST(AttentionSpan, OfCompressedAttentionIsTheWindowAndTheEntriesBeyond) {
  Attention attention = of_kind(AttentionKind::kCompressed, 128);
  attention.compress_ratio = 4;
  attention.indexer = Indexer{64, 128, 512};
  for (const std::int64_t context : {0, 3, 127, 500, 2047, 2048, 10'000})
    for (const std::int64_t tokens : {1, 9, 400})
      EXPECT_EQ(attention_span(attention, context, tokens).pairs,
                counted(context, tokens, [](std::int64_t p) { return std::min<std::int64_t>(p + 1, 128) + std::min<std::int64_t>((p + 1) / 4, 512); }));
  EXPECT_EQ(attention_span(attention, 10'000, 1).cached, 127 + 512);
  EXPECT_EQ(attention_span(attention, 10'000, 1).index_cached, 2500);
  attention.compress_ratio = 0;
  attention.indexer.reset();
  EXPECT_EQ(attention_span(attention, 10'000, 1).pairs, 128) << "a layer with the window only";
}

TEST(AttentionSpan, HoldsAtLengthsThatNoIntegerSquareDoes) {
  EXPECT_NEAR(attention_span(of_kind(AttentionKind::kFull), 0, 1'000'000'000'000).pairs / 5e23, 1, 1e-9);
}

}  // namespace
}  // namespace ridge::model
