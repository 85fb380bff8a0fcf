#include "cost/crossover.h"

#include <functional>

namespace ridge::cost {
namespace {

struct Sums {
  double arithmetic = 0, weights = 0, caches = 0;  // seconds
};

bool reads_weights(const model::Operation& op) {
  using model::OperationKind;
  return op.weight_bytes.count > 0 &&
         (op.kind == OperationKind::kGemm || op.kind == OperationKind::kMoe || op.kind == OperationKind::kLogits || op.kind == OperationKind::kRouter);
}

Result<Sums> sums_at(const model::Model& model, model::Step step, std::int64_t batch, const Pricer& pricer) {
  step.batch = batch;
  RIDGE_TRY(const std::vector<model::Operation> operations, model::operations(model, step));
  Sums sums;
  for (const model::Operation& op : operations) {
    if (!reads_weights(op) && op.kv_bytes.count == 0) continue;
    RIDGE_TRY(const Pricer::Launch launch, pricer.launch(op));
    const double n = static_cast<double>(op.count);
    if (reads_weights(op)) {
      sums.arithmetic += n * launch.time.compute.value;
      sums.weights += n * launch.time.memory.value;
    }
    if (op.kv_bytes.count > 0) sums.caches += n * launch.time.memory.value;
  }
  return sums;
}

// The batch at which `excess` turns from negative to positive: doubling, halving, then linear between two neighbours.
Result<std::optional<double>> root(const std::function<Result<double>(std::int64_t)>& excess) {
  std::int64_t low = 0, high = 1;
  double below = 0, above = 0;
  for (;; high *= 2) {
    if (high > kMostBatch) return std::nullopt;
    RIDGE_TRY(above, excess(high));
    if (above >= 0) break;
    low = high;
    below = above;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    RIDGE_TRY(const double value, excess(middle));
    (value >= 0 ? high : low) = middle;
    (value >= 0 ? above : below) = value;
  }
  if (low == 0) return 1.0;
  return static_cast<double>(low) + below / (below - above);
}

}  // namespace

Result<Crossovers> crossovers(const model::Model& model, const model::Step& step, const Pricer& pricer) {
  Crossovers out;
  RIDGE_TRY(out.compute, root([&](std::int64_t batch) -> Result<double> {
              RIDGE_TRY(const Sums sums, sums_at(model, step, batch, pricer));
              return sums.arithmetic - sums.weights;
            }));
  RIDGE_TRY(const Sums one, sums_at(model, step, 1, pricer));
  if (one.caches <= 0) return out;
  RIDGE_TRY(out.kv_bandwidth, root([&](std::int64_t batch) -> Result<double> {
              RIDGE_TRY(const Sums sums, sums_at(model, step, batch, pricer));
              return sums.caches - sums.weights;
            }));
  return out;
}

}  // namespace ridge::cost
