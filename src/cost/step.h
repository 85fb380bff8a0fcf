// Pricing a whole step: model/ lists the operations, efficiency.h says how well each kind runs on the device, law.h times
// them, and the sum is explained. All predictions of a step's time in this program come from price_step().
#pragma once

#include <span>
#include <vector>

#include "cost/law.h"

namespace ridge::cost {

struct PricingOptions {
  bool ideal = false;  // the bound: no launch, no efficiency, no host overhead, link at its data-sheet rate
};

struct PricedOperation {
  model::Operation operation;
  Time time;  // of one launch
  Efficiency efficiency;
};

struct StepTime {
  Seconds total{};                                // all operations and the per-step overhead
  Seconds overhead{};                             // host and scheduler, per step
  Seconds compute{}, memory{}, link{}, launch{};  // sums over operations of the term that decided
  Bound bound = Bound::kMemory;                   // the largest of those sums
  Flop flops{};
  Bytes memory_bytes{};
  std::vector<PricedOperation> operations;
  double error_low = 0, error_high = 0;  // band of the back-test, as shares (−0.2, +0.3); 0 under ideal
  std::string error_source;
};

// Prices one step on one profile. Peaks are taken at the operation's compute precision; a precision that the device lacks is an error.
Result<StepTime> price_step(std::span<const model::Operation> operations, const hardware::Device& device, const model::Layout& layout,
                            const PricingOptions& options);

}  // namespace ridge::cost
