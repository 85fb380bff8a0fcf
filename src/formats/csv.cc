#include "formats/csv.h"

#include <fmt/format.h>

#include "formats/cursor.h"
#include "quantity/text.h"

namespace ridge::formats {
namespace {

// One record from `text` at `position`; advances `position` and `line` past it. A quote that is never closed is an error.
Result<std::vector<std::string>> take_record(std::string_view text, std::size_t& position, int& line, char separator, const std::string& file) {
  std::vector<std::string> fields;
  std::string field;
  const int first_line = line;
  bool quoted = false;
  while (position < text.size()) {
    const char c = text[position++];
    if (quoted) {
      if (c == '"' && position < text.size() && text[position] == '"') {
        field += '"';
        ++position;
      } else if (c == '"') {
        quoted = false;
      } else {
        if (c == '\n') ++line;
        field += c;
      }
    } else if (c == '"' && field.empty()) {
      quoted = true;
    } else if (c == separator) {
      fields.push_back(std::move(field));
      field.clear();
    } else if (c == '\n') {
      ++line;
      if (!field.empty() && field.back() == '\r') field.pop_back();
      fields.push_back(std::move(field));
      return fields;
    } else {
      field += c;
    }
  }
  if (quoted) return fail(fmt::format("{}:{}", file, first_line), "a quoted field is never closed");
  if (!field.empty() && field.back() == '\r') field.pop_back();
  fields.push_back(std::move(field));
  ++line;
  return fields;
}

}  // namespace

Result<std::size_t> Table::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == name) return i;
  std::string all;
  for (const std::string& known : columns) all += (all.empty() ? "" : ", ") + known;
  return fail(file, fmt::format("there is no column \"{}\"", name), "Its columns are: " + all + ".");
}

Result<Table> read_csv(std::string_view text, const std::string& file, char separator) {
  if (text.size() > kMaxTextBytes) return fail(file, fmt::format("{} bytes are more than the limit of {} for one table", text.size(), kMaxTextBytes));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos) return fail(file, "this is not text: it holds NUL bytes");
  std::size_t position = 0;
  int line = 1;
  while (position < text.size() && (text[position] == '#' || text[position] == '\n' || text[position] == '\r')) {
    const std::size_t end = text.find('\n', position);
    position = end == std::string_view::npos ? text.size() : end + 1;
    ++line;
  }
  if (position >= text.size()) return fail(file, "the table is empty", "A header row and at least one row are expected.");
  if (separator == 0) {
    const std::string_view header = text.substr(position, text.find('\n', position) - position);
    separator = header.find('\t') != std::string_view::npos ? '\t' : ',';
  }
  Table table;
  table.file = file;
  RIDGE_TRY(table.columns, take_record(text, position, line, separator, file));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (table.columns[i] == table.columns[j]) return fail(file, fmt::format("the column \"{}\" stands twice", table.columns[i]));
  while (position < text.size()) {
    const int row_line = line;
    if (text[position] == '\n' || text.substr(position, 2) == "\r\n") {
      position += text[position] == '\n' ? 1 : 2;
      ++line;
      continue;
    }
    RIDGE_TRY(std::vector<std::string> row, take_record(text, position, line, separator, file));
    if (row.size() != table.columns.size())
      return fail(fmt::format("{}:{}", file, row_line), fmt::format("{} fields where the header has {}", row.size(), table.columns.size()));
    table.rows.push_back(std::move(row));
    table.lines.push_back(row_line);
  }
  return table;
}

}  // namespace ridge::formats
