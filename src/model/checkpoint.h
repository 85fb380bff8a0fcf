// The files that hold a model's weights against what its config describes: exact bytes by type from the headers, and every
// tensor that is missing, extra, of another shape, type or size. Invariant: nothing but headers is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/file_system.h"
#include "model/architecture.h"

namespace ridge::model {

struct CheckpointType {
  std::string name;  // as the file writes it: "BF16", "F8_E4M3", "Q4_K"
  std::int64_t tensors = 0;
  Bytes bytes{};
};

struct CheckpointDifference {
  enum class Kind {
    kMissing,  // described, not in the files
    kExtra,    // in the files, not described
    kShape,    // another number of elements
    kType,     // another number format
    kSize      // a quantised tensor of other bytes than its method describes
  };
  Kind kind = Kind::kMissing;
  std::string name;          // numbers as *: "model.layers.*.self_attn.q_proj"
  std::int64_t tensors = 1;  // that are alike but for the numbers
  Bytes stored{}, described{};
  std::string detail;  // "F16 in the file, bf16 described"; may be empty
};
std::string_view name_of(CheckpointDifference::Kind kind);  // "missing", "extra", …

struct Checkpoint {
  std::string path;                               // of the file, or of the folder
  std::int64_t files = 1;                         // that are there
  std::vector<std::string> absent;                // shards that are not, with the reason
  Bytes stored{};                                 // of the tensors in the files that are there
  std::optional<Bytes> announced;                 // metadata.total_size of the index
  std::optional<Bytes> described;                 // by the config; absent where the storage of its quantisation is not known
  std::vector<CheckpointType> types;              // largest first
  std::vector<CheckpointDifference> differences;  // largest first
  std::vector<std::string> notes;                 // what index and shards disagree on

  bool complete() const { return absent.empty(); }
  // "the header holds 16.06 GB, the config describes 16.06 GB (difference 0)", or by how much and which tensor first.
  std::string summary() const;
};

// Of the folder or the file that a model was loaded from: safetensors beside a config.json, or a GGUF file. nullopt where no
// weights lie there. The model must be the one that load() made of the same path.
Result<std::optional<Checkpoint>> inspect_checkpoint(const Model& model, const formats::FileSystem& files, const std::string& path);

}  // namespace ridge::model
