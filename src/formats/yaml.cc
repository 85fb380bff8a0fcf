// YAML through yaml-cpp, converted to our tree: duplicate keys, aliases that expand without end and YAML 1.1's surprises
// (010 is eight, yes is true) stop here.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <cmath>
#include <set>

#include "formats/cursor.h"
#include "formats/tree.h"

namespace ridge::formats {
namespace {

// Core schema of YAML 1.2 (section 10.3.2): null, bool, int, float by their text; everything else is text.
Node scalar(const std::string& text, bool quoted) {
  Node node;
  node.kind = Node::Kind::kText;
  node.text = text;
  if (quoted) return node;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    node.kind = Node::Kind::kNull;
    node.text.clear();
    return node;
  }
  if (text == "true" || text == "True" || text == "TRUE" || text == "false" || text == "False" || text == "FALSE") {
    node.kind = Node::Kind::kBoolean;
    node.boolean = text.front() == 't' || text.front() == 'T';
    return node;
  }
  const char* begin = text.data() + (text.front() == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (auto [next, error] = std::from_chars(begin, end, integer); error == std::errc{} && next == end) {
    node.kind = Node::Kind::kInteger;
    node.integer = integer;
    node.real = static_cast<double>(integer);
    return node;
  }
  double real = 0;
  const bool starts_as_number = (*begin >= '0' && *begin <= '9') || *begin == '-' || *begin == '.';
  if (auto [next, error] = std::from_chars(begin, end, real); starts_as_number && error == std::errc{} && next == end && std::isfinite(real)) {
    node.kind = Node::Kind::kReal;
    node.real = real;
  }
  return node;
}

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  Result<Node> convert(const YAML::Node& source, int depth) {
    const int line = source.Mark().line + 1;
    if (depth > kMaxDepth) return fail(fmt::format("{}:{}", file_, line), fmt::format("nested deeper than {} levels", kMaxDepth));
    if (++nodes_ > kMaxNodes) return fail(fmt::format("{}:{}", file_, line), fmt::format("more than {} values once aliases are expanded", kMaxNodes));
    Node node;
    node.line = line;
    switch (source.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return node;
      case YAML::NodeType::Scalar:
        node = scalar(source.Scalar(), source.Tag() == "!");
        node.line = line;
        return node;
      case YAML::NodeType::Sequence:
        node.kind = Node::Kind::kList;
        for (const YAML::Node& element : source) {
          RIDGE_TRY(Node child, convert(element, depth + 1));
          node.list.push_back(std::move(child));
        }
        return node;
      case YAML::NodeType::Map: {
        node.kind = Node::Kind::kMap;
        std::set<std::string> keys;
        for (const auto& pair : source) {
          const int key_line = pair.first.Mark().line + 1;
          if (!pair.first.IsScalar()) return fail(fmt::format("{}:{}", file_, key_line), "a key must be plain text");
          std::string key = pair.first.Scalar();
          if (!keys.insert(key).second) return fail(fmt::format("{}:{}", file_, key_line), fmt::format("the key \"{}\" stands twice in one map", key));
          RIDGE_TRY(Node child, convert(pair.second, depth + 1));
          node.map.emplace_back(std::move(key), std::move(child));
        }
        return node;
      }
    }
    return node;
  }

 private:
  std::string file_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

Result<Node> read_yaml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTextBytes) return fail(file, fmt::format("{} bytes are more than the limit of {} for one YAML document", text.size(), kMaxTextBytes));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail(file, "the file is empty", "A YAML document is expected.");
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() > 1) return fail(fmt::format("{}:{}", file, documents[1].Mark().line + 1), "a second document begins; one is expected");
    if (documents.empty()) return fail(file, "the file holds no document", "A YAML document is expected.");
    return Converter(file).convert(documents.front(), 0);
  } catch (const YAML::Exception& error) {
    // yaml-cpp gives up on deep nesting with "bad file".
    const std::string what = error.msg == "bad file" ? "nested too deeply" : error.msg;
    if (error.mark.is_null()) return fail(file, "not valid YAML: " + what);
    return fail(fmt::format("{}:{}:{}", file, error.mark.line + 1, error.mark.column + 1), "not valid YAML: " + what);
  }
}

}  // namespace ridge::formats
