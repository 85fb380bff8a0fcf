// MIG slices under gpu show.
#include <gtest/gtest.h>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;

Result<Report> show(const std::string& gpu, bool all = false) {
  static const formats::MemoryFileSystem files;
  const Environment environment{.files = files, .catalog = hardware::Catalog::builtin(), .today = "2026-12-01", .calibration = ""};
  Arguments arguments{{"gpu", {gpu}}};
  if (all) arguments.push_back({"all", {}});
  return find_command("gpu show")->run(arguments, environment);
}

TEST(GpuShowSlice, ShowsASliceAsAPartOfItsOwn) {
  const auto report = show("h100-sxm5/mig-3g.40gb");
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_TRUE(report::check_report(*report));
  EXPECT_EQ(std::get<double>(report->figure("memory_usable")->value), 40320.0 * kMiB);
  EXPECT_EQ(std::get<double>(report->figure("mig.max_instances")->value), 2);
  EXPECT_EQ(std::get<std::string>(report->figure("mig.resource")->value), "nvidia.com/mig-3g.40gb");
  EXPECT_EQ(std::get<std::string>(report->figure("driver.minimum")->value), "525.85.12");
  EXPECT_EQ(report->verdict.text, "H100 SXM5 80GB MIG 3g.40gb: 39.38 GiB of memory, 45 % of the arithmetic and 50 % of the bandwidth of the whole part.");
}

TEST(GpuShowSlice, ExplainsEachFigureFromTheWholePart) {
  const auto report = show("h100-sxm5/mig-1g.10gb");
  ASSERT_TRUE(report);
  for (const report::Figure& figure : report->figures) {
    if (std::holds_alternative<std::string>(figure.value)) continue;
    bool explained = false;
    for (const DerivationStep& step : report->derivation) explained = explained || step.name == figure.name;
    EXPECT_TRUE(explained) << figure.name;
  }
}

TEST(GpuShowSlice, ListsTheProfilesOfAPartWhereAllIsAsked) {
  const auto some = show("h100-sxm5");
  const auto all = show("h100-sxm5", true);
  const auto without = show("l4", true);
  ASSERT_TRUE(some && all && without);
  const auto table = [](const Report& report) {
    for (const report::Table& one : report.tables)
      if (one.name == "mig") return one.rows.size();
    return std::size_t{0};
  };
  EXPECT_EQ(table(*some), 0U);
  EXPECT_EQ(table(*all), 7U);
  EXPECT_EQ(table(*without), 0U);
}

TEST(GpuShowSlice, RefusesWhatIsNoSlice) {
  EXPECT_FALSE(show("h100-sxm5/"));
  EXPECT_FALSE(show("h100-sxm5/3g.40gb"));
  EXPECT_FALSE(show("dgx-b200/mig-1g.23gb"));
}

}  // namespace
}  // namespace ridge::commands
