// Patterns over module names ("model.layers.3.self_attn.q_proj") as quantisation configs write them: a name, a run of its
// components, a glob with '*', or "re:" and a regular expression. Invariant: matching takes bounded time and depth whatever
// the patterns say: every attempt draws on a budget of steps, and one that runs out is an error, never an answer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "quantity/result.h"

namespace ridge::model {

inline constexpr std::size_t kMaxPatternLength = 2'000;
inline constexpr std::int64_t kMatchSteps = 20'000'000;  // a budget for all modules of a model

// A regular expression matched at the start of a name (Python's re.match): literals, '.', classes, groups, alternation,
// * + ? {m,n} greedy or lazy, ^ $ \d \w \s \b and look-ahead.
class Regex {
 public:
  static Result<Regex> parse(std::string_view pattern);
  // False where nothing matches. Draws on `steps`, but at most 200,000 for one name.
  Result<bool> matches(std::string_view text, std::int64_t& steps) const;

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
  Result<bool> matches(std::string_view module, std::int64_t& steps) const;

 private:
  std::unordered_set<std::string> plain_;
  std::vector<std::string> prefixes_;  // of globs that end in their only '*'; sorted, none a prefix of another
  std::vector<std::string> globs_;
  std::vector<Regex> regexes_;
  std::size_t most_components_ = 0;
};

}  // namespace ridge::model
