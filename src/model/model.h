// model/: what a network is. Reads config.json, safetensors headers, GGUF, a parameter count or an inline description into
// one Model; counts parameters as exact sums of tensor shapes; says what a token costs in cache. It knows no hardware.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/file_system.h"
#include "model/architecture.h"
#include "quantity/quantity.h"

namespace ridge::model {

struct Layout;

// Exact sums of tensor shapes. `total` holds everything the engine loads for text generation (main model, encoder, vision
// tower) and a head that the checkpoint stores as a copy; MTP modules are kept apart.
// `active` of a mixture of experts leaves out the experts that a token does not pick and the input embedding, of which it
// looks up one row; the head counts. So count the model cards: gpt-oss's says it in words, and DeepSeek-V3's 37B, Kimi K2's
// 32B and Llama 4's 17B (with the vision tower) come out so. (Some cards, such as Mixtral's and Qwen3-30B-A3B's, add the
// embedding.) Of a dense model it is the total, as its card prints it.
struct Parameters {
  std::int64_t total = 0;
  std::int64_t active = 0;
  std::int64_t embedding = 0;  // input embedding
  std::int64_t head = 0;       // output head; 0 where tied
  std::int64_t attention = 0;
  std::int64_t dense_mlp = 0;
  std::int64_t routed_experts = 0;
  std::int64_t shared_experts = 0;
  std::int64_t router = 0;
  std::int64_t norms = 0;
  std::int64_t linear_attention = 0;  // Mamba, gated delta rule, lightning
  std::int64_t encoder = 0;           // of an encoder-decoder
  std::int64_t vision = 0;
  std::int64_t mtp = 0;  // not in total
  std::int64_t other = 0;
};

// Finds MODEL as DESIGN's command line writes it: a catalogue name, a config.json or its folder, a .gguf file, a count
// ("7e9", "7b") or "params=7e9,layers=32,…". Unknown names list the nearest.
Result<Model> load(std::string_view text, const formats::FileSystem& files);

// Names of the models that are compiled in (data/models/).
std::vector<std::string> catalogue_names();

Result<Parameters> parameters(const Model& model);

// Bytes of the tensors as the checkpoint stores them, MTP modules included: what its safetensors files hold behind their headers.
Result<Bytes> checkpoint_bytes(const Model& model);

// The error of a question that needs a field which the description lacks.
tl::unexpected<Error> missing_fields(const Model& model, std::string_view question);

// Weights of one rank (the largest) as the engine holds them. `format` absent: as the checkpoint stores them, with scales,
// zeros and per-layer exclusions; given: every matrix in that format with its own scales (engine_storage), norms, router,
// embedding and head as the checkpoint has them, or all of the model where the format has 16 bits and more. MTP modules are
// not loaded. For a parameter count: count × bits / 8, spread evenly.
Result<Bytes> weight_bytes(const Model& model, std::optional<Precision> format, const Layout& layout);

// Cache of one sequence of `tokens` on one rank (the largest): full, sliding min(tokens, window), MLA latent, linear state.
// block > 1 rounds tokens up to whole blocks, as paged engines do.
Result<Bytes> kv_bytes(const Model& model, Precision cache, std::int64_t tokens, const Layout& layout, std::int64_t block = 1);

}  // namespace ridge::model
