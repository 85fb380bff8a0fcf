#include "cost/queueing.h"

#include <algorithm>
#include <cmath>

namespace ridge::cost {
namespace {

// Positive root x = θS of ρ(e^x − 1) = x for 0 < ρ < 1. The left side is convex and below the line near 0, so the root is
// bracketed by the minimum of the difference, x = −ln ρ, and any point where the exponential has won.
double tail_exponent(double rho) {
  double low = -std::log(rho);
  double high = low + 1;
  while (rho * std::expm1(high) < high) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (rho * std::expm1(middle) < middle ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

std::optional<Seconds> mean_wait(PerSecond arrivals, Seconds service) {
  const double rho = arrivals.value * service.value;
  if (!(rho < 1)) return std::nullopt;
  return Seconds{rho * service.value / (2 * (1 - rho))};
}

std::optional<Seconds> wait_quantile(PerSecond arrivals, Seconds service, double quantile) {
  RIDGE_CHECK(quantile > 0 && quantile < 1);
  const double rho = arrivals.value * service.value;
  if (!(rho < 1)) return std::nullopt;
  // P(W > 0) = ρ: a share 1 − ρ does not wait.
  if (rho <= 1 - quantile) return Seconds{0};
  // Within one service time the distribution is exact and simple, P(W ≤ t) = (1 − ρ) e^(λt); the asymptotic is poor there.
  if ((1 - rho) * std::exp(rho) >= quantile) return Seconds{std::log(quantile / (1 - rho)) / arrivals.value};
  const double x = tail_exponent(rho);
  const double constant = (1 - rho) / (rho * std::exp(x) - 1);
  return Seconds{std::max(0.0, std::log(constant / (1 - quantile)) / x * service.value)};
}

}  // namespace ridge::cost
