#include "cost/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridge::cost {
namespace {

using model::OperationKind;

// A sequence with more new tokens than this multiplies a prompt; up to it, a few (one, or those of a draft) read the cache.
constexpr double kMostDecodeRows = 16;

bool is_collective(OperationKind kind) {
  return kind == OperationKind::kAllReduce || kind == OperationKind::kAllGather || kind == OperationKind::kAllToAll || kind == OperationKind::kSendReceive;
}
bool is_vector_work(OperationKind kind) { return kind == OperationKind::kNorm || kind == OperationKind::kElementwise || kind == OperationKind::kEmbedding; }

// What the efficiency curves count (KernelRow): m where the operation says it (for attention: new tokens of a sequence, one where
// it does not), else the rows that its FLOPs make of its weights.
double rows_of(const model::Operation& op) {
  if (op.kind != OperationKind::kMoe && op.m > 0) return static_cast<double>(op.m);
  if (op.kind == OperationKind::kAttention) return 1;
  const double elements = op.weight_bytes.as_double() * 8 / bits_with_scales(op.weight_format);
  return elements > 0 ? op.flops.value / (2 * elements) : 1;
}

Kernel kernel_of(const model::Operation& op, double rows) {
  switch (op.kind) {
    case OperationKind::kAttention:
      return rows > kMostDecodeRows ? Kernel::kAttentionPrefill : Kernel::kAttentionDecode;
    case OperationKind::kLinearAttention:
      return Kernel::kLinearAttention;
    case OperationKind::kMoe:
      return Kernel::kMoe;
    case OperationKind::kNorm:
    case OperationKind::kElementwise:
    case OperationKind::kEmbedding:
      return Kernel::kElementwise;
    default:
      return Kernel::kGemm;
  }
}

double end_of(const SourcedFigure& figure, PricingOptions::End end) { return end == PricingOptions::End::kLow ? figure.low() : figure.high(); }

// Bytes that cross a rank's link for one message of its size (ring: Thakur et al., "Optimization of Collective Communication
// Operations in MPICH", IJHPCA 19(1), 2005, sections 4.4 and 5.3).
double link_factor(OperationKind kind, int ranks) {
  const double n = ranks;
  if (kind == OperationKind::kAllReduce) return 2 * (n - 1) / n;
  return kind == OperationKind::kSendReceive ? 1 : (n - 1) / n;
}

Collective collective_of(OperationKind kind) {
  if (kind == OperationKind::kAllReduce) return Collective::kAllReduce;
  if (kind == OperationKind::kAllGather) return Collective::kAllGather;
  return kind == OperationKind::kAllToAll ? Collective::kAllToAll : Collective::kSendReceive;
}

Bound largest(const StepTime& step) {
  const std::pair<Seconds, Bound> sums[] = {
      {step.memory, Bound::kMemory}, {step.compute, Bound::kCompute}, {step.link, Bound::kLink}, {step.launch, Bound::kLaunch}};
  return std::max_element(std::begin(sums), std::end(sums), [](const auto& a, const auto& b) { return a.first < b.first; })->second;
}

void add(StepTime& step, const model::Operation& op, const Time& time) {
  const double n = static_cast<double>(op.count);
  step.total += n * time.total;
  step.launch += n * time.launch;
  step.compute_alone += n * time.compute;
  step.memory_alone += n * time.memory;
  step.link_alone += n * time.link;
  const Seconds slowest = n * time.slowest();
  if (time.slowest() == time.memory)
    step.memory += slowest;
  else if (time.slowest() == time.compute)
    step.compute += slowest;
  else
    step.link += slowest;
  step.flops += n * op.flops;
  step.memory_bytes += op.memory_bytes() * op.count;
  step.weight_bytes += op.weight_bytes * op.count;
  step.kv_bytes += op.kv_bytes * op.count;
}

}  // namespace

Result<Pricer> Pricer::make(const hardware::Device& device, const PricingOptions& options) {
  Pricer pricer;
  pricer.options_ = options;
  pricer.device_ = device.id;
  if (!device.memory_bandwidth)
    return fail(device.id, "the catalogue has no memory bandwidth for this part", "give it in an inline description (bandwidth=…) or a --catalog file");
  pricer.memory_ = {end_of(*device.memory_bandwidth, options.end)};
  for (const Precision p : all_precisions())
    if (const auto peak = device.peak_of(p)) {
      pricer.peak_[static_cast<std::size_t>(p)] = end_of(*peak, options.end);
      pricer.peaks_known_ += fmt::format("{}{}", pricer.peaks_known_.empty() ? "" : ", ", name_of(p));
    }
  if (device.vector_fp32) pricer.vector_ = end_of(*device.vector_fp32, options.end);
  if (const auto& link = device.scale_up ? device.scale_up : device.host_link) pricer.link_ = {end_of(*link, options.end)};
  pricer.efficiency_ = (options.tables != nullptr ? *options.tables : EfficiencyTables::builtin()).of(device, options.class_id);
  for (const bool experts : {false, true}) {
    pricer.bands_[0][experts ? 1 : 0] = find_band(model::Phase::kPrefill, experts, pricer.efficiency_.evidence);
    pricer.bands_[1][experts ? 1 : 0] = find_band(model::Phase::kDecode, experts, pricer.efficiency_.evidence);
  }
  return pricer;
}

Rates Pricer::rates(Precision compute) const { return {{peak_[static_cast<std::size_t>(compute)]}, memory_, link_}; }

Result<Pricer::Launch> Pricer::collective(const model::Operation& op) const {
  Launch out;
  Rates rates{{}, memory_, link_};
  if (options_.ideal) {
    if (link_.value <= 0)
      return fail(device_, fmt::format("{} ranks exchange data, and no link rate of this part is known", op.link_ranks),
                  "leave --ideal out, or add the link in a --catalog file");
  } else {
    const CollectiveEfficiency row = efficiency_.collective(collective_of(op.kind), op.link_ranks);
    out.efficiency.launch = row.launch;
    out.efficiency.source = row.source;
    if (row.share > 0 && link_.value > 0)
      out.efficiency.link = row.share;
    else if (row.rate.value > 0)
      rates.link = row.rate;
    else
      return fail(device_, fmt::format("{} ranks exchange data, and no link rate of this part is known", op.link_ranks),
                  "add the link in a --catalog file, or a rate in a --calibration file");
  }
  const Bytes crossing = Bytes::from_double(link_factor(op.kind, op.link_ranks) * op.link_bytes.as_double());
  out.time = price({}, {}, crossing, rates, out.efficiency);
  return out;
}

Result<Pricer::Launch> Pricer::launch(const model::Operation& op) const {
  if (is_collective(op.kind)) return collective(op);
  Launch out;
  Rates rates{{}, memory_, {}};
  Flop flops = op.flops;
  // Routers multiply in fp32, for which few parts state a matrix rate.
  const bool router_by_vector = op.kind == OperationKind::kRouter && peak_[static_cast<std::size_t>(op.compute)] <= 0;
  if (is_vector_work(op.kind) || router_by_vector) {
    rates.compute = {vector_};
    if (vector_ <= 0) flops = {};  // next to its bytes the arithmetic of a norm is nothing
  } else if (rates.compute = {peak_[static_cast<std::size_t>(op.compute)]}; rates.compute.value <= 0 && op.flops.value > 0) {
    return fail(device_, fmt::format("{} multiplies in {}, of which this part has no dense rate", op.name, name_of(op.compute)),
                fmt::format("it has {}", peaks_known_.empty() ? "none" : peaks_known_));
  }
  if (!options_.ideal) {
    const double rows = rows_of(op);
    const Precision format = op.kind == OperationKind::kAttention ? options_.kv_cache : op.weight_format;
    const KernelEfficiency& row = efficiency_.kernel(kernel_of(op, rows), format, op.compute);
    out.efficiency.launch = row.launch;
    out.efficiency.memory = row.memory;
    out.efficiency.source = row.source;
    out.efficiency.compute = row.compute_at(rows);
    // The share is of the peak that the row names; where the device has it, the rate that was measured is kept.
    const double named = peak_[static_cast<std::size_t>(row.peak)];
    if (!is_vector_work(op.kind) && named > 0 && rates.compute.value > 0) out.efficiency.compute *= named / rates.compute.value;
  }
  out.time = price(flops, op.memory_bytes(), {}, rates, out.efficiency);
  return out;
}

Result<StepTime> Pricer::step(std::span<const model::Operation> operations, std::int64_t requests) const {
  StepTime step;
  if (options_.details) step.operations.reserve(operations.size());
  bool prefill = false, experts = false;
  for (const model::Operation& op : operations) {
    RIDGE_TRY(const Launch priced, launch(op));
    prefill = prefill || (op.kind == OperationKind::kAttention && rows_of(op) > kMostDecodeRows);
    experts = experts || op.kind == OperationKind::kMoe;
    add(step, op, priced.time);
    if (options_.details) step.operations.push_back({op, priced.time, priced.efficiency});
  }
  step.bound = largest(step);
  if (!options_.ideal) {
    if (const BandRow* band = bands_[prefill ? 0 : 1][experts ? 1 : 0]) {
      step.error_low = band->low;
      step.error_high = band->high;
      step.error_source = band->group;
    }
    step.overhead = efficiency_.per_step + static_cast<double>(requests) * efficiency_.per_request;
    step.total += step.overhead;
  }
  return step;
}

Result<StepTime> price_step(std::span<const model::Operation> operations, const hardware::Device& device, const model::Layout&, const PricingOptions& options) {
  RIDGE_TRY(const Pricer pricer, Pricer::make(device, options));
  return pricer.step(operations);
}

PerSecond tokens_per_second(double tokens, const StepTime& step) { return tokens / step.total; }

}  // namespace ridge::cost
