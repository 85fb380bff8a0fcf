// Architecture: the shape of a decoder. Filled by the config readers (config.cc and its families), by GGUF metadata and by
// inline descriptions; everything else in the room is computed from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/quantity.h"

namespace ridge::model {

enum class AttentionKind { kNone, kFull, kSliding, kChunked, kLatent /* MLA */, kLinear /* fixed state */ };

// Model is owned by the model room's author; these are the fields that others rely on.
struct Model {
  std::string name;                // "llama-3.1-8b", a path, or the inline text
  std::string family;              // model_type, "" for a bare count
  std::string origin;              // "catalogue", "config.json", "gguf", "inline", "count"
  std::vector<std::string> notes;  // what the reader must know: "unknown model_type read as the decoder its fields describe"
  std::vector<std::string> sources;

  std::optional<double> given_parameters;  // of an inline description or a count; overrides the sum of shapes
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, head_dim, vocabulary, max_context;
  Precision native = Precision::kBf16;  // torch_dtype
  std::string quantisation_name;        // "" none, "fp8", "nvfp4", "mxfp4", "gptq int4 g128", … as the checkpoint says

  bool is_mixture_of_experts = false;
};

}  // namespace ridge::model
