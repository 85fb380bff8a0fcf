// ridge diff: what changed from one report to another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/fields.h"
#include "commands/registry.h"
#include "formats/cursor.h"
#include "report/compare.h"
#include "report/render.h"

namespace ridge::commands {
namespace {

using report::Cell;
using report::Comparison;
using report::Difference;
using report::FindingChange;
using report::Notation;
using report::Report;
using report::Severity;

struct DiffRequest {
  std::string before;
  std::string after;
  Fraction tolerance;
};

void describe(Fields<DiffRequest>& f) {
  f.positional("before", &DiffRequest::before, "BEFORE.json", "a report that a command wrote with --json; - is standard input").required().type("file");
  f.positional("after", &DiffRequest::after, "AFTER.json", "the report to compare with it").required().type("file");
  f.option("tolerance", &DiffRequest::tolerance, "SHARE", "numbers that differ by no more than this share of the first are the same: 1%").default_text("0%");
}

Result<Report> read(const std::string& path, const Environment& environment) {
  RIDGE_TRY(const std::string text, environment.files.read_all(path, formats::kMaxTextBytes));
  return report::read_report(text, path == "-" ? "standard input" : path);
}

std::string count_of(std::size_t count, std::string_view one, std::string_view many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }

std::string_view word_of(const std::optional<bool>& ok) { return !ok ? "neither yes nor no" : *ok ? "yes" : "no"; }

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

report::Verdict verdict_of(const Comparison& comparison, const Report& before, const Report& after, double tolerance) {
  const std::string by = tolerance > 0 ? fmt::format(" by more than {}", percent(tolerance)) : "";
  if (comparison.differences() == 0) {
    const std::string what =
        fmt::format("{} and {}", count_of(comparison.figures_compared, "figure", "figures"), count_of(comparison.cells_compared, "table cell", "table cells"));
    return {tolerance > 0 ? fmt::format("The reports agree: {}, none differs{}.", what, by) : fmt::format("The reports agree in {}.", what), true};
  }
  std::vector<std::string> parts;
  if (comparison.verdict_differs)
    parts.push_back(before.verdict.ok != after.verdict.ok
                        ? fmt::format("the verdict ({} before, {} after)", word_of(before.verdict.ok), word_of(after.verdict.ok))
                        : std::string("the words of the verdict"));
  if (!comparison.figures.empty()) parts.push_back(count_of(comparison.figures_that_differ(), "figure", "figures"));
  if (!comparison.cells.empty()) parts.push_back(count_of(comparison.cells_that_differ(), "table cell or row", "table cells or rows"));
  if (!comparison.findings.empty()) parts.push_back(count_of(comparison.findings.size(), "finding", "findings"));
  if (const std::size_t others = comparison.obstacles.size(); others > 0)
    parts.push_back(count_of(others, "part that cannot be compared", "parts that cannot be compared"));
  const bool numbers = !comparison.figures.empty() || !comparison.cells.empty();
  return {fmt::format("The reports differ{} in {}.", numbers ? by : "", join(parts)), false};
}

std::string name_of(const Difference& difference) { return difference.end.empty() ? difference.name : difference.name + " (" + difference.end + ")"; }

void add_values(const Difference& difference, std::vector<Cell>& row) {
  row.push_back(difference.before);
  row.push_back(difference.after);
  row.push_back(report::cell(difference.change));
  row.push_back(report::cell(difference.relative));
}

void add_tables(Report& answer, const Comparison& comparison, const Report& before, const Report& after) {
  const report::Column change{"change", "", Notation::kChange}, relative{"relative", "1", Notation::kPercentChange};
  if (comparison.verdict_differs) {
    const auto row = [](std::string which, const report::Verdict& verdict) {
      return std::vector<Cell>{std::move(which), verdict.ok ? Cell(std::string(*verdict.ok ? "yes" : "no")) : Cell{}, verdict.text};
    };
    answer.tables.push_back(
        {"verdict", "The verdict", {{"report", ""}, {"answer", ""}, {"verdict", ""}}, {row("before", before.verdict), row("after", after.verdict)}});
  }
  if (!comparison.figures.empty()) {
    report::Table table{"figures", "Figures", {{"figure", ""}, {"before", ""}, {"after", ""}, change, relative}, {}};
    for (const Difference& difference : comparison.figures) {
      table.rows.push_back({name_of(difference)});
      add_values(difference, table.rows.back());
      table.row_units.push_back(difference.unit);
    }
    answer.tables.push_back(std::move(table));
  }
  if (!comparison.cells.empty()) {
    report::Table table{"cells", "Tables", {{"table", ""}, {"row", ""}, {"column", ""}, {"before", ""}, {"after", ""}, change, relative}, {}};
    for (const Difference& difference : comparison.cells) {
      table.rows.push_back({difference.table, name_of(difference), difference.column.empty() ? Cell{} : Cell(difference.column)});
      add_values(difference, table.rows.back());
      table.row_units.push_back(difference.unit);
    }
    answer.tables.push_back(std::move(table));
  }
  if (!comparison.findings.empty()) {
    report::Table table{"findings", "Findings", {{"change", ""}, {"kind", ""}, {"before", ""}, {"after", ""}}, {}};
    const auto text_of = [](const report::Finding* finding) { return finding == nullptr ? Cell{} : Cell(finding->text); };
    for (const FindingChange& one : comparison.findings) {
      const char* word = one.kind == FindingChange::Kind::kAppeared   ? "appeared"
                         : one.kind == FindingChange::Kind::kWent     ? "went"
                         : one.kind == FindingChange::Kind::kSeverity ? "severity"
                                                                      : "wording";
      table.rows.push_back({std::string(word), (one.before != nullptr ? one.before : one.after)->kind, text_of(one.before), text_of(one.after)});
    }
    answer.tables.push_back(std::move(table));
  }
  const auto add_fields = [&answer](const std::vector<report::FieldChange>& fields, std::string name, std::string title, std::string first, std::string note) {
    if (fields.empty()) return;
    report::Table table{std::move(name), std::move(title), {{std::move(first), ""}, {"before", ""}, {"after", ""}}, {}, std::move(note)};
    for (const report::FieldChange& field : fields) table.rows.push_back({field.name, field.before, field.after});
    answer.tables.push_back(std::move(table));
  };
  add_fields(comparison.bases, "bases", "What the figures count", "figure", "Where the bases differ, the numbers are not of the same kind.");
  add_fields(comparison.request, "request", "The request", "option", "The question, not the answer: no difference by itself.");
}

void add_findings(Report& answer, const Comparison& comparison) {
  for (const report::Obstacle& obstacle : comparison.obstacles) answer.find(obstacle.severity, obstacle.kind, obstacle.text, obstacle.evidence);
  if (!comparison.bases.empty())
    answer.find(Severity::kWarning, "bases-differ", fmt::format("The bases of {} differ.", count_of(comparison.bases.size(), "figure", "figures")), "",
                "Compare like with like: the table of bases says what each counts.");
  if (!comparison.request.empty())
    answer.find(Severity::kInfo, "requests-differ", fmt::format("The requests differ in {}.", count_of(comparison.request.size(), "option", "options")));
}

void add_figures(Report& answer, const Comparison& comparison) {
  const auto count = [&answer](std::string name, std::size_t value, std::string label = {}) {
    answer.add(std::move(name), static_cast<double>(value), "1", std::move(label));
  };
  count("differences", comparison.differences(), "differences");
  count("figures.compared", comparison.figures_compared);
  count("figures.differ", comparison.figures_that_differ());
  count("cells.compared", comparison.cells_compared);
  count("cells.differ", comparison.cells_that_differ());
  count("findings.differ", comparison.findings.size());
  count("request.differs", comparison.request.size());
  const auto input = [](std::string name, std::size_t value) { return DerivationStep::Input{std::move(name), static_cast<double>(value), "1", ""}; };
  const double all = static_cast<double>(comparison.differences());
  answer.derivation.push_back({"differences",
                               "figures + table cells and rows + findings + parts that cannot be compared + verdict",
                               {input("figures", comparison.figures_that_differ()), input("table cells and rows", comparison.cells_that_differ()),
                                input("findings", comparison.findings.size()), input("parts that cannot be compared", comparison.obstacles.size()),
                                input("verdict", comparison.verdict_differs ? 1 : 0)},
                               {all, all},
                               "1",
                               ""});

  const Difference* largest = nullptr;
  for (const Difference& difference : comparison.figures)
    if (difference.relative && (largest == nullptr || std::abs(*difference.relative) > std::abs(*largest->relative))) largest = &difference;
  if (largest == nullptr) return;
  answer.add("largest_change", *largest->relative, "1", "largest change of a figure, " + name_of(*largest)).notation = Notation::kPercentChange;
  answer.derivation.push_back({"largest_change",
                               "(after - before) / |before|",
                               {{"before", std::get<double>(largest->before), largest->unit, name_of(*largest)},
                                {"after", std::get<double>(largest->after), largest->unit, name_of(*largest)}},
                               {*largest->relative, *largest->relative},
                               "1",
                               ""});
}

Result<Report> run(const DiffRequest& request, const Environment& environment) {
  if (request.before == "-" && request.after == "-") return fail("after", "both reports cannot come from standard input", "Name a file for one of them.");
  RIDGE_TRY(const Report before, read(request.before, environment));
  RIDGE_TRY(const Report after, read(request.after, environment));
  const double tolerance = request.tolerance.value;
  const Comparison comparison = report::compare_reports(before, after, tolerance);
  Report answer;
  answer.verdict = verdict_of(comparison, before, after, tolerance);
  add_figures(answer, comparison);
  add_tables(answer, comparison, before, after);
  add_findings(answer, comparison);
  return answer;
}

}  // namespace

Command diff_command() {
  return make_command<DiffRequest>(
      {"diff",
       kGroupProgram,
       "What changed from one report to another",
       "Compares two reports that commands wrote with --json: figures by their names, table cells by the names of row and column, "
       "findings by their kinds, and the verdict. A range is compared end by end; what is in one report only is a difference; figures of "
       "different units are not compared. Differences of the request are shown and do not count; plots and derivations are not looked "
       "at. With --check, the exit status is 1 where something differs by more than --tolerance.",
       {{"diff docs/examples/h100-pcie.json docs/examples/h100-sxm5.json", "what the SXM5 part has over the PCIe part of the same name"},
        {"diff docs/examples/h100-pcie.json docs/examples/h100-sxm5.json --tolerance 30%", "only what differs by more than 30 %"}}},
      describe, run);
}

}  // namespace ridge::commands
