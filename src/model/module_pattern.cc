#include "model/module_pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::model {

bool glob_matches(std::string_view pattern, std::string_view text) {
  // The last '*' seen takes one more character on every failure: linear space, at most |pattern| × |text| steps.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Result<void> ModulePatterns::add(std::string_view pattern) {
  if (pattern.size() > kMaxPatternLength)
    return fail("", fmt::format("a pattern of {} characters; at most {} are expected", pattern.size(), kMaxPatternLength));
  if (pattern.starts_with("re:")) {
    RIDGE_TRY(Regex regex, Regex::parse(pattern.substr(3)));
    regexes_.push_back(std::move(regex));
    return {};
  }
  if (pattern.find_first_of("*?") != std::string_view::npos) {
    const bool prefix_only = pattern.find_first_of("*?") == pattern.size() - 1 && pattern.back() == '*';
    if (!prefix_only) {
      globs_.emplace_back(pattern);
      return {};
    }
    const std::string prefix(pattern.substr(0, pattern.size() - 1));
    const auto place = std::upper_bound(prefixes_.begin(), prefixes_.end(), prefix);
    if (place != prefixes_.begin() && prefix.starts_with(*std::prev(place))) return {};
    auto last = place;
    while (last != prefixes_.end() && last->starts_with(prefix)) ++last;
    prefixes_.insert(prefixes_.erase(place, last), prefix);
    return {};
  }
  plain_.emplace(pattern);
  most_components_ = std::max(most_components_, static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '.')) + 1);
  return {};
}

Result<bool> ModulePatterns::matches(std::string_view module, std::int64_t& steps) const {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < module.size(); ++i)
    if (module[i] == '.') starts.push_back(i + 1);
  const auto end_of = [&](std::size_t component) { return component + 1 < starts.size() ? starts[component + 1] - 1 : module.size(); };
  for (std::size_t first = 0; first < starts.size(); ++first)
    for (std::size_t last = first; last < starts.size() && last - first < most_components_; ++last)
      if (plain_.contains(std::string(module.substr(starts[first], end_of(last) - starts[first])))) return true;
  // Of sorted prefixes, none of which is a prefix of another, only the greatest that is not beyond the name can be its prefix.
  const auto beyond = std::upper_bound(prefixes_.begin(), prefixes_.end(), module, [](std::string_view a, const std::string& b) { return a < b; });
  if (beyond != prefixes_.begin() && module.starts_with(*std::prev(beyond))) return true;
  for (const std::string& glob : globs_) {
    steps -= static_cast<std::int64_t>(glob.size() + module.size());
    if (steps < 0) return fail("", "the patterns take too many steps on the modules of this model");
    if (glob_matches(glob, module) || glob_matches(glob + ".*", module)) return true;
  }
  for (const Regex& regex : regexes_) {
    RIDGE_TRY(const bool matched, regex.matches(module, steps));
    if (matched) return true;
  }
  return false;
}

}  // namespace ridge::model
