#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "plan/layout_costs.h"
#include "plan/plan.h"

namespace ridge::plan {
namespace {

using Outcome = std::variant<Deployment, Dropped>;

std::vector<model::Layout> layouts(const model::Model& model, const Fleet& fleet, const Options& options) {
  const std::int64_t most = std::min(options.max_gpus, fleet.max_gpus.value_or(options.max_gpus));
  std::vector<model::Layout> all;
  for (std::int64_t tensor = 1; tensor <= std::min(fleet.domain, most); tensor *= 2) {
    if (options.tensor && *options.tensor != tensor) continue;
    for (std::int64_t pipeline = 1; tensor * pipeline <= most && pipeline <= 16; pipeline *= 2) {
      if (options.pipeline && *options.pipeline != pipeline) continue;
      const auto add = [&](std::int64_t expert) {
        if (options.expert && *options.expert != expert) return;
        all.push_back(model::Layout{static_cast<int>(tensor), static_cast<int>(pipeline), static_cast<int>(expert)});
      };
      add(1);
      if (model.is_mixture_of_experts && tensor > 1) add(tensor);
    }
  }
  return all;
}

class Search {
 public:
  Search(const model::Model& model, const std::vector<Fleet>& fleets, const Demand& demand, const Options& options)
      : model_(model), fleets_(fleets), demand_(demand), options_(options), costs_(model, demand, options) {}

  Result<Plan> run() {
    Plan plan;
    for (std::size_t f = 0; f < fleets_.size(); ++f) {
      // Ranges are priced at their low end: a promise must hold at the slower of disputed figures.
      pricer_ = cost::Pricer::make(
          fleets_[f].device, {.ideal = options_.ideal, .kv_cache = options_.kv_cache.value_or(Precision::kBf16), .details = false, .tables = options_.tables});
      for (std::size_t p = 0; p < fleets_[f].precisions.size(); ++p) {
        std::optional<Deployment> best;
        for (const model::Layout& layout : layouts(model_, fleets_[f], options_)) {
          ++plan.considered;
          RIDGE_TRY(Outcome outcome, evaluate(f, p, layout));
          if (Dropped* dropped = std::get_if<Dropped>(&outcome)) {
            plan.dropped.push_back(std::move(*dropped));
            continue;
          }
          ++plan.feasible;
          Deployment& deployment = std::get<Deployment>(outcome);
          if (!best || better(deployment, *best)) best = std::move(deployment);
        }
        if (best) plan.ranked.push_back(std::move(*best));
      }
    }
    std::stable_sort(plan.ranked.begin(), plan.ranked.end(), better);
    std::stable_sort(plan.dropped.begin(), plan.dropped.end(),
                     [](const Dropped& a, const Dropped& b) { return a.reason != b.reason ? a.reason < b.reason : a.distance < b.distance; });
    return plan;
  }

 private:
  // Cheapest first; what has no price comes last, by the power it draws (what a price mostly pays for) and then by GPUs.
  static bool better(const Deployment& a, const Deployment& b) {
    if (a.price.has_value() != b.price.has_value()) return a.price.has_value();
    if (a.price && *a.price != *b.price) return *a.price < *b.price;
    if (a.gpus != b.gpus) return a.gpus < b.gpus;
    // Of the same GPUs, more replicas of fewer: one that fails takes less with it.
    if (a.layout.ranks() != b.layout.ranks()) return a.layout.ranks() < b.layout.ranks();
    if (a.power && b.power && *a.power != *b.power) return *a.power < *b.power;
    return a.point.time_per_output_token < b.point.time_per_output_token;
  }

  Result<Outcome> evaluate(std::size_t f, std::size_t p, const model::Layout& layout) {
    const Fleet& fleet = fleets_[f];
    const PrecisionChoice& precision = fleet.precisions[p];
    const auto drop = [&](Reason reason, double distance, std::string text) -> Outcome { return Dropped{f, p, layout, reason, distance, std::move(text)}; };
    if (const Result<void> allowed = model::allows(model_, layout); !allowed) return drop(Reason::kLayout, layout.ranks(), allowed.error().what);
    if (!fleet.device.usable_memory) return drop(Reason::kNoFigure, 0, "the catalogue has no memory size");
    if (!pricer_) return drop(Reason::kNoFigure, 0, pricer_.error().what);

    const Result<LayoutCosts>& costs = costs_.of(precision, layout);
    if (!costs) {
      // On one GPU nothing is divided: the model itself cannot answer.
      if (layout.ranks() == 1) return tl::unexpected<Error>(costs.error());
      return drop(Reason::kLayout, layout.ranks(), costs.error().what);
    }

    Deployment deployment;
    deployment.fleet = f;
    deployment.precision = p;
    deployment.layout = layout;
    deployment.memory = memory_of(*costs, fleet.device.usable_memory->low);
    if (deployment.memory.max_requests < 1) {
      const Bytes missing = deployment.memory.fixed + deployment.memory.per_request - deployment.memory.usable;
      return drop(Reason::kDoesNotFit, missing.as_double(), fmt::format("short by {}", format_bytes(missing)));
    }
    deployment.max_batch = std::min(deployment.memory.max_requests, options_.max_sequences);

    Result<cost::Replica> replica = replica_of(*costs, layout, deployment);
    if (!replica) return drop(Reason::kNoFigure, 0, replica.error().what);
    if (std::optional<Dropped> late = size(*replica, deployment)) return Outcome(std::move(*late));
    RIDGE_TRY_VOID(finish(precision, deployment));
    return Outcome(std::move(deployment));
  }

  Memory memory_of(const LayoutCosts& costs, Bytes usable) const {
    Memory memory;
    memory.usable = usable;
    memory.fixed = costs.fixed;
    memory.weights = costs.weights;
    memory.per_request = costs.per_request;
    const Bytes left = memory.usable - memory.fixed;
    if (left.count > 0) memory.max_requests = costs.per_request.count > 0 ? left.count / costs.per_request.count : options_.max_sequences;
    return memory;
  }

  Result<cost::Replica> replica_of(const LayoutCosts& costs, const model::Layout& layout, Deployment& deployment) const {
    cost::Replica replica;
    for (std::size_t i = 0; i < costs.batches.size(); ++i) {
      RIDGE_TRY(const cost::StepTime step, pricer_->step(costs.decode[i], costs.batches[i]));
      replica.decode.add(static_cast<double>(costs.batches[i]), step.total);
      if (costs.batches[i] >= deployment.max_batch) break;
    }
    double chunks = 0;
    for (const auto& [count, operations] : costs.prefill) {
      RIDGE_TRY(const cost::StepTime step, pricer_->step(operations, 1));
      replica.prefill_latency += step.total * static_cast<double>(count);
      chunks += static_cast<double>(count);
    }
    replica.prefill_occupancy = replica.prefill_latency / layout.pipeline;
    replica.prefill_chunks = chunks;
    replica.chunk_share = static_cast<double>(demand_.input) / static_cast<double>(options_.token_budget);
    replica.max_batch = static_cast<double>(deployment.max_batch);
    deployment.prefill = replica.prefill_latency;
    return replica;
  }

  bool kept(const std::optional<cost::OperatingPoint>& point) const {
    return point && (!demand_.per_token || point->time_per_output_token <= *demand_.per_token) &&
           (!demand_.first_token || point->first_token_tail <= *demand_.first_token);
  }

  std::optional<cost::OperatingPoint> at(const cost::Replica& replica, std::int64_t replicas) const {
    const double output = static_cast<double>(demand_.output);
    return cost::operating_point(replica, {{demand_.rate.value / static_cast<double>(replicas)}, output}, demand_.quantile);
  }

  // Fills in the replicas that the load needs, or says why there is no such number.
  std::optional<Dropped> size(const cost::Replica& replica, Deployment& deployment) const {
    const auto drop = [&](Reason reason, double distance, std::string text) {
      return Dropped{deployment.fleet, deployment.precision, deployment.layout, reason, distance, std::move(text)};
    };
    // Alone on the machine, a request meets the promise or no number of replicas will help.
    const std::optional<cost::OperatingPoint> alone = at(replica, std::int64_t{1} << 40);
    if (!alone) return drop(Reason::kTooManyGpus, 0, "one request cannot be served");
    if (demand_.per_token && alone->time_per_output_token > *demand_.per_token)
      return drop(Reason::kPerToken, alone->time_per_output_token.value,
                  fmt::format("{} per token even alone, {} promised", format_seconds(alone->time_per_output_token), format_seconds(*demand_.per_token)));
    if (demand_.first_token && alone->first_token_tail > *demand_.first_token)
      return drop(Reason::kFirstToken, alone->first_token_tail.value,
                  fmt::format("{} to the first token even alone, {} promised", format_seconds(alone->first_token_tail), format_seconds(*demand_.first_token)));

    const PerSecond each = cost::saturation_rate(replica, static_cast<double>(demand_.output));
    const std::int64_t allowed = std::min(options_.max_gpus, fleets_[deployment.fleet].max_gpus.value_or(options_.max_gpus));
    const std::int64_t most = allowed / deployment.layout.ranks() - options_.spare;
    const double least = std::ceil(demand_.rate.value / (options_.max_utilisation * each.value) - 1e-9);
    const auto too_many = [&](double replicas) {
      const double gpus = (replicas + static_cast<double>(options_.spare)) * deployment.layout.ranks();
      return drop(Reason::kTooManyGpus, gpus, fmt::format("the load needs {} GPUs or more, {} are allowed", format_number(gpus), allowed));
    };
    if (!(least <= static_cast<double>(most))) return too_many(least);
    std::int64_t low = std::max<std::int64_t>(1, static_cast<std::int64_t>(least));
    if (low > most || !kept(at(replica, most))) return too_many(static_cast<double>(most) + 1);
    // More replicas never make a request slower.
    std::int64_t high = most;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (kept(at(replica, middle)))
        high = middle;
      else
        low = middle + 1;
    }
    deployment.replicas = high;
    deployment.spares = options_.spare;
    deployment.gpus = (high + options_.spare) * deployment.layout.ranks();
    deployment.point = *at(replica, high);
    deployment.decode_step = replica.decode.at(deployment.point.batch);
    deployment.saturation = each * static_cast<double>(high);
    return std::nullopt;
  }

  Result<void> finish(const PrecisionChoice& precision, Deployment& deployment) {
    const Fleet& fleet = fleets_[deployment.fleet];
    const std::int64_t batch = std::max<std::int64_t>(1, std::llround(deployment.point.batch));
    RIDGE_TRY(const std::vector<model::Operation> operations, costs_.decode_step(precision, deployment.layout, batch));
    RIDGE_TRY(const cost::StepTime step, pricer_->step(operations, batch));
    deployment.bound = step.bound;
    deployment.error_low = step.error_low;
    deployment.error_high = step.error_high;
    deployment.error_source = step.error_source;
    deployment.memory.headroom = deployment.memory.usable - deployment.memory.fixed - deployment.memory.per_request * batch;
    if (fleet.device.power) deployment.power = Watts{fleet.device.power->high() * static_cast<double>(deployment.gpus)};
    if (const std::optional<Purchase> purchase = cheapest(fleet.offers, deployment.layout, deployment.replicas + deployment.spares)) {
      deployment.offer = purchase->offer;
      deployment.instances = purchase->instances;
      deployment.price = purchase->price;
      const double tokens_per_hour = demand_.rate.value * static_cast<double>(demand_.output) * 3600;
      deployment.usd_per_million_output = purchase->price.value / tokens_per_hour * 1e6;
    }
    return {};
  }

  const model::Model& model_;
  const std::vector<Fleet>& fleets_;
  const Demand& demand_;
  const Options& options_;
  LayoutCostCache costs_;
  Result<cost::Pricer> pricer_ = fail("", "no device yet");  // of the fleet at hand
};

}  // namespace

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::kNoFigure:
      return "no figure";
    case Reason::kLayout:
      return "layout";
    case Reason::kDoesNotFit:
      return "does not fit";
    case Reason::kPerToken:
      return "time per token";
    case Reason::kFirstToken:
      return "time to first token";
    case Reason::kTooManyGpus:
      return "too many GPUs";
  }
  return "";
}

Result<Plan> search(const model::Model& model, const std::vector<Fleet>& fleets, const Demand& demand, const Options& options) {
  RIDGE_CHECK(demand.rate.value > 0 && demand.input > 0 && demand.output > 0 && options.token_budget > 0 && options.max_sequences > 0);
  return Search(model, fleets, demand, options).run();
}

}  // namespace ridge::plan
