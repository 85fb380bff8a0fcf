#include "formats/tree.h"

#include <gtest/gtest.h>

#include "formats/csv.h"
#include "formats/file_system.h"

namespace ridge::formats {
namespace {

std::string json_error(const std::string& text) {
  const Result<Node> node = read_json(text, "f.json");
  return node ? "no error" : to_string(node.error());
}

TEST(ReadJson, KeepsOrderAndExactIntegers) {
  const Result<Node> node = read_json(R"({"b": 9007199254740993, "a": [1.5, true, null, "x"]})", "f.json");
  ASSERT_TRUE(node);
  EXPECT_EQ(node->map[0].first, "b");
  EXPECT_EQ(node->map[0].second.integer, 9007199254740993);
  EXPECT_EQ(node->find("a")->list.size(), 4u);
}

TEST(ReadJson, RefusesWhatTheLibraryWouldSwallow) {
  EXPECT_EQ(json_error(R"({"a": {"b": 1, "b": 2}})"), "f.json: a.b: the key \"b\" stands twice in one object");
  EXPECT_EQ(json_error(R"([18446744073709551616])"), "f.json: [0]: the integer 18446744073709551616 does not fit 64 bits with a sign");
  EXPECT_EQ(json_error(std::string(100, '[')),
            "f.json: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
            "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
            ": nested deeper than 64 levels");
  EXPECT_EQ(json_error(""), "f.json: the file is empty\n  A JSON document is expected.");
  EXPECT_NE(json_error("{\"a\": NaN}").find("line 1, column 7"), std::string::npos);
  EXPECT_NE(json_error("{} x"), "no error");
  EXPECT_NE(json_error("\"\xff\""), "no error");
  EXPECT_NE(json_error("[1e999]"), "no error");
}

TEST(ReadPythonJson, TakesTheWordsOfNonFiniteNumbersAsText) {
  const auto node = read_python_json(R"({"limit": [0.0, Infinity, -Infinity], "x": NaN, "name": "Infinity \"NaN\" \\", "y": NaN})", "c.json");
  ASSERT_TRUE(node) << to_string(node.error());
  EXPECT_EQ(node->find("limit")->list[1].text, "Infinity");
  EXPECT_EQ(node->find("limit")->list[2].text, "-Infinity");
  EXPECT_EQ(node->find("x")->kind, Node::Kind::kText);
  EXPECT_EQ(node->find("name")->text, "Infinity \"NaN\" \\") << "what stands in text already is left alone";
  EXPECT_EQ(NodeRef(*node, "c.json").get("x")->as_real().error().what, "a number is expected, found text");
}

TEST(ReadPythonJson, RefusesWhatIsNeitherJsonNorSuchAWord) {
  EXPECT_FALSE(read_python_json("{\"x\": Infinite}", "c.json"));
  EXPECT_FALSE(read_python_json("{\"x\": NaN", "c.json"));
  EXPECT_FALSE(read_python_json("\"NaN\\", "c.json"));
}

TEST(ReadYaml, FollowsTheCoreSchema) {
  const Result<Node> node = read_yaml("a: 010\nb: yes\nc: 1.5\nd: \"7\"\ne: [x, ~]\nf: true\n", "f.yaml");
  ASSERT_TRUE(node) << to_string(node.error());
  EXPECT_EQ(node->find("a")->integer, 10);
  EXPECT_EQ(node->find("b")->text, "yes");
  EXPECT_DOUBLE_EQ(node->find("c")->real, 1.5);
  EXPECT_EQ(node->find("d")->text, "7");
  EXPECT_TRUE(node->find("f")->boolean);
  EXPECT_EQ(node->find("e")->line, 5);
}

TEST(ReadYaml, RefusesDuplicatesBombsAndDepth) {
  EXPECT_EQ(to_string(read_yaml("a: 1\na: 2\n", "f.yaml").error()), "f.yaml:2: the key \"a\" stands twice in one map");
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += "," + before;
    bomb += "]\n";
  }
  EXPECT_NE(read_yaml(bomb, "f.yaml").error().what.find("aliases"), std::string::npos);
  EXPECT_FALSE(read_yaml(std::string(2000, '['), "f.yaml"));
  EXPECT_FALSE(read_yaml("a: 1\n---\nb: 2\n", "f.yaml"));
  EXPECT_FALSE(read_yaml("a: [1\n", "f.yaml"));
}

TEST(ReadYaml, RepeatsWhatAnAnchorNames) {
  const Result<Node> node = read_yaml("a: &x {b: [1, 2]}\nc: *x\nd: [&y z, *y]\n", "f.yaml");
  ASSERT_TRUE(node) << to_string(node.error());
  EXPECT_EQ(node->find("c")->find("b")->list[1].integer, 2);
  EXPECT_EQ(node->find("d")->list[1].text, "z");
  EXPECT_EQ(to_string(read_yaml("a: &x [*x]\n", "f.yaml").error()), "f.yaml:1: an alias stands inside of what it repeats");
  EXPECT_EQ(to_string(read_yaml("? [a]\n: 1\n", "f.yaml").error()), "f.yaml:1: a key must be plain text");
}

// yaml-cpp's own loader never ends on the first of these.
TEST(ReadYaml, EndsOnWhatIsNoYaml) {
  EXPECT_EQ(to_string(read_yaml(", a: 1\nb\x7f- {id: a}\n- {id: b}\n", "f.yaml").error()), "f.yaml:1: a second document begins; one is expected");
  EXPECT_FALSE(read_yaml("]", "f.yaml"));
  EXPECT_FALSE(read_yaml("# nothing but a remark\n", "f.yaml"));
}

TEST(NodeRef, NamesThePlace) {
  const Node node = *read_json(R"({"text_config": {"layers": 4.5, "name": 3}})", "config.json");
  const NodeRef root(node, "config.json");
  const NodeRef text = *root.get("text_config");
  EXPECT_EQ(to_string(text.require("layers")->as_integer().error()), "config.json: text_config.layers: a whole number is expected, found 4.5");
  EXPECT_EQ(to_string(text.require("heads").error()), "config.json: text_config: the key \"heads\" is missing");
  EXPECT_EQ(text.only({"layers", "nome"}).error().advice, "Did you mean nome?");
}

TEST(ReadCsv, ReadsQuotesAndCountsFields) {
  const Result<Table> table = read_csv("a,b\r\n1,\"x, \"\"y\"\"\"\r\n\n2,z", "t.csv");
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(table->rows[0][1], "x, \"y\"");
  EXPECT_EQ(table->rows[1][1], "z");
  EXPECT_EQ(table->lines[1], 4);
  EXPECT_EQ(to_string(read_csv("a,b\n1\n", "t.csv").error()), "t.csv:2: 1 fields where the header has 2");
  EXPECT_FALSE(read_csv("a,a\n", "t.csv"));
  EXPECT_FALSE(read_csv("a,b\n\"1,2\n", "t.csv"));
  EXPECT_FALSE(read_csv("", "t.csv"));
}

TEST(DiskFileSystem, SaysWhatIsWrongWithAPath) {
  const DiskFileSystem disk;
  EXPECT_EQ(disk.read_all("/nonexistent/file", 10).error().what, "there is no such file");
  EXPECT_EQ(disk.read_all("/tmp", 10).error().what, "this is a folder, a file is expected");
}

TEST(MemoryFileSystem, BehavesLikeADisk) {
  MemoryFileSystem memory;
  memory.files = {{"d/a", "12345"}, {"d/e/b", "x"}};
  EXPECT_EQ(*memory.read("d/a", 1, 3), "234");
  EXPECT_EQ(*memory.list("d"), (std::vector<std::string>{"a", "e"}));
  EXPECT_EQ(memory.read_all("d/a", 4).error().what, "the file is larger than the limit of 4 bytes");
}

}  // namespace
}  // namespace ridge::formats
