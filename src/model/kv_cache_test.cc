#include "model/kv_cache.h"

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

Block attention_block(AttentionKind kind, std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim, std::int64_t window = 0) {
  Block block;
  Attention attention;
  attention.kind = kind;
  attention.heads = heads;
  attention.kv_heads = kv_heads;
  attention.head_dim = attention.v_head_dim = head_dim;
  attention.window = window;
  block.attention = attention;
  return block;
}

Block latent_block(bool indexed) {  // DeepSeek-V3's dimensions; V3.2's indexer
  Block block = attention_block(AttentionKind::kLatent, 128, 128, 192);
  block.attention->kv_lora_rank = 512;
  block.attention->rope_dim = 64;
  if (indexed) block.attention->indexer = Indexer{64, 128, 2048};
  return block;
}

Model stack_of(std::vector<Block> blocks, std::vector<std::int32_t> sequence) {
  Model model;
  model.name = "test";
  model.text.blocks = std::move(blocks);
  model.text.sequence = std::move(sequence);
  return model;
}

Model uniform(Block block, int layers) { return stack_of({std::move(block)}, std::vector<std::int32_t>(static_cast<std::size_t>(layers), 0)); }

std::int64_t bytes(const Model& model, std::int64_t tokens, Precision cache = Precision::kBf16, Layout layout = {}, std::int64_t block = 1) {
  const Result<Bytes> result = kv_bytes(model, cache, tokens, layout, block);
  EXPECT_TRUE(result) << to_string(result.error());
  return result ? result->count : -1;
}

TEST(KvBytes, OfManyHeadsIsTwiceHiddenPerTokenAndLayer) {
  // 32 layers, hidden 4096, 32 heads of 128, 2,048 tokens, fp16: exactly 1 GiB.
  EXPECT_EQ(bytes(uniform(attention_block(AttentionKind::kFull, 32, 32, 128), 32), 2048, Precision::kFp16), 1'073'741'824);
}

TEST(KvBytes, OfGroupedHeadsCountsKeyValueHeadsAlone) {
  const Model model = uniform(attention_block(AttentionKind::kFull, 32, 8, 128), 32);
  EXPECT_EQ(bytes(model, 1), 131'072);
  EXPECT_EQ(bytes(model, 4096) * 64, 34'359'738'368) << "64 requests of 4,096 tokens";
  EXPECT_EQ(bytes(model, 4096, Precision::kFp8) * 2, bytes(model, 4096));
  EXPECT_EQ(bytes(model, 0), 0);
}

TEST(KvBytes, SplitsHeadsOverTensorRanksAndReplicatesThemBeyond) {
  const Model model = uniform(attention_block(AttentionKind::kFull, 32, 8, 128), 32);
  EXPECT_EQ(bytes(model, 1000, Precision::kBf16, {.tensor = 4}) * 4, bytes(model, 1000));
  EXPECT_EQ(bytes(model, 1000, Precision::kBf16, {.tensor = 16}) * 8, bytes(model, 1000)) << "one head on each of 16 ranks";
}

TEST(KvBytes, OfMixedKeyAndValueWidthsCountsBoth) {
  Block block = attention_block(AttentionKind::kFull, 16, 2, 192);
  block.attention->v_head_dim = 128;
  EXPECT_EQ(bytes(uniform(block, 1), 1), 2 * (192 + 128) * 2);
}

TEST(KvBytes, OfSlidingLayersStopsAtTheWindow) {
  // Gemma 3 27B: 52 sliding layers of window 1,024 and 10 full ones, 16 KV heads of 128.
  std::vector<std::int32_t> sequence;
  for (int i = 0; i < 62; ++i) sequence.push_back(i % 6 == 5 ? 1 : 0);
  const Model model = stack_of({attention_block(AttentionKind::kSliding, 32, 16, 128, 1024), attention_block(AttentionKind::kFull, 32, 16, 128)}, sequence);
  constexpr std::int64_t kPerToken = 2 * 16 * 128 * 2;
  EXPECT_EQ(bytes(model, 1000), 62 * 1000 * kPerToken);
  EXPECT_EQ(bytes(model, 131072), (52 * 1024 + 10 * 131072) * kPerToken);
}

TEST(KvBytes, OfChunkedLayersHoldsAtMostOneChunk) {
  const Model model = uniform(attention_block(AttentionKind::kChunked, 40, 8, 128, 8192), 1);
  EXPECT_EQ(bytes(model, 100'000), bytes(model, 8192));
}

TEST(KvBytes, OfLatentAttentionIsOneCopyOnEveryRank) {
  const Model model = uniform(latent_block(false), 61);
  EXPECT_EQ(bytes(model, 1), 61 * 576 * 2) << "70,272 B a token";
  EXPECT_EQ(bytes(model, 1, Precision::kBf16, {.tensor = 8}), 61 * 576 * 2);
  EXPECT_EQ(bytes(model, 1, Precision::kFp8), 61 * 576);
}

TEST(KvBytes, OfIndexedLatentAttentionAddsTheIndexersKeys) {
  const Model model = uniform(latent_block(true), 61);
  EXPECT_EQ(bytes(model, 1), 61 * (576 * 2 + 132));
  EXPECT_EQ(bytes(model, 1, Precision::kFp8), 61 * (656 + 132)) << "the sparse kernel's fp8 layout keeps the rotary part in bf16";
}

TEST(KvBytes, OfCompressedAttentionIsAWindowAndOneEntryPerRatio) {
  Block block = attention_block(AttentionKind::kCompressed, 64, 1, 512, 128);
  block.attention->kv_lora_rank = 512;
  block.attention->compress_ratio = 4;
  block.attention->indexer = Indexer{64, 128, 512};
  EXPECT_EQ(bytes(uniform(block, 1), 100), 100 * 1024 + 25 * (1024 + 132));
  EXPECT_EQ(bytes(uniform(block, 1), 4000), 128 * 1024 + 1000 * (1024 + 132));
}

TEST(KvBytes, OfLinearMixersDoesNotGrowWithTheSequence) {
  // Qwen3-Next: 32 value heads of 128 × 128 in fp32, a convolution of 4 over 2 × 16 × 128 + 32 × 128 = 8,192 channels.
  Block block;
  block.linear =
      LinearMixer{.kind = LinearKind::kGatedDelta, .heads = 32, .key_heads = 16, .key_dim = 128, .value_dim = 128, .conv_kernel = 4, .conv_channels = 8192};
  const Model model = uniform(block, 36);
  constexpr std::int64_t kLayer = 32 * 128 * 128 * 4 + 3 * 8192 * 2;
  EXPECT_EQ(bytes(model, 1), 36 * kLayer);
  EXPECT_EQ(bytes(model, 262'144), 36 * kLayer);
  EXPECT_EQ(bytes(model, 1, Precision::kFp8), 36 * kLayer) << "the state keeps its own precision";
  EXPECT_EQ(bytes(model, 1, Precision::kBf16, {.tensor = 2}), 36 * kLayer / 2);
}

TEST(KvBytes, OfALayerThatReusesAnothersCacheIsNone) {
  Block reusing = attention_block(AttentionKind::kFull, 8, 2, 64);
  reusing.attention->reuses_kv = true;
  const Model model = stack_of({attention_block(AttentionKind::kFull, 8, 2, 64), reusing}, {0, 1, 1, 1});
  EXPECT_EQ(bytes(model, 10), 10 * 2 * 2 * 64 * 2);
}

TEST(KvBytes, RoundsUpToWholeBlocks) {
  const Model full = uniform(attention_block(AttentionKind::kFull, 32, 8, 128), 1);
  constexpr std::int64_t kPerToken = 2 * 8 * 128 * 2;
  EXPECT_EQ(bytes(full, 1, Precision::kBf16, {}, 16), 16 * kPerToken);
  EXPECT_EQ(bytes(full, 4096, Precision::kBf16, {}, 16), 4096 * kPerToken);
  EXPECT_EQ(bytes(full, 4097, Precision::kBf16, {}, 16), 4112 * kPerToken);
  const Model sliding = uniform(attention_block(AttentionKind::kSliding, 32, 8, 128, 128), 1);
  EXPECT_EQ(bytes(sliding, 100, Precision::kBf16, {}, 16), 112 * kPerToken);
  EXPECT_EQ(bytes(sliding, 5000, Precision::kBf16, {}, 16), 144 * kPerToken) << "the window may begin inside a block";
}

TEST(KvBytes, OfAPipelineIsTheFullestStages) {
  const Block full = attention_block(AttentionKind::kFull, 32, 8, 128);
  const std::int64_t layer = bytes(uniform(full, 1), 100);
  EXPECT_EQ(bytes(uniform(full, 61), 100, Precision::kBf16, {.pipeline = 4}), 16 * layer);
  Block none;
  const Model uneven = stack_of({full, none}, {0, 0, 0, 1, 1, 1});
  EXPECT_EQ(bytes(uneven, 100, Precision::kBf16, {.pipeline = 2}), 3 * layer) << "all attention lies in the first stage";
}

TEST(KvBytes, SaturatesInsteadOfWrapping) {
  const Model model = uniform(attention_block(AttentionKind::kFull, 32, 8, 128), 32);
  EXPECT_EQ(bytes(model, std::int64_t{1} << 60), Bytes::max().count);
}

TEST(KvBytes, SaysWhatTheDescriptionLacks) {
  Model model;
  model.name = "7e9";
  EXPECT_EQ(to_string(kv_bytes(model, Precision::kBf16, 1, {}).error()),
            "7e9: the cache of a sequence needs what the description lacks: layers, hidden, heads\n"
            "  Describe the model further: params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
  model.layers = 32;
  EXPECT_EQ(kv_bytes(model, Precision::kBf16, 1, {}).error().what, "the cache of a sequence needs what the description lacks: hidden, heads");
}

TEST(KvBytes, RefusesCrossAttentionOverAnEncoderOfUnknownLength) {
  Block block = attention_block(AttentionKind::kFull, 8, 8, 64);
  block.cross = block.attention;
  Model model = uniform(block, 2);
  EXPECT_TRUE(kv_bytes(model, Precision::kBf16, 1, {})) << "without an image the text model of a vision wrapper holds none";
  model.encoder = Stack{};
  EXPECT_EQ(kv_bytes(model, Precision::kBf16, 1, {}).error().what,
            "the cache of its cross-attention grows with the encoder's input, whose length this question does not give");
}

TEST(CacheByKind, JoinsBlocksThatDifferInTheirMlpAlone) {
  Block dense = attention_block(AttentionKind::kFull, 32, 8, 128);
  Block moe = dense;
  moe.mlp.kind = Mlp::Kind::kMoe;
  const Model model = stack_of({dense, moe, attention_block(AttentionKind::kSliding, 32, 8, 128, 128)}, {0, 1, 2, 1});
  const auto kinds = cache_by_kind(model, Precision::kBf16, 1000, {});
  ASSERT_TRUE(kinds);
  ASSERT_EQ(kinds->size(), 2u);
  EXPECT_EQ((*kinds)[0].mixer, "full");
  EXPECT_EQ((*kinds)[0].layers, 3);
  EXPECT_EQ((*kinds)[0].layer.per_token.count, 4096);
  EXPECT_EQ((*kinds)[0].bytes.count, 3 * 1000 * 4096);
  EXPECT_EQ((*kinds)[1].mixer, "sliding");
  EXPECT_EQ((*kinds)[1].bytes.count, 128 * 4096);
}

TEST(CacheByKind, AddsUpToTheWholeCacheOfOneStage) {
  Block linear;
  linear.linear =
      LinearMixer{.kind = LinearKind::kMamba2, .heads = 64, .key_heads = 8, .key_dim = 128, .value_dim = 64, .conv_kernel = 4, .conv_channels = 6144};
  const Model model = stack_of({attention_block(AttentionKind::kFull, 32, 2, 128), linear, latent_block(true)}, {1, 0, 1, 2, 1});
  for (const std::int64_t block : {1, 16}) {
    Bytes sum{};
    const auto kinds = cache_by_kind(model, Precision::kBf16, 777, {.tensor = 2}, block);
    ASSERT_TRUE(kinds);
    for (const CacheKind& kind : *kinds) sum += kind.bytes;
    EXPECT_EQ(sum.count, bytes(model, 777, Precision::kBf16, {.tensor = 2}, block));
  }
}

}  // namespace
}  // namespace ridge::model
