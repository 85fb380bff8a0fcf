#include <fmt/format.h>

#include "model/gguf_layer.h"

namespace ridge::model {
namespace {

using formats::GgufValue;

}  // namespace

const GgufValue* GgufKeys::find(std::string_view name) const { return file_.find(fmt::format("{}.{}", architecture_, name)); }

tl::unexpected<Error> GgufKeys::error(std::string_view name, std::string what, std::string advice) const {
  return file_.error(fmt::format("{}.{}", architecture_, name), std::move(what), std::move(advice));
}

Result<std::int64_t> GgufKeys::size(std::string_view name, std::int64_t most) const {
  const GgufValue* value = find(name);
  if (value == nullptr) return error(name, "the key is missing");
  if (!value->is_whole() || value->integer < 1 || value->integer > most) return error(name, fmt::format("a whole number from 1 to {} is expected", most));
  return value->integer;
}

Result<std::int64_t> GgufKeys::count_or(std::string_view name, std::int64_t most, std::int64_t fallback, std::int64_t layer) const {
  const GgufValue* value = find(name);
  if (value == nullptr) return fallback;
  const bool array = value->type == GgufValue::Type::kArray;
  if (array) {
    if (value->elements.size() <= static_cast<std::size_t>(layer)) return error(name, fmt::format("{} values where layer {} needs one", value->count, layer));
    value = &value->elements[static_cast<std::size_t>(layer)];
  }
  if (!value->is_whole() || value->integer < 0 || value->integer > most)
    return error(name, fmt::format("a whole number from 0 to {} is expected{}", most, array ? fmt::format(" for layer {}", layer) : ""));
  return value->integer;
}

Result<std::optional<bool>> GgufKeys::slides(std::int64_t layer, std::int64_t period) const {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  const GgufValue* value = find(kName);
  if (value != nullptr && value->type == GgufValue::Type::kArray) {
    if (value->elements.size() <= static_cast<std::size_t>(layer)) return error(kName, fmt::format("{} values where layer {} needs one", value->count, layer));
    const GgufValue& one = value->elements[static_cast<std::size_t>(layer)];
    if (one.type == GgufValue::Type::kBool) return std::optional<bool>(one.boolean);
    if (one.is_whole()) return std::optional<bool>(one.integer != 0);
    return error(kName, "one yes or no per layer is expected");
  }
  if (value != nullptr) {
    if (!value->is_whole() || value->integer < 0 || value->integer > 10'000) return error(kName, "a period, or one yes or no per layer, is expected");
    period = value->integer;
    if (period == 0) return std::optional<bool>(true);  // every layer
  }
  if (period <= 0) return std::optional<bool>();
  return std::optional<bool>(layer % period < period - 1);
}

const formats::GgufTensor* GgufLayer::find(std::string_view name) const {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : found->second;
}

std::int64_t GgufLayer::rows(std::string_view name) const {
  const formats::GgufTensor* tensor = find(name);
  return tensor == nullptr ? 0 : tensor->sizes.size() > 1 ? tensor->sizes[1] : 1;
}

std::int64_t GgufLayer::columns(std::string_view name) const {
  const formats::GgufTensor* tensor = find(name);
  return tensor == nullptr || tensor->sizes.empty() ? 0 : tensor->sizes[0];
}

}  // namespace ridge::model
