// operations(): a step of a model as a list of operations, from which every later room prices it. One Operation stands for
// `count` identical launches on ONE rank (the slowest rank where ranks differ). Invariant: flops, bytes and link_bytes are
// per launch; multiply-add counts as 2 FLOP; a byte read twice by the algorithm but once from memory is counted once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace ridge::model {

enum class Phase { kPrefill, kDecode };

struct Step {
  Phase phase = Phase::kDecode;
  std::int64_t batch = 1;                           // sequences in the step
  std::int64_t new_tokens = 1;                      // per sequence: 1 in decode, the prompt (or its chunk) in prefill
  std::int64_t context = 0;                         // tokens already in the cache, per sequence
  std::optional<Precision> weights = std::nullopt;  // absent: as the checkpoint stores them; given: every matrix of a linear layer in it
  Precision activations = Precision::kBf16;
  Precision kv_cache = Precision::kBf16;
  Layout layout = {};
  bool logits_for_all = false;  // prefill usually makes logits for the last token only
};

enum class OperationKind {
  kEmbedding,
  kGemm,
  kAttention,
  kLinearAttention,
  kMoe,
  kNorm,
  kElementwise,
  kRouter,
  kLogits,
  kAllReduce,
  kAllGather,
  kAllToAll,
  kSendReceive
};
std::string_view name_of(OperationKind kind);

struct Operation {
  OperationKind kind = OperationKind::kGemm;
  std::string_view name;                 // a literal: "layers.qkv", "layers.attention", "head"
  std::string_view mixer;                // a literal: "full", "sliding", "mamba2", … where the operation is part of one
  std::int64_t count = 1;                // identical launches in the step, on the ranks of one pipeline (all stages together)
  Precision compute = Precision::kBf16;  // rate at which it multiplies
  Precision weight_format = Precision::kBf16;
  // GEMM shape on this rank (0 where it is none); of kMoe: tokens of a touched expert and its first matrices' shape; of kAttention m
  // is the new tokens of one sequence.
  std::int64_t m = 0, n = 0, k = 0;
  Flop flops{};
  Bytes weight_bytes{};      // parameters read (for MoE: the expected distinct experts')
  Bytes kv_bytes{};          // cache read
  Bytes activation_bytes{};  // read and written, KV writes included
  Bytes link_bytes{};        // payload per rank before the algorithm's factor: what is summed, what all ranks hold after a gather, what a rank sends
  int link_ranks = 1;        // ranks that take part

  Bytes memory_bytes() const { return weight_bytes + kv_bytes + activation_bytes; }
};

// Whether engines can spread the model so: heads divide by tensor parallelism, experts by expert parallelism, … An error says why not.
Result<void> allows(const Model& model, const Layout& layout);

// The list, in execution order by kind. A question that needs a field which the model lacks (an inline `params=7e9` has no
// layers) is an error that names the field; with params, layers, hidden and heads but no MLP sizes the weights come out as one operation.
Result<std::vector<Operation>> operations(const Model& model, const Step& step);

}  // namespace ridge::model
