// ridge instance list: machines of the clouds with their accelerators and prices.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "commands/instance_prices.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

struct InstanceListRequest : PriceOptions {
  std::vector<std::string> gpu;
  std::vector<std::string> provider;
  std::string region;
  std::string commitment;
  std::optional<std::int64_t> count;
  std::optional<UsdPerHour> max_price;
  bool priced = false;
};

void describe(Fields<InstanceListRequest>& f) {
  f.option("gpu", &InstanceListRequest::gpu, "GPU", "only with these accelerators: h100-sxm5,h200-sxm").type("gpu");
  f.option("provider", &InstanceListRequest::provider, "NAME", "only of these providers: aws, azure, gcp, crusoe").type("provider");
  f.option("count", &InstanceListRequest::count, "N", "only with at least so many accelerators");
  f.option("region", &InstanceListRequest::region, "NAME", "only prices of this region: us-east-1");
  f.option("commitment", &InstanceListRequest::commitment, "WORD", "only prices of this kind").choices({"on-demand", "spot", "reserved"});
  f.option("max-price", &InstanceListRequest::max_price, "USD/h", "only up to this price of an accelerator-hour");
  f.flag("priced", &InstanceListRequest::priced, "leave out machines whose price is not known");
  describe_prices(f);
}

using hardware::Offer;
using report::Cell;
using report::Report;

template <class T>
Cell number_or_null(const std::optional<T>& value) {
  return value ? Cell{static_cast<double>(*value)} : Cell{};
}
Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : Cell{std::string(text)}; }

Result<void> check_names(const InstanceListRequest& request, const Environment& environment, const PriceContext& context) {
  std::set<std::string> providers, regions;
  for (const hardware::InstanceRow& row : hardware::instances(environment.catalog)) {
    providers.emplace(row.provider);
    for (const hardware::PriceRow& price : row.prices) regions.emplace(price.region);
  }
  for (const hardware::UserPrice& price : context.prices) {
    if (!price.provider.empty()) providers.insert(price.provider);
    if (!price.region.empty()) regions.insert(price.region);
  }
  for (const std::string& provider : request.provider)
    if (!providers.contains(provider))
      return fail("--provider", fmt::format("there is no provider \"{}\"", provider), fmt::format("Known: {}.", fmt::join(providers, ", ")));
  if (!request.region.empty() && !regions.contains(request.region))
    return fail("--region", fmt::format("no price is of region \"{}\"", request.region), fmt::format("Known: {}.", fmt::join(regions, ", ")));
  return {};
}

report::Table offers_table(const std::vector<Offer>& offers, bool ages) {
  report::Table table{"instances",
                      "Instances",
                      {{"instance", ""},
                       {"provider", ""},
                       {"accelerator", ""},
                       {"count", "1"},
                       {"price per hour", "USD"},
                       {"per accelerator-hour", "USD"},
                       {"kind", ""},
                       {"region", ""},
                       {"date", ""},
                       {"network", "B/s"},
                       {"flags", ""},
                       {"source", ""}},
                      {},
                      "Network: between machines, all interfaces together."};
  if (ages) table.columns.push_back({"age", "s"});
  for (const Offer& offer : offers) {
    const bool priced = offer.per_hour || offer.per_accelerator_hour;
    std::vector<Cell> row{offer.name,
                          text_cell(offer.provider),
                          offer.accelerator,
                          offer.sold_by_accelerator ? Cell{} : Cell{static_cast<double>(offer.accelerators)},
                          offer.sold_by_accelerator ? Cell{} : number_or_null(offer.per_hour),
                          number_or_null(offer.per_accelerator_hour),
                          priced ? Cell{std::string(formats::word_of(offer.commitment))} : Cell{},
                          text_cell(offer.region),
                          text_cell(offer.date),
                          offer.network ? Cell{offer.network->value} : Cell{},
                          text_cell(flags_of(offer)),
                          text_cell(offer.source)};
    if (ages) row.push_back(offer.age_days ? Cell{static_cast<double>(*offer.age_days) * 86400} : Cell{});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Result<Report> run(const InstanceListRequest& request, const Environment& environment) {
  RIDGE_TRY(const PriceContext context, price_context(request, environment));
  RIDGE_TRY_VOID(check_names(request, environment, context));
  hardware::OfferQuery query = context.query();
  for (const std::string& gpu : request.gpu) {
    auto records = hardware::find_records(environment.catalog, gpu);
    if (!records) return tl::unexpected<Error>(with_context(records.error(), "--gpu"));
    for (const hardware::AcceleratorRow* record : *records) query.accelerators.emplace_back(record->id);
  }
  query.providers = request.provider;
  query.region = request.region;
  for (const auto& one : hardware::kCommitments)
    if (one.name == request.commitment) query.commitment = one.value;
  query.unsourced = true;  // shown, with a flag
  query.unpriced = !request.priced && request.region.empty() && request.commitment.empty() && !request.max_price;
  std::vector<Offer> offers = hardware::offers(environment.catalog, query);
  if (request.count)
    std::erase_if(offers,
                  [&request](const Offer& offer) { return !offer.sold_by_accelerator && (!offer.count_sourced || offer.accelerators < *request.count); });
  if (request.max_price)
    std::erase_if(offers, [&request](const Offer& offer) { return !offer.per_accelerator_hour || *offer.per_accelerator_hour > request.max_price->value; });
  std::stable_sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
    const double none = std::numeric_limits<double>::infinity();
    return a.per_accelerator_hour.value_or(none) < b.per_accelerator_hour.value_or(none);
  });

  Report report;
  report.add("instances.count", static_cast<double>(offers.size()), "1");
  report.tables.push_back(offers_table(offers, context.max_age_days.has_value()));
  add_price_findings(report, offers, context);
  if (offers.empty()) {
    report.verdict.text = "No instance of the catalogue is such.";
    return report;
  }
  const Offer& first = offers.front();
  report.verdict.text = fmt::format("{} offers{}.", offers.size(),
                                    !first.per_accelerator_hour ? ""
                                                                : fmt::format(", from ${:.2f} an accelerator-hour ({}, {}{})", *first.per_accelerator_hour,
                                                                              first.name, first.accelerator, first.by_user ? ", your price" : ""));
  if (first.per_accelerator_hour) {
    report::Figure& cheapest = report.add("price.lowest_per_accelerator_hour", *first.per_accelerator_hour, "USD", "lowest price of an accelerator-hour");
    cheapest.basis = fmt::format("{}, {}, {}", first.name, first.region.empty() ? "no region" : first.region, first.date.empty() ? "no date" : first.date);
    cheapest.sources = {first.source};
    report.derivation.push_back({"price.lowest_per_accelerator_hour",
                                 first.sold_by_accelerator ? "as offered" : "price of the instance / its accelerators",
                                 {{"price", first.sold_by_accelerator ? *first.per_accelerator_hour : *first.per_hour, "USD", first.source},
                                  {"accelerators", static_cast<double>(first.accelerators), "1", ""}},
                                 {*first.per_accelerator_hour, *first.per_accelerator_hour},
                                 "USD",
                                 ""});
  }
  return report;
}

}  // namespace

Command instance_list_command() {
  return make_command<InstanceListRequest>(
      {"instance list",
       kGroupDeploy,
       "Machines of the clouds: accelerators, network, price",
       "Lists the instances of the catalogue, cheapest accelerator-hour first, with the day, the region and the source of each price. "
       "Catalogue prices are on demand and grow old: --prices puts your own in their place, --max-price-age flags the older ones. What "
       "no source states is marked and never divided by.",
       {{"instance list --gpu h100-sxm5", "what an H100 costs where"},
        {"instance list --provider aws --max-price 2USD/h --max-price-age 180d", "cheap accelerator-hours, with the age of their prices"}}},
      describe, run);
}

}  // namespace ridge::commands
