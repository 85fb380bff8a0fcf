#include "formats/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "quantity/text.h"

namespace ridge::formats {

Node::Node() = default;
Node::Node(const Node& other) = default;
Node::Node(Node&& other) noexcept = default;
Node& Node::operator=(const Node& other) = default;
Node& Node::operator=(Node&& other) noexcept = default;
Node::~Node() = default;

const Node* Node::find(std::string_view key) const {
  for (const auto& [name, value] : map)
    if (name == key) return &value;
  return nullptr;
}

std::string_view name_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNull:
      return "null";
    case Node::Kind::kBoolean:
      return "true or false";
    case Node::Kind::kInteger:
      return "a whole number";
    case Node::Kind::kReal:
      return "a number";
    case Node::Kind::kText:
      return "text";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

std::string NodeRef::where() const {
  std::string text = file_;
  if (node_->line > 0) text += fmt::format(":{}", node_->line);
  if (!path_.empty()) text += ": " + path_;
  return text;
}

tl::unexpected<Error> NodeRef::error(std::string what, std::string advice) const { return fail(where(), std::move(what), std::move(advice)); }

bool NodeRef::has(std::string_view key) const {
  const Node* found = node_->find(key);
  return found != nullptr && found->kind != Node::Kind::kNull;
}

std::optional<NodeRef> NodeRef::get(std::string_view key) const {
  const Node* found = node_->find(key);
  if (found == nullptr || found->kind == Node::Kind::kNull) return std::nullopt;
  NodeRef child(*found, file_);
  child.path_ = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  return child;
}

Result<NodeRef> NodeRef::require(std::string_view key) const {
  if (std::optional<NodeRef> child = get(key)) return *child;
  if (node_->kind != Node::Kind::kMap) return error(fmt::format("a map with the key \"{}\" is expected, found {}", key, name_of(kind())));
  return error(fmt::format("the key \"{}\" is missing", key));
}

std::size_t NodeRef::size() const { return node_->kind == Node::Kind::kMap ? node_->map.size() : node_->list.size(); }

NodeRef NodeRef::at(std::size_t index) const {
  RIDGE_CHECK(index < node_->list.size());
  NodeRef child(node_->list[index], file_);
  child.path_ = fmt::format("{}[{}]", path_, index);
  return child;
}

std::pair<std::string_view, NodeRef> NodeRef::entry(std::size_t index) const {
  RIDGE_CHECK(index < node_->map.size());
  const auto& [key, value] = node_->map[index];
  NodeRef child(value, file_);
  child.path_ = path_.empty() ? key : path_ + "." + key;
  return {key, child};
}

Result<bool> NodeRef::as_bool() const {
  if (kind() != Node::Kind::kBoolean) return error(fmt::format("true or false is expected, found {}", name_of(kind())));
  return node_->boolean;
}

Result<std::int64_t> NodeRef::as_integer() const {
  if (kind() == Node::Kind::kInteger) return node_->integer;
  if (kind() == Node::Kind::kReal && node_->real == std::floor(node_->real) && std::abs(node_->real) < 9.0e15) return static_cast<std::int64_t>(node_->real);
  if (kind() == Node::Kind::kReal) return error(fmt::format("a whole number is expected, found {}", node_->real));
  return error(fmt::format("a whole number is expected, found {}", name_of(kind())));
}

Result<std::int64_t> NodeRef::as_integer(std::int64_t low, std::int64_t high) const {
  RIDGE_TRY(std::int64_t value, as_integer());
  if (value < low || value > high) return error(fmt::format("{} is outside {} to {}", value, low, high));
  return value;
}

Result<double> NodeRef::as_real() const {
  if (kind() != Node::Kind::kInteger && kind() != Node::Kind::kReal) return error(fmt::format("a number is expected, found {}", name_of(kind())));
  return node_->real;
}

Result<std::string> NodeRef::as_text() const {
  if (kind() != Node::Kind::kText) return error(fmt::format("text is expected, found {}", name_of(kind())));
  return node_->text;
}

Result<void> NodeRef::only(const std::vector<std::string>& known) const {
  if (kind() != Node::Kind::kMap) return error(fmt::format("a map is expected, found {}", name_of(kind())));
  for (std::size_t i = 0; i < size(); ++i) {
    const auto [key, child] = entry(i);
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = nearest_names(key, known);
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    return child.error(fmt::format("the key \"{}\" is unknown", key), near.empty() ? "Known keys: " + all + "." : "Did you mean " + near + "?");
  }
  return {};
}

}  // namespace ridge::formats
