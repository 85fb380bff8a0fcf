// What fit, roofline and their like share: which model, which accelerator, in which formats and over how many ranks; and the
// user's calibration.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/command.h"
#include "cost/efficiency.h"
#include "hardware/device.h"
#include "model/layout.h"
#include "model/model.h"

namespace ridge::commands {

// The efficiencies to price with: the built-in ones, or with the --calibration file on top. The pointer outlives the command.
Result<std::shared_ptr<const cost::EfficiencyTables>> efficiencies(const Environment& environment);

// Ranks asked for by --tp, --pp, --ep beside a GPU's count. Without --tp and --pp every accelerator of the reference is a tensor
// rank; a count that the ranks do not divide is an error.
struct Ranks {
  std::optional<std::int64_t> tensor, pipeline, expert;
};
struct Spread {
  model::Layout layout;
  int replicas = 1;  // accelerators / ranks
};
Result<Spread> spread_of(const Ranks& ranks, int accelerators, bool count_given);

// "weights.<this>": the format that was asked for, the checkpoint's own precision, or "as_stored" where it is quantised.
std::string format_name(const model::Model& model, std::optional<Precision> format);
// For people: "bf16", "as stored (fp8)".
std::string format_label(const model::Model& model, std::optional<Precision> format);

// Precision of the cache: asked for, or the checkpoint's scheme, or 16 bits as activations.
Precision cache_precision(const model::Model& model, std::optional<Precision> asked);

// Precision that multiplies for weights of this format on this device: its own where the device has a dense rate for it and
// engines quantise activations to it (fp8, fp4 kinds, int8), else 16 bits.
Precision activation_precision(const model::Model& model, std::optional<Precision> weights, const hardware::Device& device);

// Bytes of one software device of the part, at the low and high end; an error where the catalogue knows no memory.
struct RankMemory {
  Bytes low, high;
  std::string basis;
  std::vector<std::string> sources;
};
Result<RankMemory> rank_memory(const hardware::Device& device);

}  // namespace ridge::commands
