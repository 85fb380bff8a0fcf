// JSON through nlohmann's SAX interface: our own tree, so that duplicate keys, depth and lossy integers are ours to refuse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/cursor.h"
#include "formats/tree.h"

namespace ridge::formats {
namespace {

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}

  Node root;
  std::optional<Error> failure;

  bool null() override { return put(Node{}); }
  bool boolean(bool value) override {
    Node node;
    node.kind = Node::Kind::kBoolean;
    node.boolean = value;
    return put(std::move(node));
  }
  bool number_integer(number_integer_t value) override {
    Node node;
    node.kind = Node::Kind::kInteger;
    node.integer = value;
    node.real = static_cast<double>(value);
    return put(std::move(node));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return refuse(fmt::format("the integer {} does not fit 64 bits with a sign", value));
    return number_integer(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return refuse(fmt::format("the number {} is not finite", text));
    // nlohmann hands integers that overflow 64 bits over as doubles; their text still has neither point nor exponent.
    if (text.find_first_of(".eE") == std::string::npos) return refuse(fmt::format("the integer {} does not fit 64 bits with a sign", text));
    Node node;
    node.kind = Node::Kind::kReal;
    node.real = value;
    return put(std::move(node));
  }
  bool string(string_t& value) override {
    Node node;
    node.kind = Node::Kind::kText;
    node.text = std::move(value);
    return put(std::move(node));
  }
  bool binary(binary_t&) override { return refuse("binary values are no JSON"); }
  bool start_object(std::size_t) override { return open(Node::Kind::kMap); }
  bool start_array(std::size_t) override { return open(Node::Kind::kList); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (!keys_.back().insert(value).second) return refuse(fmt::format("the key \"{}\" stands twice in one object", value));
    key_.back() = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    std::string text = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …" → the part after the tag.
    if (const std::size_t tag = text.find("] "); tag != std::string::npos) text = text.substr(tag + 2);
    if (text.starts_with("parse error at ")) text = text.substr(15);
    failure = Error{file_, "not valid JSON: " + text, ""};
    return false;
  }

 private:
  // The stack holds the open containers themselves; a finished one moves into its parent.
  bool open(Node::Kind kind) {
    if (stack_.size() >= static_cast<std::size_t>(kMaxDepth)) return refuse(fmt::format("nested deeper than {} levels", kMaxDepth));
    if (++nodes_ > kMaxNodes) return refuse(fmt::format("more than {} values", kMaxNodes));
    Node node;
    node.kind = kind;
    stack_.push_back(std::move(node));
    keys_.emplace_back();
    key_.emplace_back();
    return true;
  }
  bool close() {
    Node done = std::move(stack_.back());
    stack_.pop_back();
    keys_.pop_back();
    key_.pop_back();
    return place(std::move(done));
  }
  bool put(Node node) {
    if (++nodes_ > kMaxNodes) return refuse(fmt::format("more than {} values", kMaxNodes));
    return place(std::move(node));
  }
  bool place(Node node) {
    if (stack_.empty()) {
      root = std::move(node);
      return true;
    }
    Node& parent = stack_.back();
    if (parent.kind == Node::Kind::kMap)
      parent.map.emplace_back(key_.back(), std::move(node));
    else
      parent.list.push_back(std::move(node));
    return true;
  }
  bool refuse(std::string what) {
    std::string path;
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      if (stack_[i].kind == Node::Kind::kMap)
        path += (path.empty() || key_[i].empty() ? "" : ".") + key_[i];
      else
        path += fmt::format("[{}]", stack_[i].list.size());
    }
    failure = Error{path.empty() ? file_ : file_ + ": " + path, std::move(what), ""};
    return false;
  }

  std::string file_;
  std::vector<Node> stack_;
  std::vector<std::set<std::string>> keys_;
  std::vector<std::string> key_;
  std::uint64_t nodes_ = 0;
};

// Puts the words of Python's json module that are no JSON into quotes.
std::string quote_non_finite(std::string_view text) {
  constexpr std::string_view kWords[] = {"-Infinity", "Infinity", "NaN"};
  std::string quoted;
  quoted.reserve(text.size() + 16);
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\' && i + 1 < text.size()) {  // an escape: neither character opens or closes anything
      quoted += text[i];
      quoted += text[++i];
      continue;
    }
    if (text[i] == '"') in_text = !in_text;
    const auto word = std::find_if(std::begin(kWords), std::end(kWords), [&](std::string_view w) { return !in_text && text.substr(i).starts_with(w); });
    if (word == std::end(kWords)) {
      quoted += text[i];
      continue;
    }
    quoted += '"';
    quoted += *word;
    quoted += '"';
    i += word->size() - 1;
  }
  return quoted;
}

}  // namespace

Result<Node> read_python_json(std::string_view text, const std::string& file) {
  Result<Node> strict = read_json(text, file);
  if (strict || text.size() > kMaxTextBytes) return strict;
  if (text.find("Infinity") == std::string_view::npos && text.find("NaN") == std::string_view::npos) return strict;
  return read_json(quote_non_finite(text), file);
}

Result<Node> read_json(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTextBytes) return fail(file, fmt::format("{} bytes are more than the limit of {} for one JSON document", text.size(), kMaxTextBytes));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail(file, "the file is empty", "A JSON document is expected.");
  TreeBuilder builder(file);
  const bool done = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (builder.failure) return tl::unexpected<Error>(std::move(*builder.failure));
  if (!done) return fail(file, "not valid JSON");
  return std::move(builder.root);
}

}  // namespace ridge::formats
