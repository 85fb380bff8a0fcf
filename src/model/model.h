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

// Exact sums of tensor shapes. `total` holds everything the engine loads for text generation (main model + vision tower);
// MTP modules are kept apart. `active`: parameters multiplied per token (routed experts × k/E, embedding lookup excluded
// as the field does: see parameters.h).
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

// Weights of one rank (the largest) as the engine holds them. `format` absent: as the checkpoint stores them, with scales,
// zeros and per-layer exclusions; given: every matrix in that format with its own scales, norms/router/embeddings/head as the
// checkpoint has them. For a bare parameter count: count × bits / 8.
Result<Bytes> weight_bytes(const Model& model, std::optional<Precision> format, const Layout& layout);

// Cache of one sequence of `tokens` on one rank (the largest): full, sliding min(tokens, window), MLA latent, linear state.
// block > 1 rounds tokens up to whole blocks, as paged engines do.
Result<Bytes> kv_bytes(const Model& model, Precision cache, std::int64_t tokens, const Layout& layout, std::int64_t block = 1);

}  // namespace ridge::model
