#include "cost/bands.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/data.h"

namespace ridge::cost {
namespace {

const BandRow* of_group(std::string_view group) {
  const auto found = std::find_if(data::bands.begin(), data::bands.end(), [group](const BandRow& row) { return row.group == group; });
  return found == data::bands.end() ? nullptr : &*found;
}

}  // namespace

std::string band_group(model::Phase phase, bool mixture_of_experts, Evidence evidence) {
  return fmt::format("{} {} {}", phase == model::Phase::kDecode ? "decode" : "prefill", mixture_of_experts ? "moe" : "dense", formats::word_of(evidence));
}

const BandRow* find_band(model::Phase phase, bool mixture_of_experts, Evidence evidence) {
  static constexpr Evidence kWeaker[] = {Evidence::kMeasured, Evidence::kTakenFromRelative, Evidence::kAssumed};
  // First this evidence and the weaker ones: a band that is too wide misleads less than one that is too narrow.
  for (int pass = 0; pass < 2; ++pass)
    for (const Evidence candidate : kWeaker) {
      if ((candidate < evidence) != (pass == 1)) continue;
      for (const bool kind : {mixture_of_experts, !mixture_of_experts})
        if (const BandRow* row = of_group(band_group(phase, kind, candidate))) return row;
    }
  return nullptr;
}

}  // namespace ridge::cost
