#include "commands/gpu_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "quantity/text.h"

namespace ridge::commands {

using hardware::AcceleratorRow;
using hardware::Answer;
using hardware::Catalog;
using hardware::FigureName;
using hardware::PartKind;
using hardware::Sparsity;

namespace {

void join_sources(std::vector<std::string>& into, const std::vector<std::string>& more) {
  for (const std::string& source : more)
    if (std::find(into.begin(), into.end(), source) == into.end()) into.push_back(source);
}

GpuFigure answered(std::string name, std::string label, Answer answer) {
  DerivationStep step = step_of(name, answer);
  return {std::move(name), std::move(label), std::move(answer.figure), std::move(step)};
}

GpuFigure ratio_figure(std::string name, std::string unit, const GpuFigure& over, const GpuFigure& under) {
  GpuFigure made;
  made.name = std::move(name);
  made.figure.value = quotient(over.figure.value, under.figure.value);
  made.figure.unit = std::move(unit);
  made.figure.basis = fmt::format("{} / {}; {}", over.name, under.name, over.figure.basis);
  made.figure.sources = over.figure.sources;
  join_sources(made.figure.sources, under.figure.sources);
  made.figure.provenance = Provenance::kDerived;
  made.step = {made.name, fmt::format("{} / {}", over.name, under.name), {}, made.figure.value, made.figure.unit, ""};
  for (const GpuFigure* input : {&over, &under}) {
    made.step.inputs.push_back({input->name, input->figure.value.low, input->figure.unit, fmt::format("{}", fmt::join(input->figure.sources, ", "))});
    if (!input->figure.value.is_point())
      made.step.inputs.push_back(
          {input->name + " (high)", input->figure.value.high, input->figure.unit, fmt::format("{}", fmt::join(input->figure.sources, ", "))});
  }
  return made;
}

struct Wanted {
  FigureName name;
  const char* figure;
  const char* label;
};
constexpr Wanted kWanted[] = {
    {FigureName::kMemoryBandwidth, "memory_bandwidth", "memory bandwidth"},
    {FigureName::kMemoryCapacity, "memory_capacity", ""},  // sizes show as GiB: people read the label itself
    {FigureName::kTdp, "power", "power"},
    {FigureName::kPower, "power", "power"},
    {FigureName::kSmCount, "sm_count", ""},
    {FigureName::kCuCount, "cu_count", ""},
    {FigureName::kL2Cache, "l2_cache", ""},
    {FigureName::kSmemPerSm, "smem_per_sm", ""},
    {FigureName::kDieArea, "die.area", "die"},
    {FigureName::kTransistors, "transistors", ""},
};

void add_links(const Catalog& catalog, const AcceleratorRow& record, std::vector<GpuFigure>& all) {
  if (record.kind != PartKind::kChip) {  // a total of many, as its source counts it
    if (auto answer = figure(catalog, record, FigureName::kScaleUp)) all.push_back(answered("scale_up", "scale-up links, total", *std::move(answer)));
    return;
  }
  if (auto answer = link_per_direction(catalog, record, FigureName::kScaleUp))
    all.push_back(answered("scale_up", "scale-up link, per direction", *std::move(answer)));
  auto host = link_per_direction(catalog, record, FigureName::kHostLink);
  const bool own = std::any_of(record.figures.begin(), record.figures.end(), [](const hardware::FigureRow& row) { return row.name == FigureName::kHostLink; });
  if (!host && !own) host = link_per_direction(catalog, record, FigureName::kPcie);
  if (host) all.push_back(answered("host_link", "host link, per direction", *std::move(host)));
}

void add_usable(const Catalog& catalog, const AcceleratorRow& record, std::vector<GpuFigure>& all) {
  if (record.kind != PartKind::kChip) return;
  auto usable = usable_memory(catalog, record);
  if (!usable) return;
  GpuFigure made{"memory_usable",
                 "memory, usable",
                 {{usable->low.as_double(), usable->high.as_double()}, "B", usable->basis, usable->sources, Provenance::kPublished},
                 {}};
  made.step = {made.name, usable->basis, {}, made.figure.value, "B", fmt::format("{}", fmt::join(usable->sources, ", "))};
  all.push_back(std::move(made));
}

void add_rates(const Catalog& catalog, const AcceleratorRow& record, std::vector<GpuFigure>& all) {
  constexpr std::pair<Sparsity, const char*> kKinds[] = {
      {Sparsity::kDense, "dense"}, {Sparsity::kTwoOfFour, "sparse"}, {Sparsity::kStructured, "structured"}, {Sparsity::kInference, "inference"}};
  for (Precision precision : hardware::listed_precisions(record)) {
    for (const auto& [sparsity, word] : kKinds)
      if (auto answer = peak(catalog, record, {.precision = precision, .sparsity = sparsity}))
        all.push_back(answered(fmt::format("peak.{}.{}", ridge::name_of(precision), word), "", *std::move(answer)));
    auto main = peak(catalog, record, {.precision = precision});
    auto vector = peak(catalog, record, {.precision = precision, .vector = true});
    if (vector && (!main || main->figure.basis != vector->figure.basis))
      all.push_back(answered(fmt::format("vector.{}.dense", ridge::name_of(precision)), "", *std::move(vector)));
  }
}

}  // namespace

std::string range_text(Interval value, std::string_view unit) {
  return value.is_point() ? format_value(value.low, unit) : fmt::format("{} to {}", format_value(value.low, unit), format_value(value.high, unit));
}

Interval quotient(Interval numerator, Interval denominator) { return {numerator.low / denominator.high, numerator.high / denominator.low}; }

DerivationStep step_of(std::string name, const Answer& answer) {
  DerivationStep step{std::move(name),     answer.figure.basis, {},
                      answer.figure.value, answer.figure.unit,  fmt::format("{}", fmt::join(answer.figure.sources, ", "))};
  for (const hardware::Candidate& used : answer.choice.used)
    step.inputs.push_back({used.basis.empty() ? "printed " + used.shown : fmt::format("printed {} ({})", used.shown, used.basis), used.value,
                           answer.figure.unit, fmt::format("{}", fmt::join(used.sources, ", "))});
  return step;
}

std::vector<GpuFigure> figures_of(const Catalog& catalog, const AcceleratorRow& record) {
  std::vector<GpuFigure> all;
  add_rates(catalog, record, all);
  const std::size_t rates = all.size();
  for (const Wanted& wanted : kWanted)
    if (auto answer = figure(catalog, record, wanted.name); answer && find_figure(all, wanted.figure) == nullptr) {
      all.push_back(answered(wanted.figure, wanted.label, *std::move(answer)));
      if (wanted.name == FigureName::kMemoryCapacity) add_usable(catalog, record, all);
    }
  add_links(catalog, record, all);

  std::vector<GpuFigure> derived;
  const GpuFigure* bandwidth = find_figure(all, "memory_bandwidth");
  const GpuFigure* power = find_figure(all, "power");
  for (std::size_t i = 0; i < rates; ++i) {
    if (!all[i].name.starts_with("peak.") || !all[i].name.ends_with(".dense")) continue;
    const std::string precision = all[i].name.substr(5, all[i].name.size() - 11);
    if (bandwidth != nullptr) derived.push_back(ratio_figure("ridge_point." + precision, "FLOP/B", all[i], *bandwidth));
    if (power != nullptr) derived.push_back(ratio_figure("flop_per_joule." + precision, "FLOP/J", all[i], *power));
  }
  all.insert(all.end(), std::make_move_iterator(derived.begin()), std::make_move_iterator(derived.end()));
  return all;
}

std::vector<GpuFigure> merged(std::span<const AcceleratorRow* const> records, std::vector<std::vector<GpuFigure>> profiles) {
  if (profiles.size() == 1) return std::move(profiles.front());
  std::vector<GpuFigure> all;
  std::vector<std::string> whose;  // of each, which profile says what
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    for (GpuFigure& one : profiles[i]) {
      const std::string words = fmt::format("{} ({})", range_text(one.figure.value, one.figure.unit), records[i]->profile);
      const auto known = std::find_if(all.begin(), all.end(), [&one](const GpuFigure& other) { return other.name == one.name; });
      if (known == all.end()) {
        all.push_back(std::move(one));
        whose.push_back(words);
        continue;
      }
      whose[static_cast<std::size_t>(known - all.begin())] += " and " + words;
      known->figure.value = {std::min(known->figure.value.low, one.figure.value.low), std::max(known->figure.value.high, one.figure.value.high)};
      join_sources(known->figure.sources, one.figure.sources);
      known->step.inputs.insert(known->step.inputs.end(), one.step.inputs.begin(), one.step.inputs.end());
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    GpuFigure& figure = all[i];
    figure.figure.basis += fmt::format("; profiles: {}", whose[i]);
    figure.step.formula = figure.figure.basis;
    figure.step.value = figure.figure.value;
    figure.step.source = fmt::format("{}", fmt::join(figure.figure.sources, ", "));
  }
  return all;
}

const GpuFigure* find_figure(const std::vector<GpuFigure>& figures, std::string_view name) {
  const auto found = std::find_if(figures.begin(), figures.end(), [name](const GpuFigure& figure) { return figure.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

void add_caveats(report::Report& report, const std::vector<hardware::Caveat>& caveats) {
  for (const hardware::Caveat& caveat : caveats)
    report.find(caveat.warning ? report::Severity::kWarning : report::Severity::kInfo, caveat.kind, caveat.text, caveat.evidence, caveat.advice);
}

}  // namespace ridge::commands
