// ridge gpu compare: ratios of figures of one basis, the first part being the base.
#include <fmt/format.h>

#include <algorithm>

#include "commands/fields.h"
#include "commands/gpu_figures.h"
#include "commands/registry.h"
#include "quantity/text.h"

namespace ridge::commands {
namespace {

using hardware::AcceleratorRow;

struct GpuCompareRequest {
  std::vector<std::string> gpus;
  std::string peak;
  std::string phase;
};

void describe_compare(Fields<GpuCompareRequest>& f) {
  f.positional("gpus", &GpuCompareRequest::gpus, "GPU", "two or more parts; the first is the base").required().type("gpu");
  f.option("peak", &GpuCompareRequest::peak, "PRECISION|best",
           "compare the dense rate in one precision, or each part's highest; all that the parts share where left out");
  f.option("phase", &GpuCompareRequest::phase, "PHASE", "which of the gains this phase of serving follows").choices({"decode", "prefill"});
}

struct Part {
  std::string id;
  std::string group;  // what was asked for: profiles of one part share it
  std::string counts;
  std::string vendor;
  std::vector<GpuFigure> figures;
  std::optional<Precision> best;
};

std::vector<GpuFigure> figures_of_device(const hardware::Device& device) {
  std::vector<GpuFigure> all;
  const auto add = [&all](std::string name, const std::optional<SourcedFigure>& figure) {
    if (figure) all.push_back({name, "", *figure, {name, figure->basis, {}, figure->value, figure->unit, fmt::format("{}", fmt::join(figure->sources, ", "))}});
  };
  for (const auto& [precision, rate] : device.peak) add(fmt::format("peak.{}.dense", ridge::name_of(precision)), rate);
  add("memory_bandwidth", device.memory_bandwidth);
  add("memory_capacity", device.memory_label);
  if (device.usable_memory)
    add("memory_usable", SourcedFigure{{device.usable_memory->low.as_double(), device.usable_memory->high.as_double()},
                                       "B",
                                       device.usable_memory->basis,
                                       device.usable_memory->sources,
                                       Provenance::kUser});
  add("scale_up", device.scale_up);
  add("host_link", device.host_link);
  add("power", device.power);
  return all;
}

// Parts by name; inline descriptions and slices of a part through the GPU syntax.
Result<std::vector<Part>> parts_of(const std::vector<std::string>& names, const hardware::Catalog& catalog) {
  std::vector<Part> parts;
  for (const std::string& name : names) {
    if (name.find_first_of("=/") != std::string::npos) {
      RIDGE_TRY(hardware::GpuReference reference, catalog.resolve(name));
      for (const hardware::Device& device : reference.profiles)
        parts.push_back({device.id, name, device.unit_counted, device.vendor, figures_of_device(device), {}});
      continue;
    }
    RIDGE_TRY(auto records, hardware::find_records(catalog, name));
    for (const AcceleratorRow* record : records) {
      Part part{std::string(record->id), name, std::string(record->counts), std::string(record->vendor), figures_of(catalog, *record), {}};
      if (auto best = best_peak(catalog, *record)) part.best = best->precision;
      parts.push_back(std::move(part));
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (parts[i].id == parts[k].id) return fail("gpus", fmt::format("{} stands twice", parts[i].id), "Name different parts.");
  return parts;
}

// The best dense rate of a part as a figure named "peak", and FLOP/J at it.
const GpuFigure* best_of(const Part& part) {
  if (part.best) return find_figure(part.figures, fmt::format("peak.{}.dense", ridge::name_of(*part.best)));
  const GpuFigure* best = nullptr;  // of an inline description
  for (const GpuFigure& figure : part.figures)
    if (figure.name.starts_with("peak.") && figure.name.ends_with(".dense") && (best == nullptr || figure.figure.value.high > best->figure.value.high))
      best = &figure;
  return best;
}

std::string precision_in(const GpuFigure& figure) { return figure.name.substr(5, figure.name.size() - 11); }

void rename(GpuFigure figure, std::string name, std::vector<GpuFigure>& into) {
  figure.name = std::move(name);
  into.push_back(std::move(figure));
}

// Adds "peak" (and "flop_per_joule") to each part as --peak asks; the error lists what a part has.
Result<void> settle_peak(const std::string& asked, std::vector<Part>& parts, report::Report& answer) {
  std::vector<std::string> precisions;
  for (Part& part : parts) {
    const GpuFigure* rate = nullptr;
    if (asked == "best") {
      rate = best_of(part);
      if (rate == nullptr) return fail("--peak", fmt::format("{} lists no dense rate", part.id), "Leave --peak out to compare the rest.");
    } else {
      RIDGE_TRY(Precision precision, parse_precision(asked));
      std::string name = fmt::format("peak.{}.dense", ridge::name_of(precision));
      if ((precision == Precision::kNvFp4 || precision == Precision::kMxFp4) && find_figure(part.figures, name) == nullptr) name = "peak.fp4.dense";
      rate = find_figure(part.figures, name);
      if (rate == nullptr) {
        std::vector<std::string> exist;
        for (const GpuFigure& figure : part.figures)
          if (figure.name.starts_with("peak.")) exist.push_back(figure.name.substr(5));
        return fail("--peak", fmt::format("{} lists no dense {} rate", part.id, asked),
                    exist.empty() ? "It lists no rate." : fmt::format("It lists: {}.", fmt::join(exist, ", ")));
      }
    }
    precisions.push_back(precision_in(*rate));
    const GpuFigure* joule = find_figure(part.figures, "flop_per_joule." + precisions.back());
    std::vector<GpuFigure> extra;
    rename(*rate, "peak", extra);
    if (joule != nullptr) rename(*joule, "flop_per_joule", extra);
    std::erase_if(part.figures, [](const GpuFigure& figure) { return figure.name.starts_with("peak.") || figure.name.starts_with("flop_per_joule."); });
    part.figures.insert(part.figures.begin(), extra.begin(), extra.end());
    answer.add_category(fmt::format("peak.precision.{}", part.id), precisions.back(), "");
  }
  if (std::any_of(precisions.begin(), precisions.end(), [&](const std::string& one) { return one != precisions.front(); })) {
    std::string which;
    for (std::size_t i = 0; i < parts.size(); ++i)
      which +=
          fmt::format("{}{} in {}{}", i == 0 ? "" : ", ", parts[i].id, precisions[i], precisions[i] == "fp4" && parts[i].vendor == "NVIDIA" ? " (NVFP4)" : "");
    answer.find(report::Severity::kWarning, "precision-differs",
                fmt::format("The peaks are of different precision ({}): the ratio mixes a faster part with narrower numbers.", which), "",
                fmt::format("For one precision: --peak {}. A model gains the whole of it only where it runs in that precision at the quality that it needs.",
                            precisions.front()));
  }
  return {};
}

const std::vector<std::string>& compared() {
  static const std::vector<std::string> names{"peak",     "memory_bandwidth", "memory_usable", "memory_capacity",
                                              "scale_up", "host_link",        "power",         "flop_per_joule"};
  return names;
}

// Names of figures that the base and some other part have, in the order of a spec sheet.
std::vector<std::string> shared_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const GpuFigure& figure : parts.front().figures) {
    const bool rate = (figure.name.starts_with("peak.") && (figure.name.ends_with(".dense") || figure.name.ends_with(".sparse"))) ||
                      figure.name.starts_with("flop_per_joule.") || figure.name.starts_with("vector.");
    if (!rate && std::find(compared().begin(), compared().end(), figure.name) == compared().end()) continue;
    if (std::any_of(parts.begin() + 1, parts.end(), [&](const Part& part) { return find_figure(part.figures, figure.name) != nullptr; }))
      names.push_back(figure.name);
  }
  return names;
}

// "peak.bf16.dense" of two parts is ratio.peak.bf16.
std::string ratio_name(std::string_view figure, const Part& part, std::size_t others) {
  std::string what(figure);
  if (what.ends_with(".dense")) what.resize(what.size() - 6);
  return others == 1 ? "ratio." + what : fmt::format("ratio.{}.{}", part.id, what);
}

void add_ratios(const std::vector<Part>& parts, report::Report& answer) {
  report::Table table{"comparison", fmt::format("Against {}", parts.front().id), {{"figure", ""}}, {}};
  for (const Part& part : parts) table.columns.push_back({part.id, ""});
  for (std::size_t i = 1; i < parts.size(); ++i) table.columns.push_back({fmt::format("{} / {}", parts[i].id, parts.front().id), "1"});
  for (const std::string& name : shared_names(parts)) {
    const GpuFigure& base = *find_figure(parts.front().figures, name);
    std::vector<report::Cell> row{name}, ratios;
    for (const Part& part : parts) {
      const GpuFigure* mine = find_figure(part.figures, name);
      row.push_back(mine == nullptr ? report::Cell{} : report::cell(mine->figure.value));
      if (&part == parts.data()) continue;
      if (mine == nullptr) {
        ratios.emplace_back();
        continue;
      }
      const Interval ratio = quotient(mine->figure.value, base.figure.value);
      ratios.push_back(report::cell(ratio));
      const std::string figure_name = ratio_name(name, part, parts.size() - 1);
      report::Figure& figure = answer.add(figure_name, ratio, "1");
      figure.basis =
          fmt::format("{}: {} over {}: {}", name, part.id, parts.front().id,
                      mine->figure.basis == base.figure.basis ? mine->figure.basis : fmt::format("{}; over {}", mine->figure.basis, base.figure.basis));
      figure.sources = mine->figure.sources;
      for (const std::string& source : base.figure.sources)
        if (std::find(figure.sources.begin(), figure.sources.end(), source) == figure.sources.end()) figure.sources.push_back(source);
      figure.provenance = Provenance::kDerived;
      DerivationStep step{figure_name, fmt::format("{} of {} / {} of {}", name, part.id, name, parts.front().id), {}, ratio, "1", ""};
      for (const auto& [whose, input] : {std::pair{&part, mine}, std::pair{&parts.front(), &base}}) {
        step.inputs.push_back(
            {fmt::format("{} {}", whose->id, name), input->figure.value.low, input->figure.unit, fmt::format("{}", fmt::join(input->figure.sources, ", "))});
        if (!input->figure.value.is_point())
          step.inputs.push_back({fmt::format("{} {} (high)", whose->id, name), input->figure.value.high, input->figure.unit,
                                 fmt::format("{}", fmt::join(input->figure.sources, ", "))});
      }
      answer.derivation.push_back(std::move(step));
    }
    row.insert(row.end(), ratios.begin(), ratios.end());
    table.rows.push_back(std::move(row));
    table.row_units.push_back(base.figure.unit);
  }
  if (!table.rows.empty()) answer.tables.push_back(std::move(table));
}

void follow_phase(const std::string& phase, const std::vector<Part>& parts, report::Report& answer) {
  const bool decode = phase == "decode";
  std::string follows = "memory_bandwidth";
  if (!decode) {
    follows.clear();
    for (const char* name : {"peak", "peak.bf16.dense", "peak.fp16.dense"})
      if (follows.empty() && find_figure(parts.front().figures, name) != nullptr) follows = name;
  }
  answer.add_category("phase.follows", decode ? "memory_bandwidth" : "peak", "");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string name = follows.empty() ? "" : ratio_name(follows, parts[i], parts.size() - 1);
    const report::Figure* gain = answer.figure(name);
    if (gain == nullptr) continue;
    report::Figure copy = *gain;
    copy.name = parts.size() == 2 ? "phase.gain" : fmt::format("phase.{}.gain", parts[i].id);
    copy.label = fmt::format("{} gains, {}", phase, parts[i].id);
    DerivationStep step{copy.name, fmt::format("{} follows {}", phase, name), {}, {0, 0}, "1", ""};
    if (const double* point = std::get_if<double>(&copy.value)) step.value = {*point, *point};
    if (const Interval* range = std::get_if<Interval>(&copy.value)) step.value = *range;
    answer.figures.push_back(std::move(copy));
    answer.derivation.push_back(std::move(step));
  }
  if (decode)
    answer.find(report::Severity::kInfo, "decode-follows-bandwidth",
                "Decode reads every weight and the cache for each token: it follows the memory bandwidth, not the peak.", "",
                "The peak helps decode only at batches beyond the ridge point; see `ridge roofline`.");
  else
    answer.find(report::Severity::kInfo, "prefill-follows-peak",
                "Prefill multiplies many tokens with each weight that it reads: it follows the dense rate of the precision that runs.", "", "");
}

std::string gain_text(const report::Cell& value) {
  if (const double* point = std::get_if<double>(&value)) return format_number(*point);
  return range_text(std::get<Interval>(value), "1");
}

Result<report::Report> run_compare(const GpuCompareRequest& request, const Environment& environment) {
  if (request.gpus.size() < 2)
    return fail("gpus", "one part is no comparison", "Name two or more, the base first: ridge gpu compare a100-sxm4-80gb h100-sxm5.");
  RIDGE_TRY(std::vector<Part> parts, parts_of(request.gpus, environment.catalog));
  report::Report answer;
  if (!request.peak.empty()) RIDGE_TRY_VOID(settle_peak(request.peak, parts, answer));
  add_ratios(parts, answer);
  if (!request.phase.empty()) follow_phase(request.phase, parts, answer);

  std::vector<std::string> gains;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::vector<std::string> words;
    for (const char* name : {"peak", "peak.bf16.dense", "memory_bandwidth", "memory_usable", "power"})
      if (const report::Figure* ratio = answer.figure(ratio_name(name, parts[i], parts.size() - 1))) {
        std::string what = name == std::string_view("peak.bf16.dense") ? "bf16 peak" : name;
        std::replace(what.begin(), what.end(), '_', ' ');
        words.push_back(fmt::format("{} x {}", what, gain_text(ratio->value)));
      }
    gains.push_back(fmt::format("{}: {}", parts[i].id, words.empty() ? "no figure in common" : fmt::format("{}", fmt::join(words, ", "))));
  }
  answer.verdict.text = fmt::format("Against {}, {}.", parts.front().id, fmt::join(gains, "; "));
  const auto unlike = [](const Part& part) { return part.counts.starts_with("chip") ? std::string("chip") : part.counts; };
  if (std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return unlike(part) != unlike(parts.front()); })) {
    std::string which;
    for (const Part& part : parts) which += fmt::format("{}{}: {}", which.empty() ? "" : ", ", part.id, part.counts);
    answer.find(report::Severity::kWarning, "unit-counted", "The parts do not count the same unit: the ratios are between totals.", which,
                "Compare a chip with a chip.");
  }
  std::vector<std::string> ranged;
  for (const report::Figure& figure : answer.figures)
    if (std::holds_alternative<Interval>(figure.value)) ranged.push_back(figure.name);
  if (!ranged.empty())
    answer.find(report::Severity::kInfo, "range",
                fmt::format("A range stands where sources disagree or a memory is known by its label only: {}.", fmt::join(ranged, ", ")), "",
                "`ridge gpu show` says whose figure is which.");
  return answer;
}

}  // namespace

Command gpu_compare_command() {
  return make_command<GpuCompareRequest>(
      {"gpu compare",
       kGroupFigures,
       "Ratios between accelerators, each of figures on one basis",
       "Divides the figures of each part by those of the first: dense by dense in one precision, bandwidth by bandwidth, both per unit counted. --peak best "
       "compares each part's highest dense "
       "matrix rate, and says that the precisions differ where they do. --phase says which of the gains serving will see.",
       {{"gpu compare v100-sxm2-16gb gb300-gpu --peak best", "120 times the peak, in other precisions; 8.9 times the bandwidth"},
        {"gpu compare a100-sxm4-80gb h100-sxm5 --phase decode", "what decode gains from one generation"}}},
      describe_compare, run_compare);
}

}  // namespace ridge::commands
