// The report as GitHub-flavoured Markdown, to be pasted into an issue. What came from outside cannot become markup: it is
// escaped in text, and HTML tags that stand here are ours.
#include <algorithm>

#include "report/grid.h"
#include "report/number_format.h"
#include "report/render.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Text that reads as itself, wherever in a line or a table cell it stands.
std::string escaped(std::string_view text) {
  const std::string cleaned = clean(text);
  std::string result;
  for (std::size_t i = 0; i < cleaned.size(); ++i) {
    const char c = cleaned[i];
    const char before = i > 0 ? cleaned[i - 1] : ' ', after = i + 1 < cleaned.size() ? cleaned[i + 1] : ' ';
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      // An underscore within a word, and '#', '-' or "1." within a line, are plain; at their start they are not.
      const bool special = std::string_view("\\`*[]|~$").find(c) != std::string_view::npos || (c == '_' && !(is_word(before) && is_word(after))) ||
                           (i == 0 && (c == '#' || c == '+' || c == '-' || c == '=')) ||
                           ((c == '.' || c == ')') && after == ' ' && i > 0 && cleaned.find_first_not_of("0123456789") == i);
      if (special) result += '\\';
      result += c;
    }
  }
  return result;
}

void write_table(std::string& out, const Table& table) {
  if (!table.title.empty()) out += "\n### " + escaped(table.title) + "\n";
  const Grid grid = make_grid(table, false);
  if (grid.columns.empty()) return;
  out += "\n|";
  for (const Grid::Column& column : grid.columns) out += " " + escaped(column.header()) + " |";
  out += "\n|";
  for (const Grid::Column& column : grid.columns) out += column.numeric ? "---:|" : "---|";
  out += '\n';
  for (const auto& row : grid.cells) {
    out += '|';
    for (const std::string& cell : row) out += " " + escaped(cell) + " |";
    out += '\n';
  }
  if (table.rows.empty()) out += "\n(no rows)\n";
  if (!table.note.empty()) out += "\n" + escaped(table.note) + "\n";
}

void write_figures(std::string& out, const Report& report) {
  const std::vector<ShownFigure> figures = shown_figures(report, false);
  if (figures.empty()) return;
  const bool basis = std::any_of(figures.begin(), figures.end(), [](const ShownFigure& f) { return !f.figure->basis.empty() || !f.figure->sources.empty(); });
  out += basis ? "\n| Figure | Value | Basis and sources |\n|---|---:|---|\n" : "\n| Figure | Value |\n|---|---:|\n";
  for (const ShownFigure& figure : figures) {
    out += "| " + escaped(figure.label) + " | " + escaped(figure.value()) + " |";
    if (basis) {
      std::string text = escaped(figure.figure->basis);
      for (const std::string& source : figure.figure->sources) text += (text.empty() ? "" : "; ") + escaped(source);
      out += " " + text + " |";
    }
    out += '\n';
  }
}

void write_findings(std::string& out, const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  out += "\n### Findings\n\n";
  for (const Finding& finding : findings) {
    const char* word = finding.severity == Severity::kError ? "Error" : finding.severity == Severity::kWarning ? "Warning" : "Note";
    out += std::string("- **") + word + ":** " + escaped(finding.text);
    if (!finding.evidence.empty()) out += "\n  " + escaped(finding.evidence);
    if (!finding.advice.empty()) out += "\n  → " + escaped(finding.advice);
    out += '\n';
  }
}

void write_derivation(std::string& out, const std::vector<DerivationStep>& steps) {
  if (steps.empty()) return;
  out += "\n<details>\n<summary>How the figures come about</summary>\n\n";
  for (const DerivationStep& step : steps) {
    out += "- **" + escaped(step.name) + "** = ";
    if (!step.formula.empty()) out += escaped(step.formula) + " = ";
    out += escaped(show_cell(cell(step.value), step.unit));
    if (!step.source.empty()) out += " (" + escaped(step.source) + ")";
    out += '\n';
    for (const DerivationStep::Input& input : step.inputs) {
      out += "  - " + escaped(input.name) + ": " + escaped(show_cell(cell(input.value), input.unit));
      if (!input.source.empty()) out += " (" + escaped(input.source) + ")";
      out += '\n';
    }
  }
  out += "\n</details>\n";
}

}  // namespace

std::string render_markdown(const Report& report, bool explain) {
  std::string out;
  if (report.verdict.ok) out += *report.verdict.ok ? "**Yes.** " : "**No.** ";
  out += escaped(report.verdict.text) + "\n";
  write_figures(out, report);
  for (const Table& table : report.tables) write_table(out, table);
  write_findings(out, report.findings);
  if (!report.plots.empty()) {
    out += "\nPlots (drawn by `--html FILE`): ";
    for (std::size_t i = 0; i < report.plots.size(); ++i)
      out += (i > 0 ? "; " : "") + escaped(report.plots[i].title.empty() ? report.plots[i].name : report.plots[i].title);
    out += ".\n";
  }
  if (explain) write_derivation(out, report.derivation);
  return out;
}

}  // namespace ridge::report
