// The worked examples: one call of the program each, with figures, verdict, findings and exit status that it must give.
// Ours are in tests/oracles/worked_examples.json; those of RIDGE_SHARED are run where that folder is present.
//
// `figures` gives values in base units with relative tolerance `tol` (0.002 where it is absent) or absolute tolerance `abs`;
// text is a category, a list a range of which both ends must match; a range does not pass for a number. `basis` lists words
// of the figure's basis; `verdict` is part of the verdict's text and `ok` its truth value; `finding` lists words that one
// finding must contain; `exit` is the exit status (0 where it is absent); "shared:" stands for the folder of RIDGE_SHARED.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "formats/tree.h"
#include "program.h"

namespace ridge::tests {
namespace {

using formats::Node;

struct Case {
  std::string id;
  Node node;
};

void PrintTo(const Case& example, std::ostream* out) { *out << example.id; }

const std::string kOurs = RIDGE_SOURCE_DIR "/tests/oracles/worked_examples.json";
const std::string kShared = RIDGE_SHARED_DIR;

// Only the cases of the parts of the program that exist.
bool is_due(const Node& node) {
  const Node* issue = node.find("issue");
  return issue == nullptr || issue->text == "frame";
}

std::vector<Case> cases_of(const std::string& path) {
  std::vector<Case> cases;
  if (!std::filesystem::exists(path)) return cases;
  const Result<Node> file = formats::read_json(read_text(path), path);
  if (!file) {
    ADD_FAILURE() << to_string(file.error());
    return cases;
  }
  for (const Node& node : file->find("cases")->list)
    if (is_due(node)) cases.push_back({node.find("id")->text, node});
  return cases;
}

// The answer as the JSON of the program.
class Answer {
 public:
  Answer(const std::vector<std::string>& arguments, int status) {
    std::vector<std::string> words = arguments;
    words.emplace_back("--json");
    const Ran ran = run_ridge(words);
    EXPECT_EQ(ran.status, status) << ran.err;
    const Result<Node> read = formats::read_json(ran.out, "answer");
    EXPECT_TRUE(read) << ran.out << ran.err;
    if (read) root_ = *read;
    usable_ = read && ran.status == status;
  }

  bool usable() const { return usable_; }

  const Node* figure(const std::string& name) const {
    const Node* figures = root_.find("figures");
    return figures == nullptr ? nullptr : figures->find(name);
  }
  std::string figure_names() const {
    std::string names;
    if (const Node* figures = root_.find("figures"))
      for (const auto& [name, value] : figures->map) names += name + " ";
    return names;
  }
  const Node& root() const { return root_; }

 private:
  Node root_;
  bool usable_ = false;
};

bool is_number(const Node& node) { return node.kind == Node::Kind::kInteger || node.kind == Node::Kind::kReal; }

void expect_number(const Node& expected, const Node& got, const Node& spec, const std::string& name) {
  ASSERT_TRUE(is_number(got)) << name << " is no single number";
  double tolerance = 0.002 * std::abs(expected.real);
  if (const Node* relative = spec.find("tol")) tolerance = relative->real * std::abs(expected.real);
  if (const Node* absolute = spec.find("abs")) tolerance = absolute->real;
  EXPECT_NEAR(got.real, expected.real, tolerance) << name;
}

void expect_figure(const Answer& answer, const std::string& name, const Node& spec) {
  const Node* figure = answer.figure(name);
  ASSERT_NE(figure, nullptr) << name << " is absent; there are: " << answer.figure_names();
  const Node& expected = *spec.find("value");
  const Node* value = figure->find("value");
  ASSERT_NE(value, nullptr) << name << " has no value";
  if (expected.kind == Node::Kind::kText) {
    EXPECT_EQ(value->text, expected.text) << name;
  } else if (expected.kind == Node::Kind::kList) {
    ASSERT_EQ(value->kind, Node::Kind::kList) << name << " is no range";
    ASSERT_EQ(value->list.size(), expected.list.size()) << name;
    for (std::size_t i = 0; i < expected.list.size(); ++i) expect_number(expected.list[i], value->list[i], spec, name);
  } else {
    expect_number(expected, *value, spec, name);
  }
  if (const Node* unit = spec.find("unit")) {
    const Node* got = figure->find("unit");
    ASSERT_NE(got, nullptr) << name << " has no unit";
    EXPECT_EQ(got->text, unit->text) << name;
  }
  if (const Node* words = spec.find("basis")) {
    const Node* basis = figure->find("basis");
    ASSERT_NE(basis, nullptr) << name << " has no basis";
    for (const Node& word : words->list) EXPECT_NE(basis->text.find(word.text), std::string::npos) << name << ": " << basis->text << " lacks " << word.text;
  }
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

void expect_finding(const Answer& answer, const Node& words) {
  std::string all;
  const Node* findings = answer.root().find("findings");
  ASSERT_NE(findings, nullptr);
  for (const Node& finding : findings->list) {
    std::string text;
    for (const char* part : {"text", "evidence", "advice"})
      if (const Node* node = finding.find(part)) text += node->text + "\n";
    bool has_all = true;
    for (const Node& word : words.list) has_all = has_all && lower(text).find(lower(word.text)) != std::string::npos;
    if (has_all) return;
    all += text;
  }
  FAIL() << "no finding has all of the words; the findings are:\n" << all;
}

// A number that a person relies on can be asked for its reason: --explain prints its step of the derivation, or its sources
// where it is a fact of the catalogue.
void expect_reason(const Answer& answer, const std::string& name, const std::string& explained) {
  if (const Node* derivation = answer.root().find("derivation"))
    for (const Node& step : derivation->list)
      if (const Node* step_name = step.find("name"); step_name != nullptr && step_name->text == name) {
        EXPECT_NE(explained.find("  " + name + " = "), std::string::npos) << "--explain does not print the step " << name;
        return;
      }
  const Node* figure = answer.figure(name);
  const Node* sources = figure == nullptr ? nullptr : figure->find("sources");
  ASSERT_TRUE(sources != nullptr && !sources->list.empty()) << name << " has neither a derivation nor sources";
  for (const Node& source : sources->list) EXPECT_NE(explained.find(source.text), std::string::npos) << "--explain does not name " << source.text;
}

std::string explanation_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--explain");
  return run_ridge(std::move(arguments)).out;
}

std::vector<std::string> arguments_of(const Node& node) {
  std::vector<std::string> arguments;
  for (const Node& word : node.find("argv")->list) arguments.push_back(word.text.starts_with("shared:") ? kShared + "/" + word.text.substr(7) : word.text);
  return arguments;
}

bool can_be_asked(const std::vector<std::string>& arguments) { return has_command(arguments[0]) || has_command(arguments[0] + " " + arguments[1]); }

void check(const Case& example) {
  const std::vector<std::string> arguments = arguments_of(example.node);
  if (!can_be_asked(arguments)) GTEST_SKIP() << "the program has no " << arguments[0] << " yet";
  const Node* status = example.node.find("exit");
  const Answer answer(arguments, status == nullptr ? 0 : static_cast<int>(status->integer));
  if (!answer.usable()) return;

  if (const Node* figures = example.node.find("figures")) {
    const std::string explained = explanation_of(arguments);
    for (const auto& [name, spec] : figures->map) {
      expect_figure(answer, name, spec);
      if (spec.find("value")->kind != Node::Kind::kText) expect_reason(answer, name, explained);
    }
  }
  if (const Node* text = example.node.find("verdict")) {
    EXPECT_NE(answer.root().find("verdict")->find("text")->text.find(text->text), std::string::npos);
  }
  if (const Node* ok = example.node.find("ok")) {
    const Node* got = answer.root().find("verdict")->find("ok");
    ASSERT_TRUE(got != nullptr && got->kind == Node::Kind::kBoolean) << "the verdict is neither yes nor no";
    EXPECT_EQ(got->boolean, ok->boolean);
  }
  if (const Node* words = example.node.find("finding")) expect_finding(answer, *words);
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.id) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class WorkedExample : public ::testing::TestWithParam<Case> {};
TEST_P(WorkedExample, IsAnsweredAsStated) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Ours, WorkedExample, ::testing::ValuesIn(cases_of(kOurs)), test_name);

TEST(WorkedExamples, OfTheSharedFolderAreAnsweredAsStated) {
  const std::string path = kShared + "/worked_examples.json";
  if (kShared.empty() || !std::filesystem::exists(path)) GTEST_SKIP() << "RIDGE_SHARED has no worked_examples.json";
  const std::vector<Case> cases = cases_of(path);
  ASSERT_FALSE(cases.empty());
  for (const Case& example : cases) {
    SCOPED_TRACE(example.id);
    check(example);
  }
}

}  // namespace
}  // namespace ridge::tests
