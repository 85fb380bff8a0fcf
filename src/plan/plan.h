// plan/: searches over accelerators, layouts and precisions for the deployments that hold a model and carry a load, and
// ranks them by cost. It owns no formula: memory and time come from cost/, figures and prices from hardware/.
//
// What a plan assumes: requests of one shape (input and output tokens) arrive as a Poisson stream, spread evenly over equal
// replicas; every replica batches continuously; memory is reserved for whole requests (input + output tokens) so that none
// is preempted; times are means of the step model, the tail of the first token is that of the prompt queue (cost/load.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/cost.h"
#include "cost/load.h"
#include "hardware/device.h"
#include "hardware/instances.h"
#include "model/model.h"
#include "model/operations.h"
#include "quantity/quantity.h"

namespace ridge::plan {

// What is asked of the deployment.
struct Demand {
  PerSecond rate{1};  // requests/s of all replicas together
  std::int64_t input = 1024;
  std::int64_t output = 256;
  std::optional<Seconds> first_token;  // promise for `quantile` of the requests
  std::optional<Seconds> per_token;    // promise for the mean time per output token
  double quantile = 0.99;
};

struct Options {
  std::int64_t max_gpus = 64;                            // of the whole deployment, spares included
  std::int64_t spare = 0;                                // replicas beyond those that the load needs
  std::int64_t max_sequences = 256;                      // engine's limit of running sequences per replica
  std::int64_t token_budget = 2048;                      // prompt tokens per step
  std::int64_t block = 16;                               // tokens per KV block
  double max_utilisation = 0.85;                         // of the saturation rate: headroom for bursts that the mean does not see
  std::optional<Precision> kv_cache;                     // absent: the model's own
  std::optional<std::int64_t> tensor, pipeline, expert;  // fixed by the user
  bool ideal = false;
  const cost::EfficiencyTables* tables = nullptr;  // null: the built-in ones
};

// How the weights are held and multiplied.
struct PrecisionChoice {
  std::string label;                 // "bf16", "fp8", "as stored (fp8)"
  std::optional<Precision> weights;  // absent: as the checkpoint stores them
  Precision activations = Precision::kBf16;
  bool as_checkpoint = true;  // false: the weights would have to be quantised, quality is the user's to check
  std::string note;
};

// One kind of accelerator as the search may use it.
struct Fleet {
  hardware::Device device;
  std::vector<PrecisionChoice> precisions;
  std::vector<hardware::Offer> offers;   // with a price and a sourced count; empty: no price is known
  std::int64_t domain = 8;               // most GPUs that tensor parallelism may span: one node, or one NVLink domain
  std::optional<std::int64_t> max_gpus;  // owned, where an inventory says so
};

struct Memory {
  Bytes usable;  // low end, per GPU
  Bytes fixed;   // weights, workspace, runtime (high end of its range), fullest GPU
  Bytes weights;
  Bytes per_request;              // KV of one whole request, fullest GPU
  std::int64_t max_requests = 0;  // that memory holds
  Bytes headroom;                 // at the operating batch
};

struct Deployment {
  std::size_t fleet = 0;      // index into the input
  std::size_t precision = 0;  // index into the fleet's choices
  model::Layout layout;
  std::int64_t replicas = 0;  // that carry the load
  std::int64_t spares = 0;
  std::int64_t gpus = 0;  // all of them
  Memory memory;
  std::int64_t max_batch = 0;                // per replica: the smaller of memory and the engine's limit
  cost::OperatingPoint point;                // per replica, at the load
  Seconds decode_step{};                     // at the operating batch
  cost::Bound bound = cost::Bound::kMemory;  // of that step
  Seconds prefill{};                         // one prompt alone
  PerSecond saturation{};                    // requests/s of the replicas that carry the load
  std::optional<std::size_t> offer;          // index into the fleet's offers
  std::int64_t instances = 0;
  std::optional<UsdPerHour> price;
  std::optional<double> usd_per_million_output;  // at the load
  std::optional<Watts> power;                    // data-sheet power of all GPUs
  double error_low = 0, error_high = 0;          // band of the step model, shares
  std::string error_source;
};

enum class Reason {
  kNoFigure,  // the catalogue lacks a peak, a bandwidth or a memory size of this part
  kLayout,    // heads or layers do not divide
  kDoesNotFit,
  kPerToken,  // misses the promise even alone
  kFirstToken,
  kTooManyGpus,  // the load needs more GPUs than allowed or owned
};
std::string_view name_of(Reason reason);

struct Dropped {
  std::size_t fleet = 0;
  std::size_t precision = 0;
  model::Layout layout;
  Reason reason = Reason::kDoesNotFit;
  double distance = 0;  // how far off, to rank within a reason: bytes, seconds, GPUs
  std::string text;     // "short by 3.1 GiB"
};

struct Plan {
  std::vector<Deployment> ranked;  // the best layout of each accelerator and precision, cheapest first; without a price last
  std::int64_t considered = 0;     // accelerator × precision × layout
  std::int64_t feasible = 0;
  std::vector<Dropped> dropped;  // one per combination that fell out, nearest first within a reason
};

// An error only where the question itself cannot be answered (the model lacks a field); a part without a figure is dropped.
Result<Plan> search(const model::Model& model, const std::vector<Fleet>& fleets, const Demand& demand, const Options& options);

// The cheapest way to hold `replicas` replicas of this layout. An instance holds whole tensor groups, which never span two:
// it carries floor(GPUs / ranks) replicas, or a pipeline runs over several. What is sold by the accelerator is bought one
// by one. Absent where no offer can hold a tensor group.
struct Purchase {
  std::size_t offer = 0;
  std::int64_t instances = 0;
  UsdPerHour price{};
};
std::optional<Purchase> cheapest(std::span<const hardware::Offer> offers, const model::Layout& layout, std::int64_t replicas);

}  // namespace ridge::plan
