#include "cost/efficiency_rows.h"

#include <fmt/format.h>

namespace ridge::cost {
namespace {

constexpr double kMostMicroseconds = 1e6;  // a second of launch is no launch
constexpr double kMostShare = 1.5;         // caches carry some shapes past the memory's own rate, never far
constexpr double kMostRows = 1e9;
constexpr double kMostGigabytes = 1e6;

Result<void> check_between(double value, double low, double high, std::string_view what, const formats::NodeRef& at) {
  if (value >= low && value <= high) return {};
  return at.error(fmt::format("{} is {:g}, outside {:g} to {:g}", what, value, low, high));
}

Result<void> check_fit(const std::optional<double>& median, const std::optional<double>& p90, const formats::NodeRef& at) {
  if (median) RIDGE_TRY_VOID(check_between(*median, 0, 100, "fit_median", at));
  if (p90) RIDGE_TRY_VOID(check_between(*p90, 0, 100, "fit_p90", at));
  return {};
}

}  // namespace

Result<void> check(const ClassRow& row, const formats::NodeRef& at) {
  if (row.like.empty() && row.id != "default")
    return at.error(fmt::format("class \"{}\" is like no other", row.id), "Name the class that answers what this one does not, at last \"default\".");
  if (row.id == "default" && !row.like.empty()) return at.error("the default class is like another", "Leave `like` out: chains end here.");
  if (row.step_us) RIDGE_TRY_VOID(check_between(*row.step_us, 0, kMostMicroseconds, "step_us", at));
  if (row.request_us) RIDGE_TRY_VOID(check_between(*row.request_us, 0, kMostMicroseconds, "request_us", at));
  return {};
}

Result<void> check(const KernelRow& row, const formats::NodeRef& at) {
  RIDGE_TRY_VOID(check_between(row.launch_us, 0, kMostMicroseconds, "launch_us", at));
  RIDGE_TRY_VOID(check_between(row.memory, 0.001, kMostShare, "memory", at));
  if (row.compute.empty()) return at.error("compute has no value", "Give a share of the peak, or one for each of `rows`.");
  if (row.compute.size() > static_cast<std::size_t>(kMostCurvePoints))
    return at.error(fmt::format("compute has {} values, more than {}", row.compute.size(), kMostCurvePoints));
  const std::size_t expected = row.rows.empty() ? 1 : row.rows.size();
  if (row.compute.size() != expected) return at.error(fmt::format("compute has {} values for {} rows", row.compute.size(), row.rows.size()));
  double previous = 0;
  for (const double r : row.rows) {
    RIDGE_TRY_VOID(check_between(r, 1, kMostRows, "a value of rows", at));
    if (r <= previous) return at.error(fmt::format("rows go from {:g} to {:g}", previous, r), "They must ascend.");
    previous = r;
  }
  for (const double share : row.compute) RIDGE_TRY_VOID(check_between(share, 0.0001, kMostShare, "a value of compute", at));
  return check_fit(row.fit_median, row.fit_p90, at);
}

Result<void> check(const CollectiveRow& row, const formats::NodeRef& at) {
  if (row.ranks < 2 || row.ranks > 100'000) return at.error(fmt::format("ranks is {}, outside 2 to 100000", row.ranks));
  RIDGE_TRY_VOID(check_between(row.launch_us, 0, kMostMicroseconds, "launch_us", at));
  if (!row.rate_gbs && !row.share) return at.error("the row has neither share nor rate_gbs", "Give one of them.");
  if (row.rate_gbs) RIDGE_TRY_VOID(check_between(*row.rate_gbs, 0.001, kMostGigabytes, "rate_gbs", at));
  if (row.share) RIDGE_TRY_VOID(check_between(*row.share, 0.001, 2, "share", at));
  return check_fit(row.fit_median, row.fit_p90, at);
}

}  // namespace ridge::cost
