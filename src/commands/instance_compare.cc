// ridge instance compare: what a dollar buys on different machines.
#include <fmt/format.h>

#include <algorithm>

#include "commands/instance_prices.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

struct InstanceCompareRequest : PriceOptions {
  std::vector<std::string> names;
  std::vector<std::string> gpu;
  Precision dtype = Precision::kBf16;
};

void describe(Fields<InstanceCompareRequest>& f) {
  f.positional("names", &InstanceCompareRequest::names, "INSTANCE", "machine types: p5.48xlarge p4de.24xlarge").type("instance");
  f.option("gpu", &InstanceCompareRequest::gpu, "GPU", "every priced machine with these accelerators").type("gpu");
  f.option("dtype", &InstanceCompareRequest::dtype, "FORMAT", "the number format of the arithmetic rate");
  describe_prices(f);
}

using hardware::Offer;
using report::Cell;
using report::Report;

constexpr double kSecondsOfHour = 3600;

// What an accelerator-hour brings, and what a dollar buys of it. Memory is the driver's low end where it is an interval.
struct Worth {
  const Offer* offer = nullptr;
  std::optional<SourcedFigure> bandwidth, peak;
  std::optional<hardware::UsableMemory> memory;
};

Worth worth_of(const Offer& offer, Precision dtype, const hardware::Catalog& catalog) {
  Worth worth;
  worth.offer = &offer;
  const auto reference = catalog.resolve(offer.accelerator);
  if (!reference) return worth;
  const hardware::Device& device = reference->profiles.front();
  worth.bandwidth = device.memory_bandwidth;
  worth.memory = device.usable_memory;
  if (auto peak = device.peak_of(dtype)) worth.peak = *peak;
  return worth;
}

Cell per_dollar(std::optional<double> amount, std::optional<double> price) { return amount && price ? Cell{*amount / *price} : Cell{}; }

report::Table compare_table(const std::vector<Worth>& worths, Precision dtype) {
  report::Table table{"offers",
                      "What a dollar buys",
                      {{"instance", ""},
                       {"accelerator", ""},
                       {"count", "1"},
                       {"kind", ""},
                       {"per accelerator-hour", "USD"},
                       {"memory", "B"},
                       {"memory per USD/h", "B"},
                       {"bytes moved per USD", "B"},
                       {fmt::format("{} per USD", name_of(dtype)), "FLOP"},
                       {"flags", ""}},
                      {},
                      "Dense final rates of one accelerator at full speed for an hour; achieved rates are lower. Memory: the low end of what is usable."};
  for (const Worth& worth : worths) {
    const Offer& offer = *worth.offer;
    const std::optional<double> price = offer.per_accelerator_hour;
    std::optional<double> memory, moved, flops;
    if (worth.memory) memory = worth.memory->low.as_double();
    if (worth.bandwidth) moved = worth.bandwidth->low() * kSecondsOfHour;
    if (worth.peak) flops = worth.peak->low() * kSecondsOfHour;
    const std::string flags = flags_of(offer);
    table.rows.push_back({offer.name, offer.accelerator, offer.sold_by_accelerator ? Cell{} : Cell{static_cast<double>(offer.accelerators)},
                          price ? Cell{std::string(formats::word_of(offer.commitment))} : Cell{}, price ? Cell{*price} : Cell{},
                          memory ? Cell{*memory} : Cell{}, per_dollar(memory, price), per_dollar(moved, price), per_dollar(flops, price),
                          flags.empty() ? Cell{} : Cell{flags}});
  }
  return table;
}

// The best of one measure, as a figure with its derivation.
template <class Amount>
void add_best(Report& report, const std::vector<Worth>& worths, std::string name, std::string unit, std::string label, std::string formula, double seconds,
              Amount amount) {
  const Worth* best = nullptr;
  double most = 0;
  for (const Worth& worth : worths) {
    const std::optional<SourcedFigure> figure = amount(worth);
    if (!figure || !worth.offer->per_accelerator_hour) continue;
    const double value = figure->low() * seconds / *worth.offer->per_accelerator_hour;
    if (value > most) best = &worth, most = value;
  }
  if (best == nullptr) return;
  const SourcedFigure figure = *amount(*best);
  report::Figure& added = report.add(name, most, std::move(unit), std::move(label));
  added.basis = fmt::format("{}: {}", best->offer->name, figure.basis);
  added.sources = figure.sources;
  added.sources.push_back(best->offer->source);
  added.provenance = Provenance::kDerived;
  report.derivation.push_back({std::move(name),
                               std::move(formula),
                               {{"rate or size", figure.low(), figure.unit, figure.sources.empty() ? "" : figure.sources.front()},
                                {"price of an accelerator-hour", *best->offer->per_accelerator_hour, "USD", best->offer->source}},
                               {most, most},
                               added.unit,
                               ""});
}

Result<std::vector<Offer>> chosen(const InstanceCompareRequest& request, const Environment& environment, const PriceContext& context) {
  hardware::OfferQuery query = context.query();
  query.unsourced = true;
  query.unpriced = true;
  const std::vector<Offer> all = hardware::offers(environment.catalog, query);
  std::vector<Offer> offers;
  for (const std::string& name : request.names) {
    RIDGE_TRY(const hardware::InstanceRow* row, hardware::find_instance(environment.catalog, name));
    std::copy_if(all.begin(), all.end(), std::back_inserter(offers), [row](const Offer& offer) { return offer.instance == row; });
  }
  for (const std::string& gpu : request.gpu) {
    auto records = hardware::find_records(environment.catalog, gpu);
    if (!records) return tl::unexpected<Error>(with_context(records.error(), "--gpu"));
    const std::size_t before = offers.size();
    for (const hardware::AcceleratorRow* record : *records)
      std::copy_if(all.begin(), all.end(), std::back_inserter(offers),
                   [record](const Offer& offer) { return offer.accelerator == record->id && offer.per_accelerator_hour; });
    if (offers.size() == before)
      return fail("--gpu", fmt::format("no priced machine with {} is in the catalogue", gpu), "Give a price of your own: --prices FILE.");
  }
  if (offers.empty()) return fail("", "nothing to compare is named", "Name instances, or accelerators by --gpu.");
  return offers;
}

Result<Report> run(const InstanceCompareRequest& request, const Environment& environment) {
  RIDGE_TRY(const PriceContext context, price_context(request, environment));
  RIDGE_TRY(const std::vector<Offer> offers, chosen(request, environment, context));
  std::vector<Worth> worths;
  for (const Offer& offer : offers) worths.push_back(worth_of(offer, request.dtype, environment.catalog));

  Report report;
  report.tables.push_back(compare_table(worths, request.dtype));
  add_best(report, worths, "best.bytes_moved_per_usd", "B", "most bytes moved per dollar", "memory bandwidth × 3600 s / price of an accelerator-hour",
           kSecondsOfHour, [](const Worth& w) { return w.bandwidth; });
  add_best(report, worths, "best.flop_per_usd", "FLOP", fmt::format("most {} arithmetic per dollar", name_of(request.dtype)),
           "dense rate × 3600 s / price of an accelerator-hour", kSecondsOfHour, [](const Worth& w) { return w.peak; });
  add_best(report, worths, "best.memory_per_usd_per_hour", "B", "most memory per dollar an hour", "usable memory / price of an accelerator-hour", 1,
           [](const Worth& w) -> std::optional<SourcedFigure> {
             if (!w.memory) return std::nullopt;
             return SourcedFigure{{w.memory->low.as_double(), w.memory->high.as_double()}, "B", w.memory->basis, w.memory->sources, Provenance::kPublished};
           });
  const auto name_of_best = [&report](std::string_view name) {
    const report::Figure* figure = report.figure(name);
    return figure == nullptr ? std::string() : figure->basis.substr(0, figure->basis.find(": "));
  };
  const std::string moves = name_of_best("best.bytes_moved_per_usd"), computes = name_of_best("best.flop_per_usd");
  if (moves.empty() && computes.empty())
    report.verdict.text = "None of these has a price per accelerator: nothing can be compared.";
  else if (moves == computes)
    report.verdict.text = fmt::format("{} moves the most bytes and does the most {} arithmetic for a dollar.", moves, name_of(request.dtype));
  else
    report.verdict.text = fmt::format("For a dollar, {} moves the most bytes and {} does the most {} arithmetic.", moves, computes, name_of(request.dtype));
  report.find(report::Severity::kInfo, "decode-follows-bandwidth",
              "Decoding follows bytes moved, prefill and training follow arithmetic; both only where the model fits.", "",
              "Compare your own work with `ridge plan`.");
  add_price_findings(report, offers, context);
  return report;
}

}  // namespace

Command instance_compare_command() {
  return make_command<InstanceCompareRequest>(
      {"instance compare",
       kGroupDeploy,
       "What a dollar buys: memory, bandwidth and arithmetic",
       "Sets the price of an accelerator-hour against the accelerator's memory, memory bandwidth and dense rate. These are bounds of the "
       "part, not of a model on it: `ridge plan` prices a model's own work. Offers whose count no source states have no price per "
       "accelerator, and win nothing.",
       {{"instance compare p5.48xlarge p4de.24xlarge g6e.xlarge", "H100, A100 and L40S for a dollar"},
        {"instance compare --gpu h100-sxm5,mi300x --dtype fp8", "every priced offer of two parts"}}},
      describe, run);
}

}  // namespace ridge::commands
