// What a sequence keeps in memory, layer by layer: keys and values, MLA's latent, an indexer's keys, or a fixed state.
// Invariant: kv_bytes() is the sum of cache_of() over the layers of the fullest pipeline stage; nothing else sizes a cache.
//
//   per token and layer        full, sliding, chunked   kv_heads / tensor × (head_dim + v_head_dim)      heads replicate
//                              latent (MLA)             kv_lora_rank + rope_dim, one copy on every rank
//                              indexer (DSA)            one key of head_dim, in fp8 with a scale per 128
//   fixed, per layer           linear mixers            heads / tensor × value_dim × key_dim, and the convolution's inputs
//
// Sources: MLA: DeepSeek-V2, arXiv 2405.04434, section 2.1.2; FlashMLA's README for the fp8 layout of the sparse kernels;
// indexer: vLLM's cache of DeepSeek-V3.2 (132 B a token); states: the papers named at LinearKind.
#pragma once

#include <string_view>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace ridge::model {

// The cache of one layer on one rank.
struct LayerCache {
  Bytes per_token{};                // of what attention reads
  Bytes index_per_token{};          // an indexer's key, per entry that it may pick
  Bytes state{};                    // whatever the length
  std::int64_t window = 0;          // the latest tokens that are kept; 0: all of them
  bool aligned = false;             // the window begins at multiples of itself (chunked), so it never straddles one more block
  std::int64_t compress_ratio = 0;  // > 0: beside the window, one entry per so many tokens
  friend bool operator==(const LayerCache&, const LayerCache&) = default;
};

// `native` is the precision of a convolution's inputs. A layer that reuses another's cache holds none.
LayerCache layer_cache(const Block& block, Precision cache, Precision native, const Layout& layout);

// Of the attention alone, whether the layer holds the cache or reads an earlier layer's.
LayerCache attention_cache(const Attention& attention, Precision cache, const Layout& layout);

// Bytes of one layer at a length of `tokens`, rounded up to whole blocks of `block` tokens. A window that may begin inside
// a block spans one block more than its length (vLLM sizes it so).
Bytes cache_of(const LayerCache& layer, std::int64_t tokens, std::int64_t block);

// The cache by kind of layer, for people: all layers of the model as one rank of `layout` holds them (its share of heads).
struct CacheKind {
  std::string_view mixer;  // "full", "sliding", "latent", "mamba2", …
  std::int64_t layers = 0;
  LayerCache layer;
  Bytes bytes{};  // of all these layers at the length asked for
};
Result<std::vector<CacheKind>> cache_by_kind(const Model& model, Precision cache, std::int64_t tokens, const Layout& layout, std::int64_t block = 1);

// A literal for the mixer of a layer: "full", "sliding", "latent, indexed", "gated delta rule", "attention + linear", "none".
std::string_view mixer_literal(const Block& block);

}  // namespace ridge::model
