// The report as one HTML file: nothing is fetched, nothing runs (the content policy forbids both), plots are inline SVG in a
// wide and a narrow drawing of which the viewport's width shows one.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/grid.h"
#include "report/html_style.h"
#include "report/number_format.h"
#include "report/render.h"
#include "report/svg_plot.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

constexpr std::size_t kProse = 24;  // code points from which a cell is prose that wants room
constexpr std::size_t kMostDataRows = 500;
constexpr double kWideSheet = 900, kNarrowSheet = 352;

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// The exact number, for those who point at a rounded one.
std::string exact(const Cell& cell, std::string_view unit) {
  const std::string suffix = unit.empty() || unit == "1" ? "" : " " + std::string(unit);
  if (const double* number = std::get_if<double>(&cell)) return fmt::format("{}{}", *number, suffix);
  if (const Interval* range = std::get_if<Interval>(&cell)) return fmt::format("{} to {}{}", range->low, range->high, suffix);
  return "";
}

void write_head(std::string& out, const Report& report) {
  const std::string command = report.command.empty() ? "ridge" : "ridge " + report.command;
  put(out,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{} · {}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
      escape_html(elide_middle(clean(report.verdict.text), 80)), escape_html(command), plot_style(), kHtmlStyle);
  put(out, "<header>\n<p class=\"command\">{}</p>\n", escape_html(command));
  if (report.verdict.ok) put(out, "<p class=\"answer {}\">{}</p>\n", *report.verdict.ok ? "yes" : "no", *report.verdict.ok ? "Yes" : "No");
  put(out, "<h1>{}</h1>\n</header>\n", escape_html(report.verdict.text));
}

void write_figures(std::string& out, const Report& report) {
  const std::vector<ShownFigure> figures = shown_figures(report, false);
  if (figures.empty()) return;
  out += "<dl class=\"figures\">\n";
  for (const ShownFigure& shown : figures) {
    const Figure& figure = *shown.figure;
    put(out, "<div><dt>{}</dt>", escape_html(shown.label));
    if (!shown.text.empty())
      put(out, "<dd class=\"value word\">{}</dd>", escape_html(shown.text));
    else
      put(out, "<dd class=\"value\" title=\"{}\">{}{}</dd>", escape_html(exact(figure.value, figure.unit)), escape_html(shown.number),
          shown.unit.empty() ? "" : " <small>" + escape_html(shown.unit) + "</small>");
    std::string basis = escape_html(figure.basis);
    for (const std::string& source : figure.sources) basis += (basis.empty() ? "" : "; ") + escape_html(source);
    const auto step = std::find_if(report.derivation.begin(), report.derivation.end(), [&figure](const DerivationStep& d) { return d.name == figure.name; });
    if (step != report.derivation.end()) basis += fmt::format("{}<a href=\"#step-{}\">how</a>", basis.empty() ? "" : " · ", step - report.derivation.begin());
    if (!basis.empty()) put(out, "<dd class=\"basis\">{}</dd>", basis);
    out += "</div>\n";
  }
  out += "</dl>\n";
}

void write_findings(std::string& out, const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  out += "<section aria-label=\"Findings\">\n<ul class=\"findings\">\n";
  for (const Finding& finding : findings) {
    const bool error = finding.severity == Severity::kError, warning = finding.severity == Severity::kWarning;
    put(out, "<li class=\"{}\" data-kind=\"{}\"><p><strong>{}</strong>{}</p>",
        error     ? "error"
        : warning ? "warning"
                  : "info",
        escape_html(finding.kind),
        error     ? "Error"
        : warning ? "Warning"
                  : "Note",
        escape_html(finding.text));
    if (!finding.evidence.empty()) put(out, "<p class=\"evidence\">{}</p>", escape_html(finding.evidence));
    if (!finding.advice.empty()) put(out, "<p class=\"advice\">→ {}</p>", escape_html(finding.advice));
    out += "</li>\n";
  }
  out += "</ul>\n</section>\n";
}

// The box in which a wide table scrolls; it can be reached and moved with the keyboard.
void write_grid(std::string& out, const Table& table) {
  const Grid grid = make_grid(table, false);
  put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n<thead><tr>",
      escape_html(table.title.empty() ? table.name : table.title));
  for (const Grid::Column& column : grid.columns)
    put(out, "<th scope=\"col\"{}>{}{}</th>", column.numeric ? " class=\"n\"" : "", escape_html(column.name),
        column.unit.empty() ? "" : "<span>" + escape_html(column.unit) + "</span>");
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < grid.cells.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const Cell value = c < table.rows[r].size() ? table.rows[r][c] : Cell{};
      const std::string unit = table.columns[c].unit.empty() && r < table.row_units.size() ? table.row_units[r] : table.columns[c].unit;
      const std::string hint = exact(value, unit);
      out += c == 0 ? "<th scope=\"row\"" : "<td";
      if (grid.columns[c].numeric)
        out += " class=\"n\"";
      else if (width(grid.cells[r][c]) > kProse)
        out += " class=\"t\"";
      if (!hint.empty()) put(out, " title=\"{}\"", escape_html(hint));
      put(out, ">{}{}", escape_html(grid.cells[r][c]), c == 0 ? "</th>" : "</td>");
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n</div>\n";
}

void write_table(std::string& out, const Table& table) {
  out += "<figure>\n";
  if (!table.title.empty()) put(out, "<figcaption>{}</figcaption>\n", escape_html(table.title));
  write_grid(out, table);
  if (table.rows.empty()) out += "<p class=\"note\">(no rows)</p>\n";
  if (!table.note.empty()) put(out, "<p class=\"note\">{}</p>\n", escape_html(table.note));
  out += "</figure>\n";
}

// The plot's points as a table: for those who cannot see it, and for copying.
Table data_of(const Plot& plot, bool& cut) {
  const bool labelled = std::any_of(plot.series.begin(), plot.series.end(), [](const Series& s) { return !s.labels.empty(); });
  Table table{"data", "Data of " + (plot.title.empty() ? plot.name : plot.title), {{"series", ""}}, {}};
  if (labelled) table.columns.push_back({"label", ""});
  table.columns.push_back({plot.x.label.empty() ? "x" : plot.x.label, plot.x.unit});
  table.columns.push_back({plot.y.label.empty() ? "y" : plot.y.label, plot.y.unit});
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      if (table.rows.size() == kMostDataRows) {
        cut = true;
        return table;
      }
      std::vector<Cell> row{series.name};
      if (labelled) row.push_back(i < series.labels.size() ? Cell(series.labels[i]) : Cell(std::string()));
      row.push_back(cell(series.points[i].first));
      row.push_back(cell(series.points[i].second));
      table.rows.push_back(std::move(row));
    }
  return table;
}

void write_plot(std::string& out, const Plot& plot, std::size_t index) {
  out += "<figure>\n";
  if (!plot.title.empty()) put(out, "<figcaption>{}</figcaption>\n", escape_html(plot.title));
  put(out, "<div class=\"wide\">{}</div>\n", draw_plot(plot, {kWideSheet, fmt::format("plot-{}", index), false}));
  put(out, "<div class=\"narrow\">{}</div>\n", draw_plot(plot, {kNarrowSheet, fmt::format("plot-{}-narrow", index), false}));
  if (!plot.note.empty()) put(out, "<p class=\"note\">{}</p>\n", escape_html(plot.note));
  bool cut = false;
  const Table data = data_of(plot, cut);
  if (!data.rows.empty()) {
    out += "<details><summary>Data</summary>\n";
    write_grid(out, data);
    if (cut) put(out, "<p class=\"note\">The first {} points; --json has all of them.</p>\n", kMostDataRows);
    out += "</details>\n";
  }
  out += "</figure>\n";
}

void write_derivation(std::string& out, const std::vector<DerivationStep>& steps) {
  if (steps.empty()) return;
  out += "<details>\n<summary>How the figures come about</summary>\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DerivationStep& step = steps[i];
    put(out, "<div class=\"step\" id=\"step-{}\">\n<h3>{}{}</h3>\n", i, escape_html(step.name), step.formula.empty() ? "" : " = " + escape_html(step.formula));
    if (!step.inputs.empty()) {
      out += "<dl class=\"pairs\">\n";
      for (const DerivationStep::Input& input : step.inputs)
        put(out, "<dt>{}</dt><dd><span title=\"{}\">{}</span>{}</dd>\n", escape_html(input.name), escape_html(exact(input.value, input.unit)),
            escape_html(show_cell(cell(input.value), input.unit)), input.source.empty() ? "" : " · " + escape_html(input.source));
      out += "</dl>\n";
    }
    put(out, "<p class=\"result\" title=\"{}\">= {}</p>\n", escape_html(exact(cell(step.value), step.unit)),
        escape_html(show_cell(cell(step.value), step.unit)));
    if (!step.source.empty()) put(out, "<p class=\"note\">{}</p>\n", escape_html(step.source));
    out += "</div>\n";
  }
  out += "</details>\n";
}

void write_request(std::string& out, const Report& report) {
  if (report.request.empty()) return;
  out += "<details>\n<summary>The request</summary>\n<dl class=\"pairs\">\n";
  for (const auto& [name, value] : report.request) {
    const std::string text = std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : exact(value, "");
    put(out, "<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(text.empty() ? missing_mark(false) : std::string_view(text)));
  }
  out += "</dl>\n</details>\n";
}

}  // namespace

std::string render_html(const Report& report, std::string_view version) {
  std::string out;
  write_head(out, report);
  write_figures(out, report);
  write_findings(out, report.findings);
  for (const Table& table : report.tables) write_table(out, table);
  for (std::size_t i = 0; i < report.plots.size(); ++i) write_plot(out, report.plots[i], i);
  write_derivation(out, report.derivation);
  write_request(out, report);
  put(out, "<footer>ridge {}</footer>\n</main>\n</body>\n</html>\n", escape_html(version));
  return out;
}

}  // namespace ridge::report
