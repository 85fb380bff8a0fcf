#include "report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace ridge::report {
namespace {

Figure& append(Report& report, Figure figure) {
  RIDGE_CHECK(report.figure(figure.name) == nullptr);
  report.figures.push_back(std::move(figure));
  return report.figures.back();
}

bool sound(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return std::isfinite(*number);
  if (const Interval* range = std::get_if<Interval>(&cell)) return std::isfinite(range->low) && std::isfinite(range->high) && range->low <= range->high;
  return true;
}

// Each name of `items` once; the error names the second.
template <class Items>
Result<void> names_once(const Items& items, std::string_view list) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!seen.insert(items[i].name).second) return fail(fmt::format("{}[{}]", list, i), fmt::format("the name \"{}\" is given twice", items[i].name));
  return {};
}

Result<void> check_table(const Table& table, const std::string& where) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<Cell>& row = table.rows[r];
    if (row.size() != table.columns.size())
      return fail(fmt::format("{}.rows[{}]", where, r), fmt::format("the row has {} cells where the table has {} columns", row.size(), table.columns.size()));
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!sound(row[c])) return fail(fmt::format("{}.rows[{}][{}]", where, r, c), "the number is not finite, or the range runs backwards");
  }
  if (!table.row_units.empty() && table.row_units.size() != table.rows.size())
    return fail(where + ".row_units", fmt::format("there are {} units for {} rows", table.row_units.size(), table.rows.size()));
  return {};
}

Result<void> check_plot(const Plot& plot, const std::string& where) {
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    for (std::size_t k = 0; k < series.points.size(); ++k)
      if (!std::isfinite(series.points[k].first) || !std::isfinite(series.points[k].second))
        return fail(fmt::format("{}.series[{}].points[{}]", where, i, k), "the number is not finite");
    if (!series.labels.empty() && series.labels.size() != series.points.size())
      return fail(fmt::format("{}.series[{}].labels", where, i), fmt::format("there are {} labels for {} points", series.labels.size(), series.points.size()));
  }
  return {};
}

Result<void> check_derivation(const DerivationStep& step, const std::string& where) {
  if (!sound(cell(step.value))) return fail(where + ".value", "the number is not finite, or the range runs backwards");
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    if (!std::isfinite(step.inputs[i].value)) return fail(fmt::format("{}.inputs[{}].value", where, i), "the number is not finite");
  return {};
}

}  // namespace

Figure& Report::add(std::string name, double value, std::string unit, std::string label) {
  RIDGE_CHECK(std::isfinite(value));
  return append(*this, Figure{std::move(name), value, std::move(unit), std::move(label), {}, {}, {}});
}

Figure& Report::add(std::string name, Interval value, std::string unit, std::string label) {
  RIDGE_CHECK(std::isfinite(value.low) && std::isfinite(value.high) && value.low <= value.high);
  return append(*this, Figure{std::move(name), cell(value), std::move(unit), std::move(label), {}, {}, {}});
}

Figure& Report::add(std::string name, Bytes value, std::string label) { return add(std::move(name), value.as_double(), "B", std::move(label)); }

Figure& Report::add_category(std::string name, std::string value, std::string label) {
  return append(*this, Figure{std::move(name), std::move(value), "", std::move(label), {}, {}, {}});
}

Figure& Report::add(std::string name, const SourcedFigure& figure, std::string label) {
  Figure& added = add(std::move(name), figure.value, figure.unit, std::move(label));
  added.basis = figure.basis;
  added.sources = figure.sources;
  added.provenance = figure.provenance;
  return added;
}

Finding& Report::find(Severity severity, std::string kind, std::string text, std::string evidence, std::string advice) {
  findings.push_back(Finding{severity, std::move(kind), std::move(text), std::move(evidence), std::move(advice)});
  return findings.back();
}

const Figure* Report::figure(std::string_view name) const {
  for (const Figure& figure : figures)
    if (figure.name == name) return &figure;
  return nullptr;
}

Result<void> check_report(const Report& report) {
  std::set<std::string_view> request;
  for (const auto& [name, value] : report.request) {
    if (!request.insert(name).second) return fail("request." + name, "the name is given twice");
    if (!sound(value)) return fail("request." + name, "the number is not finite, or the range runs backwards");
  }
  RIDGE_TRY_VOID(names_once(report.figures, "figures"));
  RIDGE_TRY_VOID(names_once(report.tables, "tables"));
  RIDGE_TRY_VOID(names_once(report.plots, "plots"));
  for (const Figure& figure : report.figures) {
    if (std::holds_alternative<std::monostate>(figure.value)) return fail("figures." + figure.name, "a figure without a value must be left out");
    if (!sound(figure.value)) return fail("figures." + figure.name, "the number is not finite, or the range runs backwards");
  }
  for (std::size_t i = 0; i < report.tables.size(); ++i) RIDGE_TRY_VOID(check_table(report.tables[i], fmt::format("tables[{}]", i)));
  for (std::size_t i = 0; i < report.plots.size(); ++i) RIDGE_TRY_VOID(check_plot(report.plots[i], fmt::format("plots[{}]", i)));
  for (std::size_t i = 0; i < report.derivation.size(); ++i) RIDGE_TRY_VOID(check_derivation(report.derivation[i], fmt::format("derivation[{}]", i)));
  return {};
}

Cell cell(std::optional<double> value) { return value && std::isfinite(*value) ? Cell(*value) : Cell{}; }
Cell cell(Interval value) { return value.is_point() ? Cell(value.low) : Cell(value); }

}  // namespace ridge::report
