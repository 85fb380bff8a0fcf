#include "model/module_pattern.h"

#include <gtest/gtest.h>

#include <chrono>

namespace ridge::model {
namespace {

bool hit(std::initializer_list<std::string_view> patterns, std::string_view module) {
  ModulePatterns set;
  for (std::string_view pattern : patterns) EXPECT_TRUE(set.add(pattern)) << pattern;
  std::int64_t steps = kMatchSteps;
  const Result<bool> matched = set.matches(module, steps);
  EXPECT_TRUE(matched);
  return matched && *matched;
}

TEST(PlainPattern, StandsForTheModuleAndAllBelowIt) {
  EXPECT_TRUE(hit({"lm_head"}, "lm_head"));
  EXPECT_TRUE(hit({"model.layers.3.self_attn"}, "model.layers.3.self_attn.q_proj"));
  EXPECT_FALSE(hit({"model.layers.3"}, "model.layers.30.self_attn.q_proj"));
}

TEST(PlainPattern, StandsForARunOfComponentsAnywhere) {
  EXPECT_TRUE(hit({"gate"}, "model.layers.0.mlp.gate"));
  EXPECT_FALSE(hit({"gate"}, "model.layers.0.mlp.experts.0.gate_proj")) << "a component is whole";
  EXPECT_TRUE(hit({"mlp.gate"}, "model.layers.0.mlp.gate"));
  EXPECT_FALSE(hit({"head"}, "lm_head"));
}

TEST(Glob, MatchesTheWholeNameOrAnAncestor) {
  EXPECT_TRUE(hit({"model.layers.*.self_attn"}, "model.layers.3.self_attn.q_proj"));
  EXPECT_TRUE(hit({"*.mlp.shared_expert.*"}, "model.layers.0.mlp.shared_expert.up_proj"));
  EXPECT_FALSE(hit({"*.mlp.shared_expert.*"}, "model.layers.0.mlp.shared_expert_gate"));
  EXPECT_TRUE(hit({"model.layers.?.mlp"}, "model.layers.4.mlp.up_proj"));
}

TEST(Glob, ThatEndsInItsOnlyStarIsAPrefix) {
  EXPECT_TRUE(hit({"mtp*"}, "mtp.layers.0.mlp.up_proj"));
  EXPECT_TRUE(hit({"model.layers.1*"}, "model.layers.12.mlp.up_proj")) << "a star takes digits too";
  EXPECT_FALSE(hit({"model.layers.1.*"}, "model.layers.12.mlp.up_proj"));
  EXPECT_TRUE(hit({"a.b*", "a*", "a.c*"}, "a.z")) << "the shorter prefix covers the longer ones, in any order";
  EXPECT_TRUE(hit({"b*", "a.b*", "c*"}, "a.bx"));
  EXPECT_FALSE(hit({"b*", "a.b*", "c*"}, "a.ax"));
  EXPECT_TRUE(hit({"a.c*", "a.b*", "a.b.c*"}, "a.b.d"));
}

TEST(Glob, TakesLinearSpaceAndQuadraticTime) {
  const std::string name(200, 'a');
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*b", name));
  EXPECT_TRUE(glob_matches("*a*a*a*", name));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(RegexPattern, MatchesAtTheStartAsPythonDoes) {
  EXPECT_TRUE(hit({"re:.*self_attn.*"}, "model.layers.0.self_attn.q_proj"));
  EXPECT_TRUE(hit({R"(re:.*mlp\.(gate|up|gate_up|down)_proj.*)"}, "model.layers.0.mlp.up_proj"));
  EXPECT_FALSE(hit({R"(re:.*mlp\.(gate|up|gate_up|down)_proj.*)"}, "model.layers.0.mlp.experts.0.up_proj"));
  EXPECT_TRUE(hit({"re:model"}, "model.layers")) << "the end is open";
  EXPECT_FALSE(hit({"re:layers"}, "model.layers")) << "the start is not";
}

struct RegexCase {
  const char* pattern;
  const char* text;
  bool matches;
};
class RegexCases : public testing::TestWithParam<RegexCase> {};
TEST_P(RegexCases, AgreeWithPython) {
  const RegexCase& c = GetParam();
  const Result<Regex> regex = Regex::parse(c.pattern);
  ASSERT_TRUE(regex) << to_string(regex.error());
  std::int64_t steps = kMatchSteps;
  const Result<bool> matched = regex->matches(c.text, steps);
  ASSERT_TRUE(matched) << to_string(matched.error());
  EXPECT_EQ(*matched, c.matches) << c.pattern << " on " << c.text;
}
INSTANTIATE_TEST_SUITE_P(Regex, RegexCases,
                         testing::Values(RegexCase{"", "anything", true}, RegexCase{"a|b", "b", true}, RegexCase{"(ab)+c", "ababc", true},
                                         RegexCase{"(ab)+c", "abac", false}, RegexCase{"a{2,3}b", "aab", true}, RegexCase{"a{2,3}b", "aaaab", false},
                                         RegexCase{"a{2}$", "aa", true}, RegexCase{"a{2}$", "aaa", false}, RegexCase{"a{2,}$", "aaaa", true},
                                         RegexCase{"[a-c]x", "bx", true}, RegexCase{"[^a-c]x", "bx", false}, RegexCase{"[]a]", "]", true},
                                         RegexCase{R"(\d+\.\w)", "12._", true}, RegexCase{R"([\d.]+$)", "1.2.3", true}, RegexCase{R"(\D)", "7", false},
                                         RegexCase{"^a$", "a", true}, RegexCase{"a.c", "abc", true}, RegexCase{"a.*?c$", "abcbc", true},
                                         RegexCase{R"(.*\.(?!experts)\w+$)", "mlp.gate", true}, RegexCase{R"(mlp\.(?!experts))", "mlp.experts.0", false},
                                         RegexCase{"(?=ab)a", "ab", true}, RegexCase{"(?:x|y)+$", "xyx", true}, RegexCase{R"(gate\b)", "gate.x", true},
                                         RegexCase{R"(gate\b)", "gate_proj", false}, RegexCase{"(a*)*b", "aaab", true}, RegexCase{"(a|)*b", "ab", true},
                                         RegexCase{"x*", "", true}));

TEST(Regex, SaysWhatItDoesNotKnow) {
  const auto error = [](const char* pattern) { return Regex::parse(pattern).error().what; };
  EXPECT_EQ(error("(ab"), "the pattern \"re:(ab\" has an unclosed '(' at character 4");
  EXPECT_EQ(error("ab)"), "the pattern \"re:ab)\" has an unmatched ')' at character 3");
  EXPECT_EQ(error("[ab"), "the pattern \"re:[ab\" has an unclosed '[' at character 4");
  EXPECT_EQ(error("*a"), "the pattern \"re:*a\" has nothing to repeat at character 1");
  EXPECT_EQ(error("a{3,2}"), "the pattern \"re:a{3,2}\" has a malformed repetition at character 7");
  EXPECT_EQ(error("(?<=a)b"), "the pattern \"re:(?<=a)b\" has a kind of group that is not supported at character 3");
  EXPECT_EQ(error(R"(\1)"), "the pattern \"re:\\1\" has an escape that is not supported at character 3");
  EXPECT_EQ(error("\\"), "the pattern \"re:\\\" has a lone backslash at character 2");
}

TEST(Regex, EndsInAnErrorWhereAPatternExplodes) {
  const Result<Regex> regex = Regex::parse("(a+)+b");
  ASSERT_TRUE(regex);
  const auto begin = std::chrono::steady_clock::now();
  std::int64_t steps = kMatchSteps;
  const Result<bool> matched = regex->matches(std::string(60, 'a'), steps);
  ASSERT_FALSE(matched);
  EXPECT_EQ(matched.error().what.substr(0, 47), "the pattern \"re:(a+)+b\" takes too many steps on");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(Regex, BoundsItsLengthAndDepth) {
  EXPECT_FALSE(Regex::parse(std::string(kMaxPatternLength + 1, 'a')));
  EXPECT_FALSE(Regex::parse(std::string(100, '(') + std::string(100, ')')));
  const Result<Regex> longest = Regex::parse(std::string(kMaxPatternLength, 'a'));
  ASSERT_TRUE(longest);
  std::int64_t steps = kMatchSteps;
  EXPECT_FALSE(*longest->matches(std::string(900, 'a'), steps));
  EXPECT_FALSE(longest->matches(std::string(kMaxPatternLength, 'a'), steps)) << "deeper than names are";
}

TEST(ModulePatterns, EndInAnErrorWhereTheBudgetIsSpent) {
  ModulePatterns set;
  ASSERT_TRUE(set.add("a*b*c"));
  std::int64_t steps = 25;
  EXPECT_TRUE(set.matches("0123456789", steps));
  const Result<bool> spent = set.matches("0123456789", steps);
  ASSERT_FALSE(spent);
  EXPECT_EQ(spent.error().what, "the patterns take too many steps on the modules of this model");
}

}  // namespace
}  // namespace ridge::model
