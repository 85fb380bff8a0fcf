// YAML through the events of yaml-cpp into our tree: duplicate keys, aliases that expand without end and YAML 1.1's surprises
// (010 is eight, yes is true) stop here.
#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

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

// Leaves the parser from inside one of its events; read_yaml turns it into the Result.
struct Refused {
  Error error;
};

std::uint64_t count_nodes(const Node& node) {
  std::uint64_t count = 1;
  for (const Node& element : node.list) count += count_nodes(element);
  for (const auto& [key, value] : node.map) count += count_nodes(value);
  return count;
}

int depth_of(const Node& node) {
  int deepest = 0;
  for (const Node& element : node.list) deepest = std::max(deepest, depth_of(element));
  for (const auto& [key, value] : node.map) deepest = std::max(deepest, depth_of(value));
  return deepest + 1;
}

// Builds our tree from the events of the parser. yaml-cpp's own tree would be whole before the first check: some 150 bytes
// can make it load documents without end.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(const std::string& file) : file_(file) {}

  Result<Node> take() {
    if (documents_ == 0) return fail(file_, "the file holds no document", "A YAML document is expected.");
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark.line + 1, "a second document begins; one is expected");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) refuse(mark.line + 1, "a key must be plain text");
    Node node;
    node.line = mark.line + 1;
    complete(std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    if (expects_key()) return take_key(mark.line + 1, value);
    Node node = scalar(value, tag == "!");
    node.line = mark.line + 1;
    complete(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) refuse(mark.line + 1, "a key must be plain text");
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark.line + 1, "an alias stands inside of what it repeats");
    if (open_.size() + static_cast<std::size_t>(depth_of(found->second)) > static_cast<std::size_t>(kMaxDepth) + 1) refuse_depth(mark.line + 1);
    spend(mark.line + 1, count_nodes(found->second) - 1);  // complete() counts the node itself
    complete(Node(found->second), YAML::NullAnchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark.line + 1, Node::Kind::kList, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark.line + 1, Node::Kind::kMap, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    std::set<std::string> keys;
    std::optional<std::string> key;  // of the value that comes next
  };

  [[noreturn]] void refuse(int line, std::string what) const { throw Refused{Error{fmt::format("{}:{}", file_, line), std::move(what), ""}}; }
  [[noreturn]] void refuse_depth(int line) const { refuse(line, fmt::format("nested deeper than {} levels", kMaxDepth)); }

  void spend(int line, std::uint64_t nodes) {
    nodes_ += nodes;
    if (nodes_ > kMaxNodes) refuse(line, fmt::format("more than {} values once aliases are expanded", kMaxNodes));
  }

  bool expects_key() const { return !open_.empty() && open_.back().node.kind == Node::Kind::kMap && !open_.back().key; }

  void take_key(int line, const std::string& key) {
    if (!open_.back().keys.insert(key).second) refuse(line, fmt::format("the key \"{}\" stands twice in one map", key));
    open_.back().key = key;
  }

  void open(int line, Node::Kind kind, YAML::anchor_t anchor) {
    if (expects_key()) refuse(line, "a key must be plain text");
    if (open_.size() > static_cast<std::size_t>(kMaxDepth)) refuse_depth(line);
    Open opened{Node(), anchor, {}, {}};
    opened.node.kind = kind;
    opened.node.line = line;
    open_.push_back(std::move(opened));
  }

  void close() {
    Node node = std::move(open_.back().node);
    const YAML::anchor_t anchor = open_.back().anchor;
    open_.pop_back();
    complete(std::move(node), anchor);
  }

  void complete(Node node, YAML::anchor_t anchor) {
    spend(node.line, 1);
    if (anchor != YAML::NullAnchor) {
      spend(node.line, count_nodes(node));  // the copy that is kept for its aliases
      anchors_[anchor] = node;
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.kind == Node::Kind::kList) {
      open_.back().node.list.push_back(std::move(node));
    } else {
      open_.back().node.map.emplace_back(*std::exchange(open_.back().key, std::nullopt), std::move(node));
    }
  }

  std::string file_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::uint64_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

Result<Node> read_yaml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTextBytes) return fail(file, fmt::format("{} bytes are more than the limit of {} for one YAML document", text.size(), kMaxTextBytes));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail(file, "the file is empty", "A YAML document is expected.");
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder(file);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const Refused& refused) {
    return tl::unexpected<Error>(refused.error);
  } catch (const YAML::Exception& error) {
    // yaml-cpp gives up on deep nesting with "bad file".
    const std::string what = error.msg == "bad file" ? "nested too deeply" : error.msg;
    if (error.mark.is_null()) return fail(file, "not valid YAML: " + what);
    return fail(fmt::format("{}:{}:{}", file, error.mark.line + 1, error.mark.column + 1), "not valid YAML: " + what);
  }
}

}  // namespace ridge::formats
