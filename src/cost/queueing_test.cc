#include "cost/queueing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::cost {
namespace {

// Exact distribution of the M/D/1 wait (Erlang 1909; in Tijms, "A First Course in Stochastic Models", 2003, section 9.2):
// P(W ≤ t) = (1 − ρ) Σ_{k=0}^{⌊t/S⌋} (−λ(t − kS))^k / k! · e^{λ(t − kS)}. Alternating, so only for small t.
double exact_cdf(double arrivals, double service, double t) {
  double sum = 0;
  for (int k = 0; k <= static_cast<int>(t / service); ++k) {
    const double u = arrivals * (t - k * service);
    sum += std::pow(-u, k) / std::tgamma(k + 1.0) * std::exp(u);
  }
  return (1 - arrivals * service) * sum;
}

TEST(MeanWait, FollowsPollaczekKhinchine) {
  EXPECT_DOUBLE_EQ(mean_wait({0.5}, {1})->value, 0.5);
  EXPECT_DOUBLE_EQ(mean_wait({0}, {1})->value, 0);
  EXPECT_FALSE(mean_wait({1}, {1}));
  EXPECT_FALSE(mean_wait({2}, {1}));
}

TEST(WaitQuantile, AgreesWithTheExactDistribution) {
  for (double rho : {0.3, 0.5, 0.7, 0.9}) {
    for (double quantile : {0.9, 0.99}) {
      const double t = wait_quantile({rho}, {1}, quantile)->value;
      if (t == 0 || t > 14) continue;  // beyond that the exact sum loses its digits
      EXPECT_NEAR(exact_cdf(rho, 1, t), quantile, 0.012) << "rho " << rho << ", t " << t;
    }
  }
}

TEST(WaitQuantile, GivesTheExampleOfTheHeader) { EXPECT_NEAR(wait_quantile({0.5}, {1}, 0.99)->value, 3.34, 0.005); }

TEST(WaitQuantile, ScalesWithTheServiceTime) { EXPECT_NEAR(wait_quantile({50}, {0.01}, 0.99)->value, wait_quantile({0.5}, {1}, 0.99)->value * 0.01, 1e-12); }

TEST(WaitQuantile, IsZeroForThoseWhoDoNotWait) {
  EXPECT_EQ(wait_quantile({0.005}, {1}, 0.99)->value, 0);
  EXPECT_FALSE(wait_quantile({1.5}, {1}, 0.99));
}

}  // namespace
}  // namespace ridge::cost
