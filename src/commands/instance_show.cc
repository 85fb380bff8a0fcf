// ridge instance show: one machine, each figure with its source.
#include <fmt/format.h>

#include <algorithm>

#include "commands/instance_prices.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

struct InstanceShowRequest : PriceOptions {
  std::string name;
};

void describe(Fields<InstanceShowRequest>& f) {
  f.positional("name", &InstanceShowRequest::name, "INSTANCE", "a machine type: p5.48xlarge, azure/Standard_ND96isr_H100_v5").required().type("instance");
  describe_prices(f);
}

using hardware::InstanceRow;
using hardware::Offer;
using report::Cell;
using report::Report;

Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : Cell{std::string(text)}; }

std::string words_of(std::string_view key) {
  std::string text(key);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

void add_figures(Report& report, const InstanceRow& row) {
  const auto finish = [&row](report::Figure& figure, std::string_view key) {
    figure.basis = std::string(hardware::note_of(row, key));
    figure.sources = {std::string(hardware::source_of(row, key))};
    figure.provenance = Provenance::kPublished;
  };
  report.add_category("accelerator", std::string(row.accelerator), "accelerator");
  finish(report.add("accelerators", row.count, "1", "accelerators"), "count");
  if (row.vcpu) finish(report.add("vcpu", *row.vcpu, "1", "vCPUs"), "vcpu");
  for (const hardware::InstanceAmount& amount : hardware::instance_amounts()) {
    if (amount.rate) {
      if (const auto rate = hardware::rate_of(row, amount.key))
        finish(report.add(std::string(amount.key), rate->value, "B/s", words_of(amount.key)), amount.key);
    } else if (const auto bytes = hardware::bytes_of(row, amount.key)) {
      finish(report.add(std::string(amount.key), *bytes, words_of(amount.key)), amount.key);
    }
  }
  if (row.nics) finish(report.add("nics", *row.nics, "1", "network interfaces"), "nics");
  if (row.efa_interfaces) finish(report.add("efa_interfaces", *row.efa_interfaces, "1", "EFA interfaces"), "efa_interfaces");
  if (row.nvswitch) finish(report.add_category("nvswitch", *row.nvswitch ? "yes" : "no", "NVSwitch"), "nvswitch");
}

report::Table prices_table(const std::vector<Offer>& offers) {
  report::Table table{
      "prices",
      "Prices",
      {{"price per hour", "USD"}, {"per accelerator-hour", "USD"}, {"kind", ""}, {"region", ""}, {"date", ""}, {"age", "s"}, {"flags", ""}, {"source", ""}},
      {},
      ""};
  for (const Offer& offer : offers)
    table.rows.push_back({offer.per_hour ? Cell{*offer.per_hour} : Cell{}, offer.per_accelerator_hour ? Cell{*offer.per_accelerator_hour} : Cell{},
                          std::string(formats::word_of(offer.commitment)), text_cell(offer.region), text_cell(offer.date),
                          offer.age_days ? Cell{static_cast<double>(*offer.age_days) * 86400} : Cell{}, text_cell(flags_of(offer)), text_cell(offer.source)});
  return table;
}

// What another source says of the same machine.
void add_views(Report& report, const InstanceRow& row, const hardware::Catalog& catalog) {
  for (const InstanceRow& other : hardware::instances(catalog)) {
    if (other.view_of != row.name && row.view_of != other.name) continue;
    report.find(report::Severity::kInfo, "other-view", fmt::format("\"{}\" is the same machine as another source describes it.", other.name),
                std::string(other.source), fmt::format("See: instance show \"{}\".", other.name));
  }
}

Result<Report> run(const InstanceShowRequest& request, const Environment& environment) {
  RIDGE_TRY(const InstanceRow* row, hardware::find_instance(environment.catalog, request.name));
  RIDGE_TRY(const PriceContext context, price_context(request, environment));
  hardware::OfferQuery query = context.query();
  query.unsourced = true;
  std::vector<Offer> offers = hardware::offers(environment.catalog, query);
  std::erase_if(offers, [row](const Offer& offer) { return offer.instance != row; });

  Report report;
  add_figures(report, *row);
  std::string price = "no price known";
  if (!offers.empty()) {
    const Offer& offer = offers.front();
    if (offer.per_hour && !offer.sold_by_accelerator) {
      report::Figure& figure = report.add("price.per_hour", *offer.per_hour, "USD", "price an hour");
      figure.basis = fmt::format("{}, {}, {}", formats::word_of(offer.commitment), offer.region.empty() ? "no region" : offer.region,
                                 offer.date.empty() ? "no date" : offer.date);
      figure.sources = {offer.source};
      report.derivation.push_back({"price.per_hour", "as offered", {}, {*offer.per_hour, *offer.per_hour}, "USD", offer.source});
      price = fmt::format("${:.2f} an hour", *offer.per_hour);
    }
    if (offer.per_accelerator_hour) {
      report::Figure& figure = report.add("price.per_accelerator_hour", *offer.per_accelerator_hour, "USD", "price of an accelerator-hour");
      figure.sources = {offer.source};
      report.derivation.push_back({"price.per_accelerator_hour",
                                   offer.sold_by_accelerator ? "as offered" : "price.per_hour / accelerators",
                                   {{"price", offer.sold_by_accelerator ? *offer.per_accelerator_hour : *offer.per_hour, "USD", offer.source},
                                    {"accelerators", static_cast<double>(offer.accelerators), "1", std::string(hardware::source_of(*row, "count"))}},
                                   {*offer.per_accelerator_hour, *offer.per_accelerator_hour},
                                   "USD",
                                   ""});
      if (offer.sold_by_accelerator) price = fmt::format("${:.2f} an accelerator-hour", *offer.per_accelerator_hour);
    }
    report.tables.push_back(prices_table(offers));
  }
  const std::string machine = fmt::format("{} of {}: {} x {}{}", row->name, row->provider, row->count, row->accelerator,
                                          hardware::is_sourced(*row, "count") ? "" : " (count unsourced)");
  report.verdict.text = machine + ", " + price + ".";
  if (!row->note.empty()) report.find(report::Severity::kInfo, "instance-note", fmt::format("{}: {}.", row->name, row->note));
  for (const hardware::InstanceExceptionRow& exception : row->exceptions)
    if (exception.source == "unsourced" && exception.figure != "count")
      report.find(report::Severity::kWarning, "unsourced",
                  fmt::format("{} is stated by no source that was read ({}); nothing rests on it.", words_of(exception.figure), exception.note), "unsourced");
  add_views(report, *row, environment.catalog);
  add_price_findings(report, offers, context);
  return report;
}

}  // namespace

Command instance_show_command() {
  return make_command<InstanceShowRequest>(
      {"instance show",
       kGroupDeploy,
       "One machine: what it holds, what it costs, and who says so",
       "Shows an instance with the source of each figure and its prices with day, region and age. Memory is as the provider prints it, "
       "in its own convention; `ridge gpu show` has what the driver reports. What no source states is marked as unsourced.",
       {{"instance show p5.48xlarge", "8 H100, 3,200 Gb/s between machines"},
        {"instance show g2-standard-48", "a count that no source states is not divided by"}}},
      describe, run);
}

}  // namespace ridge::commands
