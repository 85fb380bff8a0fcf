// The plots of ridge roofline: roofs with a model's operations on them, and step time and throughput against batch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/roofline.h"

namespace ridge::commands {
namespace {

using report::Plot;
using report::Series;

constexpr double kLeastIntensity = 0.25;
constexpr double kMostIntensity = 16384;

// A roof is two straight lines on logarithmic axes: up to the ridge, then flat.
Series roof(const std::string& name, const cost::Rates& rates) {
  const double ridge = std::clamp(cost::ridge_point(rates).value, kLeastIntensity, kMostIntensity);
  Series series{name, Series::Style::kLine, {}, {}};
  for (const double x : {kLeastIntensity, ridge, kMostIntensity}) series.points.emplace_back(x, cost::attainable({x}, rates).value);
  return series;
}

// Every operation where it stands: its intensity, and the rate that the priced time gives.
Series operations_of(const BatchPoint& point) {
  Series series{fmt::format("operations, batch {}", point.batch), Series::Style::kPoints, {}, {}};
  for (const cost::PricedOperation& op : point.step.operations) {
    const Bytes bytes = op.operation.memory_bytes();
    if (bytes.count <= 0 || op.operation.flops.value <= 0 || op.time.total.value <= 0) continue;
    const double intensity = (op.operation.flops / bytes).value;
    if (intensity < kLeastIntensity || intensity > kMostIntensity) continue;
    series.points.emplace_back(intensity, op.operation.flops.value / op.time.total.value);
    series.labels.emplace_back(op.operation.name);
  }
  return series;
}

Plot roofline_plot(const RooflineRequest& request, const std::vector<ProfileRoofline>& profiles) {
  Plot plot{"roofline", "Roofline", {"arithmetic intensity", "FLOP/B", true}, {"rate", "FLOP/s", true}, {}, {}};
  for (const ProfileRoofline& profile : profiles) {
    if (!profile.rates) continue;
    plot.series.push_back(roof(fmt::format("{} {}", profile.device->id, name_of(profile.compute)), *profile.rates));
    if (profile.batches.empty()) continue;
    plot.series.push_back(operations_of(profile.batches.front()));
    if (profile.batches.size() > 1) plot.series.push_back(operations_of(profile.batches.back()));
  }
  plot.note = request.ideal ? "Points lie on the roof: the bound." : "Points lie below the roof by what kernels do not reach and by their launch.";
  return plot;
}

// Powers of two up to the largest batch asked for, or to 256.
std::vector<std::int64_t> sweep(const RooflineRequest& request) {
  std::int64_t most = 256;
  for (const std::int64_t batch : request.batch) most = std::max(most, batch);
  std::vector<std::int64_t> batches;
  for (std::int64_t b = 1; b < most && batches.size() < 24; b *= 2) batches.push_back(b);
  batches.push_back(most);
  return batches;
}

void add_sweep(report::Report& report, const RooflineRequest& request, const RooflineSubject& subject, const ProfileRoofline& profile) {
  const double each = request.phase == "prefill" ? static_cast<double>(request.context) : 1.0;
  Plot time{"step_time", "Step time against batch", {"batch", "1", true}, {"step", "s", true}, {}, {}};
  Plot rate{"throughput", "Throughput against batch", {"batch", "1", true}, {"tokens/s", "token/s", true}, {}, {}};
  Series bound_time{"bound", Series::Style::kLine, {}, {}}, bound_rate = bound_time;
  Series step_time{"predicted", Series::Style::kLine, {}, {}}, step_rate = step_time;
  for (const std::int64_t batch : sweep(request)) {
    const auto point = batch_point(request, subject, *profile.device, batch, false);
    if (!point) return;
    const double b = static_cast<double>(batch);
    bound_time.points.emplace_back(b, point->bound.total.value);
    bound_rate.points.emplace_back(b, b * each / point->bound.total.value);
    step_time.points.emplace_back(b, point->step.total.value);
    step_rate.points.emplace_back(b, b * each / point->step.total.value);
  }
  time.series.push_back(std::move(bound_time));
  rate.series.push_back(std::move(bound_rate));
  if (!request.ideal) {
    time.series.push_back(std::move(step_time));
    rate.series.push_back(std::move(step_rate));
  }
  report.plots.push_back(std::move(time));
  report.plots.push_back(std::move(rate));
}

}  // namespace

void add_roofline_plots(report::Report& report, const RooflineRequest& request, const RooflineSubject& subject, const std::vector<ProfileRoofline>& profiles) {
  Plot plot = roofline_plot(request, profiles);
  if (!plot.series.empty()) report.plots.push_back(std::move(plot));
  if (!subject.model) return;
  for (const ProfileRoofline& profile : profiles)
    if (!profile.batches.empty()) {
      add_sweep(report, request, subject, profile);
      return;
    }
}

}  // namespace ridge::commands
