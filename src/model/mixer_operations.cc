#include <algorithm>

#include "model/attention_span.h"
#include "model/layer_operations.h"

namespace ridge::model {
namespace {

// Tokens that the chunked form of a linear mixer takes at once. Dao, Gu (2024), section 6 and the kernels of Mamba-2
// (256, Nemotron-H configures 128); flash-linear-attention's gated delta rule and lightning attention use 64.
std::int64_t chunk_of(LinearKind kind) { return kind == LinearKind::kMamba2 ? 128 : 64; }

// FLOP of one new token, recurrent form: what is done to each element of the state.
//   Mamba-2, lightning   h ← a·h + (Δx)·Bᵀ, y = h·C                decay 1, update 2, output 2
//   Mamba-1              as above with a, b made per element       exp(Δ·A) 2, Δ·B 1 on top
//   gated delta rule     S ← α·S, r = S·k, S ← S + β(v − r)kᵀ, S·q  decay 1, read 2, update 2, output 2
double recurrent_flops(const LinearMixer& mixer, double heads) {
  const double state = heads * static_cast<double>(mixer.value_dim) * static_cast<double>(mixer.key_dim);
  switch (mixer.kind) {
    case LinearKind::kMamba1:
      return 8 * state;
    case LinearKind::kMamba2:
    case LinearKind::kLightning:
      return 5 * state;
    case LinearKind::kGatedDelta:
      return 7 * state;
    case LinearKind::kLinear:
      return 0;
  }
  return 0;
}

// FLOP of one new token, chunked form with chunks of c tokens: matrix products of c × N and c × P blocks.
//   Mamba-2 (section 6.4)            C·Bᵀ per group, times x, state in and out
//   lightning                        the same, per head
//   gated delta rule (section 3.3)   K·Kᵀ, its inverse applied to K and V, Q·Kᵀ times the new values, three uses of the state
double chunked_flops(const LinearMixer& mixer, double heads, double groups, double chunk) {
  const double n = static_cast<double>(mixer.key_dim), p = static_cast<double>(mixer.value_dim);
  switch (mixer.kind) {
    case LinearKind::kMamba1:  // a scan: no matrix products
      return recurrent_flops(mixer, heads);
    case LinearKind::kMamba2:
      return groups * 2 * chunk * n + heads * (2 * chunk * p + 4 * n * p);
    case LinearKind::kLightning:
      return heads * (2 * chunk * n + 2 * chunk * p + 4 * n * p);
    case LinearKind::kGatedDelta:
      return heads * (6 * chunk * n + 4 * chunk * p + 6 * n * p);
    case LinearKind::kLinear:
      return 0;
  }
  return 0;
}

struct Heads {
  double q = 0, kv = 0;
};

Heads heads_of(const Attention& attention, const Layout& layout) {
  return {static_cast<double>(rank_share(attention.heads, layout.tensor)), static_cast<double>(rank_share(attention.kv_heads, layout.tensor))};
}

// Width of what one head multiplies per pair: a query with a key, and a probability with a value.
double pair_width(const StepContext& context, const Attention& attention) {
  if (attention.kind == AttentionKind::kCompressed) return static_cast<double>(2 * attention.kv_lora_rank);
  if (attention.kind == AttentionKind::kLatent && absorbs_latent(context, attention))
    return static_cast<double>(2 * attention.kv_lora_rank + attention.rope_dim);
  return static_cast<double>(attention.head_dim + attention.v_head_dim);
}

// Elements of queries, outputs, and keys and values that are not read from the cache, of all new tokens.
double activation_elements(const StepContext& context, const Attention& attention, const Heads& heads) {
  const double tokens = context.token_count();
  const double queries_and_outputs = tokens * heads.q * pair_width(context, attention);
  if (attention.reuses_kv) return queries_and_outputs;
  if (attention.kind == AttentionKind::kCompressed) return queries_and_outputs + tokens * static_cast<double>(attention.kv_lora_rank);
  if (attention.kind == AttentionKind::kLatent) {
    if (absorbs_latent(context, attention)) return queries_and_outputs + tokens * static_cast<double>(attention.kv_lora_rank + attention.rope_dim);
    // Keys and values of the whole sequence, made from its latents; the rotary part is one for all heads.
    const double sequence = static_cast<double>(context.step.batch) * static_cast<double>(context.step.context + context.step.new_tokens);
    return queries_and_outputs +
           sequence * (heads.q * static_cast<double>(attention.nope_dim + attention.v_head_dim) + static_cast<double>(attention.rope_dim));
  }
  return queries_and_outputs + tokens * heads.kv * static_cast<double>(attention.head_dim + attention.v_head_dim);
}

// What new tokens add to the cache.
Bytes written(const LayerCache& cache, std::int64_t tokens) {
  if (cache.compress_ratio <= 0) return (cache.per_token + cache.index_per_token) * tokens;
  return cache.per_token * tokens + (cache.per_token + cache.index_per_token) * (tokens / cache.compress_ratio);
}

// An indexer scores every entry with all its heads, on every rank, in fp8 (vLLM, DeepSeek-V3.2), and stores fp32 scores.
void add_indexer(const StepContext& context, std::string_view mixer, const Indexer& indexer, const AttentionSpan& span, Bytes key, std::int64_t count,
                 OperationList& list) {
  const double batch = static_cast<double>(context.step.batch);
  const double heads = static_cast<double>(indexer.heads), width = static_cast<double>(indexer.head_dim);
  Operation operation;
  operation.kind = OperationKind::kAttention;
  operation.name = "layers.indexer_scores";
  operation.mixer = mixer;
  operation.count = count;
  operation.compute = Precision::kFp8;
  operation.weight_format = context.wide;
  operation.m = context.step.new_tokens;
  operation.flops = Flop{2 * heads * width * span.index_pairs * batch};
  operation.kv_bytes = key * span.index_cached * context.step.batch;
  operation.activation_bytes = Bytes::from_double(context.token_count() * heads * width + batch * span.index_pairs * 2 * 4);
  list.add(operation);
}

}  // namespace

bool absorbs_latent(const StepContext& context, const Attention& attention) {
  if (context.step.phase == Phase::kDecode) return true;
  return attention.indexer && context.step.context + context.step.new_tokens > attention.indexer->top_k;
}

void add_attention(const StepContext& context, const Block& block, std::int64_t count, Bytes weights, OperationList& list) {
  const Attention& attention = *block.attention;
  if (attention.kind == AttentionKind::kNone || attention.kind == AttentionKind::kLinear) return;
  const Step& step = context.step;
  const std::string_view mixer = mixer_literal(block);
  const LayerCache cache = attention_cache(attention, step.kv_cache, context.layout);
  const AttentionSpan span = attention_span(attention, step.context, step.new_tokens);
  const double batch = static_cast<double>(step.batch);
  const Heads heads = heads_of(attention, context.layout);
  if (attention.indexer) add_indexer(context, mixer, *attention.indexer, span, cache.index_per_token, count, list);

  Operation operation;
  operation.kind = OperationKind::kAttention;
  operation.name = "layers.attention";
  operation.mixer = mixer;
  operation.count = count;
  operation.compute = context.wide;
  operation.weight_format = context.wide;
  operation.m = step.new_tokens;
  operation.flops = Flop{2 * heads.q * span.pairs * pair_width(context, attention) * batch};
  operation.weight_bytes = weights;
  operation.kv_bytes = cache.per_token * span.cached * step.batch;
  if (context.has_shapes) {
    operation.activation_bytes = Bytes::from_double(activation_elements(context, attention, heads) * context.wide_bytes);
    if (!attention.reuses_kv) operation.activation_bytes += written(cache, context.tokens);
  }
  list.add(operation);
}

void add_linear_mixer(const StepContext& context, const LinearMixer& mixer, std::int64_t count, Bytes weights, OperationList& list) {
  if (mixer.kind == LinearKind::kLinear) return;
  const Step& step = context.step;
  Block only;
  only.linear = mixer;
  const Bytes state = layer_cache(only, step.kv_cache, context.native, context.layout).state * step.batch;
  const double heads = static_cast<double>(rank_share(mixer.heads, context.layout.tensor));
  const double groups = static_cast<double>(rank_share(mixer.key_heads, context.layout.tensor));
  const double channels = static_cast<double>(rank_share(mixer.conv_channels, context.layout.tensor));
  const double inner = heads * static_cast<double>(mixer.value_dim);
  const double inputs = inner + 2 * groups * static_cast<double>(mixer.key_dim);

  Operation operation;
  operation.kind = OperationKind::kLinearAttention;
  operation.name = "layers.state";
  operation.mixer = name_of(mixer.kind);
  operation.count = count;
  operation.compute = context.wide;
  operation.weight_format = context.wide;
  operation.weight_bytes = weights;
  const std::int64_t chunk = std::min(chunk_of(mixer.kind), step.new_tokens);
  const bool recurrent = step.phase == Phase::kDecode || chunk == 1 || mixer.kind == LinearKind::kMamba1;
  const double per_token = recurrent ? recurrent_flops(mixer, heads) : chunked_flops(mixer, heads, groups, static_cast<double>(chunk));
  operation.flops = Flop{context.token_count() * (per_token + 2 * static_cast<double>(mixer.conv_kernel) * channels)};
  if (step.context > 0 || step.phase == Phase::kDecode) operation.kv_bytes = state;
  // Inputs, the gate and the output; the state written back; between chunks a state each, written and read in 16 bits.
  double activations = context.token_count() * (inputs + 2 * inner) * context.wide_bytes;
  if (!recurrent) {
    const std::int64_t chunks = (step.new_tokens + chunk - 1) / chunk;
    activations += 2 * static_cast<double>(step.batch) * static_cast<double>(chunks) * inner * static_cast<double>(mixer.key_dim) * 2;
  }
  operation.activation_bytes = Bytes::from_double(activations) + state;
  list.add(operation);
}

}  // namespace ridge::model
