// ridge diff, from two files to a report.
#include <gtest/gtest.h>

#include "commands/registry.h"
#include "report/render.h"
#include "support/golden.h"
#include "support/sample_report.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> diff(const Arguments& arguments, std::map<std::string, std::string> contents) {
  formats::MemoryFileSystem files;
  files.files = std::move(contents);
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  return find_command("diff")->run(arguments, environment);
}

Result<Report> diff(const Report& before, const Report& after, std::vector<std::string> tolerance = {"0%"}) {
  return diff({{"before", {"a.json"}}, {"after", {"b.json"}}, {"tolerance", std::move(tolerance)}},
              {{"a.json", report::render_json(before, "1")}, {"b.json", report::render_json(after, "1")}});
}

std::string error_of(const Arguments& arguments, std::map<std::string, std::string> contents) {
  const Result<Report> answer = diff(arguments, std::move(contents));
  return answer ? "answered: " + answer->verdict.text : to_string(answer.error());
}

Report changed() {
  Report report = support::sample_report();
  report.request[1].second = std::string("h200-sxm");
  report.verdict = {"Decode is memory-bound at every batch that fits: 10.08 ms a step at batch 64.", true};
  for (report::Figure& figure : report.figures) {
    if (figure.name == "memory_bandwidth") figure.value = 4.8e12;
    if (figure.name == "batch.64.step_time") figure.value = 0.0100749;
    if (figure.name == "cost.per_million_tokens") figure.value = 0.157;
    if (figure.name == "ridge_point") figure.basis = "dense, tensor, preliminary, per chip";
    if (figure.name == "parameters") figure.unit = "B";
  }
  report.figures.erase(report.figures.begin());
  report.tables[0].rows[1][1] = 0.0100749;
  report.tables[0].rows.pop_back();
  report.findings.erase(report.findings.begin() + 1);
  return report;
}

TEST(Diff, AgreesWhereNothingDiffers) {
  const Result<Report> answer = diff(support::sample_report(), support::sample_report());
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->verdict.text, "The reports agree in 10 figures and 33 table cells.");
  EXPECT_EQ(answer->verdict.ok, true);
  EXPECT_TRUE(answer->tables.empty());
}

TEST(Diff, SaysWhatDiffers) {
  const Result<Report> answer = diff(support::sample_report(), changed());
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_TRUE(report::check_report(*answer));
  EXPECT_EQ(answer->verdict.ok, false);
  EXPECT_TRUE(support::matches_golden("report/diff.txt", report::render_terminal(*answer, {.width = 120, .explain = true})));
  EXPECT_TRUE(support::matches_golden("report/diff.json", report::render_json(*answer, "1")));
}

TEST(Diff, HidesWhatIsWithinTheTolerance) {
  Report before, after;
  before.add("a", 100.0, "B");
  after.add("a", 100.5, "B");
  EXPECT_EQ(diff(before, after, {"1%"})->verdict.text, "The reports agree: 1 figure and 0 table cells, none differs by more than 1 %.");
  EXPECT_EQ(diff(before, after, {"1%"})->verdict.ok, true);
  EXPECT_EQ(diff(before, after)->verdict.text, "The reports differ in 1 figure.");
  EXPECT_EQ(diff(before, after)->verdict.ok, false);
  EXPECT_EQ(diff(before, after, {"0.1%"})->verdict.text, "The reports differ by more than 0.1 % in 1 figure.");
}

TEST(Diff, CountsItsDifferencesOnce) {
  const Result<Report> answer = diff(support::sample_report(), changed());
  double sum = 0;
  for (const DerivationStep& step : answer->derivation)
    if (step.name == "differences")
      for (const DerivationStep::Input& input : step.inputs) sum += input.value;
  EXPECT_EQ(std::get<double>(answer->figure("differences")->value), sum);
}

TEST(Diff, NamesTheFileThatIsWrong) {
  const Arguments both{{"before", {"a.json"}}, {"after", {"b.json"}}};
  const std::string good = report::render_json(support::sample_report(), "1");
  EXPECT_EQ(error_of(both, {{"a.json", good}}), "b.json: there is no such file\n  Check the path.");
  EXPECT_EQ(error_of(both, {{"a.json", good}, {"b.json", "[]"}}),
            "b.json: this is no report: a map is expected, found a list\n  Write it with `ridge … --json`.");
  std::string wrong = good;
  wrong.replace(wrong.find("295.17"), 6, "\"x\",\"y\":1");
  EXPECT_EQ(error_of(both, {{"a.json", wrong}, {"b.json", good}}),
            "a.json: figures.ridge_point.y: the key \"y\" is unknown\n  Known keys: value, unit, label, basis, sources, provenance, notation.");
  EXPECT_EQ(error_of({{"before", {"-"}}, {"after", {"-"}}}, {}), "after: both reports cannot come from standard input\n  Name a file for one of them.");
  EXPECT_EQ(error_of({{"before", {"a.json"}}, {"after", {"b.json"}}, {"tolerance", {"1"}}}, {{"a.json", good}, {"b.json", good}}),
            "answered: The reports agree: 10 figures and 33 table cells, none differs by more than 100 %.");
  EXPECT_EQ(error_of({{"before", {"a.json"}}, {"after", {"b.json"}}, {"tolerance", {"2x"}}}, {}),
            "--tolerance: \"x\" is not a unit of a share\n  Use one of: %; as in 12%.");
}

}  // namespace
}  // namespace ridge::commands
