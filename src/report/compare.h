// Two reports, and in what they differ: figures by name, table cells by the names of their row and column, findings by their
// kind, the request and the verdict. Invariants: a difference is counted once; numbers are compared only in the same unit and
// ranges end by end; what is missing on one side is a difference, never a zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace ridge::report {

// One value that differs: a figure, or a cell of a table.
struct Difference {
  std::string table;   // "" for a figure
  std::string name;    // of the figure, or of the row
  std::string column;  // "" for a figure, or where the whole row is in one report only
  std::string end;     // "low" or "high" where a range is compared
  Cell before;         // null where the first report has none
  Cell after;
  std::string unit;
  std::optional<double> change;    // after - before
  std::optional<double> relative;  // change / |before|; absent where before is 0
};

// A part of the reports that cannot be compared. Each counts as a difference.
struct Obstacle {
  std::string kind;  // "units-differ", "table-in-one", "column-in-one", "rows-differ", "commands-differ"
  Severity severity = Severity::kWarning;
  std::string text;
  std::string evidence;
};

struct FindingChange {
  enum class Kind { kAppeared, kWent, kSeverity, kWording };
  Kind kind = Kind::kAppeared;
  const Finding* before = nullptr;  // into the reports that were compared
  const Finding* after = nullptr;
};

struct FieldChange {
  std::string name;
  Cell before;
  Cell after;
};

struct Comparison {
  std::vector<Difference> figures;
  std::vector<Difference> cells;
  std::vector<FindingChange> findings;  // wording only where the tolerance is 0
  std::vector<FieldChange> bases;       // figures that count something else: a caveat, no difference by itself
  std::vector<FieldChange> request;     // the question, not the answer: no difference by itself
  std::vector<Obstacle> obstacles;
  bool verdict_differs = false;  // in its yes or no, or in its words; in the numbers among them only where the tolerance is 0
  std::size_t figures_compared = 0;
  std::size_t cells_compared = 0;

  // A value of which both ends differ stands twice in its list and counts once.
  std::size_t figures_that_differ() const;
  std::size_t cells_that_differ() const;
  std::size_t differences() const;
};

// A number differs where |after - before| > tolerance · |before|. The result points into both reports.
Comparison compare_reports(const Report& before, const Report& after, double tolerance);

}  // namespace ridge::report
