#include "cost/load.h"

#include <algorithm>
#include <cmath>

#include "cost/queueing.h"

namespace ridge::cost {

void StepCurve::add(double batch, Seconds step) {
  RIDGE_CHECK(points_.empty() || batch > points_.back().first);
  points_.emplace_back(batch, step.value);
}

Seconds StepCurve::at(double batch) const {
  RIDGE_CHECK(!points_.empty());
  if (batch <= points_.front().first || points_.size() == 1) return {points_.front().second};
  auto right = std::lower_bound(points_.begin(), points_.end(), batch, [](const auto& point, double b) { return point.first < b; });
  if (right == points_.end()) --right;
  const auto left = right - 1;
  const double share = (batch - left->first) / (right->first - left->first);
  return {left->second + share * (right->second - left->second)};
}

PerSecond saturation_rate(const Replica& replica, double output_tokens) {
  const double batch = replica.max_batch;
  return {1 / (replica.prefill_occupancy.value + (output_tokens - 1) * replica.decode.at(batch).value / batch)};
}

std::optional<OperatingPoint> operating_point(const Replica& replica, const Load& load, double quantile) {
  const double lambda = load.rate.value;
  const double decode_share = 1 - lambda * replica.prefill_occupancy.value;
  if (!(decode_share > 0)) return std::nullopt;
  const double later_tokens = std::max(0.0, load.output_tokens - 1);

  const auto wanted = [&](double batch) { return lambda * later_tokens * replica.decode.at(batch).value / decode_share; };
  if (wanted(replica.max_batch) > replica.max_batch) return std::nullopt;
  double low = 0;
  double high = replica.max_batch;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (wanted(middle) > middle ? low : high) = middle;
  }

  OperatingPoint point;
  point.batch = high;
  const Seconds step = replica.decode.at(high);
  point.time_per_output_token = {step.value / decode_share};
  point.utilisation = lambda / saturation_rate(replica, load.output_tokens).value;

  // Below one running sequence the machine is idle part of the time, and a prompt meets a step only then.
  const double busy = std::min(1.0, high);
  const Seconds service{replica.prefill_occupancy.value + busy * step.value * replica.chunk_share};
  const std::optional<Seconds> mean = mean_wait(load.rate, service);
  const std::optional<Seconds> tail = wait_quantile(load.rate, service, quantile);
  if (!mean || !tail) return std::nullopt;
  const double own = replica.prefill_latency.value + busy * step.value * (replica.prefill_chunks + 0.5);
  point.first_token_mean = {mean->value + own};
  point.first_token_tail = {std::max(mean->value, tail->value) + own + busy * step.value * 0.5};
  return point;
}

}  // namespace ridge::cost
