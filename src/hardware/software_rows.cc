#include "hardware/software_rows.h"

#include <fmt/format.h>

#include "hardware/version.h"
#include "quantity/date.h"

namespace ridge::hardware {
namespace {

Result<void> check_version(std::string_view name, std::string_view text, const formats::NodeRef& at) {
  if (text.empty()) return {};
  if (const auto version = parse_version(text); !version) return at.error(fmt::format("{}: {}", name, version.error().what), version.error().advice);
  return {};
}

Result<void> check_present(std::string_view name, std::string_view text, const formats::NodeRef& at) {
  if (text.empty()) return at.error(fmt::format("{} is empty", name), "Write numbers with dots, as in 550.54.14.");
  return check_version(name, text, at);
}

Result<void> check_cc(std::string_view name, std::string_view text, const formats::NodeRef& at) {
  if (text.empty()) return {};
  const auto version = parse_version(text);
  if (!version || version->count != 2) return at.error(fmt::format("{}: \"{}\" is not a compute capability", name, text), "Write it as in 9.0.");
  return {};
}

}  // namespace

Result<CodeEntry> parse_code(std::string_view text) {
  CodeEntry entry;
  std::string_view cc = text;
  if (cc.ends_with("+PTX")) {
    entry.ptx = true;
    cc.remove_suffix(4);
  } else if (cc.ends_with("-PTX")) {
    entry.ptx = true;
    entry.binary = false;
    cc.remove_suffix(4);
  } else if (cc.ends_with("a")) {
    entry.exact = true;
    cc.remove_suffix(1);
  }
  entry.cc = cc;
  const auto version = parse_version(cc);
  if (!version || version->count != 2) return fail("", fmt::format("\"{}\" is not a target", text), "Write it as in 8.6, 8.6+PTX, 8.6-PTX or 12.0a.");
  return entry;
}

Result<void> check(const ToolkitRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_version("version", row.version, at));
  return check_version("driver", row.driver, at);
}

Result<void> check(const CudaFamilyRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_version("major", row.major, at));
  return check_present("floor", row.floor, at);
}

Result<void> check(const DriverBranchRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_version("branch", row.branch, at));
  RIDGE_TRY_VOID(check_present("cuda_major", row.cuda_major, at));
  if (const auto date = parse_date_span(row.end_of_life); !date) return at.error("end_of_life: " + date.error().what, date.error().advice);
  return {};
}

Result<void> check(const ComputeCapabilityRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_cc("cc", row.cc, at));
  RIDGE_TRY_VOID(check_present("first_toolkit", row.first_toolkit, at));
  RIDGE_TRY_VOID(check_version("last_toolkit", row.last_toolkit, at));
  RIDGE_TRY_VOID(check_version("last_driver", row.last_driver, at));
  if (row.last_driver.empty() != row.last_driver_source.empty()) return at.error("\"last_driver\" and \"last_driver_source\" come together");
  if (!row.last_toolkit.empty() && *parse_version(row.last_toolkit) < *parse_version(row.first_toolkit))
    return at.error("last_toolkit is before first_toolkit");
  return {};
}

Result<void> check(const BinaryRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_version("release", row.release, at));
  RIDGE_TRY_VOID(check_present("cuda", row.cuda, at));
  for (const std::string_view text : row.code)
    if (const auto entry = parse_code(text); !entry) return at.error("code: " + entry.error().what, entry.error().advice);
  return {};
}

Result<void> check(const EngineRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_cc("min_cc", row.min_cc, at));
  if ((!row.min_cc.empty() || !row.accelerators.empty()) && row.source.empty()) return at.error("min_cc and accelerators need a \"source\"");
  return {};
}

Result<void> check(const EngineCudaRow& row, const formats::NodeRef& at) { return check_present("version", row.version, at); }

Result<void> check(const EngineReleaseRow& row, const formats::NodeRef& at) {
  if (row.version != "main") RIDGE_TRY_VOID(check_version("version", row.version, at));
  RIDGE_TRY_VOID(check_cc("min_cc", row.min_cc, at));
  RIDGE_TRY_VOID(check_version("torch", row.torch, at));
  RIDGE_TRY_VOID(check_version("rocm", row.rocm, at));
  if (row.after && (row.version.empty() || row.version == "main")) return at.error("\"after\" needs a version");
  return {};
}

Result<void> check(const PrecisionRuleRow& row, const formats::NodeRef& at) {
  if (row.formats.empty()) return at.error("the rule names no format");
  RIDGE_TRY_VOID(check_cc("from", row.from, at));
  RIDGE_TRY_VOID(check_cc("below", row.below, at));
  RIDGE_TRY_VOID(check_version("cuda", row.cuda, at));
  if (!row.from.empty() && !row.below.empty() && !(*parse_version(row.from) < *parse_version(row.below)))
    return at.error("\"from\" is not before \"below\": the rule matches nothing");
  if (row.partial && row.note.empty()) return at.error("a partial support needs a \"note\" that says what is missing");
  return {};
}

}  // namespace ridge::hardware
