#include "report/report.h"

#include <cmath>

#include "quantity/result.h"

namespace ridge::report {
namespace {

Figure& append(Report& report, Figure figure) {
  RIDGE_CHECK(report.figure(figure.name) == nullptr);
  report.figures.push_back(std::move(figure));
  return report.figures.back();
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

Cell cell(std::optional<double> value) { return value && std::isfinite(*value) ? Cell(*value) : Cell{}; }
Cell cell(Interval value) { return value.is_point() ? Cell(value.low) : Cell(value); }

}  // namespace ridge::report
