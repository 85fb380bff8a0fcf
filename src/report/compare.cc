#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/number_format.h"

namespace ridge::report {
namespace {

bool is_number(const Cell& cell) { return std::holds_alternative<double>(cell) || std::holds_alternative<Interval>(cell); }
bool is_null(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

Interval ends_of(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return {*number, *number};
  return std::get<Interval>(cell);
}

// `text` with each number in it replaced by '#', so that sentences which differ in their numbers only are the same.
std::string without_numbers(std::string_view text) {
  std::string result;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      result += text[i];
      continue;
    }
    while (i + 1 < text.size() && (is_digit(text[i + 1]) || ((text[i + 1] == '.' || text[i + 1] == ',') && i + 2 < text.size() && is_digit(text[i + 2])))) ++i;
    result += '#';
  }
  return result;
}

class Comparer {
 public:
  Comparer(const Report& before, const Report& after, double tolerance) : before_(before), after_(after), tolerance_(tolerance) {}

  Comparison run() {
    if (before_.command != after_.command)
      obstacle("commands-differ", Severity::kError, "The reports are answers of different commands.",
               fmt::format("The first is of \"{}\", the second of \"{}\".", before_.command, after_.command));
    const std::string first = before_.verdict.text, second = after_.verdict.text;
    result_.verdict_differs =
        before_.verdict.ok != after_.verdict.ok || (tolerance_ == 0 ? first != second : without_numbers(first) != without_numbers(second));
    compare_requests();
    compare_figures();
    compare_tables();
    compare_findings();
    return std::move(result_);
  }

 private:
  void obstacle(std::string kind, Severity severity, std::string text, std::string evidence) {
    result_.obstacles.push_back({std::move(kind), severity, std::move(text), std::move(evidence)});
  }

  // Appends what differs between two values of the same unit to `out`; `place` is filled but for the values.
  void compare_values(const Cell& before, const Cell& after, const Difference& place, std::vector<Difference>& out) const {
    if (is_number(before) && is_number(after)) {
      const Interval a = ends_of(before), b = ends_of(after);
      if (a.is_point() && b.is_point()) return compare_numbers(a.low, b.low, "", place, out);
      compare_numbers(a.low, b.low, "low", place, out);
      compare_numbers(a.high, b.high, "high", place, out);
      return;
    }
    if (before == after) return;
    Difference difference = place;
    difference.before = before;
    difference.after = after;
    out.push_back(std::move(difference));
  }

  void compare_numbers(double before, double after, std::string end, const Difference& place, std::vector<Difference>& out) const {
    const double change = after - before;
    // Written so that a change which overflows counts.
    if (before == after || std::abs(change) <= tolerance_ * std::abs(before)) return;
    Difference difference = place;
    difference.end = std::move(end);
    difference.before = before;
    difference.after = after;
    if (std::isfinite(change)) difference.change = change;
    if (const double relative = change / std::abs(before); before != 0 && std::isfinite(relative)) difference.relative = relative;
    out.push_back(std::move(difference));
  }

  void compare_requests() {
    const auto value_of = [](const Report& report, const std::string& name) -> const Cell* {
      for (const auto& [field, value] : report.request)
        if (field == name) return &value;
      return nullptr;
    };
    for (const auto& [name, value] : before_.request) {
      const Cell* other = value_of(after_, name);
      if (other == nullptr || *other != value) result_.request.push_back({name, value, other == nullptr ? Cell{} : *other});
    }
    for (const auto& [name, value] : after_.request)
      if (value_of(before_, name) == nullptr) result_.request.push_back({name, Cell{}, value});
  }

  void compare_figures() {
    std::map<std::string_view, const Figure*> after;
    for (const Figure& figure : after_.figures) after.emplace(figure.name, &figure);
    std::map<std::string_view, const Figure*> seen;
    for (const Figure& figure : before_.figures) {
      seen.emplace(figure.name, &figure);
      ++result_.figures_compared;
      const auto found = after.find(figure.name);
      if (found == after.end()) {
        result_.figures.push_back({"", figure.name, "", "", figure.value, Cell{}, figure.unit, {}, {}});
        continue;
      }
      compare_figure(figure, *found->second);
    }
    for (const Figure& figure : after_.figures) {
      if (seen.contains(figure.name)) continue;
      ++result_.figures_compared;
      result_.figures.push_back({"", figure.name, "", "", Cell{}, figure.value, figure.unit, {}, {}});
    }
  }

  void compare_figure(const Figure& before, const Figure& after) {
    if (before.unit != after.unit && is_number(before.value) && is_number(after.value)) {
      obstacle("units-differ", Severity::kError, fmt::format("The figure {} has another unit: it cannot be compared.", before.name),
               fmt::format("{} in the first report, {} in the second.", show_cell(before.value, before.unit), show_cell(after.value, after.unit)));
      return;
    }
    if (before.basis != after.basis) {
      const auto basis = [](const Figure& figure) { return figure.basis.empty() ? Cell{} : Cell(figure.basis); };
      result_.bases.push_back({before.name, basis(before), basis(after)});
    }
    const std::string& unit = is_number(before.value) ? before.unit : after.unit;
    compare_values(before.value, after.value, {"", before.name, "", "", {}, {}, unit, {}, {}}, result_.figures);
  }

  void compare_tables() {
    const auto named = [](const Report& report, const std::string& name) -> const Table* {
      for (const Table& table : report.tables)
        if (table.name == name) return &table;
      return nullptr;
    };
    for (const Table& table : before_.tables) {
      if (const Table* other = named(after_, table.name))
        compare_table(table, *other);
      else
        obstacle("table-in-one", Severity::kWarning, fmt::format("The table \"{}\" is in the first report only.", table.name), "");
    }
    for (const Table& table : after_.tables)
      if (named(before_, table.name) == nullptr)
        obstacle("table-in-one", Severity::kWarning, fmt::format("The table \"{}\" is in the second report only.", table.name), "");
  }

  // The name of a row is its first cell; rows of one name are told apart by their order ("a", 2).
  using RowName = std::pair<std::string, int>;
  static std::vector<RowName> row_names(const Table& table) {
    std::vector<RowName> names;
    std::map<std::string, int> times;
    for (const auto& row : table.rows) {
      const double* number = std::get_if<double>(&row[0]);
      std::string name = number != nullptr ? fmt::format("{}", *number) : show_cell(row[0], table.columns[0].unit);
      const int time = ++times[name];
      names.emplace_back(std::move(name), time);
    }
    return names;
  }
  static std::string shown(const RowName& name) { return name.second == 1 ? name.first : fmt::format("{} ({})", name.first, name.second); }

  void compare_table(const Table& before, const Table& after) {
    if (before.columns.empty() || after.columns.empty() || before.columns[0].name != after.columns[0].name || before.columns[0].unit != after.columns[0].unit) {
      if (!before.columns.empty() || !after.columns.empty())
        obstacle("rows-differ", Severity::kError, fmt::format("The rows of the table \"{}\" cannot be matched.", before.name),
                 "Its first column is another one in the second report.");
      return;
    }
    // For each column of the first table, its place in the second.
    std::vector<std::optional<std::size_t>> place(before.columns.size());
    std::vector<bool> matched(after.columns.size(), false);
    for (std::size_t c = 1; c < before.columns.size(); ++c) {
      for (std::size_t k = 1; k < after.columns.size() && !place[c]; ++k)
        if (!matched[k] && after.columns[k].name == before.columns[c].name) place[c] = k;
      if (place[c]) matched[*place[c]] = true;
      match_column(before, after, c, place[c]);
    }
    for (std::size_t k = 1; k < after.columns.size(); ++k)
      if (!matched[k])
        obstacle("column-in-one", Severity::kWarning,
                 fmt::format("The column \"{}\" of the table \"{}\" is in the second report only.", after.columns[k].name, after.name), "");
    compare_rows(before, after, place);
  }

  void match_column(const Table& before, const Table& after, std::size_t c, std::optional<std::size_t>& place) {
    const Column& column = before.columns[c];
    if (!place) {
      obstacle("column-in-one", Severity::kWarning, fmt::format("The column \"{}\" of the table \"{}\" is in the first report only.", column.name, before.name),
               "");
    } else if (after.columns[*place].unit != column.unit) {
      obstacle("units-differ", Severity::kError,
               fmt::format("The column \"{}\" of the table \"{}\" has another unit: it cannot be compared.", column.name, before.name),
               fmt::format("\"{}\" in the first report, \"{}\" in the second.", column.unit, after.columns[*place].unit));
      place.reset();
    }
  }

  void compare_rows(const Table& before, const Table& after, const std::vector<std::optional<std::size_t>>& place) {
    const std::vector<RowName> old_names = row_names(before), new_names = row_names(after);
    std::map<RowName, std::size_t> row_of;
    for (std::size_t r = 0; r < new_names.size(); ++r) row_of.emplace(new_names[r], r);
    std::vector<bool> seen(new_names.size(), false);
    const auto unit_of = [](const Table& table, std::size_t row, std::size_t column) {
      return table.columns[column].unit.empty() && row < table.row_units.size() ? table.row_units[row] : table.columns[column].unit;
    };
    for (std::size_t r = 0; r < old_names.size(); ++r) {
      const auto found = row_of.find(old_names[r]);
      if (found == row_of.end()) {
        result_.cells.push_back({before.name, shown(old_names[r]), "", "", std::string("present"), Cell{}, "", {}, {}});
        continue;
      }
      const std::size_t other = found->second;
      seen[other] = true;
      for (std::size_t c = 1; c < place.size(); ++c) {
        if (!place[c]) continue;
        ++result_.cells_compared;
        const std::string unit = unit_of(before, r, c), other_unit = unit_of(after, other, *place[c]);
        if (unit != other_unit && is_number(before.rows[r][c]) && is_number(after.rows[other][*place[c]])) {
          obstacle("units-differ", Severity::kError,
                   fmt::format("The row \"{}\" of the table \"{}\" has another unit: it cannot be compared.", shown(old_names[r]), before.name),
                   fmt::format("\"{}\" in the first report, \"{}\" in the second.", unit, other_unit));
          break;
        }
        compare_values(before.rows[r][c], after.rows[other][*place[c]],
                       {before.name, shown(old_names[r]), before.columns[c].name, "", {}, {}, is_null(before.rows[r][c]) ? other_unit : unit, {}, {}},
                       result_.cells);
      }
    }
    for (std::size_t r = 0; r < new_names.size(); ++r)
      if (!seen[r]) result_.cells.push_back({after.name, shown(new_names[r]), "", "", Cell{}, std::string("present"), "", {}, {}});
  }

  void compare_findings() {
    std::vector<bool> old_done(before_.findings.size(), false), new_done(after_.findings.size(), false);
    const auto pair_up = [&](auto&& same, auto&& note) {
      for (std::size_t i = 0; i < before_.findings.size(); ++i)
        for (std::size_t k = 0; k < after_.findings.size() && !old_done[i]; ++k) {
          const Finding &a = before_.findings[i], &b = after_.findings[k];
          if (new_done[k] || a.kind != b.kind || !same(a, b)) continue;
          old_done[i] = new_done[k] = true;
          note(a, b);
        }
    };
    const auto add = [this](FindingChange::Kind kind, const Finding* before, const Finding* after) { result_.findings.push_back({kind, before, after}); };
    const auto nothing = [](const Finding&, const Finding&) {};
    const auto changed = [&](const Finding& a, const Finding& b) {
      if (a.severity != b.severity)
        add(FindingChange::Kind::kSeverity, &a, &b);
      else if (tolerance_ == 0 && a.text != b.text)
        add(FindingChange::Kind::kWording, &a, &b);
    };
    pair_up([](const Finding& a, const Finding& b) { return a.severity == b.severity && a.text == b.text; }, nothing);
    pair_up([](const Finding& a, const Finding& b) { return without_numbers(a.text) == without_numbers(b.text); }, changed);
    // One finding of its kind on each side is the same one in other words; among several, words are all that tells them apart.
    const auto alone = [](const std::vector<Finding>& findings, const Finding& one) {
      return std::count_if(findings.begin(), findings.end(), [&one](const Finding& f) { return f.kind == one.kind; }) == 1;
    };
    pair_up([&](const Finding& a, const Finding& b) { return alone(before_.findings, a) && alone(after_.findings, b); }, changed);
    for (std::size_t i = 0; i < before_.findings.size(); ++i)
      if (!old_done[i]) add(FindingChange::Kind::kWent, &before_.findings[i], nullptr);
    for (std::size_t k = 0; k < after_.findings.size(); ++k)
      if (!new_done[k]) add(FindingChange::Kind::kAppeared, nullptr, &after_.findings[k]);
  }

  const Report& before_;
  const Report& after_;
  double tolerance_;
  Comparison result_;
};

// The end "low" comes before "high" of the same value.
std::size_t count_values(const std::vector<Difference>& differences) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const Difference& one = differences[i];
    const bool second_end = one.end == "high" && i > 0 && differences[i - 1].end == "low" && differences[i - 1].table == one.table &&
                            differences[i - 1].name == one.name && differences[i - 1].column == one.column;
    count += second_end ? 0 : 1;
  }
  return count;
}

}  // namespace

std::size_t Comparison::figures_that_differ() const { return count_values(figures); }
std::size_t Comparison::cells_that_differ() const { return count_values(cells); }
std::size_t Comparison::differences() const {
  return figures_that_differ() + cells_that_differ() + findings.size() + obstacles.size() + (verdict_differs ? 1 : 0);
}

Comparison compare_reports(const Report& before, const Report& after, double tolerance) { return Comparer(before, after, tolerance).run(); }

}  // namespace ridge::report
