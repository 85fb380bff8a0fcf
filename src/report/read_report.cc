// ridge.report/1 back into a Report. Everything that render_json writes is known here and nothing else is taken: a key that is
// unknown, a value of another type or a word that is none of ours is an error with its key path.
#include <fmt/format.h>

#include "formats/tree.h"
#include "report/render.h"
#include "report/words.h"

namespace ridge::report {
namespace {

using formats::Node;
using formats::NodeRef;

constexpr std::string_view kSchema = "ridge.report/1";

Result<std::string> text_or_empty(const NodeRef& node, std::string_view key) {
  if (const auto child = node.get(key)) return child->as_text();
  return std::string();
}

Result<std::string> required_text(const NodeRef& node, std::string_view key) {
  RIDGE_TRY(const NodeRef child, node.require(key));
  return child.as_text();
}

Result<NodeRef> required_list(const NodeRef& node, std::string_view key) {
  RIDGE_TRY(NodeRef child, node.require(key));
  if (child.kind() != Node::Kind::kList) return child.error(fmt::format("a list is expected, found {}", name_of(child.kind())));
  return child;
}

Result<NodeRef> required_map(const NodeRef& node, std::string_view key) {
  RIDGE_TRY(NodeRef child, node.require(key));
  if (child.kind() != Node::Kind::kMap) return child.error(fmt::format("a map is expected, found {}", name_of(child.kind())));
  return child;
}

bool is_number(const Node& node) { return node.kind == Node::Kind::kInteger || node.kind == Node::Kind::kReal; }

Result<std::vector<std::string>> texts(const NodeRef& node, std::string_view key) {
  std::vector<std::string> values;
  const auto list = node.get(key);
  if (!list) return values;
  if (list->kind() != Node::Kind::kList) return list->error(fmt::format("a list of texts is expected, found {}", name_of(list->kind())));
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (list->node().list[i].kind != Node::Kind::kText) return list->at(i).error(fmt::format("text is expected, found {}", name_of(list->at(i).kind())));
    values.push_back(list->node().list[i].text);
  }
  return values;
}

template <class T>
Result<T> word(const NodeRef& node) {
  RIDGE_TRY(const std::string text, node.as_text());
  if (const std::optional<T> value = from_word<T>(text)) return *value;
  std::string all;
  for (const auto& [known, name] : Words<T>::kAll)
    if (!name.empty()) all += (all.empty() ? "" : ", ") + std::string(name);
  return node.error(fmt::format("\"{}\" is not one of: {}", text, all));
}

Result<Notation> notation_of(const NodeRef& node) {
  if (const auto child = node.get("notation")) return word<Notation>(*child);
  return Notation::kPlain;
}

// nullopt where the node is neither a number nor a range.
std::optional<Interval> interval_of(const Node& node) {
  if (is_number(node)) return Interval{node.real, node.real};
  if (node.kind == Node::Kind::kList && node.list.size() == 2 && is_number(node.list[0]) && is_number(node.list[1]))
    return Interval{node.list[0].real, node.list[1].real};
  return std::nullopt;
}

std::optional<Cell> cell_of(const Node& node) {
  if (node.kind == Node::Kind::kNull) return Cell{};
  if (node.kind == Node::Kind::kText) return Cell(node.text);
  if (const std::optional<Interval> interval = interval_of(node)) return cell(*interval);
  return std::nullopt;
}

Result<Cell> read_cell(const NodeRef& node) {
  if (std::optional<Cell> value = cell_of(node.node())) return std::move(*value);
  return node.error(fmt::format("a number, a range [low, high], text or null is expected, found {}", name_of(node.kind())));
}

Result<Interval> read_interval(const NodeRef& node) {
  if (const std::optional<Interval> value = interval_of(node.node())) return *value;
  return node.error(fmt::format("a number or a range [low, high] is expected, found {}", name_of(node.kind())));
}

Result<Figure> read_figure(std::string_view name, const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"value", "unit", "label", "basis", "sources", "provenance", "notation"}));
  Figure figure;
  figure.name = name;
  RIDGE_TRY(const NodeRef value, node.require("value"));
  RIDGE_TRY(figure.value, read_cell(value));
  RIDGE_TRY(figure.unit, required_text(node, "unit"));
  RIDGE_TRY(figure.label, text_or_empty(node, "label"));
  RIDGE_TRY(figure.basis, text_or_empty(node, "basis"));
  RIDGE_TRY(figure.sources, texts(node, "sources"));
  RIDGE_TRY(figure.notation, notation_of(node));
  if (const auto provenance = node.get("provenance")) {
    RIDGE_TRY(const std::string text, provenance->as_text());
    for (const Provenance known : {Provenance::kPublished, Provenance::kMeasured, Provenance::kDerived, Provenance::kAssumed, Provenance::kUser})
      if (name_of(known) == text) figure.provenance = known;
    if (!figure.provenance) return provenance->error(fmt::format("\"{}\" is not one of: published, measured, derived, assumed, user", text));
  }
  return figure;
}

Result<Table> read_table(const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"name", "title", "columns", "rows", "row_units", "note"}));
  Table table;
  RIDGE_TRY(table.name, required_text(node, "name"));
  RIDGE_TRY(table.title, text_or_empty(node, "title"));
  RIDGE_TRY(table.note, text_or_empty(node, "note"));
  RIDGE_TRY(table.row_units, texts(node, "row_units"));
  RIDGE_TRY(const NodeRef columns, required_list(node, "columns"));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const NodeRef column = columns.at(i);
    RIDGE_TRY_VOID(column.only({"name", "unit", "notation"}));
    Column read;
    RIDGE_TRY(read.name, required_text(column, "name"));
    RIDGE_TRY(read.unit, required_text(column, "unit"));
    RIDGE_TRY(read.notation, notation_of(column));
    table.columns.push_back(std::move(read));
  }
  RIDGE_TRY(const NodeRef rows, required_list(node, "rows"));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Node& row = rows.node().list[r];
    if (row.kind != Node::Kind::kList) return rows.at(r).error(fmt::format("a list of cells is expected, found {}", name_of(row.kind)));
    std::vector<Cell> cells;
    cells.reserve(row.list.size());
    for (std::size_t c = 0; c < row.list.size(); ++c) {
      std::optional<Cell> value = cell_of(row.list[c]);  // without a NodeRef: tables are long, errors are rare
      if (!value) return tl::unexpected<Error>(read_cell(rows.at(r).at(c)).error());
      cells.push_back(std::move(*value));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Result<Axis> read_axis(const NodeRef& node, std::string_view key) {
  RIDGE_TRY(const NodeRef map, required_map(node, key));
  RIDGE_TRY_VOID(map.only({"label", "unit", "scale"}));
  Axis axis;
  RIDGE_TRY(axis.label, required_text(map, "label"));
  RIDGE_TRY(axis.unit, required_text(map, "unit"));
  RIDGE_TRY(const NodeRef scale, map.require("scale"));
  RIDGE_TRY(const std::string text, scale.as_text());
  if (text != "linear" && text != "log") return scale.error(fmt::format("\"{}\" is not one of: linear, log", text));
  axis.logarithmic = text == "log";
  return axis;
}

Result<Series> read_series(const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"name", "style", "points", "labels"}));
  Series series;
  RIDGE_TRY(series.name, required_text(node, "name"));
  RIDGE_TRY(const NodeRef style, node.require("style"));
  RIDGE_TRY(series.style, word<Series::Style>(style));
  RIDGE_TRY(series.labels, texts(node, "labels"));
  RIDGE_TRY(const NodeRef points, required_list(node, "points"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Node& point = points.node().list[i];
    if (point.kind != Node::Kind::kList || point.list.size() != 2 || !is_number(point.list[0]) || !is_number(point.list[1]))
      return points.at(i).error("a point [x, y] of two numbers is expected");
    series.points.emplace_back(point.list[0].real, point.list[1].real);
  }
  return series;
}

Result<Plot> read_plot(const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"name", "title", "x", "y", "series", "note"}));
  Plot plot;
  RIDGE_TRY(plot.name, required_text(node, "name"));
  RIDGE_TRY(plot.title, text_or_empty(node, "title"));
  RIDGE_TRY(plot.note, text_or_empty(node, "note"));
  RIDGE_TRY(plot.x, read_axis(node, "x"));
  RIDGE_TRY(plot.y, read_axis(node, "y"));
  RIDGE_TRY(const NodeRef series, required_list(node, "series"));
  for (std::size_t i = 0; i < series.size(); ++i) {
    RIDGE_TRY(Series read, read_series(series.at(i)));
    plot.series.push_back(std::move(read));
  }
  return plot;
}

Result<Finding> read_finding(const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"severity", "kind", "text", "evidence", "advice"}));
  Finding finding;
  RIDGE_TRY(const NodeRef severity, node.require("severity"));
  RIDGE_TRY(finding.severity, word<Severity>(severity));
  RIDGE_TRY(finding.kind, required_text(node, "kind"));
  RIDGE_TRY(finding.text, required_text(node, "text"));
  RIDGE_TRY(finding.evidence, text_or_empty(node, "evidence"));
  RIDGE_TRY(finding.advice, text_or_empty(node, "advice"));
  return finding;
}

Result<DerivationStep> read_step(const NodeRef& node) {
  RIDGE_TRY_VOID(node.only({"name", "formula", "inputs", "value", "unit", "source"}));
  DerivationStep step;
  RIDGE_TRY(step.name, required_text(node, "name"));
  RIDGE_TRY(step.formula, required_text(node, "formula"));
  RIDGE_TRY(step.unit, required_text(node, "unit"));
  RIDGE_TRY(step.source, text_or_empty(node, "source"));
  RIDGE_TRY(const NodeRef value, node.require("value"));
  RIDGE_TRY(step.value, read_interval(value));
  RIDGE_TRY(const NodeRef inputs, required_list(node, "inputs"));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const NodeRef input = inputs.at(i);
    RIDGE_TRY_VOID(input.only({"name", "value", "unit", "source"}));
    DerivationStep::Input read;
    RIDGE_TRY(read.name, required_text(input, "name"));
    RIDGE_TRY(const NodeRef number, input.require("value"));
    RIDGE_TRY(read.value, number.as_real());
    RIDGE_TRY(read.unit, required_text(input, "unit"));
    RIDGE_TRY(read.source, text_or_empty(input, "source"));
    step.inputs.push_back(std::move(read));
  }
  return step;
}

template <class T>
Result<std::vector<T>> read_list(const NodeRef& root, std::string_view key, Result<T> (*read)(const NodeRef&)) {
  RIDGE_TRY(const NodeRef list, required_list(root, key));
  std::vector<T> items;
  for (std::size_t i = 0; i < list.size(); ++i) {
    RIDGE_TRY(T item, read(list.at(i)));
    items.push_back(std::move(item));
  }
  return items;
}

Result<Verdict> read_verdict(const NodeRef& root) {
  RIDGE_TRY(const NodeRef node, required_map(root, "verdict"));
  RIDGE_TRY_VOID(node.only({"text", "ok"}));
  Verdict verdict;
  RIDGE_TRY(verdict.text, required_text(node, "text"));
  if (const auto ok = node.get("ok")) {
    RIDGE_TRY(verdict.ok, ok->as_bool());
  }
  return verdict;
}

Result<void> check_schema(const NodeRef& root) {
  static constexpr std::string_view kAdvice = "Write it with `ridge … --json`.";
  if (root.kind() != Node::Kind::kMap)
    return root.error(fmt::format("this is no report: a map is expected, found {}", name_of(root.kind())), std::string(kAdvice));
  if (!root.has("schema")) return root.error("this is no report: the key \"schema\" is missing", std::string(kAdvice));
  RIDGE_TRY(const std::string schema, required_text(root, "schema"));
  if (schema == kSchema) return {};
  const bool other_version = schema.starts_with("ridge.report/");
  return root.get("schema")->error(fmt::format("the schema is \"{}\" where \"{}\" is expected", schema, kSchema),
                                   other_version ? "Write the report again with this version of ridge." : std::string(kAdvice));
}

}  // namespace

Result<Report> read_report(std::string_view json, const std::string& file) {
  RIDGE_TRY(const Node document, formats::read_json(json, file));
  const NodeRef root(document, file);
  RIDGE_TRY_VOID(check_schema(root));
  RIDGE_TRY_VOID(root.only({"schema", "command", "version", "request", "verdict", "figures", "tables", "plots", "findings", "derivation"}));
  Report report;
  RIDGE_TRY(report.command, required_text(root, "command"));
  RIDGE_TRY_VOID(required_text(root, "version"));
  RIDGE_TRY(const NodeRef request, required_map(root, "request"));
  for (std::size_t i = 0; i < request.size(); ++i) {
    const auto [name, node] = request.entry(i);
    RIDGE_TRY(Cell value, read_cell(node));
    report.request.emplace_back(name, std::move(value));
  }
  RIDGE_TRY(report.verdict, read_verdict(root));
  RIDGE_TRY(const NodeRef figures, required_map(root, "figures"));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto [name, node] = figures.entry(i);
    RIDGE_TRY(Figure figure, read_figure(name, node));
    report.figures.push_back(std::move(figure));
  }
  RIDGE_TRY(report.tables, read_list<Table>(root, "tables", read_table));
  RIDGE_TRY(report.plots, read_list<Plot>(root, "plots", read_plot));
  RIDGE_TRY(report.findings, read_list<Finding>(root, "findings", read_finding));
  RIDGE_TRY(report.derivation, read_list<DerivationStep>(root, "derivation", read_step));
  if (Result<void> sound = check_report(report); !sound) {
    Error error = std::move(sound).error();
    return tl::unexpected<Error>(with_context(std::move(error), file));
  }
  return report;
}

}  // namespace ridge::report
