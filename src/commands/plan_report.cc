#include "commands/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hardware/software.h"

namespace ridge::commands {
namespace {

using plan::Deployment;
using plan::Dropped;
using plan::Fleet;
using plan::Plan;
using plan::Reason;
using report::Cell;
using report::Report;
using report::Severity;

std::string layout_text(const model::Layout& layout) {
  std::string text = fmt::format("TP{}", layout.tensor);
  if (layout.pipeline > 1) text += fmt::format(" PP{}", layout.pipeline);
  if (layout.expert > 1) text += fmt::format(" EP{}", layout.expert);
  return text;
}

std::string load_text(const plan::Demand& demand) {
  return fmt::format("{:.4g} requests/s of {} + {} tokens", demand.rate.value, format_integer(demand.input), format_integer(demand.output));
}

std::string times(std::int64_t count, std::string_view name) { return fmt::format("{} × {}", count, name); }

std::string commitment_name(const hardware::Offer& offer) {
  for (const auto& kind : hardware::kCommitments)
    if (kind.value == offer.commitment) return std::string(kind.name);
  return {};
}

class PlanReport {
 public:
  PlanReport(const Plan& plan, const PlanContext& context, const std::optional<SoftwareNeeds>& software)
      : plan_(plan), context_(context), software_(software) {}

  Report make() {
    const std::optional<std::size_t> winner = winner_of(plan_, context_.fleets);
    verdict(winner);
    if (winner) {
      const Deployment& chosen = plan_.ranked[*winner];
      deployment_figures(chosen);
      load_figures(chosen);
      derive(chosen);
    }
    report_.add("considered", static_cast<double>(plan_.considered), "1", "combinations considered");
    report_.add("feasible", static_cast<double>(plan_.feasible), "1", "that carry the load");
    ranking(winner);
    fallen();
    if (winner) winner_findings(plan_.ranked[*winner], *winner);
    general_findings();
    plot();
    return std::move(report_);
  }

 private:
  const Fleet& fleet_of(const Deployment& d) const { return context_.fleets[d.fleet]; }
  const plan::PrecisionChoice& precision_of(const Deployment& d) const { return fleet_of(d).precisions[d.precision]; }
  const hardware::Offer* offer_of(const Deployment& d) const { return d.offer ? &fleet_of(d).offers[*d.offer] : nullptr; }

  void verdict(std::optional<std::size_t> winner) {
    if (!winner) {
      std::string text = fmt::format("Nothing carries {} of {}", load_text(context_.demand), context_.model.name);
      if (const Dropped* nearest = nearest_miss()) {
        const Fleet& fleet = context_.fleets[nearest->fleet];
        text +=
            fmt::format("; nearest: {} {} {}, {}", fleet.device.id, layout_text(nearest->layout), fleet.precisions[nearest->precision].label, nearest->text);
      }
      report_.verdict = {text, false};
      return;
    }
    const Deployment& d = plan_.ranked[*winner];
    std::string text = fmt::format("{} in {} carries {}", times(d.gpus, fleet_of(d).device.name), precision_of(d).label, load_text(context_.demand));
    if (d.price) text += fmt::format(" for ${:.2f}/h", d.price->value);
    text += fmt::format(": {} per token, first token within {} ({}), bound by {}", format_seconds(d.point.time_per_output_token),
                        format_seconds(d.point.first_token_tail), percentile_text(), cost::name_of(d.bound));
    report_.verdict = {text, true};
  }

  std::string percentile_text() const { return fmt::format("p{:.4g}", context_.demand.quantile * 100); }

  // The miss that a small change would mend: memory first, then the promises, then the number of GPUs.
  const Dropped* nearest_miss() const {
    for (Reason reason : {Reason::kTooManyGpus, Reason::kFirstToken, Reason::kPerToken, Reason::kDoesNotFit, Reason::kNoFigure})
      for (const Dropped& dropped : plan_.dropped)
        if (dropped.reason == reason) return &dropped;
    return nullptr;
  }

  void deployment_figures(const Deployment& d) {
    const hardware::Device& device = fleet_of(d).device;
    report_.add_category("accelerator", device.id, "accelerator");
    report_.add("gpus", static_cast<double>(d.gpus), "1", "GPUs");
    report::Figure& memory = report_.add("memory.usable", d.memory.usable, "usable memory per GPU");
    memory.basis = device.usable_memory->basis + ", low end";
    memory.sources = device.usable_memory->sources;
    report_.add_category("interconnect", interconnect(device), "interconnect");
    if (const hardware::Offer* offer = offer_of(d)) {
      report_.add_category("instance", times(d.instances, offer->name) + " (" + offer->provider + ")", "instance");
    }
    if (software_ && !software_->cuda.empty()) report_.add_category("software.cuda", software_->cuda + " or later", "CUDA");
    if (software_ && !software_->driver.empty()) report_.add_category("software.driver", software_->driver + " or later", "driver");
    report_.add_category("precision", precision_of(d).label, "weights");
    report_.add_category("kv_precision", std::string(ridge::name_of(kv_precision())), "KV cache");
    report_.add_category("layout",
                         fmt::format("{}, {} replica{}{}", layout_text(d.layout), d.replicas, d.replicas == 1 ? "" : "s",
                                     d.spares > 0 ? fmt::format(" + {} spare", d.spares) : ""),
                         "layout");
    report_.add("batch.max_sequences", static_cast<double>(d.max_batch), "1", "most sequences per replica");
    report_.add("batch.token_budget", static_cast<double>(context_.options.token_budget), "1", "prompt tokens per step");
    report_.add("batch.max_model_length", static_cast<double>(context_.demand.input + context_.demand.output), "1", "tokens per request");
    report_.add("memory.weights", d.memory.weights, "weights per GPU");
    report_.add("memory.per_request", d.memory.per_request, "KV per request and GPU");
    report_.add("memory.headroom", d.memory.headroom, "memory left at the load");
  }

  Precision kv_precision() const { return context_.options.kv_cache.value_or(Precision::kBf16); }

  static std::string interconnect(const hardware::Device& device) {
    if (device.scale_up) return fmt::format("scale-up link, {} per direction", format_value(device.scale_up->low(), "B/s"));
    if (device.host_link) return fmt::format("{}, {} per direction", device.host_link_name, format_value(device.host_link->low(), "B/s"));
    return device.scale_up_none ? "none between GPUs" : "not known";
  }

  void load_figures(const Deployment& d) {
    report_.add("batch.at_load", d.point.batch, "1", "sequences running per replica");
    banded("time_per_output_token", d.point.time_per_output_token, d, "time per output token");
    banded("first_token.mean", d.point.first_token_mean, d, "time to first token, mean");
    banded("first_token.tail", d.point.first_token_tail, d, fmt::format("time to first token, {}", percentile_text()));
    report_.add("prefill", d.prefill.value, "s", "prefill of one prompt alone");
    report_.add("utilisation", d.point.utilisation, "1", "load over saturation");
    report_.add("saturation.requests_per_second", d.saturation.value, "1/s", "requests/s at saturation");
    report_.add("saturation.tokens_per_second", d.saturation.value * static_cast<double>(context_.demand.output), "token/s", "output tokens/s at saturation");
    report_.add_category("bound", std::string(cost::name_of(d.bound)), "decode is bound by");
    if (d.price) report_.add("cost.per_hour", d.price->value, "USD", "cost per hour");
    if (d.usd_per_million_output) report_.add("cost.per_million_tokens", *d.usd_per_million_output, "USD", "cost per million output tokens, at this load");
    if (d.power) {
      report_.add("power", d.power->value, "W", "power of the GPUs, data sheet");
      report_.add("energy.per_token", d.power->value / (context_.demand.rate.value * static_cast<double>(context_.demand.output)), "J",
                  "energy per output token, at this load");
    }
  }

  void banded(const std::string& name, Seconds value, const Deployment& d, std::string label) {
    report::Figure& figure = report_.add(name, value.value, "s", std::move(label));
    if (d.error_low == 0 && d.error_high == 0) return;
    figure.basis = fmt::format("predicted; back-test band {:+.0f} % to {:+.0f} %", d.error_low * 100, d.error_high * 100);
    if (!d.error_source.empty()) figure.basis += " (" + d.error_source + ")";
    figure.provenance = Provenance::kDerived;
  }

  void derive(const Deployment& d) {
    const double rate = context_.demand.rate.value / static_cast<double>(d.replicas);
    const double output = static_cast<double>(context_.demand.output);
    const auto step = [&](std::string name, std::string formula, std::vector<DerivationStep::Input> inputs, double value, std::string unit,
                          std::string source = {}) {
      report_.derivation.push_back({std::move(name), std::move(formula), std::move(inputs), {value, value}, std::move(unit), std::move(source)});
    };
    step("memory.headroom", "usable − (weights + workspace + runtime) − batch × KV per request",
         {{"usable", d.memory.usable.as_double(), "B", fleet_of(d).device.usable_memory->basis},
          {"weights + workspace + runtime", d.memory.fixed.as_double(), "B", "cost/footprint"},
          {"KV per request", d.memory.per_request.as_double(), "B", "whole request, blocks rounded up"}},
         d.memory.headroom.as_double(), "B");
    step("batch.at_load", "λ (G − 1) T, with λ per replica and G output tokens",
         {{"λ", rate, "1/s", "request"}, {"G", output, "1", "request"}, {"T", d.point.time_per_output_token.value, "s", ""}}, d.point.batch, "1",
         "Little's law");
    step("time_per_output_token", "D(B) / (1 − λP)",
         {{"D(B)", d.decode_step.value, "s", "decode step at the load, one law over the model's operations"},
          {"λ", rate, "1/s", ""},
          {"P", d.prefill.value / d.layout.pipeline, "s", "prompt's share of a replica"}},
         d.point.time_per_output_token.value, "s", "cost/load.h");
    step("first_token.tail", "wait for prompts in front (M/D/1) + half a step + the prompt's own steps",
         {{"λ", rate, "1/s", ""}, {"prefill", d.prefill.value, "s", ""}, {"D(B)", d.decode_step.value, "s", ""}}, d.point.first_token_tail.value, "s",
         "Pollaczek–Khinchine; Cramér–Lundberg tail (cost/queueing.h)");
    step("saturation.requests_per_second", "replicas / (P + (G − 1) D(B_max) / B_max)",
         {{"replicas", static_cast<double>(d.replicas), "1", ""}, {"B_max", static_cast<double>(d.max_batch), "1", "memory and the engine's limit"}},
         d.saturation.value, "1/s", "cost/load.h");
    if (const hardware::Offer* offer = offer_of(d)) {
      const std::string source = fmt::format("{} {} {} ({})", offer->source, offer->region, offer->date, commitment_name(*offer));
      step("cost.per_hour", "instances × price", {{"instances", static_cast<double>(d.instances), "1", ""}, {offer->name, *offer->per_hour, "USD", source}},
           d.price->value, "USD");
      step("cost.per_million_tokens", "cost per hour / (rate × output × 3600) × 10^6",
           {{"cost per hour", d.price->value, "USD", ""}, {"rate", context_.demand.rate.value, "1/s", "request"}, {"output", output, "1", "request"}},
           *d.usd_per_million_output, "USD");
    }
  }

  // Two rankings: what runs the checkpoint as it is, and what would need other weights, whose quality nobody has checked.
  void ranking(std::optional<std::size_t> winner) {
    rank_table("deployments", "Deployments that carry the load, cheapest first (best layout of each accelerator)", true, winner);
    rank_table("other_formats", "With weights in another format than the checkpoint's: quality is yours to check", false, winner);
  }

  void rank_table(std::string name, std::string title, bool as_checkpoint, std::optional<std::size_t> winner) {
    report::Table table;
    table.name = std::move(name);
    table.title = std::move(title);
    table.columns = {{"", ""},
                     {"accelerator", ""},
                     {"weights", ""},
                     {"GPUs", "1"},
                     {"layout", ""},
                     {"cost/h", "USD"},
                     {"per Mtok", "USD"},
                     {"TPOT", "s"},
                     {"TTFT", "s"},
                     {"load", "1"},
                     {"tokens/s max", "token/s"},
                     {"bound", ""},
                     {"headroom", "B"},
                     {"power", "W"},
                     {"energy/token", "J"},
                     {"instance", ""}};
    std::size_t more = 0;
    for (std::size_t i = 0; i < plan_.ranked.size(); ++i) {
      if (precision_of(plan_.ranked[i]).as_checkpoint != as_checkpoint) continue;
      if (table.rows.size() >= static_cast<std::size_t>(context_.top))
        ++more;
      else
        table.rows.push_back(row(plan_.ranked[i], winner && i == *winner ? std::string("*") : std::string()));
    }
    if (table.rows.empty()) return;
    table.note = fmt::format("TTFT is the {}; cost, power and energy are at this load", percentile_text());
    if (more > 0) table.note += fmt::format("; {} more rows: --top {}", more, table.rows.size() + more);
    report_.tables.push_back(std::move(table));
  }

  std::vector<Cell> row(const Deployment& d, std::string mark) const {
    const hardware::Offer* offer = offer_of(d);
    const double tokens = context_.demand.rate.value * static_cast<double>(context_.demand.output);
    std::string layout = layout_text(d.layout);
    if (d.replicas + d.spares > 1) layout += fmt::format(" × {}", d.replicas + d.spares);
    return {std::move(mark),
            fleet_of(d).device.id,
            precision_of(d).label,
            static_cast<double>(d.gpus),
            std::move(layout),
            d.price ? Cell(d.price->value) : Cell{},
            d.usd_per_million_output ? Cell(*d.usd_per_million_output) : Cell{},
            d.point.time_per_output_token.value,
            d.point.first_token_tail.value,
            d.point.utilisation,
            d.saturation.value * static_cast<double>(context_.demand.output),
            std::string(cost::name_of(d.bound)),
            d.memory.headroom.as_double(),
            d.power ? Cell(d.power->value) : Cell{},
            d.power ? Cell(d.power->value / tokens) : Cell{},
            offer != nullptr ? Cell(times(d.instances, offer->name)) : Cell{}};
  }

  // One row per reason: how many, and the one that came nearest.
  void fallen() {
    report::Table table;
    table.name = "dropped";
    table.title = "Why the others fell out";
    table.columns = {{"reason", ""}, {"combinations", "1"}, {"accelerators", "1"}, {"nearest", ""}};
    for (std::size_t i = 0; i < plan_.dropped.size();) {
      std::size_t end = i;
      std::set<std::size_t> fleets;
      while (end < plan_.dropped.size() && plan_.dropped[end].reason == plan_.dropped[i].reason) fleets.insert(plan_.dropped[end++].fleet);
      const Dropped& nearest = plan_.dropped[i];
      const Fleet& fleet = context_.fleets[nearest.fleet];
      table.rows.push_back(
          {std::string(plan::name_of(nearest.reason)), static_cast<double>(end - i), static_cast<double>(fleets.size()),
           fmt::format("{} {} {}: {}", fleet.device.id, fleet.precisions[nearest.precision].label, layout_text(nearest.layout), nearest.text)});
      i = end;
    }
    if (!context_.unsupported.empty()) {
      std::set<std::string> parts;
      for (const auto& [part, why] : context_.unsupported) parts.insert(part.substr(0, part.find(' ')));
      table.rows.push_back({std::string("not supported by the engine"), static_cast<double>(context_.unsupported.size()), static_cast<double>(parts.size()),
                            context_.unsupported.front().first + ": " + context_.unsupported.front().second});
    }
    if (!table.rows.empty()) report_.tables.push_back(std::move(table));
  }

  void winner_findings(const Deployment& d, std::size_t index) {
    cheaper_precision(d, index);
    if (precision_of(d).weights && !precision_of(d).as_checkpoint) quality_finding(precision_of(d).label);
    if (!precision_of(d).note.empty()) report_.find(Severity::kWarning, "precision-note", precision_of(d).note);
    if (d.replicas + d.spares == 1)
      report_.find(Severity::kWarning, "single-replica", "One replica has no redundancy: while it restarts, no request is served.",
                   fmt::format("{} replica of {} GPU{}", d.replicas, d.layout.ranks(), d.layout.ranks() == 1 ? "" : "s"),
                   "Add --spare 1 to price a second one.");
    if (d.layout.ranks() > 1 && !fleet_of(d).device.scale_up)
      report_.find(Severity::kWarning, "no-scale-up-link", "The GPUs of a replica talk over PCIe, where all-reduce takes a large part of a step.",
                   interconnect(fleet_of(d).device), "Compare with a part that has NVLink, or with a layout of one GPU.");
    if (const hardware::Offer* offer = offer_of(d)) {
      report_.find(Severity::kInfo, "price-basis",
                   fmt::format("The price is {}{}{}.", commitment_name(*offer), offer->region.empty() ? "" : " in " + offer->region,
                               offer->date.empty() ? "" : ", of " + offer->date),
                   fmt::format("{}: ${:.3f}/h, source {}", offer->name, *offer->per_hour, offer->source), "Give your own with --prices FILE.");
      if (offer->commitment == hardware::Commitment::kSpot)
        report_.find(Severity::kWarning, "spot", "Spot capacity can be taken back at short notice: the promise holds only while it is there.", "",
                     "Keep the load's minimum on demand or reserved, and add --spare.");
    } else {
      report_.find(Severity::kWarning, "no-price", "No price is known for this part: it is ranked after all that have one.", "",
                   "Give one with --prices FILE.");
    }
    if (software_ && !software_->note.empty()) report_.find(Severity::kInfo, "software", software_->note);
  }

  void cheaper_precision(const Deployment& d, std::size_t index) {
    for (std::size_t i = 0; i < index; ++i) {
      const Deployment& other = plan_.ranked[i];
      if (precision_of(other).as_checkpoint || !other.price || !d.price || *other.price >= *d.price) continue;
      report_.find(Severity::kInfo, "cheaper-precision",
                   fmt::format("With {} weights the load costs {:.0f} % less, if the quality holds on your own task.", precision_of(other).label,
                               (1 - other.price->value / d.price->value) * 100),
                   fmt::format("{} in {}: ${:.2f}/h against ${:.2f}/h", times(other.gpus, fleet_of(other).device.id), precision_of(other).label,
                               other.price->value, d.price->value),
                   "Quantise, measure on your task, then plan with --dtype.");
      return;
    }
  }

  void quality_finding(const std::string& label) {
    report_.find(Severity::kWarning, "quality-unchecked",
                 fmt::format("{} is not how the checkpoint stores its weights: that the hardware runs it says nothing about the answers.", label), "",
                 "Check quality on your own task before you deploy it.");
  }

  void general_findings() {
    report_.find(
        Severity::kInfo, "mean-field", "Times are means of a step model under Poisson arrivals of equal requests; mixed lengths and bursts make tails longer.",
        fmt::format("load kept under {:.0f} % of saturation", context_.options.max_utilisation * 100), "Leave headroom, and measure before you promise.");
    if (!context_.stale_prices.empty())
      report_.find(Severity::kWarning, "price-age", fmt::format("{} prices are older than the request allows.", context_.stale_prices.size()),
                   context_.stale_prices.front(), "Give current ones with --prices FILE.");
    for (const std::string& note : context_.model.notes) report_.find(Severity::kInfo, "model-note", note);
  }

  void plot() {
    report::Plot plot;
    plot.name = "cost_against_speed";
    plot.title = "Cost against time per output token";
    plot.x = {"time per output token", "s", true};
    plot.y = {"cost per hour", "USD", true};
    std::map<std::string, report::Series> by_precision;
    for (const Deployment& d : plan_.ranked) {
      // Ten times the cheapest is no choice any more, and would crowd the rest into a corner.
      if (!d.price || d.price->value > 10 * plan_.ranked.front().price->value || d.price->value <= 0) continue;
      const std::string group = precision_of(d).as_checkpoint ? "as the checkpoint stores them" : precision_of(d).label;
      report::Series& series = by_precision[group];
      series.name = group;
      series.style = report::Series::Style::kPoints;
      series.points.emplace_back(d.point.time_per_output_token.value, d.price->value);
      series.labels.push_back(times(d.gpus, fleet_of(d).device.id));
    }
    for (auto& [label, series] : by_precision) plot.series.push_back(std::move(series));
    if (!plot.series.empty()) report_.plots.push_back(std::move(plot));
  }

  const Plan& plan_;
  const PlanContext& context_;
  const std::optional<SoftwareNeeds>& software_;
  Report report_;
};

}  // namespace

std::optional<std::size_t> winner_of(const Plan& plan, const std::vector<Fleet>& fleets) {
  for (std::size_t i = 0; i < plan.ranked.size(); ++i)
    if (fleets[plan.ranked[i].fleet].precisions[plan.ranked[i].precision].as_checkpoint) return i;
  if (plan.ranked.empty()) return std::nullopt;
  return 0;
}

std::optional<SoftwareNeeds> software_needs(const hardware::Catalog& catalog, const Plan& plan, const std::vector<Fleet>& fleets, const std::string& engine) {
  const std::optional<std::size_t> winner = winner_of(plan, fleets);
  if (!winner) return std::nullopt;
  const Result<hardware::SoftwareMinimum> minimum = hardware::minimum_software(catalog, fleets[plan.ranked[*winner].fleet].device, engine);
  if (!minimum) return std::nullopt;
  SoftwareNeeds needs;
  needs.engine = minimum->engine + (minimum->engine_version.empty() ? "" : " " + minimum->engine_version);
  needs.cuda = minimum->cuda;
  needs.driver = minimum->driver;
  for (const std::string& note : minimum->notes) needs.note += (needs.note.empty() ? "" : "; ") + note;
  return needs;
}

report::Report plan_report(const Plan& plan, const PlanContext& context, const std::optional<SoftwareNeeds>& software) {
  return PlanReport(plan, context, software).make();
}

}  // namespace ridge::commands
