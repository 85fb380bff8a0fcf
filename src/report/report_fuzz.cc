// A report from a file that may be hostile: read or refused, and what was read renders in every form, as
// JSON again the same, and differs in nothing from itself.
#include <cstdint>
#include <string>
#include <string_view>

#include "report/compare.h"
#include "report/render.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // the bytes of the input, as libFuzzer gives them
  const Result<report::Report> read = report::read_report(text, "input");
  if (!read) return 0;
  RIDGE_CHECK(report::check_report(*read).has_value());
  const std::string json = report::render_json(*read, "0");
  const Result<report::Report> again = report::read_report(json, "again");
  RIDGE_CHECK(again.has_value());
  RIDGE_CHECK(report::render_json(*again, "0") == json);
  RIDGE_CHECK(report::compare_reports(*read, *again, 0).differences() == 0);
  const int width = static_cast<int>(size % 180);
  report::render_terminal(*read, {.width = width, .color = true, .explain = true});
  report::render_terminal(*read, {.width = width, .unicode = false, .explain = true});
  report::render_markdown(*read, true);
  report::render_html(*read, "0");
  for (const report::Plot& plot : read->plots) report::render_svg(plot);
  return 0;
}
