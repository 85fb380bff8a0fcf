// chip show and chip claims, from their arguments to their reports.
#include <gtest/gtest.h>

#include <cmath>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> run(const char* name, const Arguments& arguments) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  const Command* command = find_command(name);
  if (command == nullptr) return fail(name, "no such command");
  return command->run(arguments, environment);
}

Report report_of(const char* name, const Arguments& arguments) {
  auto report = run(name, arguments);
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  const auto sound = report::check_report(*report);
  EXPECT_TRUE(sound) << to_string(sound.error());
  return *report;
}

double number(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? std::nan("") : std::get<double>(figure->value);
}

std::string word(const Report& report, std::string_view name) {
  const report::Figure* figure = report.figure(name);
  EXPECT_NE(figure, nullptr) << name;
  return figure == nullptr ? "" : std::get<std::string>(figure->value);
}

const report::Finding* finding(const Report& report, std::string_view kind) {
  for (const report::Finding& one : report.findings)
    if (one.kind == kind) return &one;
  return nullptr;
}

// Every labelled number of a report has a step of its own name.
void expect_derived(const Report& report) {
  for (const report::Figure& figure : report.figures) {
    if (figure.label.empty() || std::holds_alternative<std::string>(figure.value) || figure.name == "die.transistors") continue;
    bool found = false;
    for (const DerivationStep& step : report.derivation) found = found || step.name == figure.name;
    EXPECT_TRUE(found) << figure.name << " has no derivation";
  }
}

TEST(ChipShow, ComparesANamedDieWithTheFields) {
  const Report report = report_of("chip show", {{"name", {"gh100"}}});
  EXPECT_NEAR(number(report, "die.area"), 814e-6, 1e-12);
  EXPECT_NEAR(number(report, "field.area"), 858e-6, 1e-12);
  EXPECT_NEAR(number(report, "field.share"), 0.9487, 5e-5);
  EXPECT_EQ(word(report, "field.fits"), "unknown");
  EXPECT_EQ(word(report, "half_field.fits"), "no");
  EXPECT_EQ(report.verdict.text, "GH100, 814.0 mm², takes 94.9 % of the exposure field and does not fit the half field of high-NA scanners.");
  EXPECT_FALSE(report.verdict.ok);
  expect_derived(report);
}

TEST(ChipShow, AssumesNoDefectDensity) {
  const Report report = report_of("chip show", {{"name", {"gh100"}}});
  EXPECT_EQ(report.figure("dies.good"), nullptr);
  EXPECT_NE(finding(report, "no-defect-density"), nullptr);
  ASSERT_EQ(report.tables.size(), 1U);
  EXPECT_GE(report.tables[0].rows.size(), 5U);
}

TEST(ChipShow, GivesYieldAndCostAtTheUsersDensity) {
  const Report report = report_of(
      "chip show",
      {{"name", {"gh100"}}, {"defect-density", {"0.1/cm2"}}, {"wafer-price", {"16000"}}, {"alpha", {"3"}}, {"width", {"26mm"}}, {"height", {"31.3mm"}}});
  EXPECT_NEAR(number(report, "yield.poisson"), 0.4430822, 1e-6);
  EXPECT_NEAR(number(report, "yield.negative_binomial"), 0.4866556, 1e-6);
  const double dies = number(report, "wafer.dies");
  const Interval good = std::get<Interval>(report.figure("dies.good")->value);
  EXPECT_NEAR(good.low, dies * 0.4430822, 1e-4);
  EXPECT_NEAR(good.high, dies * 0.4866556, 1e-4);
  const Interval cost = std::get<Interval>(report.figure("cost.per_good_die")->value);
  EXPECT_NEAR(cost.low * good.high, 16000, 1e-6);
  EXPECT_NEAR(cost.high * good.low, 16000, 1e-6);
  EXPECT_EQ(finding(report, "shape-assumed"), nullptr) << "the sides were given";
  EXPECT_EQ(word(report, "field.fits"), "yes");
  expect_derived(report);
}

TEST(ChipShow, UsesOneModelWhereItIsNamed) {
  const Report report = report_of("chip show", {{"area", {"814mm2"}}, {"defect-density", {"0.1/cm2"}}, {"model", {"murphy"}}});
  EXPECT_EQ(report.figure("yield.poisson"), nullptr);
  EXPECT_NEAR(number(report, "yield.murphy"), 0.4680944, 1e-6);
  EXPECT_NEAR(number(report, "dies.good"), number(report, "wafer.dies") * 0.4680944, 1e-4);
}

TEST(ChipShow, SaysThatTheDiesOfAPackageAreNotPublished) {
  const Report report = report_of("chip show", {{"name", {"b200-sxm-hgx"}}});
  EXPECT_EQ(report.verdict.text, "The Blackwell package holds 2 dies whose areas are not published.");
  EXPECT_EQ(report.figure("die.area"), nullptr);
  ASSERT_NE(finding(report, "die-area-unknown"), nullptr);
}

TEST(ChipShow, TakesADieOfItsOwnSize) {
  const Report report = report_of("chip show", {{"area", {"900mm2"}}});
  EXPECT_EQ(report.verdict.text, "A die of 900.0 mm² is more than one exposure prints (104.9 % of the field's area).");
  EXPECT_NE(finding(report, "exceeds-field"), nullptr);
  const Report sides = report_of("chip show", {{"width", {"20mm"}}, {"height", {"16mm"}}});
  EXPECT_NEAR(number(sides, "die.area"), 320e-6, 1e-12);
  EXPECT_EQ(word(sides, "half_field.fits"), "yes");
}

TEST(ChipShow, RefusesWhatItCannotAnswer) {
  EXPECT_EQ(to_string(run("chip show", {}).error()), "neither a die nor a size is given\n  Give a NAME, --area, or --width and --height.");
  EXPECT_EQ(run("chip show", {{"name", {"gh100"}}, {"area", {"814mm2"}}}).error().where, "--area");
  EXPECT_EQ(run("chip show", {{"area", {"814mm2"}}, {"defect-density", {"0.1/cm2"}}, {"model", {"negative-binomial"}}}).error().what,
            "the negative binomial model needs --alpha");
  EXPECT_EQ(run("chip show", {{"area", {"814mm2"}}, {"model", {"poisson"}}}).error().what, "a yield needs --defect-density");
  EXPECT_EQ(run("chip show", {{"area", {"814mm2"}}, {"alpha", {"0"}}}).error().where, "--alpha");
  EXPECT_EQ(run("chip show", {{"area", {"814"}}}).error().what, "\"814\" has no unit");
  EXPECT_EQ(run("chip show", {{"area", {"814mm2"}}, {"wafer-diameter", {"300m"}}}).error().where, "--wafer-diameter");
  EXPECT_EQ(run("chip show", {{"area", {"814mm2"}}, {"edge-exclusion", {"200mm"}}}).error().what, "the edge exclusion leaves nothing of the wafer");
  EXPECT_EQ(run("chip show", {{"area", {"0.0000001mm2"}}}).error().advice, "Check the units of the die's sides.");
}

TEST(ChipClaims, GivesTheNewestClaimAndKeepsTheOlderInTheTable) {
  const Report report = report_of("chip claims", {{"node", {"N2P"}}});
  EXPECT_DOUBLE_EQ(number(report, "n2p.n3e.speed"), 0.18);
  EXPECT_DOUBLE_EQ(number(report, "n2p.n3e.power"), -0.36);
  EXPECT_EQ(word(report, "n2p.n3e.relation"), "either_or");
  ASSERT_NE(finding(report, "either-or"), nullptr);
  EXPECT_NE(finding(report, "either-or")->text.find("not claimed together"), std::string::npos);
  EXPECT_NE(finding(report, "claim-moved"), nullptr);
  expect_derived(report);
}

TEST(ChipClaims, NamesEachBaseline) {
  const Report report = report_of("chip claims", {{"node", {"TSMC N4P"}}});
  EXPECT_DOUBLE_EQ(number(report, "n4p.n5.speed"), 0.11);
  EXPECT_DOUBLE_EQ(number(report, "n4p.n4.speed"), 0.06);
  ASSERT_NE(finding(report, "baseline"), nullptr);
  EXPECT_EQ(finding(report, "baseline")->text, "A gain is nothing without its baseline: +11 % speed is over N5, +6 % speed is over N4.");
}

TEST(ChipClaims, AnswersBothGainsAtOnce) {
  const Report both = report_of("chip claims", {{"node", {"n2p"}}, {"speed", {"18%"}}, {"power", {"-36%"}}});
  EXPECT_EQ(both.verdict.text, "No: not claimed together. N2P over N3E: +18 % speed at the same power or -36 % power at the same speed.");
  EXPECT_EQ(both.verdict.ok, false);
  const Report one = report_of("chip claims", {{"node", {"n2p"}}, {"speed", {"18%"}}});
  EXPECT_EQ(one.verdict.text, "Yes: +18 % speed is claimed for N2P over N3E, at the same power.");
  EXPECT_EQ(one.verdict.ok, true);
  EXPECT_EQ(report_of("chip claims", {{"node", {"n2p"}}, {"speed", {"25%"}}}).verdict.ok, false);
}

TEST(ChipClaims, DoesNotGuessAboutCustomNodes) {
  const Report report = report_of("chip claims", {{"node", {"4NP"}}});
  EXPECT_NE(finding(report, "custom-process"), nullptr);
  EXPECT_TRUE(report.figures.empty());
  EXPECT_FALSE(report_of("chip claims", {{"node", {"4NP"}}, {"speed", {"5%"}}}).verdict.ok.has_value());
}

TEST(ChipClaims, SaysWhatANodeNameIsNot) {
  const Report report = report_of("chip claims", {});
  for (const char* kind : {"node-name", "lmc", "measure"}) EXPECT_NE(finding(report, kind), nullptr) << kind;
  EXPECT_GE(report.tables.at(0).rows.size(), 14U);
}

TEST(ChipClaims, ShowsWhatIsClaimedOverANode) {
  const Report report = report_of("chip claims", {{"node", {"N7"}}});
  EXPECT_EQ(report.verdict.text, "N7 is a baseline of other claims; none says what it gains itself.");
  EXPECT_EQ(report.tables.at(0).rows.size(), 1U);
}

TEST(ChipClaims, RefusesWhatItCannotAnswer) {
  EXPECT_EQ(run("chip claims", {{"speed", {"5%"}}}).error().where, "--speed");
  EXPECT_EQ(run("chip claims", {{"node", {"N2P"}}, {"over", {"N7"}}}).error().advice, "Its baselines: N3E, N2.");
  EXPECT_EQ(run("chip claims", {{"node", {"N99"}}}).error().what, "no claim about this node is in the catalogue");
}

}  // namespace
}  // namespace ridge::commands
