// A small backtracking matcher. Steps and depth are counted, so a hostile pattern ends in an error, not in a hang.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/module_pattern.h"

namespace ridge::model {
namespace {

constexpr std::int64_t kMaxSteps = 200'000;  // on one name
constexpr int kMaxMatchDepth = 1'000;
constexpr int kMaxGroupDepth = 32;
constexpr int kMaxRepeat = 1'000;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

// Nodes form lists: `next` follows, alternatives and repeated or looked-at parts are lists of their own.
struct Regex::Node {
  enum class Kind { kSet, kBegin, kEnd, kBoundary, kGroup, kRepeat, kLook } kind = Kind::kSet;
  std::array<bool, 256> set{};
  std::vector<std::unique_ptr<Node>> alternatives;  // heads of lists; null: the empty pattern
  int low = 0, high = 0;                            // kRepeat; high < 0: without end
  bool lazy = false;
  bool negative = false;  // kLook
  std::unique_ptr<Node> next;
};

Regex::Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

namespace {

using Node = Regex::Node;
using NodePtr = std::unique_ptr<Node>;

class Parser {
 public:
  explicit Parser(std::string_view pattern) : text_(pattern) {}

  Result<NodePtr> parse() {
    RIDGE_TRY(NodePtr root, alternatives(0));
    if (at_ < text_.size()) return error("an unmatched ')'");
    return root;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  bool take(char c) {
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  tl::unexpected<Error> error(std::string_view what) const {
    return fail("", fmt::format("the pattern \"re:{}\" has {} at character {}", text_, what, at_ + 1));
  }

  Result<NodePtr> alternatives(int depth) {
    if (depth > kMaxGroupDepth) return error("groups nested too deeply");
    auto group = std::make_unique<Node>();
    group->kind = Node::Kind::kGroup;
    do {
      RIDGE_TRY(NodePtr list, sequence(depth));
      group->alternatives.push_back(std::move(list));
    } while (take('|'));
    return group;
  }

  Result<NodePtr> sequence(int depth) {
    NodePtr head;
    NodePtr* tail = &head;
    while (more() && text_[at_] != '|' && text_[at_] != ')') {
      RIDGE_TRY(NodePtr node, repeated(depth));
      *tail = std::move(node);
      tail = &(*tail)->next;
    }
    return head;
  }

  Result<NodePtr> repeated(int depth) {
    RIDGE_TRY(NodePtr node, atom(depth));
    while (more()) {
      int low = 0;
      int high = -1;
      if (take('*')) {
      } else if (take('+')) {
        low = 1;
      } else if (take('?')) {
        high = 1;
      } else if (text_[at_] == '{') {
        RIDGE_TRY_VOID(bounds(low, high));
      } else {
        break;
      }
      if (node->kind == Node::Kind::kBegin || node->kind == Node::Kind::kEnd) return error("a repeated anchor");
      auto repeat = std::make_unique<Node>();
      repeat->kind = Node::Kind::kRepeat;
      repeat->low = low;
      repeat->high = high;
      repeat->lazy = take('?');
      repeat->alternatives.push_back(std::move(node));
      node = std::move(repeat);
      if (++nested_repeats_ > kMaxRepeat) return error("too many repetitions");
    }
    return node;
  }

  Result<void> bounds(int& low, int& high) {
    ++at_;
    RIDGE_TRY(low, number());
    high = low;
    if (take(',')) {
      high = -1;
      if (more() && text_[at_] != '}') {
        RIDGE_TRY(high, number());
      }
    }
    if (!take('}') || (high >= 0 && high < low)) return error("a malformed repetition");
    return {};
  }

  Result<int> number() {
    int value = 0;
    bool any = false;
    while (more() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + (text_[at_++] - '0');
      any = true;
      if (value > kMaxRepeat) return error("a repetition that is too large");
    }
    if (!any) return error("a malformed repetition");
    return value;
  }

  static NodePtr anchor(Node::Kind kind) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    return node;
  }

  Result<NodePtr> atom(int depth) {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return group(depth);
      case '[':
        return char_class();
      case '^':
        return anchor(Node::Kind::kBegin);
      case '$':
        return anchor(Node::Kind::kEnd);
      case '*':
      case '+':
      case '?':
        --at_;
        return error("nothing to repeat");
      default:
        break;
    }
    auto node = std::make_unique<Node>();
    if (c == '.') {
      node->set.fill(true);
    } else if (c == '\\') {
      if (!more()) return error("a lone backslash");
      if (text_[at_] == 'b') {
        ++at_;
        return anchor(Node::Kind::kBoundary);
      }
      RIDGE_TRY_VOID(escape(node->set));
    } else {
      node->set[static_cast<unsigned char>(c)] = true;
    }
    return node;
  }

  Result<NodePtr> group(int depth) {
    auto look = NodePtr{};
    if (take('?')) {
      if (take('=') || (more() && text_[at_] == '!')) {
        look = anchor(Node::Kind::kLook);
        look->negative = take('!');
      } else if (!take(':')) {
        return error("a kind of group that is not supported");
      }
    }
    RIDGE_TRY(NodePtr inner, alternatives(depth + 1));
    if (!take(')')) return error("an unclosed '('");
    if (!look) return inner;
    look->alternatives.push_back(std::move(inner));
    return look;
  }

  Result<void> escape(std::array<bool, 256>& set) {
    const char c = text_[at_++];
    const char kind = static_cast<char>(c | 0x20);
    if (kind == 'd' || kind == 'w' || kind == 's') {
      for (int i = 0; i < 256; ++i) {
        const char x = static_cast<char>(i);
        const bool in = kind == 'd' ? (x >= '0' && x <= '9') : (kind == 'w' ? is_word(x) : (x == ' ' || (x >= '\t' && x <= '\r')));
        if (in == (c == kind)) set[static_cast<std::size_t>(i)] = true;
      }
      return {};
    }
    if (is_word(c)) return error("an escape that is not supported");
    set[static_cast<unsigned char>(c)] = true;
    return {};
  }

  Result<NodePtr> char_class() {
    auto node = std::make_unique<Node>();
    const bool negated = take('^');
    bool first = true;
    while (more() && (first || text_[at_] != ']')) {
      first = false;
      if (text_[at_] == '\\') {
        ++at_;
        if (!more()) return error("a lone backslash");
        RIDGE_TRY_VOID(escape(node->set));
        continue;
      }
      const auto low = static_cast<unsigned char>(text_[at_++]);
      unsigned char high = low;
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        high = static_cast<unsigned char>(text_[at_ + 1]);
        at_ += 2;
      }
      if (high < low) return error("a range that runs backwards");
      for (int i = low; i <= high; ++i) node->set[static_cast<std::size_t>(i)] = true;
    }
    if (!take(']')) return error("an unclosed '['");
    if (negated)
      for (bool& in : node->set) in = !in;
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nested_repeats_ = 0;
};

// A callable that is referred to, not owned: continuations live on the stack and cost no allocation.
class Then {
 public:
  template <class F>
  Then(const F& f) : object_(&f), call_([](const void* object, std::size_t at) { return (*static_cast<const F*>(object))(at); }) {}  // NOLINT: implicit
  bool operator()(std::size_t at) const { return call_(object_, at); }

 private:
  const void* object_;
  bool (*call_)(const void*, std::size_t);
};

// Continuation-passing: match(node, position, then) tries `then` behind every way in which the list from `node` matches.
class Matcher {
 public:
  Matcher(std::string_view text, std::int64_t limit) : text_(text), limit_(limit) {}

  bool match(const Node* node, std::size_t at, const Then& then) {
    if (exhausted_ || ++steps_ > limit_ || depth_ >= kMaxMatchDepth) {
      exhausted_ = true;
      return false;
    }
    ++depth_;
    const bool matched = node == nullptr ? then(at) : one(*node, at, then);
    --depth_;
    return matched;
  }
  bool exhausted() const { return exhausted_; }
  std::int64_t steps() const { return steps_; }

 private:
  bool one(const Node& node, std::size_t at, const Then& then) {
    const auto rest = [&](std::size_t position) { return match(node.next.get(), position, then); };
    switch (node.kind) {
      case Node::Kind::kSet:
        return at < text_.size() && node.set[static_cast<unsigned char>(text_[at])] && rest(at + 1);
      case Node::Kind::kBegin:
        return at == 0 && rest(at);
      case Node::Kind::kEnd:
        return at == text_.size() && rest(at);
      case Node::Kind::kBoundary: {
        const bool before = at > 0 && is_word(text_[at - 1]);
        const bool after = at < text_.size() && is_word(text_[at]);
        return before != after && rest(at);
      }
      case Node::Kind::kGroup:
        for (const NodePtr& alternative : node.alternatives)
          if (match(alternative.get(), at, rest)) return true;
        return false;
      case Node::Kind::kLook: {
        const bool found = match(node.alternatives[0].get(), at, [](std::size_t) { return true; });
        return !exhausted_ && found != node.negative && rest(at);
      }
      case Node::Kind::kRepeat:
        return single(node) ? run(node, at, rest) : repeat(node, 0, at, rest);
    }
    return false;
  }

  static bool single(const Node& repeat) { return repeat.alternatives[0]->kind == Node::Kind::kSet; }

  // A repeated character needs no recursion: count how far it goes, then give back one at a time (or take one, where lazy).
  bool run(const Node& node, std::size_t at, const Then& rest) {
    const std::array<bool, 256>& set = node.alternatives[0]->set;
    const std::size_t limit = node.high < 0 ? text_.size() - at : std::min(text_.size() - at, static_cast<std::size_t>(node.high));
    std::size_t most = 0;
    while (most < limit && set[static_cast<unsigned char>(text_[at + most])]) ++most;
    const auto least = static_cast<std::size_t>(node.low);
    if (most < least) return false;
    for (std::size_t i = 0; i <= most - least; ++i)
      if (rest(at + (node.lazy ? least + i : most - i))) return true;
    return false;
  }

  bool repeat(const Node& node, int done, std::size_t at, const Then& rest) {
    if (exhausted_) return false;
    const bool enough = done >= node.low;
    const bool room = node.high < 0 || done < node.high;
    if (enough && node.lazy && rest(at)) return true;
    // A round that took nothing would repeat for ever.
    const auto again = [&](std::size_t position) { return (position > at || done < node.low) && repeat(node, done + 1, position, rest); };
    if (room && match(node.alternatives[0].get(), at, again)) return true;
    return enough && !node.lazy && rest(at);
  }

  std::string_view text_;
  std::int64_t limit_;
  std::int64_t steps_ = 0;
  int depth_ = 0;
  bool exhausted_ = false;
};

}  // namespace

Result<Regex> Regex::parse(std::string_view pattern) {
  if (pattern.size() > kMaxPatternLength)
    return fail("", fmt::format("a pattern of {} characters; at most {} are expected", pattern.size(), kMaxPatternLength));
  RIDGE_TRY(NodePtr root, Parser(pattern).parse());
  Regex regex;
  regex.pattern_ = pattern;
  regex.root_ = std::move(root);
  return regex;
}

Result<bool> Regex::matches(std::string_view text, std::int64_t& steps) const {
  Matcher matcher(text, std::min(kMaxSteps, steps));
  const bool matched = matcher.match(root_.get(), 0, [](std::size_t) { return true; });
  steps -= matcher.steps();
  if (matcher.exhausted()) return fail("", fmt::format("the pattern \"re:{}\" takes too many steps on \"{}\"", pattern_, text));
  return matched;
}

}  // namespace ridge::model
