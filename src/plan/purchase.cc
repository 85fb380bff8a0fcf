#include "plan/plan.h"

namespace ridge::plan {
namespace {

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Instances that `replicas` take; absent where a tensor group does not fit one instance.
std::optional<std::int64_t> instances_for(const hardware::Offer& offer, const model::Layout& layout, std::int64_t replicas) {
  const std::int64_t ranks = layout.ranks();
  if (offer.sold_by_accelerator && offer.accelerators == 1) return replicas * ranks;
  const std::int64_t groups = offer.accelerators / layout.tensor;  // tensor groups that one instance holds
  if (groups < 1) return std::nullopt;
  if (groups >= layout.pipeline) return ceil_divide(replicas, groups / layout.pipeline);
  return replicas * ceil_divide(layout.pipeline, groups);
}

}  // namespace

std::optional<Purchase> cheapest(std::span<const hardware::Offer> offers, const model::Layout& layout, std::int64_t replicas) {
  std::optional<Purchase> best;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const std::optional<std::int64_t> instances = offers[i].per_hour ? instances_for(offers[i], layout, replicas) : std::nullopt;
    if (!instances) continue;
    const UsdPerHour price{static_cast<double>(*instances) * *offers[i].per_hour};
    // Fewer instances at the same price: fewer machines to run.
    if (!best || price < best->price || (price == best->price && *instances < best->instances)) best = Purchase{i, *instances, price};
  }
  return best;
}

}  // namespace ridge::plan
