#include "report/grid.h"

#include <algorithm>
#include <optional>

#include "report/number_format.h"
#include "report/text_layout.h"

namespace ridge::report {
namespace {

const Cell& cell_at(const Table& table, std::size_t row, std::size_t column) {
  static const Cell missing;
  return column < table.rows[row].size() ? table.rows[row][column] : missing;
}

bool has_own_unit(const Column& column) { return !column.unit.empty() || column.notation == Notation::kPercent || column.notation == Notation::kPercentChange; }

void add_numbers(const Cell& cell, std::vector<double>& numbers) {
  if (const double* number = std::get_if<double>(&cell)) numbers.push_back(*number);
  if (const Interval* range = std::get_if<Interval>(&cell)) numbers.insert(numbers.end(), {range->low, range->high});
}

std::string in_column(const Cell& cell, const NumberFormat& format, bool ascii) {
  if (const double* number = std::get_if<double>(&cell)) return format.number(*number);
  if (const Interval* range = std::get_if<Interval>(&cell)) return format.range(*range);
  return show_cell(cell, "", Notation::kPlain, ascii);
}

// The cells of a row that share the row's unit, with one prefix for all of them.
void write_row_in_its_unit(const Table& table, std::size_t row, bool ascii, std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (!has_own_unit(table.columns[c])) add_numbers(cell_at(table, row, c), numbers);
  std::optional<Notation> chosen_for;
  NumberFormat format;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (has_own_unit(column)) continue;
    if (chosen_for != column.notation) format = NumberFormat::choose(numbers, table.row_units[row], column.notation, ascii);
    chosen_for = column.notation;
    const Cell& cell = cell_at(table, row, c);
    if (const double* number = std::get_if<double>(&cell))
      texts[c] = format.with_unit(*number);
    else if (const Interval* range = std::get_if<Interval>(&cell))
      texts[c] = format.with_unit(*range);
    else
      texts[c] = show_cell(cell, "", Notation::kPlain, ascii);
  }
}

}  // namespace

Grid make_grid(const Table& table, bool ascii) {
  Grid grid;
  const std::size_t rows = table.rows.size(), columns = table.columns.size();
  grid.columns.resize(columns);
  grid.cells.assign(rows, std::vector<std::string>(columns));
  const bool by_row = !table.row_units.empty();
  std::vector<double> numbers;
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = table.columns[c];
    numbers.clear();
    for (std::size_t r = 0; r < rows; ++r) add_numbers(cell_at(table, r, c), numbers);
    grid.columns[c].name = ascii ? to_ascii(clean(column.name)) : clean(column.name);
    grid.columns[c].numeric = !numbers.empty() || has_own_unit(column) || column.notation != Notation::kPlain;
    if (by_row && !has_own_unit(column)) continue;
    const NumberFormat format = NumberFormat::choose(numbers, column.unit, column.notation, ascii);
    grid.columns[c].unit = format.symbol();
    for (std::size_t r = 0; r < rows; ++r) grid.cells[r][c] = in_column(cell_at(table, r, c), format, ascii);
  }
  if (by_row)
    for (std::size_t r = 0; r < std::min(rows, table.row_units.size()); ++r) write_row_in_its_unit(table, r, ascii, grid.cells[r]);
  return grid;
}

std::vector<ShownFigure> shown_figures(const Report& report, bool ascii) {
  std::vector<ShownFigure> shown;
  for (const Figure& figure : report.figures) {
    if (figure.label.empty()) continue;
    ShownFigure item;
    item.label = ascii ? to_ascii(clean(figure.label)) : clean(figure.label);
    item.figure = &figure;
    if (std::holds_alternative<double>(figure.value) || std::holds_alternative<Interval>(figure.value)) {
      std::vector<double> numbers;
      add_numbers(figure.value, numbers);
      const NumberFormat format = NumberFormat::choose(numbers, figure.unit, figure.notation, ascii);
      const double* number = std::get_if<double>(&figure.value);
      const std::string whole = number != nullptr ? format.with_unit(*number) : format.with_unit(std::get<Interval>(figure.value));
      // Dollars stand in front and stay with the number.
      const std::string suffix = format.symbol().empty() ? "" : " " + format.symbol();
      const bool apart = !suffix.empty() && whole.ends_with(suffix);
      item.number = apart ? whole.substr(0, whole.size() - suffix.size()) : whole;
      if (apart) item.unit = format.symbol();
    } else {
      item.text = show_cell(figure.value, "", Notation::kPlain, ascii);
    }
    shown.push_back(std::move(item));
  }
  return shown;
}

}  // namespace ridge::report
