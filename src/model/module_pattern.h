// Patterns over module names ("model.layers.3.self_attn.q_proj") as quantisation configs write them: a name, a run of its
// components, a glob with '*', or "re:" and a regular expression. Invariant: matching a name takes bounded time and depth
// whatever the pattern says; one that needs more counts as an error, never as an answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "quantity/result.h"

namespace ridge::model {

inline constexpr std::size_t kMaxPatternLength = 2'000;

// A regular expression matched at the start of a name (Python's re.match): literals, '.', classes, groups, alternation,
// * + ? {m,n} greedy or lazy, ^ $ \d \w \s \b and look-ahead.
class Regex {
 public:
  static Result<Regex> parse(std::string_view pattern);
  // False where nothing matches; an error where the steps run out.
  Result<bool> matches(std::string_view text) const;

  struct Node;
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

 private:
  Regex();
  std::string pattern_;
  std::unique_ptr<Node> root_;
};

// True where '*' stands for any run of characters and '?' for one.
bool glob_matches(std::string_view pattern, std::string_view text);

// Many patterns asked about many names. Plain ones are looked up, the others are tried in turn.
class ModulePatterns {
 public:
  // A plain pattern stands for the module of that name, for everything below it, and, as a run of components, for it
  // wherever it occurs ("gate" for "model.layers.0.mlp.gate").
  Result<void> add(std::string_view pattern);
  bool empty() const { return plain_.empty() && globs_.empty() && regexes_.empty(); }
  Result<bool> matches(std::string_view module) const;

 private:
  std::unordered_set<std::string> plain_;
  std::vector<std::string> prefixes_;  // of globs that end in their only '*'; sorted, none a prefix of another
  std::vector<std::string> globs_;
  std::vector<Regex> regexes_;
  std::size_t most_components_ = 0;
};

}  // namespace ridge::model
