#include "model/kv_cache.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::model {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 60;

// Elements without fractions of a byte: 4.25 or 4.5 bits with the scales of the format.
Bytes bytes_of(std::int64_t elements, Precision format) { return Bytes::from_double(static_cast<double>(elements) * bits_with_scales(format) / 8); }

// fp8 in the kernels that attend to picked tokens: the latent with one fp32 scale per 128 elements, the rotary part in bf16
// (FlashMLA README: 512 + 16 + 128 = 656 B).
Bytes picked_latent_bytes(const Attention& attention, Precision cache) {
  if (cache != Precision::kFp8) return bytes_of(attention.kv_lora_rank + attention.rope_dim, cache);
  return Bytes{attention.kv_lora_rank + rank_share(attention.kv_lora_rank, 128) * 4 + attention.rope_dim * 2};
}

Bytes index_bytes(const Indexer& indexer) { return Bytes{indexer.head_dim + rank_share(indexer.head_dim, 128) * 4}; }

Result<void> check(const Model& model, std::int64_t tokens, const Layout& layout, std::int64_t block) {
  if (tokens < 0) return fail("context", fmt::format("{} tokens are fewer than none", tokens));
  if (tokens > kMostTokens) return fail("context", fmt::format("{} tokens are more than the {} that can be counted here", tokens, kMostTokens));
  if (block < 1 || block > kMostTokens) return fail("block", fmt::format("a KV block of {} tokens is none", block), "Engines use 16 to 128.");
  if (layout.tensor < 1 || layout.pipeline < 1) return fail("layout", "tensor and pipeline parallelism are at least 1");
  if (model.text.sequence.empty()) {
    std::string missing;
    const auto add = [&missing](bool given, std::string_view name) {
      if (!given) missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
    add(model.layers.has_value(), "layers");
    add(model.hidden.has_value(), "hidden");
    add(model.heads.has_value(), "heads");
    return fail(model.name, fmt::format("the cache of a sequence needs what the description lacks: {}", missing.empty() ? "its layers" : missing),
                "Describe the model further: params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
  }
  for (const Block& kind : model.text.blocks)
    if (kind.cross && model.encoder)
      return fail(model.name, "the cache of its cross-attention grows with the encoder's input, whose length this question does not give");
  return {};
}

std::vector<LayerCache> layer_caches(const Model& model, Precision cache, const Layout& layout) {
  std::vector<LayerCache> layers;
  layers.reserve(model.text.blocks.size());
  for (const Block& block : model.text.blocks) layers.push_back(layer_cache(block, cache, model.native, layout));
  return layers;
}

}  // namespace

LayerCache attention_cache(const Attention& attention, Precision cache, const Layout& layout) {
  LayerCache layer;
  switch (attention.kind) {
    case AttentionKind::kNone:
    case AttentionKind::kLinear:
    case AttentionKind::kCross:
      return layer;
    case AttentionKind::kLatent:
      layer.per_token = attention.indexer ? picked_latent_bytes(attention, cache) : bytes_of(attention.kv_lora_rank + attention.rope_dim, cache);
      break;
    case AttentionKind::kCompressed:
      layer.per_token = bytes_of(attention.kv_lora_rank, cache);
      layer.window = attention.window;
      layer.compress_ratio = attention.compress_ratio;
      break;
    case AttentionKind::kSliding:
    case AttentionKind::kChunked:
      layer.window = attention.window;
      layer.aligned = attention.kind == AttentionKind::kChunked;
      [[fallthrough]];
    case AttentionKind::kFull:
      layer.per_token = bytes_of(rank_share(attention.kv_heads, layout.tensor) * (attention.head_dim + attention.v_head_dim), cache);
      break;
  }
  if (attention.indexer) layer.index_per_token = index_bytes(*attention.indexer);
  return layer;
}

LayerCache layer_cache(const Block& block, Precision cache, Precision native, const Layout& layout) {
  LayerCache layer;
  if (block.attention && !block.attention->reuses_kv) layer = attention_cache(*block.attention, cache, layout);
  if (block.linear && block.linear->kind != LinearKind::kLinear) {
    const LinearMixer& mixer = *block.linear;
    layer.state = bytes_of(rank_share(mixer.heads, layout.tensor) * mixer.value_dim * mixer.key_dim, mixer.state) +
                  bytes_of(rank_share(mixer.conv_state_elements(), layout.tensor), native);
  }
  return layer;
}

Bytes cache_of(const LayerCache& layer, std::int64_t tokens, std::int64_t block) {
  const auto blocks = [block](std::int64_t count) { return (count + block - 1) / block; };
  std::int64_t held = blocks(tokens);
  if (layer.window > 0 && tokens > layer.window) held = std::min(held, blocks(layer.window) + (layer.aligned || block == 1 ? 0 : 1));
  Bytes bytes = layer.state + layer.per_token * held * block;
  if (layer.compress_ratio > 0) {
    const std::int64_t entries = blocks(tokens / layer.compress_ratio) * block;
    bytes += (layer.per_token + layer.index_per_token) * entries;
  } else {
    bytes += layer.index_per_token * blocks(tokens) * block;
  }
  return bytes;
}

Result<Bytes> kv_bytes(const Model& model, Precision cache, std::int64_t tokens, const Layout& layout, std::int64_t block) {
  RIDGE_TRY_VOID(check(model, tokens, layout, block));
  std::vector<Bytes> of_block;
  of_block.reserve(model.text.blocks.size());
  for (const LayerCache& layer : layer_caches(model, cache, layout)) of_block.push_back(cache_of(layer, tokens, block));
  Bytes most{};
  for (int stage = 0; stage < layout.pipeline; ++stage) {
    const auto [first, last] = stage_layers(model.text.layers(), layout.pipeline, stage);
    Bytes sum{};
    for (std::int64_t layer = first; layer < last; ++layer) sum += of_block[static_cast<std::size_t>(model.text.sequence[static_cast<std::size_t>(layer)])];
    most = std::max(most, sum);
  }
  return most;
}

Result<std::vector<CacheKind>> cache_by_kind(const Model& model, Precision cache, std::int64_t tokens, const Layout& layout, std::int64_t block) {
  RIDGE_TRY_VOID(check(model, tokens, layout, block));
  const std::vector<LayerCache> layers = layer_caches(model, cache, layout);
  std::vector<CacheKind> kinds;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string_view mixer = mixer_literal(model.text.blocks[i]);
    const std::int64_t count = model.text.count_of(i);
    if (count == 0) continue;
    // Blocks that differ in their MLP alone are one kind of cache.
    const auto same = std::ranges::find_if(kinds, [&](const CacheKind& kind) { return kind.mixer == mixer && kind.layer == layers[i]; });
    CacheKind& kind = same != kinds.end() ? *same : kinds.emplace_back(CacheKind{mixer, 0, layers[i], {}});
    kind.layers += count;
    kind.bytes += cache_of(layers[i], tokens, block) * count;
  }
  return kinds;
}

std::string_view mixer_literal(const Block& block) {
  if (block.attention && block.linear) return "attention + linear";
  if (block.linear) return name_of(block.linear->kind);
  if (!block.attention) return block.cross ? "cross" : "none";
  if (!block.attention->indexer) return name_of(block.attention->kind);
  return block.attention->kind == AttentionKind::kLatent ? "latent, indexed" : "compressed, indexed";
}

}  // namespace ridge::model
