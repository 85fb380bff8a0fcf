// Node: a JSON or YAML document as plain values. Invariants: maps keep the order of the file and hold no key twice;
// integers are exact or the reader refused them; every node knows its place. NaN and infinities never enter.
//
// NodeRef walks a document and makes the errors: they name the file and the key path ("config.json: text_config.head_dim").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quantity/result.h"

namespace ridge::formats {

struct Node {
  enum class Kind : std::uint8_t { kNull, kBoolean, kInteger, kReal, kText, kList, kMap };
  Kind kind = Kind::kNull;
  bool boolean = false;
  int line = 0;  // of the file, from 1; 0 where the reader does not know it (JSON values)
  std::int64_t integer = 0;
  double real = 0;  // also set for integers
  std::string text;
  std::vector<Node> list;
  std::vector<std::pair<std::string, Node>> map;

  // Defined out of line: a pair of an incomplete type may not be instantiated inside of it (clang refuses it).
  Node();
  Node(const Node& other);
  Node(Node&& other) noexcept;
  Node& operator=(const Node& other);
  Node& operator=(Node&& other) noexcept;
  ~Node();

  const Node* find(std::string_view key) const;  // null where absent or where this is no map
};

std::string_view name_of(Node::Kind kind);  // "a number", "text", "a list", …

class NodeRef {
 public:
  NodeRef(const Node& node, std::string file) : node_(&node), file_(std::move(file)) {}

  const Node& node() const { return *node_; }
  Node::Kind kind() const { return node_->kind; }
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  std::string where() const;  // "FILE: PATH" or "FILE:LINE: PATH"

  bool has(std::string_view key) const;                                 // present and not null
  std::optional<NodeRef> get(std::string_view key) const;               // absent or null → nullopt
  Result<NodeRef> require(std::string_view key) const;                  // absent or null → an error that names the key
  std::size_t size() const;                                             // of a list or map, else 0
  NodeRef at(std::size_t index) const;                                  // list element; index < size()
  std::pair<std::string_view, NodeRef> entry(std::size_t index) const;  // map entry; index < size()

  Result<bool> as_bool() const;
  Result<std::int64_t> as_integer() const;                                     // 4 and 4.0, not 4.5 and not "4"
  Result<std::int64_t> as_integer(std::int64_t low, std::int64_t high) const;  // out of range names both ends
  Result<double> as_real() const;
  Result<std::string> as_text() const;
  tl::unexpected<Error> error(std::string what, std::string advice = {}) const;

  // Every key of this map is one of `known`, else an error with the nearest names (catalogues are closed; configs are open).
  Result<void> only(const std::vector<std::string>& known) const;

 private:
  const Node* node_;
  std::string file_;
  std::string path_;
};

// JSON (RFC 8259), UTF-8. Refused with line and column: duplicate keys, depth over kMaxDepth, trailing bytes, NaN,
// numbers that a double or int64 cannot hold (integers beyond int64 are refused, not rounded), text over kMaxTextBytes.
Result<Node> read_json(std::string_view text, const std::string& file);

// The same, but the words NaN, Infinity and -Infinity, which Python's json module writes, become text: a document that holds
// one somewhere is read, and using it as a number is an error at its place. Columns behind such a word are shifted by two.
Result<Node> read_python_json(std::string_view text, const std::string& file);

// YAML 1.2 core schema (so `010` is 10 and `yes` is text), one document. Refused with line and column: duplicate keys,
// anchors that expand past kMaxNodes, depth over kMaxDepth, several documents.
Result<Node> read_yaml(std::string_view text, const std::string& file);

}  // namespace ridge::formats
