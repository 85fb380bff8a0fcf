#include "model/config_fields.h"

#include <fmt/format.h>

namespace ridge::model {

using formats::NodeRef;

std::optional<NodeRef> ConfigFields::find(Aliases names) const {
  for (std::string_view name : names)
    if (std::optional<NodeRef> child = node_.get(name)) return child;
  return std::nullopt;
}

tl::unexpected<Error> ConfigFields::error_at(Aliases names, std::string what, std::string advice) const {
  if (std::optional<NodeRef> child = find(names)) return child->error(std::move(what), std::move(advice));
  return node_.error(std::move(what), std::move(advice));
}

Result<void> ConfigFields::require(std::span<const Aliases> wanted) const {
  std::string missing;
  int count = 0;
  for (Aliases names : wanted) {
    if (has(names)) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", names.front());
    ++count;
  }
  if (count == 0) return {};
  return node_.error(fmt::format("{} missing: {}", count == 1 ? "a field is" : "fields are", missing));
}

Result<std::optional<std::int64_t>> ConfigFields::maybe_size(Aliases names, std::int64_t most) const {
  const std::optional<NodeRef> child = find(names);
  if (!child) return std::nullopt;
  RIDGE_TRY(const std::int64_t value, child->as_integer(1, most));
  return value;
}

Result<std::int64_t> ConfigFields::size(Aliases names, std::int64_t most) const {
  RIDGE_TRY(const std::optional<std::int64_t> value, maybe_size(names, most));
  if (value) return *value;
  RIDGE_TRY_VOID(require(std::span(&names, 1)));
  return 0;
}

Result<std::int64_t> ConfigFields::size_or(Aliases names, std::int64_t most, std::int64_t fallback) const {
  RIDGE_TRY(const std::optional<std::int64_t> value, maybe_size(names, most));
  return value.value_or(fallback);
}

Result<std::int64_t> ConfigFields::count_or(Aliases names, std::int64_t most, std::int64_t fallback) const {
  const std::optional<NodeRef> child = find(names);
  if (!child) return fallback;
  return child->as_integer(0, most);
}

Result<bool> ConfigFields::flag_or(std::string_view name, bool fallback) const {
  const std::optional<NodeRef> child = node_.get(name);
  if (!child) return fallback;
  return child->as_bool();
}

Result<std::string> ConfigFields::text_or(std::string_view name, std::string fallback) const {
  const std::optional<NodeRef> child = node_.get(name);
  if (!child) return fallback;
  return child->as_text();
}

Result<std::optional<double>> ConfigFields::maybe_real(std::string_view name) const {
  const std::optional<NodeRef> child = node_.get(name);
  if (!child) return std::nullopt;
  RIDGE_TRY(const double value, child->as_real());
  return value;
}

Result<std::vector<std::int64_t>> ConfigFields::integers(std::string_view name, std::int64_t low, std::int64_t high) const {
  const std::optional<NodeRef> list = node_.get(name);
  if (!list) return std::vector<std::int64_t>{};
  if (list->kind() != formats::Node::Kind::kList) return list->error(fmt::format("a list is expected, found {}", name_of(list->kind())));
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < list->size(); ++i) {
    RIDGE_TRY(const std::int64_t value, list->at(i).as_integer(low, high));
    values.push_back(value);
  }
  return values;
}

Result<std::vector<std::string>> ConfigFields::texts(std::string_view name) const {
  const std::optional<NodeRef> list = node_.get(name);
  if (!list) return std::vector<std::string>{};
  if (list->kind() != formats::Node::Kind::kList) return list->error(fmt::format("a list is expected, found {}", name_of(list->kind())));
  std::vector<std::string> values;
  for (std::size_t i = 0; i < list->size(); ++i) {
    RIDGE_TRY(std::string value, list->at(i).as_text());
    values.push_back(std::move(value));
  }
  return values;
}

std::optional<ConfigFields> ConfigFields::section(std::string_view name) const {
  std::optional<NodeRef> child = node_.get(name);
  if (!child || child->kind() != formats::Node::Kind::kMap) return std::nullopt;
  return ConfigFields(std::move(*child));
}

}  // namespace ridge::model
