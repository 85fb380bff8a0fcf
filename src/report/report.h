// report/: what a command answers, as a document. Invariants: every number is finite; a figure that does not exist is
// absent, a missing cell is null, and neither ever counts as zero; values are in base units (B, s, FLOP, FLOP/s, B/s,
// FLOP/B, token/s, W, J, USD, m2, 1). No analysis knows how it is shown, no renderer computes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "quantity/figure.h"
#include "quantity/result.h"
#include "quantity/units.h"

namespace ridge::report {

// Null, number, range, or a category/text.
using Cell = std::variant<std::monostate, double, Interval, std::string>;

// How a number of unit "1" or a difference is shown to people; JSON has the plain number.
enum class Notation { kPlain, kPercent, kChange, kPercentChange };  // 0.38 · 38.0 % · +1.20 · +38.0 %

struct Figure {
  std::string name;   // dotted: "weights.bf16"
  Cell value;         // never null
  std::string unit;   // "" for categories
  std::string label;  // shown to people ("weights, bf16"); empty: in the JSON only
  std::string basis;
  std::vector<std::string> sources;
  std::optional<Provenance> provenance;
  Notation notation = Notation::kPlain;
};

struct Column {
  std::string name;
  std::string unit;  // "" for text
  Notation notation = Notation::kPlain;
};

struct Table {
  std::string name;   // "layouts"
  std::string title;  // shown
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as columns
  std::string note = {};                // one line under the table; may be empty
  // One per row, or empty. Where given, the unit of the row's numbers in the columns that have none of their own: a table
  // whose rows are properties (bandwidth, memory) and whose columns are the things compared.
  std::vector<std::string> row_units = {};
};

struct Axis {
  std::string label;
  std::string unit;
  bool logarithmic = false;  // points at or below zero have no place on it
};

struct Series {
  enum class Style { kLine, kPoints, kBars };
  std::string name;
  Style style = Style::kLine;
  std::vector<std::pair<double, double>> points;
  std::vector<std::string> labels;  // one per point, or empty
};

struct Plot {
  std::string name;
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::string note;
};

enum class Severity { kInfo, kWarning, kError };

// `kind` is a stable word for tests and scripts ("sources-disagree", "kv-binds-first").
struct Finding {
  Severity severity = Severity::kInfo;
  std::string kind;
  std::string text;
  std::string evidence;
  std::string advice;
};

struct Verdict {
  std::string text;
  std::optional<bool> ok;  // absent where the question has no yes or no; `--check` fails on false
};

struct Report {
  std::string command;                                // "fit", "gpu show"
  std::vector<std::pair<std::string, Cell>> request;  // the effective request, by field name
  Verdict verdict;
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Finding> findings;
  std::vector<DerivationStep> derivation;

  // Builders. A non-finite value or a name given twice is a fault of the caller (RIDGE_CHECK).
  Figure& add(std::string name, double value, std::string unit, std::string label = {});
  Figure& add(std::string name, Interval value, std::string unit, std::string label = {});
  Figure& add(std::string name, Bytes value, std::string label = {});
  Figure& add_category(std::string name, std::string value, std::string label = {});
  Figure& add(std::string name, const SourcedFigure& figure, std::string label = {});  // a point where low == high
  Finding& find(Severity severity, std::string kind, std::string text, std::string evidence = {}, std::string advice = {});
  const Figure* figure(std::string_view name) const;
};

// The invariants above as a check, for tests and for reports that were read from a file: names once, numbers finite, ranges in
// order, rows as long as their header, labels one per point. The error's `where` is the key path in the JSON.
Result<void> check_report(const Report& report);

Cell cell(std::optional<double> value);  // null where absent
Cell cell(Interval value);               // a number where it is a point

}  // namespace ridge::report
