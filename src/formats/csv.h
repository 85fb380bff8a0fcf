// CSV (RFC 4180) and TSV: quoted fields, CRLF or LF, a header row. Invariant: every row has as many fields as the header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quantity/result.h"

namespace ridge::formats {

struct Table {
  std::string file;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> lines;  // line of the file on which row i begins

  // Index of a column, or an error that lists the columns which exist.
  Result<std::size_t> column(std::string_view name) const;
};

// separator 0: a tab where the header has one, else a comma. Lines that begin with '#' before the header are skipped.
Result<Table> read_csv(std::string_view text, const std::string& file, char separator = 0);

}  // namespace ridge::formats
