// The renderings of one Report. Each is a pure function from the document to text. Text of a report is never obeyed: control
// characters and markup are made harmless, bytes that are no UTF-8 become U+FFFD. A number that is not finite (check_report
// finds it) is left out like one that does not exist.
#pragma once

#include <string>

#include "quantity/result.h"
#include "report/report.h"

namespace ridge::report {

struct TerminalOptions {
  int width = 80;
  bool color = false;
  bool unicode = true;   // false under LC_ALL=C: ASCII only
  bool explain = false;  // print the derivation
  bool quiet = false;    // verdict only
};

std::string render_terminal(const Report& report, const TerminalOptions& options);
std::string render_json(const Report& report, std::string_view version);  // schema ridge.report/1, one object, trailing newline
std::string render_markdown(const Report& report, bool explain);
std::string render_html(const Report& report, std::string_view version);  // one file: no network, SVG plots, light and dark
std::string render_svg(const Plot& plot);                                 // text stays text

// Reads what render_json wrote (for `ridge diff`). Unknown schema or wrong types are errors with the key path.
Result<Report> read_report(std::string_view json, const std::string& file);

}  // namespace ridge::report
