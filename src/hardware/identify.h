// Which accelerator a name from the outside means: what nvidia-smi, PyTorch or DCGM print, and what labels of nodes say. A name that
// is not known exactly is unknown; a name that several parts share is ambiguous. Neither is ever taken for the nearest part.
#pragma once

#include "hardware/accelerators.h"
#include "hardware/device_names_rows.h"

namespace ridge::hardware {

enum class Match : std::uint8_t { kExact, kInferred, kAmbiguous, kUnknown };
std::string_view word_for(Match match);  // "exact", "inferred", "ambiguous", "unknown"

struct Identity {
  std::string text;  // as given
  std::string name;  // what was looked up: without key, suffixes and identifiers
  Match match = Match::kUnknown;
  std::vector<const AcceleratorRow*> candidates;  // one where exact or inferred
  std::string how;                                // "driver name", "label cloud.google.com/gke-accelerator", "PCI id", "catalogue name"
  std::string mig_profile;                        // "1g.10gb"; "" for a whole GPU
  bool shared = false;                            // time-sliced or MPS
  std::string note;                               // what is known of it besides
  std::vector<std::string> sources;
  std::vector<std::string> near;  // known names that look alike, for an unknown one
};

// `texts`: names, labels ("nvidia.com/gpu.product=…") or lines that hold one; labels of memory ("nvidia.com/gpu.memory=81559",
// "…/instance-gpu-memory=40960", MiB) tell parts of one name apart, as does `memory`. Other labels name no accelerator: an error.
Result<std::vector<Identity>> identify(const Catalog& catalog, std::span<const std::string> texts, std::optional<Bytes> memory = std::nullopt);

}  // namespace ridge::hardware
