// ridge gpu show: what a part's figures are, on which basis, and what its sources do not agree on.
#include <fmt/format.h>

#include <set>

#include "commands/fields.h"
#include "commands/gpu_figures.h"
#include "commands/gpu_slices.h"
#include "commands/registry.h"
#include "hardware/tables.h"

namespace ridge::commands {
namespace {

using hardware::AcceleratorRow;
using Records = std::vector<const AcceleratorRow*>;

struct GpuShowRequest {
  std::string gpu;
  bool all = false;
};

void describe_show(Fields<GpuShowRequest>& f) {
  f.positional("gpu", &GpuShowRequest::gpu, "GPU", "a part, its alias, a MIG slice of it, or a rack, system or superchip of the catalogue")
      .required()
      .type("gpu");
  f.flag("all", &GpuShowRequest::all, "every figure that any source gives, also preliminary, measured and disputed ones, and why it was not used");
}

report::Cell number_of(const std::vector<GpuFigure>& figures, const std::string& name) {
  const GpuFigure* found = find_figure(figures, name);
  return found == nullptr ? report::Cell{} : report::cell(found->figure.value);
}

report::Table rates_table(const Records& records, const std::vector<std::vector<GpuFigure>>& profiles) {
  report::Table table{"rates",
                      "Rates by precision",
                      {{"precision", ""}, {"dense", "FLOP/s"}, {"sparse", "FLOP/s"}, {"ridge", "FLOP/B"}, {"per_joule", "FLOP/J"}, {"basis", ""}},
                      {}};
  const bool several = records.size() > 1;
  if (several) table.columns.insert(table.columns.begin(), {"profile", ""});
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (Precision precision : hardware::listed_precisions(*records[i])) {
      const std::string name(ridge::name_of(precision));
      const GpuFigure* dense = find_figure(profiles[i], "peak." + name + ".dense");
      const GpuFigure* sparse = find_figure(profiles[i], "peak." + name + ".sparse");
      if (dense == nullptr && sparse == nullptr) continue;
      std::vector<report::Cell> row{name,
                                    number_of(profiles[i], "peak." + name + ".dense"),
                                    number_of(profiles[i], "peak." + name + ".sparse"),
                                    number_of(profiles[i], "ridge_point." + name),
                                    number_of(profiles[i], "flop_per_joule." + name),
                                    (dense != nullptr ? dense : sparse)->figure.basis};
      if (several) row.insert(row.begin(), std::string(records[i]->profile));
      table.rows.push_back(std::move(row));
    }
  }
  table.note = "ridge: FLOP per byte of memory traffic above which the dense rate can bind; sparse: 2:4, for weights pruned to that pattern only";
  return table;
}

// "80 GB", "180 GB"; the sizes on labels are decimal or binary as their maker likes, so they are quoted.
std::string label_text(const hardware::Answer& label) {
  std::string text;
  for (const hardware::Candidate& used : label.choice.used) text += (text.empty() ? "" : " or ") + used.shown;
  return text;
}

// Every row of the record with what became of it.
report::Table all_figures(const Records& records) {
  report::Table table{
      "figures", "Every figure, and whether it answers", {{"record", ""}, {"figure", ""}, {"printed", ""}, {"basis", ""}, {"status", ""}, {"source", ""}}, {}};
  for (const AcceleratorRow* record : records) {
    for (const hardware::FigureRow& row : record->figures) {
      std::vector<std::string> basis;
      const auto add = [&basis](std::string text) {
        if (!text.empty()) basis.push_back(std::move(text));
      };
      add(std::string(row.kind));
      add(std::string(row.basis));
      if (row.direction != hardware::Direction::kUnstated) add(row.direction == hardware::Direction::kEach ? "per direction" : "both directions");
      if (row.reading != hardware::Reading::kNone) add(fmt::format("reading: {}", word_of(row.reading)));
      if (!row.applies.empty()) add(fmt::format("of another configuration: {}", row.applies));
      if (row.rounded) add("rounded");
      if (row.up_to) add("up to");
      if (!row.derived.empty()) add(fmt::format("derived: {}", row.derived));
      if (!row.cites.empty()) add(fmt::format("cites: {}", row.cites));
      add(std::string(row.note));
      const std::string printed = row.value
                                      ? (row.unit == hardware::Unit::kOne ? fmt::format("{}", *row.value) : fmt::format("{} {}", *row.value, name_of(row.unit)))
                                      : std::string(row.text);
      table.rows.push_back({std::string(record->id), std::string(word_of(row.name)), printed, fmt::format("{}", fmt::join(basis, "; ")),
                            std::string(word_of(row.status)), fmt::format("{}", fmt::join(row.source, ", "))});
    }
    for (const hardware::RateRow& row : record->rates) {
      std::string basis = fmt::format("{}, {}{}", row.pattern.empty() ? word_of(row.sparsity) : row.pattern, word_of(row.path),
                                      row.accumulate == hardware::Accumulate::kUnstated ? "" : fmt::format(", {} accumulate", word_of(row.accumulate)));
      if (!row.per.empty()) basis += fmt::format(", per {}", row.per);
      if (row.rounded) basis += "; rounded";
      for (const auto& [word, text] : {std::pair{"derived: ", row.derived}, std::pair{"cites: ", row.cites}, std::pair{"", row.note}})
        if (!text.empty()) basis += fmt::format("; {}{}", word, text);
      table.rows.push_back({std::string(record->id), fmt::format("rate {}", ridge::name_of(row.precision)), fmt::format("{} {}", row.value, name_of(row.unit)),
                            basis, std::string(word_of(row.status)), fmt::format("{}", fmt::join(row.source, ", "))});
    }
  }
  return table;
}

// The sources that the records name, with how near to the maker each was read.
report::Table sources_table(const hardware::Catalog& catalog, const Records& records) {
  report::Table table{"sources", "Sources", {{"id", ""}, {"publisher", ""}, {"title", ""}, {"version", ""}, {"tier", ""}, {"url", ""}}, {}};
  std::set<std::string_view> ids;
  for (const AcceleratorRow* record : records) {
    for (const hardware::FigureRow& row : record->figures) ids.insert(row.source.begin(), row.source.end());
    for (const hardware::RateRow& row : record->rates) ids.insert(row.source.begin(), row.source.end());
  }
  for (std::string_view id : ids)
    if (const formats::SourceRow* source = hardware::find_source(catalog, id))
      table.rows.push_back({std::string(id), std::string(source->publisher), std::string(source->title), std::string(source->version),
                            std::string(formats::word_of(source->tier)), std::string(source->url)});
  return table;
}

void add_categories(report::Report& answer, const hardware::Catalog& catalog, const AcceleratorRow& record) {
  const auto add = [&answer](std::string name, std::string_view value, std::string label) {
    if (!value.empty()) answer.add_category(std::move(name), std::string(value), std::move(label));
  };
  add("accelerator", record.part.empty() ? record.id : record.part, "");
  add("name", record.name, "");
  add("vendor", record.vendor, "");
  add("counts", record.counts, "");
  add("architecture", record.die.empty() ? std::string(record.architecture) : fmt::format("{} {}", record.architecture, record.die), "architecture");
  add("compute_capability", record.compute_capability, "compute capability");
  add("form_factor", record.form_factor, "form");
  if (auto label = figure(catalog, record, hardware::FigureName::kMemoryCapacity)) {
    report::Figure& shown = answer.add_category("memory_label", label_text(*label), "memory, as marketed");
    shown.basis = label->figure.basis;
    shown.sources = label->figure.sources;
  }
  for (const hardware::FigureRow& row : record.figures)
    if (row.name == hardware::FigureName::kProcess && row.status == hardware::Status::kFinal && answer.figure("process") == nullptr) {
      report::Figure& process = answer.add_category("process", std::string(row.text), "process");
      process.sources.assign(row.source.begin(), row.source.end());
    }
}

std::string headline(const hardware::Catalog& catalog, const Records& records, const std::vector<GpuFigure>& figures) {
  std::string text(records.front()->name);
  std::vector<std::string> parts;
  if (auto best = best_peak(catalog, *records.front()); best)
    parts.push_back(fmt::format("{} dense in {}", range_text(best->answer.figure.value, "FLOP/s"), ridge::name_of(best->precision)));
  if (const GpuFigure* bandwidth = find_figure(figures, "memory_bandwidth")) parts.push_back(range_text(bandwidth->figure.value, "B/s"));
  if (auto label = figure(catalog, *records.front(), hardware::FigureName::kMemoryCapacity)) parts.push_back(label_text(*label));
  return parts.empty() ? fmt::format("{}: no figure of it is final.", text) : fmt::format("{}: {}.", text, fmt::join(parts, ", "));
}

Result<report::Report> run_show(const GpuShowRequest& request, const Environment& environment) {
  if (names_slice(request.gpu)) return show_slice(environment.catalog, request.gpu);
  RIDGE_TRY(Records records, hardware::find_records(environment.catalog, request.gpu));
  std::vector<std::vector<GpuFigure>> profiles;
  for (const AcceleratorRow* record : records) profiles.push_back(figures_of(environment.catalog, *record));
  const std::vector<GpuFigure> figures = merged(records, profiles);

  report::Report answer;
  answer.verdict.text = headline(environment.catalog, records, figures);
  add_categories(answer, environment.catalog, *records.front());
  for (const GpuFigure& figure : figures) {
    answer.add(figure.name, figure.figure, figure.label);
    answer.derivation.push_back(figure.step);
  }
  answer.tables.push_back(rates_table(records, profiles));
  if (answer.tables.back().rows.empty()) answer.tables.pop_back();
  if (request.all) {
    answer.tables.push_back(all_figures(records));
    answer.tables.push_back(sources_table(environment.catalog, records));
  }
  add_slices(answer, environment.catalog, *records.front(), request.all);
  for (const hardware::Caveat& caveat : hardware::caveats(environment.catalog, records)) {
    // What is in circulation and never used fills the screen of most parts: it is shown where everything is asked for.
    if (!request.all && !caveat.warning && (caveat.kind == "preliminary-exists" || caveat.kind == "not-final" || caveat.kind == "other-figures")) continue;
    add_caveats(answer, {caveat});
  }
  return answer;
}

}  // namespace

Command gpu_show_command() {
  return make_command<GpuShowRequest>({"gpu show",
                                       kGroupFigures,
                                       "The figures of one part, each with its basis and source",
                                       "Shows dense and sparse rates by precision, memory, links and power of a part. A figure is dense, final and per unit "
                                       "counted unless its basis says otherwise; where final sources "
                                       "disagree it is the range. Preliminary, measured and disputed figures are listed with --all and never used where a "
                                       "final one exists. A rack, system or superchip is shown with its totals.",
                                       {{"gpu show h100-sxm5", "989.4 TFLOP/s bf16 dense against 1,979 sparse, and where each comes from"},
                                        {"gpu show rubin-gpu", "a part about which the maker's own pages disagree"},
                                        {"gpu show b300-sxm-hgx --all", "every figure in circulation, and why it was not used"}}},
                                      describe_show, run_show);
}

}  // namespace ridge::commands
