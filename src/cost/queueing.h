// Waiting for one server with Poisson arrivals and a fixed service time (M/D/1). Times in seconds, rates in 1/s.
//
// Mean wait: Pollaczek–Khinchine with no variance of service, W = λS² / (2(1 − ρ)), ρ = λS
// (Kleinrock, "Queueing Systems, Volume 1", 1975, section 5.6).
// Tail: P(W > t) ≈ C e^(−θt), θ the positive root of λ(e^(θS) − 1) = θ, C = (1 − ρ) / (λS e^(θS) − 1)
// for t beyond one service time
// (Cramér–Lundberg asymptotic of the M/G/1 wait; Asmussen, "Applied Probability and Queues", 2nd ed. 2003, section XIII.5);
// within one service time exactly P(W ≤ t) = (1 − ρ) e^(λt) (Erlang).
// Example: λ = 0.5, S = 1: mean 0.5 s; the 99th percentile is 3.34 s (queueing_test.cc compares with the exact distribution).
#pragma once

#include <optional>

#include "quantity/quantity.h"

namespace ridge::cost {

// Absent where the queue has no steady state (ρ ≥ 1).
std::optional<Seconds> mean_wait(PerSecond arrivals, Seconds service);

// The wait that a share `quantile` of the arrivals does not exceed; 0 < quantile < 1. 0 where that share does not wait at all.
std::optional<Seconds> wait_quantile(PerSecond arrivals, Seconds service, double quantile);

}  // namespace ridge::cost
