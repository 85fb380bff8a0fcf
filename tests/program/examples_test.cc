// Every example that a command's help shows is run as it is printed there, and its JSON is the documented document.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "commands/registry.h"
#include "formats/tree.h"
#include "interfaces/cli/words.h"
#include "program.h"

namespace ridge::tests {
namespace {

using formats::Node;

struct Shown {
  std::string command;
  std::string arguments;
};

void PrintTo(const Shown& shown, std::ostream* out) { *out << "ridge " << shown.arguments; }

std::vector<Shown> shown_examples() {
  std::vector<Shown> all;
  for (const commands::Command& command : commands::all_commands())
    for (const commands::Example& example : command.examples) all.push_back({command.name, example.arguments});
  return all;
}

void expect_keys(const Node& map, const std::set<std::string>& required, const std::set<std::string>& optional, const std::string& what) {
  ASSERT_EQ(map.kind, Node::Kind::kMap) << what;
  std::set<std::string> keys;
  for (const auto& [key, value] : map.map) {
    EXPECT_TRUE(required.contains(key) || optional.contains(key)) << what << " has a key that is not documented: " << key;
    keys.insert(key);
  }
  for (const std::string& key : required) EXPECT_TRUE(keys.contains(key)) << what << " lacks " << key;
}

bool is_number(const Node& node) { return (node.kind == Node::Kind::kInteger || node.kind == Node::Kind::kReal) && std::isfinite(node.real); }

void expect_value(const Node& node, bool may_be_null, const std::string& what) {
  if (node.kind == Node::Kind::kList) {
    ASSERT_EQ(node.list.size(), 2u) << what;
    EXPECT_TRUE(is_number(node.list[0]) && is_number(node.list[1])) << what;
    EXPECT_LT(node.list[0].real, node.list[1].real) << what << ": a range has two ends, the lower first";
    return;
  }
  EXPECT_TRUE(is_number(node) || node.kind == Node::Kind::kText || (may_be_null && node.kind == Node::Kind::kNull)) << what;
}

// docs/design.md, "JSON".
void expect_document(const Node& root) {
  expect_keys(root, {"schema", "command", "version", "request", "verdict", "figures", "tables", "plots", "findings", "derivation"}, {}, "the report");
  EXPECT_EQ(root.find("schema")->text, "ridge.report/1");
  expect_keys(*root.find("verdict"), {"text"}, {"ok"}, "verdict");
  EXPECT_FALSE(root.find("verdict")->find("text")->text.empty());
  for (const auto& [name, figure] : root.find("figures")->map) {
    expect_keys(figure, {"value", "unit"}, {"basis", "sources", "provenance", "label", "notation"}, "figure " + name);
    expect_value(*figure.find("value"), false, "figure " + name);
  }
  for (const Node& table : root.find("tables")->list) {
    expect_keys(table, {"name", "columns", "rows"}, {"title", "note", "row_units"}, "a table");
    const std::string name = table.find("name")->text;
    for (const Node& column : table.find("columns")->list) expect_keys(column, {"name", "unit"}, {"notation"}, "a column of " + name);
    for (const Node& row : table.find("rows")->list) {
      ASSERT_EQ(row.list.size(), table.find("columns")->list.size()) << "a row of " << name;
      for (const Node& cell : row.list) expect_value(cell, true, "a cell of " + name);
    }
  }
  for (const Node& finding : root.find("findings")->list) {
    expect_keys(finding, {"severity", "text", "evidence", "advice"}, {"kind"}, "a finding");
    EXPECT_FALSE(finding.find("text")->text.empty());
  }
  for (const Node& step : root.find("derivation")->list) expect_keys(step, {"name", "formula", "inputs", "value", "unit", "source"}, {}, "a derivation step");
}

class Example : public ::testing::TestWithParam<Shown> {};

TEST_P(Example, IsAnswered) {
  const Ran ran = run_ridge(cli::split_words(GetParam().arguments));
  EXPECT_EQ(ran.status, 0) << "ridge " << GetParam().arguments << "\n" << ran.err;
  EXPECT_FALSE(ran.out.empty());
  EXPECT_EQ(ran.err, "");
}

TEST_P(Example, GivesTheDocumentedJson) {
  std::vector<std::string> words = cli::split_words(GetParam().arguments);
  if (std::find(words.begin(), words.end(), "--markdown") != words.end()) GTEST_SKIP() << "the example asks for Markdown";
  if (std::find(words.begin(), words.end(), "--json") == words.end()) words.emplace_back("--json");
  const Ran ran = run_ridge(words);
  const Result<Node> read = formats::read_json(ran.out, "answer");
  ASSERT_TRUE(read) << to_string(read.error()) << "\n" << ran.err;
  expect_document(*read);
  EXPECT_EQ(read->find("command")->text, GetParam().command);
}

// The same request gives the same bytes.
TEST_P(Example, IsAnsweredTheSameTwice) {
  const std::vector<std::string> words = cli::split_words(GetParam().arguments);
  EXPECT_EQ(run_ridge(words).out, run_ridge(words).out);
}

std::string test_name(const ::testing::TestParamInfo<Shown>& info) {
  std::string name = std::to_string(info.index) + "_";
  for (const char c : info.param.command) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Commands, Example, ::testing::ValuesIn(shown_examples()), test_name);

}  // namespace
}  // namespace ridge::tests
