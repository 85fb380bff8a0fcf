#include <gtest/gtest.h>

#include <limits>

#include "report/render.h"
#include "support/golden.h"
#include "support/sample_report.h"

namespace ridge::report {
namespace {

std::string read_error(const std::string& json) {
  const Result<Report> report = read_report(json, "r.json");
  return report ? "no error" : to_string(report.error());
}

// The JSON of an empty report with one part exchanged.
std::string with(const std::string& part, const std::string& value) {
  std::string json = render_json(Report{}, "1");
  const std::size_t at = json.find("\"" + part + "\": ") + part.size() + 4;
  const std::size_t end = json.find('\n', at);
  return json.substr(0, at) + value + (json[end - 1] == ',' ? "," : "") + json.substr(end);
}

TEST(RenderJson, MatchesTheGolden) { EXPECT_TRUE(support::matches_golden("report/rich.json", render_json(support::sample_report(), "0.1.0"))); }

TEST(RenderJson, IsReadBackWithNothingLost) {
  const std::string json = render_json(support::sample_report(), "0.1.0");
  const Result<Report> report = read_report(json, "r.json");
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(render_json(*report, "0.1.0"), json);
  EXPECT_EQ(render_html(*report, "0.1.0"), render_html(support::sample_report(), "0.1.0"));
}

TEST(RenderJson, WritesNumbersThatReadBackAsTheSame) {
  Report report;
  const std::vector<double> values{0.1,  1.0 / 3, 1.08e18,   9223372036854775808.0, 9007199254740993.0, 1e22, 5e-324, 1.7976931348623157e308,
                                   -0.0, 14e9,    123456.789};
  for (std::size_t i = 0; i < values.size(); ++i) report.add("f" + std::to_string(i), values[i], "1");
  const Result<Report> read = read_report(render_json(report, "1"), "r.json");
  ASSERT_TRUE(read) << to_string(read.error());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::get<double>(read->figures[i].value), values[i]);
}

TEST(RenderJson, KeepsHostileTextInItsStrings) {
  const std::string json = render_json(support::hostile_report(), "1");
  for (const char c : json) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  const Result<Report> read = read_report(json, "r.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(render_json(*read, "1"), json);
  EXPECT_NE(read->command.find("\x1b[31m"), std::string::npos);       // control characters survive, escaped
  EXPECT_NE(read->command.find("\uFFFD\uFFFD("), std::string::npos);  // \xff and \xc3 do not
}

TEST(RenderJson, LeavesOutWhatDoesNotExist) {
  Report report;
  report.figures = {{"nan", std::numeric_limits<double>::quiet_NaN(), "B", {}, {}, {}, {}}, {"a", 1.0, "B", {}, {}, {}, {}}, {"a", 2.0, "B", {}, {}, {}, {}}};
  report.tables.push_back({"t", "", {{"x", "B"}, {"y", "B"}}, {{std::numeric_limits<double>::infinity()}}});
  const Result<Report> read = read_report(render_json(report, "1"), "r.json");
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->figures.size(), 1u);
  EXPECT_EQ(std::get<double>(read->figures[0].value), 1);
  EXPECT_EQ(read->tables[0].rows[0], (std::vector<Cell>{Cell{}, Cell{}}));
}

TEST(ReadReport, RefusesAnotherSchema) {
  EXPECT_EQ(read_error("[]"), "r.json: this is no report: a map is expected, found a list\n  Write it with `ridge … --json`.");
  EXPECT_EQ(read_error("{}"), "r.json: this is no report: the key \"schema\" is missing\n  Write it with `ridge … --json`.");
  EXPECT_EQ(read_error(R"({"schema":"ridge.report/2"})"),
            "r.json: schema: the schema is \"ridge.report/2\" where \"ridge.report/1\" is expected\n  Write the report again with this version of ridge.");
  EXPECT_EQ(read_error(R"({"schema":1})"), "r.json: schema: text is expected, found a whole number");
}

TEST(ReadReport, NamesTheKeyOfAWrongType) {
  EXPECT_EQ(read_error(with("command", "3")), "r.json: command: text is expected, found a whole number");
  EXPECT_EQ(read_error(with("request", R"({"a":true})")), "r.json: request.a: a number, a range [low, high], text or null is expected, found true or false");
  EXPECT_EQ(read_error(with("verdict", R"({"text":"x","ok":"yes"})")), "r.json: verdict.ok: true or false is expected, found text");
  EXPECT_EQ(read_error(with("figures", R"({"a.b":{"value":[1,2,3],"unit":"B"}})")),
            "r.json: figures.a.b.value: a number, a range [low, high], text or null is expected, found a list");
  EXPECT_EQ(read_error(with("figures", R"({"a":{"value":1}})")), "r.json: figures.a: the key \"unit\" is missing");
  EXPECT_EQ(read_error(with("figures", R"({"a":{"value":1,"unit":"B","bases":"x"}})")),
            "r.json: figures.a.bases: the key \"bases\" is unknown\n  Did you mean basis?");
  EXPECT_EQ(read_error(with("figures", R"({"a":{"value":null,"unit":"B"}})")), "r.json: figures.a: the key \"value\" is missing");
  EXPECT_EQ(read_error(with("figures", R"({"a":{"value":[2,1],"unit":"B"}})")), "r.json: figures.a: the number is not finite, or the range runs backwards");
  EXPECT_EQ(read_error(with("tables", R"([{"name":"t","columns":[{"name":"x","unit":"B"}],"rows":[[{}]]}])")),
            "r.json: tables[0].rows[0][0]: a number, a range [low, high], text or null is expected, found a map");
  EXPECT_EQ(read_error(with("tables", R"([{"name":"t","columns":[{"name":"x","unit":"B"}],"rows":[[1,2]]}])")),
            "r.json: tables[0].rows[0]: the row has 2 cells where the table has 1 columns");
  EXPECT_EQ(read_error(with("findings", R"([{"severity":"fatal","kind":"k","text":"t"}])")),
            "r.json: findings[0].severity: \"fatal\" is not one of: info, warning, error");
  EXPECT_EQ(read_error(with("plots", R"([{"name":"p","x":{"label":"","unit":"","scale":"cubic"},"y":{"label":"","unit":"","scale":"log"},"series":[]}])")),
            "r.json: plots[0].x.scale: \"cubic\" is not one of: linear, log");
  EXPECT_EQ(read_error(with("derivation", R"([{"name":"d","formula":"","inputs":[],"value":"x","unit":""}])")),
            "r.json: derivation[0].value: a number or a range [low, high] is expected, found text");
}

}  // namespace
}  // namespace ridge::report
