// Architecture: the shape of a network. Config readers (config*.cc), GGUF metadata and inline descriptions fill it; everything
// else in the room is computed from it. Invariant of a Model that load() returned: every dimension is within its limit,
// heads are multiples of kv_heads, and every index of a Stack's sequence is a block of that stack.
//
//   Model
//   ├─ text: Stack ── sequence: 0 0 1 0 0 1 …   (layer i is blocks[sequence[i]]: equal layers are described once)
//   │                └─ blocks: Block {attention?, linear?, mlp, tensors}
//   ├─ encoder?, vision?, mtp?: Stack           (mtp: multi-token-prediction modules, kept apart)
//   └─ given_parameters, layers, hidden, …      (what a bare count or an inline description gave)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/tensor.h"
#include "quantity/quantity.h"

namespace ridge::model {

enum class AttentionKind {
  kNone,
  kFull,
  kSliding,     // the last `window` tokens
  kChunked,     // within chunks of `window` tokens (Llama 4)
  kLatent,      // MLA: one latent of kv_lora_rank + rope_dim per token (DeepSeek-V2, arXiv 2405.04434, section 2.1)
  kCompressed,  // DeepSeek-V4: window of `window` tokens, and one entry per `compress_ratio` tokens beyond it
  kLinear,      // fixed state; the spec is Block::linear
  kCross        // over the output of an encoder or vision tower
};
std::string_view name_of(AttentionKind kind);  // "full", "sliding", "latent", …

enum class QkNorm {
  kNone,
  kHead,     // one vector of head_dim, shared by all heads (Qwen3, Gemma 3)
  kAllHeads  // one vector of heads × head_dim (OLMo 2, MiniMax-M2)
};

// DeepSeek sparse attention: a small scorer picks `top_k` past tokens (DeepSeek-V3.2-Exp report, section 2). Its keys are cached too.
struct Indexer {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t top_k = 0;
  friend bool operator==(const Indexer&, const Indexer&) = default;
};

struct Attention {
  AttentionKind kind = AttentionKind::kFull;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;    // of queries and keys; for kLatent: nope_dim + rope_dim
  std::int64_t v_head_dim = 0;  // of values
  std::int64_t window = 0;      // kSliding, kChunked, kCompressed; in tokens
  // kLatent; q_lora_rank 0: queries come from one full matrix. For kCompressed kv_lora_rank is the cached latent (rope part inside).
  std::int64_t q_lora_rank = 0;
  std::int64_t kv_lora_rank = 0;
  std::int64_t rope_dim = 0;
  std::int64_t nope_dim = 0;
  std::optional<Indexer> indexer;
  std::int64_t compress_ratio = 0;  // kCompressed: tokens per entry; 0: window only
  std::int64_t o_groups = 0;        // kCompressed: output projection in groups through o_lora_rank
  std::int64_t o_lora_rank = 0;
  bool qkv_bias = false;
  bool k_bias = true;  // with qkv_bias; false where keys alone have none (Whisper)
  bool o_bias = false;
  QkNorm qk_norm = QkNorm::kNone;
  bool qk_norm_bias = false;
  bool sinks = false;              // one learned logit per head (gpt-oss)
  bool output_gate = false;        // q_proj makes a gate as wide as the queries (Qwen3-Next)
  bool reuses_kv = false;          // attends to the cache of an earlier layer and holds none itself
  bool local_filter = false;       // two causal convolutions over pairs of tokens before queries and keys (Yuan 2.0)
  std::int64_t kv_source_dim = 0;  // kCross: width of what keys and values are made from

  std::int64_t q_width() const { return heads * head_dim; }
  std::int64_t k_width() const { return kv_heads * head_dim; }
  std::int64_t v_width() const { return kv_heads * v_head_dim; }
  std::int64_t o_width() const { return heads * v_head_dim; }
  friend bool operator==(const Attention&, const Attention&) = default;
};

enum class LinearKind {
  kMamba1,      // Gu, Dao, "Mamba", 2023
  kMamba2,      // Dao, Gu, "Transformers are SSMs", 2024
  kGatedDelta,  // Yang et al., "Gated Delta Networks", 2024 (Qwen3-Next, Qwen3.5)
  kLightning,   // MiniMax-Text-01
  kLinear       // one matrix in place of attention (Nemotron-NAS); no state
};
std::string_view name_of(LinearKind kind);  // "mamba2", "gated delta rule", …

// A mixer with a state of fixed size. The recurrent state is state_elements() per sequence and layer, kept in `state`
// precision; the causal convolution keeps the last conv_kernel − 1 inputs of conv_channels.
struct LinearMixer {
  LinearKind kind = LinearKind::kMamba2;
  std::int64_t heads = 0;        // value heads; Mamba-1: channels of the inner dimension
  std::int64_t key_heads = 0;    // key/query heads or Mamba groups
  std::int64_t key_dim = 0;      // per head: state size N of Mamba, key width of the delta rule
  std::int64_t value_dim = 0;    // per head
  std::int64_t conv_kernel = 0;  // 0: no convolution
  std::int64_t conv_channels = 0;
  std::int64_t dt_rank = 0;  // Mamba-1
  bool conv_bias = false;
  bool proj_bias = false;
  bool inner_norms = false;  // Mamba-1 of Jamba: norms on Δ, B and C
  Precision state = Precision::kFp32;

  std::int64_t inner() const { return heads * value_dim; }
  std::int64_t state_elements() const { return heads * value_dim * key_dim; }
  std::int64_t conv_state_elements() const { return conv_kernel > 1 ? (conv_kernel - 1) * conv_channels : 0; }
  friend bool operator==(const LinearMixer&, const LinearMixer&) = default;
};

struct Mlp {
  enum class Kind {
    kNone,     // a mixer-only layer
    kUnknown,  // an inline description that does not give it
    kDense,
    kMoe,
    kLinear  // one hidden × hidden matrix in place of it (Nemotron-NAS)
  };
  Kind kind = Kind::kDense;
  bool gated = true;              // gate, up and down; false: up and down
  bool bias = false;              // on the matrices of the MLP or of every expert
  std::int64_t intermediate = 0;  // dense; of one expert where kMoe
  std::int64_t experts = 0;
  std::int64_t top_k = 0;
  std::int64_t shared_intermediate = 0;  // width of all shared experts together; 0: none
  bool shared_gate = false;              // one sigmoid gate per token on the shared experts (Qwen2-MoE)
  bool shared_bias = false;
  bool router_bias = false;                 // of the router's matrix
  bool router_fp32 = false;                 // its matrix is stored in fp32 (MiniMax-M2)
  bool correction_bias = false;             // e_score_correction_bias: one fp32 per expert
  std::int64_t hash_routed_vocabulary = 0;  // > 0: experts are looked up by token id, one row of top_k per word
  std::int64_t latent = 0;                  // experts work in this width between two projections; 0: in hidden
  std::int64_t parallel_intermediate = 0;   // a dense gated MLP beside the experts (Arctic); 0: none

  friend bool operator==(const Mlp&, const Mlp&) = default;
};

// One kind of layer. Both attention and linear: they run side by side.
struct Block {
  std::optional<Attention> attention;
  std::optional<Attention> cross;
  std::optional<LinearMixer> linear;
  Mlp mlp;
  std::int64_t residual_streams = 1;  // n of hyper-connections (Xie et al., "mHC", arXiv 2512.24880): the residual is n × hidden wide
  int norms = 2;                      // vectors of hidden size
  int scalar_gates = 0;               // learned scalars on the branches (Llama 3.2 Vision)
  bool norm_bias = false;
  std::vector<Tensor> tensors;  // of one layer, with their storage; empty only where mlp.kind is kUnknown

  // "full", "sliding", "mamba2", "full + mamba2", "none": what reports group layers by.
  std::string mixer_name() const;
};

struct Stack {
  std::int64_t hidden = 0;
  std::vector<Block> blocks;
  std::vector<std::int32_t> sequence;  // layer i is blocks[sequence[i]]
  std::vector<Tensor> tensors;         // outside the layers: embedding, final norm, head, projector
  // Full name of a tensor of layer i: layer_prefix + (first_layer + i) + "." + Tensor::name.
  std::string layer_prefix;
  std::int64_t first_layer = 0;

  std::int64_t layers() const { return static_cast<std::int64_t>(sequence.size()); }
  std::int64_t count_of(std::size_t block) const;  // layers that are blocks[block]
};

struct Model {
  std::string name;                // "llama-3.1-8b", a path, or the inline text
  std::string family;              // model_type, "" for a bare count
  std::string origin;              // "catalogue", "config.json", "gguf", "inline", "count"
  std::vector<std::string> notes;  // what the reader must know: "unknown model_type read as the decoder its fields describe"
  std::vector<std::string> sources;

  std::optional<double> given_parameters;  // of an inline description or a count; overrides the sum of shapes
  std::optional<double> given_active;
  // Of the text stack's widest attention; absent where the description does not say. Per-layer truth is in `text`.
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, head_dim, vocabulary, max_context;
  // Fields that an incomplete description lacks, by the names of the inline syntax ("intermediate", "vocab"): while any
  // is listed the text stack has no tensors, but its attention is there once layers, hidden and heads are.
  std::vector<std::string> missing;

  Stack text;
  std::optional<Stack> encoder;
  std::optional<Stack> vision;
  std::optional<Stack> mtp;
  bool tied_embeddings = false;

  Precision native = Precision::kBf16;    // torch_dtype: of what is not quantised, and of activations
  std::string quantisation_name;          // "" none, "fp8", "nvfp4", "mxfp4", "gptq int4 g128", … as the checkpoint says
  bool storage_known = true;              // false: the quantisation method is one whose storage is not known
  std::optional<Precision> kv_cache;      // the checkpoint's kv_cache scheme
  std::optional<Bytes> checkpoint_bytes;  // of a safetensors or GGUF header, exact

  bool is_mixture_of_experts = false;

  bool shapes_known() const { return missing.empty() && !text.tensors.empty(); }
};

}  // namespace ridge::model
