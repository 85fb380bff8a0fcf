// A serving replica under a steady load, in the mean. The engine batches continuously: every step decodes one token for each
// running sequence, and prompts are prefilled in chunks that share those steps.
//
// With B sequences running, a decode step takes D(B); a prompt occupies the replica for P; requests arrive at λ per replica
// and want G output tokens, the first of which comes from the prefill.
//   time per output token   T = D(B) / (1 − λP)      the share λP of the time goes to prompts
//   Little's law            B = λ (G − 1) T
//   saturation at batch B   λ_max = 1 / (P + (G − 1) D(B) / B)
// D(B)/B falls with B, so the first two have one solution. T = D + P·B/(G−1) in a closed loop of B users, the form that the
// back-test uses. Time to first token: the wait for the prompts in front (queueing.h) + half a step + the prompt itself,
// whose chunks carry the running decodes along. Means only; the tail is that of the prompt queue.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "quantity/quantity.h"

namespace ridge::cost {

// D(B) at some batch sizes, ascending and at least one; linear in between and beyond the last.
class StepCurve {
 public:
  void add(double batch, Seconds step);
  Seconds at(double batch) const;
  bool empty() const { return points_.empty(); }

 private:
  std::vector<std::pair<double, double>> points_;
};

struct Replica {
  StepCurve decode;
  Seconds prefill_latency{};    // one prompt alone, all pipeline stages
  Seconds prefill_occupancy{};  // how long it keeps the replica from other work: latency / pipeline stages
  double prefill_chunks = 1;    // steps that one prompt takes part in
  double chunk_share = 1;       // prompt tokens over the step's token budget, at most 1: prompts that share a step
  double max_batch = 1;         // sequences that memory and the engine allow
};

struct Load {
  PerSecond rate{};  // of the replica
  double output_tokens = 1;
};

struct OperatingPoint {
  double batch = 0;  // sequences running, mean
  Seconds time_per_output_token{};
  Seconds first_token_mean{};
  Seconds first_token_tail{};  // at `quantile`
  double utilisation = 0;      // λ over λ_max at the largest batch
};

// Requests/s that one replica can finish at its largest batch.
PerSecond saturation_rate(const Replica& replica, double output_tokens);

// Absent where the replica cannot carry the load (λ ≥ λ_max, or the batch that it needs does not fit).
std::optional<OperatingPoint> operating_point(const Replica& replica, const Load& load, double quantile);

}  // namespace ridge::cost
