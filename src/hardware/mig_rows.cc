#include "hardware/mig_rows.h"

#include <fmt/format.h>

#include <set>

#include "hardware/version.h"

namespace ridge::hardware {

Result<void> check(const MigProfileRow& row, const formats::NodeRef& at) {
  if (row.name.find('g') == std::string_view::npos || row.name.find('/') != std::string_view::npos || row.name.find(':') != std::string_view::npos)
    return at.error(fmt::format("\"{}\" is not the name of a profile", row.name), "Write it as the driver does, as in 3g.40gb.");
  if (row.compute < 1 || row.memory_gb < 1 || row.most < 1) return at.error(fmt::format("{}: compute, memory_gb and most are at least 1", row.name));
  if ((row.memory_mib || row.sm_count) && row.source.empty()) return at.error(fmt::format("{}: memory_mib and sm_count need a \"source\"", row.name));
  if ((row.memory_mib && *row.memory_mib < 1) || (row.sm_count && *row.sm_count < 1) || (row.memory_slices && *row.memory_slices < 1))
    return at.error(fmt::format("{}: a figure below 1", row.name), "Leave it out where it is not known.");
  return {};
}

Result<void> check(const MigGpuRow& row, const formats::NodeRef& at) {
  if (row.compute_slices < 1 || row.compute_slices > 64 || row.memory_slices < 1 || row.memory_slices > 64) return at.error("a GPU has 1 to 64 slices");
  if (row.memory_gb < 1 || row.memory_gb > 1'000'000) return at.error(fmt::format("memory_gb is {}", row.memory_gb));
  std::set<std::string_view> names;
  for (const MigProfileRow& profile : row.profiles) {
    if (!names.insert(profile.name).second) return at.error(fmt::format("the profile {} stands twice", profile.name));
    if (profile.compute > row.compute_slices) return at.error(fmt::format("{} has {} of {} compute slices", profile.name, profile.compute, row.compute_slices));
    if (profile.memory_slices && *profile.memory_slices > row.memory_slices)
      return at.error(fmt::format("{} has {} of {} memory slices", profile.name, *profile.memory_slices, row.memory_slices));
    if (profile.memory_gb > row.memory_gb) return at.error(fmt::format("{} has more memory than the GPU's {} GB", profile.name, row.memory_gb));
    if ((profile.memory_mib || profile.sm_count) && row.measured_on.empty())
      return at.error(fmt::format("{} has measured figures, and \"measured_on\" names no part", profile.name));
  }
  if (row.driver.empty() != row.driver_source.empty()) return at.error("\"driver\" and \"driver_source\" come together");
  if (!row.driver.empty())
    if (const auto version = parse_version(row.driver); !version) return at.error("driver: " + version.error().what, version.error().advice);
  return {};
}

}  // namespace ridge::hardware
