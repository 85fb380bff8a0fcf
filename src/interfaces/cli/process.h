// The process around a command line: signals, terminal, environment, clock. Everything that depends on where and when the
// program runs is here, and is handed to answer() as values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::cli {

int run_process(int argc, char** argv);

// Whether the locale of these variables' values (LC_ALL, LC_CTYPE, LANG: the first that is not empty decides) can show UTF-8.
bool is_utf8_locale(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang);

// "2026-12-01" of a time in seconds since 1970, in UTC.
std::string date_of(std::int64_t seconds);

// Columns from COLUMNS, else from the terminal (0: unknown), else 80; between 40 and 400.
int output_width(std::string_view columns_variable, int terminal_columns);

}  // namespace ridge::cli
