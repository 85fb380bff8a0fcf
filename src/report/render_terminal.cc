// The report for a terminal: verdict, figures, tables, plots as sketches, findings, and the derivation where it is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/grid.h"
#include "report/number_format.h"
#include "report/plot_sketch.h"
#include "report/render.h"
#include "report/terminal_table.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

constexpr int kLeastWidth = 20;

// SGR parameters. Eight basic colours only: people chose theirs to be readable on their background.
constexpr std::string_view kBold = "1", kDim = "2", kGood = "1;32", kBad = "1;31", kWarning = "1;33", kNote = "1;36", kHeading = "1";
constexpr std::array<std::string_view, 6> kSeriesColors{"34", "33", "32", "35", "36", "31"};

class Page {
 public:
  explicit Page(const TerminalOptions& options) : options_(options), width_(static_cast<std::size_t>(std::max(options.width, kLeastWidth))) {}

  std::size_t width() const { return width_; }
  bool ascii() const { return !options_.unicode; }
  std::string_view mark() const { return ascii() ? "..." : "…"; }
  std::string shown(std::string_view text) const { return ascii() ? to_ascii(clean(text)) : clean(text); }
  std::string styled(std::string_view style, std::string_view text) const {
    if (!options_.color || style.empty() || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", style, text);
  }
  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }
  // An empty line between sections, none before the first.
  void section() {
    if (!out_.empty()) out_ += '\n';
  }
  // `lead` (as wide as `lead_width`) in front of the first line, the others indented to it.
  void paragraph(std::string_view text, std::string_view style, std::string_view lead, std::size_t lead_width) {
    bool first = true;
    for (const std::string& part : wrap(text, width_ - std::min(width_ - 10, lead_width))) {
      out_ += first ? std::string(lead) : std::string(lead_width, ' ');
      line(styled(style, part));
      first = false;
    }
  }
  std::string take() { return std::move(out_); }

 private:
  TerminalOptions options_;
  std::size_t width_;
  std::string out_;
};

void write_verdict(Page& page, const Verdict& verdict) {
  const std::string_view style = !verdict.ok ? kBold : *verdict.ok ? kGood : kBad;
  page.paragraph(page.shown(verdict.text), style, "", 0);
}

std::string join_sources(const Page& page, const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : ", ") + page.shown(source);
  return text;
}

void write_figures(Page& page, const Report& report, bool explain) {
  const std::vector<ShownFigure> figures = shown_figures(report, page.ascii());
  if (figures.empty()) return;
  page.section();
  std::size_t label_width = 0, number_width = 0, unit_width = 0;
  for (const ShownFigure& figure : figures) {
    label_width = std::max(label_width, width(figure.label));
    number_width = std::max(number_width, width(figure.number));
    unit_width = std::max(unit_width, width(figure.unit));
  }
  const std::size_t taken = 4 + number_width + 1 + unit_width;
  label_width = std::min({label_width, page.width() / 2, std::max<std::size_t>(8, page.width() - std::min(page.width(), taken))});
  for (const ShownFigure& figure : figures) {
    const std::string label = "  " + pad_right(elide_middle(figure.label, label_width, page.mark()), label_width) + "  ";
    const std::size_t column = label_width + 4;
    if (!figure.text.empty()) {
      page.paragraph(figure.text, kBold, label, column);
    } else {
      const std::string number = pad_left(figure.number, number_width);
      const std::string basis = page.shown(figure.figure->basis);
      const std::size_t used = column + number_width + 1 + unit_width + 2;
      std::string line = label + page.styled(kBold, number) + " " + pad_right(figure.unit, unit_width);
      const bool beside = used + width(basis) <= page.width();
      if (!basis.empty() && beside) line += "  " + page.styled(kDim, basis);
      line.erase(line.find_last_not_of(' ') + 1);
      page.line(line);
      if (!basis.empty() && !beside) page.paragraph(basis, kDim, "    ", 4);
    }
    if (explain && !figure.figure->sources.empty()) page.paragraph("sources: " + join_sources(page, figure.figure->sources), kDim, "    ", 4);
  }
}

void write_table(Page& page, const Table& table) {
  page.section();
  if (!table.title.empty()) page.paragraph(page.shown(table.title), kHeading, "", 0);
  const Grid grid = make_grid(table, page.ascii());
  for (const TableLine& line : lay_out_table(grid, page.width() - 2, page.ascii())) {
    const bool head = line.kind == TableLine::Kind::kHeader || line.kind == TableLine::Kind::kRule;
    page.line(line.text.empty() ? "" : "  " + page.styled(head ? kDim : "", line.text));
  }
  if (table.rows.empty()) page.line(page.styled(kDim, "  (no rows)"));
  if (!table.note.empty()) page.paragraph(page.shown(table.note), kDim, "  ", 2);
}

void write_plot(Page& page, const Plot& plot, bool color) {
  page.section();
  if (!plot.title.empty()) page.paragraph(page.shown(plot.title), kHeading, "", 0);
  const std::vector<SketchLine> lines = sketch_plot(plot, page.width() - 2, page.ascii());
  if (lines.empty()) page.paragraph("(--html FILE draws this plot)", kDim, "  ", 2);
  for (const SketchLine& line : lines) {
    std::string text = "  ";
    std::size_t done = 0;
    for (const SketchLine::Span& span : line.spans) {
      if (!color) break;
      text += line.text.substr(done, span.begin - done);
      text += page.styled(kSeriesColors[span.series % kSeriesColors.size()], line.text.substr(span.begin, span.end - span.begin));
      done = span.end;
    }
    text += line.text.substr(done);
    page.line(text);
  }
  if (!plot.note.empty()) page.paragraph(page.shown(plot.note), kDim, "  ", 2);
}

void write_findings(Page& page, const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  page.section();
  for (const Finding& finding : findings) {
    const bool error = finding.severity == Severity::kError, warning = finding.severity == Severity::kWarning;
    const std::string word = error ? "error:" : warning ? "warning:" : "note:";
    page.paragraph(page.shown(finding.text), "", page.styled(error ? kBad : warning ? kWarning : kNote, word) + " ", word.size() + 1);
    if (!finding.evidence.empty()) page.paragraph(page.shown(finding.evidence), kDim, "  ", 2);
    if (!finding.advice.empty()) page.paragraph(page.shown(finding.advice), "", page.ascii() ? "  -> " : "  → ", page.ascii() ? 5 : 4);
  }
}

void write_step(Page& page, const DerivationStep& step) {
  const std::string formula = page.shown(step.formula);
  page.paragraph(page.shown(step.name) + (formula.empty() ? "" : " = " + formula), kBold, "  ", 2);
  std::size_t name_width = 0, value_width = 0;
  std::vector<std::string> values;
  for (const DerivationStep::Input& input : step.inputs) {
    values.push_back(show_cell(cell(input.value), input.unit, Notation::kPlain, page.ascii()));
    name_width = std::max(name_width, width(page.shown(input.name)));
    value_width = std::max(value_width, width(values.back()));
  }
  name_width = std::min(name_width, page.width() / 2);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const std::string source = page.shown(step.inputs[i].source);
    const std::string lead = "      " + pad_right(elide_middle(page.shown(step.inputs[i].name), name_width, page.mark()), name_width) + "  ";
    if (source.empty())
      page.line(lead + values[i]);
    else
      page.paragraph(source, kDim, lead + pad_right(values[i], value_width) + "  ", name_width + value_width + 10);
  }
  std::string result = show_cell(cell(step.value), step.unit, Notation::kPlain, page.ascii());
  // The digits that rounding hid, where the value is exact.
  if (step.unit == "B" && step.value.is_point() && std::abs(step.value.low) >= 1024 && std::abs(step.value.low) < 9e15)
    result += fmt::format(" ({} B)", format_integer(static_cast<std::int64_t>(step.value.low)));
  page.paragraph(result, "", "    = ", 6);
  if (!step.source.empty()) page.paragraph("by " + page.shown(step.source), kDim, "      ", 6);
}

}  // namespace

std::string render_terminal(const Report& report, const TerminalOptions& options) {
  Page page(options);
  write_verdict(page, report.verdict);
  if (options.quiet) return page.take();
  write_figures(page, report, options.explain);
  for (const Table& table : report.tables) write_table(page, table);
  for (const Plot& plot : report.plots) write_plot(page, plot, options.color);
  write_findings(page, report.findings);
  if (options.explain && !report.derivation.empty()) {
    page.section();
    page.line(page.styled(kHeading, "How the figures come about"));
    for (const DerivationStep& step : report.derivation) write_step(page, step);
  }
  return page.take();
}

}  // namespace ridge::report
