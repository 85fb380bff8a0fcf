// Pricing a whole step: model/ lists the operations, efficiency.h says how well each kind runs on the device, law.h times
// them, and the sum is explained. All predictions of a step's time in this program come from here.
//
// price_step() answers once; a search that prices one device many times makes a Pricer first.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/bands.h"
#include "cost/efficiency.h"
#include "cost/law.h"

namespace ridge::cost {

struct PricingOptions {
  bool ideal = false;  // the bound: no launch, no efficiency, no host overhead, link at its data-sheet rate
  // Which end of the device's figures where they are ranges. Callers that show a range price both.
  enum class End { kLow, kHigh } end = End::kLow;
  Precision kv_cache = Precision::kBf16;     // chooses how well attention reads the cache
  std::int64_t requests = 0;                 // sequences in the step, for the host's time; 0: only the step's own is counted
  bool details = true;                       // false: StepTime::operations stays empty
  std::string_view class_id = {};            // price as this class of efficiency.yaml; "": the device's own
  const EfficiencyTables* tables = nullptr;  // null: the built-in ones. Must outlive every StepTime priced with it
};

struct PricedOperation {
  model::Operation operation;
  Time time;  // of one launch
  Efficiency efficiency;
};

struct StepTime {
  Seconds total{};                                        // all operations and the per-step overhead
  Seconds overhead{};                                     // host and scheduler, per step
  Seconds compute{}, memory{}, link{}, launch{};          // sums over operations of the term that decided; with overhead they make the total
  Seconds compute_alone{}, memory_alone{}, link_alone{};  // sums of each term by itself, hidden or not
  Bound bound = Bound::kMemory;                           // the largest of the four sums
  Flop flops{};
  Bytes memory_bytes{};
  Bytes weight_bytes{};
  Bytes kv_bytes{};
  std::vector<PricedOperation> operations;
  // Where the back-test's central 80 % of measurements lie against such predictions, as shares (−0.2, +0.3); 0 under ideal.
  double error_low = 0, error_high = 0;
  std::string_view error_source;
};

class Pricer {
 public:
  // Refuses a device without memory bandwidth.
  static Result<Pricer> make(const hardware::Device& device, const PricingOptions& options);

  // Peaks are taken at each operation's compute precision; one that the device lacks is an error that lists those which it has,
  // and so is a collective on a device of whose links nothing is known.
  // `requests` stands in place of the options' own where a search prices many batch sizes.
  Result<StepTime> step(std::span<const model::Operation> operations) const { return step(operations, options_.requests); }
  Result<StepTime> step(std::span<const model::Operation> operations, std::int64_t requests) const;

  // The efficiency and the time of one launch.
  struct Launch {
    Time time;
    Efficiency efficiency;
  };
  Result<Launch> launch(const model::Operation& operation) const;

  Rates rates(Precision compute) const;  // compute 0 where the device lacks the precision
  const DeviceEfficiency& efficiency() const { return efficiency_; }

 private:
  Pricer() = default;
  Result<Launch> collective(const model::Operation& operation) const;

  static constexpr int kPrecisions = 16;
  PricingOptions options_;
  DeviceEfficiency efficiency_;
  std::string device_;
  std::array<double, kPrecisions> peak_{};  // FLOP/s, 0: none
  std::string peaks_known_;
  double vector_ = 0;  // of the vector units; 0: unknown
  BytesPerSecond memory_{};
  BytesPerSecond link_{};                                 // 0: unknown
  std::array<std::array<const BandRow*, 2>, 2> bands_{};  // by phase, by mixture of experts; null: none
};

Result<StepTime> price_step(std::span<const model::Operation> operations, const hardware::Device& device, const model::Layout& layout,
                            const PricingOptions& options);

// Tokens per second of `tokens` made in one step.
PerSecond tokens_per_second(double tokens, const StepTime& step);

}  // namespace ridge::cost
