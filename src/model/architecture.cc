#include "model/architecture.h"

#include <algorithm>

namespace ridge::model {

std::string_view name_of(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kNone:
      return "none";
    case AttentionKind::kFull:
      return "full";
    case AttentionKind::kSliding:
      return "sliding";
    case AttentionKind::kChunked:
      return "chunked";
    case AttentionKind::kLatent:
      return "latent";
    case AttentionKind::kCompressed:
      return "compressed";
    case AttentionKind::kLinear:
      return "linear";
    case AttentionKind::kCross:
      return "cross";
  }
  return "";
}

std::string_view name_of(LinearKind kind) {
  switch (kind) {
    case LinearKind::kMamba1:
      return "mamba";
    case LinearKind::kMamba2:
      return "mamba2";
    case LinearKind::kGatedDelta:
      return "gated delta rule";
    case LinearKind::kLightning:
      return "lightning";
    case LinearKind::kLinear:
      return "linear map";
  }
  return "";
}

std::string Block::mixer_name() const {
  std::string name;
  const auto add = [&name](std::string_view part) { name += (name.empty() ? "" : " + ") + std::string(part); };
  if (attention) add(name_of(attention->kind));
  if (attention && attention->indexer) name += ", indexed";
  if (linear) add(name_of(linear->kind));
  if (cross) add(name_of(cross->kind));
  return name.empty() ? "none" : name;
}

std::int64_t Stack::count_of(std::size_t block) const { return std::count(sequence.begin(), sequence.end(), static_cast<std::int32_t>(block)); }

}  // namespace ridge::model
