// ridge chip claims: what a process node is claimed to gain over which baseline.
#include <fmt/format.h>

#include <algorithm>

#include "commands/chip_fields.h"
#include "commands/registry.h"
#include "hardware/chips.h"

namespace ridge::commands {
namespace {

struct ChipClaimsRequest {
  std::string node;
  std::optional<Gain> speed;
  std::optional<Gain> power;
  std::string over;
};

void describe(Fields<ChipClaimsRequest>& f) {
  f.positional("node", &ChipClaimsRequest::node, "NODE", "a process node: N2P, \"TSMC N4P\"; all of them where none is given").type("node");
  f.option("speed", &ChipClaimsRequest::speed, "GAIN", "ask whether this gain in speed is claimed: 18%");
  f.option("power", &ChipClaimsRequest::power, "GAIN", "ask whether this saving of power is claimed: 36%");
  f.option("over", &ChipClaimsRequest::over, "NODE", "only against this baseline: N3E");
}

using hardware::ClaimAnswer;
using hardware::ClaimRelation;
using hardware::NodeComparison;
using hardware::ProcessClaimRow;
using report::Cell;
using report::Report;
using report::Severity;

Cell gain_cell(std::span<const double> gain) { return gain.empty() ? Cell{} : report::cell(Interval{gain.front(), gain.back()}); }
Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : Cell{std::string(text)}; }

// "+18 %", "-36 %", "+10 to +15 %".
std::string percent(std::span<const double> gain) {
  const auto one = [](double value) { return fmt::format("{}{:.3g}", value < 0 ? "-" : "+", std::abs(value) * 100); };
  return gain.front() == gain.back() ? one(gain.front()) + " %" : one(gain.front()) + " to " + one(gain.back()) + " %";
}

std::string_view in_words(ClaimRelation relation) {
  switch (relation) {
    case ClaimRelation::kSingle:
      return "single";
    case ClaimRelation::kEitherOr:
      return "either/or";
    case ClaimRelation::kUnstated:
      return "not stated";
    case ClaimRelation::kJoint:
      return "together";
  }
  return "";
}

// "+18 % speed at the same power or -36 % power at the same speed".
std::string gains_in_words(const ProcessClaimRow& claim) {
  const bool alternatives = claim.relation == ClaimRelation::kEitherOr;
  std::vector<std::string> parts;
  if (!claim.speed.empty()) parts.push_back(percent(claim.speed) + (alternatives ? " speed at the same power" : " speed"));
  if (!claim.power.empty()) parts.push_back(percent(claim.power) + (alternatives ? " power at the same speed" : " power"));
  if (!claim.power_efficiency.empty()) parts.push_back(percent(claim.power_efficiency) + " power efficiency");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : alternatives ? " or " : ", ") + part;
  return text.empty() ? std::string(claim.text) : text;
}

// The newest claim of a comparison gives the figures; older ones stay in the table.
void add_figures(Report& report, const NodeComparison& comparison, bool labelled) {
  const ProcessClaimRow& claim = *comparison.claims.front();
  if (comparison.baseline.empty()) return;
  const std::string prefix = hardware::node_key(comparison.node) + "." + hardware::node_key(comparison.baseline) + ".";
  const std::string label = comparison.node + " over " + comparison.baseline;
  const std::string source(claim.source);
  const auto add = [&](std::string_view metric, std::span<const double> gain, std::string_view words) {
    if (gain.empty()) return;
    const std::string name = prefix + std::string(metric);
    report::Figure& figure = report.add(name, Interval{gain.front(), gain.back()}, "1", labelled ? label + ", " + std::string(words) : "");
    figure.basis =
        fmt::format("claimed, over {}{}", comparison.baseline, claim.relation == ClaimRelation::kEitherOr && metric != "density" ? ", either/or" : "");
    figure.sources = {source};
    figure.provenance = Provenance::kPublished;
    report.derivation.push_back(
        {name, "as claimed" + (claim.date.empty() ? std::string() : " in " + std::string(claim.date)), {}, {gain.front(), gain.back()}, "1", source});
  };
  add("speed", claim.speed, "speed");
  add("power", claim.power, "power");
  add("power_efficiency", claim.power_efficiency, "power efficiency");
  add("density", claim.density, "density (factor)");
  report.add_category(prefix + "relation", std::string(formats::word_of(claim.relation))).sources = {source};
}

report::Table claims_table(std::span<const NodeComparison> comparisons) {
  report::Table table{"claims",
                      "Claims",
                      {{"node", ""},
                       {"over", ""},
                       {"speed", "1"},
                       {"power", "1"},
                       {"power efficiency", "1"},
                       {"density", "1"},
                       {"relation", ""},
                       {"stated", ""},
                       {"source", ""},
                       {"note", ""}},
                      {},
                      "Speed, power and efficiency are fractions of the baseline's; density is a factor."};
  for (const NodeComparison& comparison : comparisons)
    for (const ProcessClaimRow* claim : comparison.claims) {
      const std::string note = claim->text.empty() ? std::string(claim->note) : std::string(claim->text);
      table.rows.push_back({std::string(claim->foundry) + " " + std::string(claim->node), text_cell(claim->baseline), gain_cell(claim->speed),
                            gain_cell(claim->power), gain_cell(claim->power_efficiency), gain_cell(claim->density), std::string(in_words(claim->relation)),
                            text_cell(claim->date), std::string(claim->source), text_cell(note)});
    }
  return table;
}

void add_findings(Report& report, const hardware::ChipTables& tables, std::span<const NodeComparison> comparisons, bool one_node) {
  for (const NodeComparison& comparison : comparisons) {
    const ProcessClaimRow& claim = *comparison.claims.front();
    if (one_node && claim.relation == ClaimRelation::kEitherOr)
      report.find(Severity::kWarning, "either-or",
                  fmt::format("{} over {}: {}; the two are not claimed together.", claim.node, claim.baseline, gains_in_words(claim)),
                  std::string(claim.source), "Take one of the two, never their product.");
    if (one_node && claim.relation == ClaimRelation::kUnstated)
      report.find(
          Severity::kWarning, "relation-unstated",
          fmt::format("{} over {}: {} are listed side by side; nothing says that they hold together.", claim.node, claim.baseline, gains_in_words(claim)),
          std::string(claim.source));
    if (one_node && comparison.baseline.empty())
      report.find(Severity::kWarning, "custom-process", fmt::format("{} {} is {}.", claim.foundry, claim.node, claim.text), std::string(claim.source),
                  "Do not read the claims of a near node as its own.");
    if (one_node && comparison.claims.size() > 1) {
      std::string older;
      for (std::size_t i = 1; i < comparison.claims.size(); ++i)
        older += (i > 1 ? "; " : "") + gains_in_words(*comparison.claims[i]) + " (" + std::string(comparison.claims[i]->date) + ")";
      report.find(Severity::kInfo, "claim-moved", fmt::format("The claim for {} over {} has moved: before, {}.", claim.node, claim.baseline, older),
                  std::string(claim.source));
    }
  }
  // "+11 % is over N5, not over N4": every baseline with its own number.
  std::string baselines;
  for (const NodeComparison& comparison : comparisons)
    if (!comparison.baseline.empty() && !comparison.claims.front()->speed.empty())
      baselines += (baselines.empty() ? "" : ", ") + percent(comparison.claims.front()->speed) + " speed is over " + comparison.baseline;
  if (one_node && !baselines.empty())
    report.find(Severity::kInfo, "baseline", fmt::format("A gain is nothing without its baseline: {}.", baselines), "",
                "Compare nodes over the same baseline only.");
  for (const hardware::ProcessRemarkRow& remark : tables.remarks) {
    std::string text = remark.foundry.empty() ? std::string(remark.text) : fmt::format("{}: {}", remark.foundry, remark.text);
    if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
    report.find(Severity::kInfo, std::string(remark.id), text + ".", std::string(remark.source));
  }
  report.find(Severity::kInfo, "measure", "Claims are a starting point only.", "", "Compare measured performance, power and cost on the same workload.");
}

// Answers --speed and --power against the first comparison that has such gains.
Result<void> answer(Report& report, const ChipClaimsRequest& request, std::span<const NodeComparison> comparisons) {
  std::optional<double> speed, power;
  if (request.speed) speed = request.speed->value;
  if (request.power) power = request.power->value;
  const ProcessClaimRow* best = nullptr;
  ClaimAnswer outcome = ClaimAnswer::kNothingClaimed;
  for (const NodeComparison& comparison : comparisons) {
    if (comparison.baseline.empty()) continue;
    const ClaimAnswer one = hardware::answer_claim(*comparison.claims.front(), speed, power);
    if (best == nullptr || one < outcome) best = comparison.claims.front(), outcome = one;
  }
  if (best == nullptr) {
    report.verdict = {fmt::format("Not known: no public claim gives {} a gain over any baseline.", request.node), std::nullopt};
    return {};
  }
  std::string asked;
  if (speed) asked = fmt::format("+{:.3g} % speed", *speed * 100);
  if (power) asked += fmt::format("{}-{:.3g} % power", speed ? " and " : "", *power * 100);
  const std::string over = fmt::format("{} over {}", best->node, best->baseline);
  switch (outcome) {
    case ClaimAnswer::kClaimed:
      report.verdict = {fmt::format("Yes: {} is claimed for {}{}.", asked, over,
                                    best->relation == ClaimRelation::kEitherOr ? (speed ? ", at the same power" : ", at the same speed") : ""),
                        true};
      break;
    case ClaimAnswer::kNotTogether:
      report.verdict = {fmt::format("No: not claimed together. {}: {}.", over, gains_in_words(*best)), false};
      break;
    case ClaimAnswer::kUnstated:
      report.verdict = {fmt::format("Not known: {} lists {} side by side and does not say that they hold together.", over, gains_in_words(*best)),
                        std::nullopt};
      break;
    case ClaimAnswer::kBeyond:
      report.verdict = {fmt::format("No: {} is more than is claimed. {}: {}.", asked, over, gains_in_words(*best)), false};
      break;
    case ClaimAnswer::kNothingClaimed:
      report.verdict = {fmt::format("No: {} has no such claim. {}: {}.", best->node, over, gains_in_words(*best)), false};
      break;
  }
  return {};
}

Result<Report> run(const ChipClaimsRequest& request, const Environment& environment) {
  const hardware::ChipTables tables = hardware::chips(environment.catalog);
  if (request.node.empty() && (request.speed || request.power))
    return fail(request.speed ? "--speed" : "--power", "no node is named", "Name one, as in: chip claims N2P --speed 18%.");
  RIDGE_TRY(std::vector<NodeComparison> comparisons, hardware::node_comparisons(tables, request.node));
  if (!request.over.empty()) {
    std::string known;
    for (const NodeComparison& one : comparisons)
      if (!one.baseline.empty()) known += (known.empty() ? "" : ", ") + one.baseline;
    std::erase_if(comparisons, [&request](const NodeComparison& one) { return hardware::node_key(one.baseline) != hardware::node_key(request.over); });
    if (comparisons.empty())
      return fail("--over", fmt::format("no claim of {} is over \"{}\"", request.node.empty() ? "any node" : request.node, request.over),
                  known.empty() ? "" : "Its baselines: " + known + ".");
  }
  Report report;
  const bool one_node = !request.node.empty();
  for (const NodeComparison& comparison : comparisons) add_figures(report, comparison, one_node);
  std::vector<NodeComparison> shown = comparisons;
  if (one_node && request.over.empty())
    for (NodeComparison& over : hardware::comparisons_over(tables, request.node)) shown.push_back(std::move(over));
  report.tables.push_back(claims_table(shown));
  add_findings(report, tables, comparisons, one_node);

  if (request.speed || request.power) {
    RIDGE_TRY_VOID(answer(report, request, comparisons));
  } else if (!one_node) {
    report.verdict.text = fmt::format("{} comparisons of process nodes, each a claim over its own baseline.", comparisons.size());
  } else if (comparisons.empty()) {
    report.verdict.text = fmt::format("{} is a baseline of other claims; none says what it gains itself.", request.node);
  } else {
    const ProcessClaimRow& first = *comparisons.front().claims.front();
    report.verdict.text = first.baseline.empty() ? fmt::format("{} {}: {}.", first.foundry, first.node, first.text)
                                                 : fmt::format("{} over {}: {}.", first.node, first.baseline, gains_in_words(first));
  }
  return report;
}

}  // namespace

Command chip_claims_command() {
  return make_command<ChipClaimsRequest>(
      {"chip claims",
       kGroupFigures,
       "What a process node claims to gain, over which baseline",
       "Lists the published claims of speed, power and density of a node over another, newest first. A foundry usually claims more "
       "speed at the same power or less power at the same speed: alternatives, which --speed and --power together are answered by. A "
       "node name is the label of a generation, not a dimension.",
       {{"chip claims N2P", "18 % faster or 36 % less power than N3E, either/or"}, {"chip claims N2P --speed 18% --power 36%", "not claimed together"}}},
      describe, run);
}

}  // namespace ridge::commands
