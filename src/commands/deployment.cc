#include "commands/deployment.h"

#include <fmt/format.h>

namespace ridge::commands {

Result<std::shared_ptr<const cost::EfficiencyTables>> efficiencies(const Environment& environment) {
  if (environment.calibration.empty())
    return std::shared_ptr<const cost::EfficiencyTables>(std::shared_ptr<const cost::EfficiencyTables>(), &cost::EfficiencyTables::builtin());
  constexpr std::uint64_t kMost = 4u << 20;  // a calibration is a few dozen rows
  RIDGE_TRY(const std::string text, environment.files.read_all(environment.calibration, kMost));
  RIDGE_TRY(cost::EfficiencyTables tables, cost::EfficiencyTables::with_calibration(text, environment.calibration));
  return std::make_shared<const cost::EfficiencyTables>(std::move(tables));
}

Result<Spread> spread_of(const Ranks& ranks, int accelerators, bool count_given) {
  static constexpr std::int64_t kMost = 4096;
  const auto check = [](const char* name, const std::optional<std::int64_t>& value) -> Result<void> {
    if (value && (*value < 1 || *value > kMost)) return fail(name, fmt::format("{} ranks; 1 to {} can be asked for", *value, kMost));
    return {};
  };
  RIDGE_TRY_VOID(check("--tp", ranks.tensor));
  RIDGE_TRY_VOID(check("--pp", ranks.pipeline));
  RIDGE_TRY_VOID(check("--ep", ranks.expert));
  Spread spread;
  spread.layout.pipeline = static_cast<int>(ranks.pipeline.value_or(1));
  spread.layout.tensor = static_cast<int>(ranks.tensor.value_or(std::max(1, accelerators / spread.layout.pipeline)));
  spread.layout.expert = static_cast<int>(ranks.expert.value_or(1));
  const int used = spread.layout.ranks();
  if (!count_given) return spread;
  if (used > accelerators || accelerators % used != 0)
    return fail("--tp",
                fmt::format("{} × {} ranks do not divide the {} accelerators that --gpu names", spread.layout.tensor, spread.layout.pipeline, accelerators),
                "Give a count that is a multiple of tp × pp, or leave it out.");
  spread.replicas = accelerators / used;
  return spread;
}

std::string format_name(const model::Model& model, std::optional<Precision> format) {
  if (format) return std::string(name_of(*format));
  return model.quantisation_name.empty() ? std::string(name_of(model.native)) : "as_stored";
}

std::string format_label(const model::Model& model, std::optional<Precision> format) {
  if (format) return std::string(name_of(*format));
  if (model.quantisation_name.empty()) return std::string(name_of(model.native));
  return fmt::format("as stored ({})", model.quantisation_name);
}

Precision cache_precision(const model::Model& model, std::optional<Precision> asked) {
  if (asked) return *asked;
  if (model.kv_cache) return *model.kv_cache;
  return element_bits(model.native) == 16 ? model.native : Precision::kBf16;
}

Precision activation_precision(const model::Model& model, std::optional<Precision> weights, const hardware::Device& device) {
  const Precision wide = element_bits(model.native) == 16 ? model.native : Precision::kBf16;
  std::optional<Precision> narrow = weights;
  if (!narrow) {
    // As the checkpoint's scheme is named: "fp8", "nvfp4"; weight-only schemes (gptq, awq, int4, mxfp4) multiply in 16 bits.
    if (model.quantisation_name.starts_with("fp8")) narrow = Precision::kFp8;
    if (model.quantisation_name.starts_with("nvfp4")) narrow = Precision::kNvFp4;
  }
  if (!narrow) return wide;
  switch (*narrow) {
    case Precision::kFp8:
    case Precision::kMxFp8:
    case Precision::kNvFp4:
    case Precision::kFp4:
    case Precision::kInt8:
      return device.peak_of(*narrow) ? *narrow : wide;
    case Precision::kFp16:
    case Precision::kBf16:
      return *narrow;
    default:
      return wide;
  }
}

Result<RankMemory> rank_memory(const hardware::Device& device) {
  if (!device.usable_memory)
    return fail(device.id, "the catalogue knows no memory size of this part", "Give it in an inline description (memory=80GB) or a --catalog file.");
  const hardware::UsableMemory& usable = *device.usable_memory;
  RankMemory memory{{usable.low.count / device.software_devices}, {usable.high.count / device.software_devices}, usable.basis, usable.sources};
  if (device.software_devices > 1) memory.basis += fmt::format(", one of the {} devices that software sees", device.software_devices);
  return memory;
}

}  // namespace ridge::commands
