// ridge gpu list: the parts of the catalogue, narrowed by what one looks for.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "commands/fields.h"
#include "commands/registry.h"
#include "hardware/accelerators.h"

namespace ridge::commands {
namespace {

using hardware::AcceleratorRow;
using hardware::FigureName;
using hardware::PartKind;

struct GpuListRequest {
  std::string vendor, arch, form_factor;
  std::optional<Bytes> min_memory;
  std::optional<BytesPerSecond> min_bandwidth;
  std::optional<Watts> max_power;
  std::optional<Precision> precision;
  bool all = false;
};

void describe_list(Fields<GpuListRequest>& f) {
  f.option("vendor", &GpuListRequest::vendor, "NAME", "only of this maker: NVIDIA, AMD, Intel, Google, AWS");
  f.option("arch", &GpuListRequest::arch, "NAME", "only of this architecture or die: hopper, gh100, cdna3");
  f.option("form-factor", &GpuListRequest::form_factor, "TEXT", "only with this in the form factor: SXM, PCIe, OAM");
  f.option("min-memory", &GpuListRequest::min_memory, "SIZE", "at least this much usable memory, at the low end where it is not known");
  f.option("min-bandwidth", &GpuListRequest::min_bandwidth, "RATE", "at least this memory bandwidth, at the low end where sources disagree");
  f.option("max-power", &GpuListRequest::max_power, "WATTS", "at most this power");
  f.option("precision", &GpuListRequest::precision, "NAME", "only with a dense rate in this precision, and that rate in the table").type("precision");
  f.flag("all", &GpuListRequest::all, "racks, systems and superchips too, with their totals");
}

std::string lower(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return folded;
}
bool has(std::string_view text, std::string_view part) { return lower(text).find(lower(part)) != std::string::npos; }

// A vendor or an architecture that no record has is a typing error, not an empty list.
Result<void> check_known(std::string_view option, const std::string& wanted, std::span<const AcceleratorRow> records,
                         std::string AcceleratorRow_text(const AcceleratorRow&)) {
  if (wanted.empty()) return {};
  std::set<std::string> known;
  for (const AcceleratorRow& record : records) {
    const std::string text = AcceleratorRow_text(record);
    if (has(text, wanted)) return {};
    if (!text.empty()) known.insert(text);
  }
  return fail(std::string(option), fmt::format("no part of the catalogue has \"{}\"", wanted), fmt::format("Known: {}.", fmt::join(known, ", ")));
}
std::string vendor_text(const AcceleratorRow& record) { return std::string(record.vendor); }
std::string arch_text(const AcceleratorRow& record) {
  return record.die.empty() ? std::string(record.architecture) : fmt::format("{} {}", record.architecture, record.die);
}
std::string form_text(const AcceleratorRow& record) { return std::string(record.form_factor); }

struct Row {
  const AcceleratorRow* record = nullptr;
  std::optional<SourcedFigure> bandwidth, label, power, rate;
  std::optional<hardware::UsableMemory> usable;
  std::optional<Precision> rate_of;
};

Row facts(const hardware::Catalog& catalog, const AcceleratorRow& record, std::optional<Precision> precision) {
  Row row;
  row.record = &record;
  const auto value = [](auto answer) { return answer ? std::optional<SourcedFigure>(answer->figure) : std::nullopt; };
  row.bandwidth = value(figure(catalog, record, FigureName::kMemoryBandwidth));
  row.label = value(figure(catalog, record, FigureName::kMemoryCapacity));
  row.power = value(figure(catalog, record, record.kind == PartKind::kChip ? FigureName::kTdp : FigureName::kPower));
  if (auto usable = usable_memory(catalog, record)) row.usable = *usable;
  if (precision) {
    row.rate = value(peak(catalog, record, {.precision = *precision}));
    row.rate_of = precision;
  } else if (auto best = best_peak(catalog, record)) {
    row.rate = best->answer.figure;
    row.rate_of = best->precision;
  }
  return row;
}

bool wanted(const GpuListRequest& request, const Row& row) {
  const AcceleratorRow& record = *row.record;
  if (!request.all && record.kind != PartKind::kChip) return false;
  if (!has(record.vendor, request.vendor) || !has(arch_text(record), request.arch) || !has(record.form_factor, request.form_factor)) return false;
  if (request.min_memory && (!row.usable || row.usable->low < *request.min_memory)) return false;
  if (request.min_bandwidth && (!row.bandwidth || row.bandwidth->low() < request.min_bandwidth->value)) return false;
  if (request.max_power && (!row.power || row.power->high() > request.max_power->value)) return false;
  return !request.precision || row.rate.has_value();
}

report::Cell cell_of(const std::optional<SourcedFigure>& figure) { return figure ? report::cell(figure->value) : report::Cell{}; }

Result<report::Report> run_list(const GpuListRequest& request, const Environment& environment) {
  const auto records = hardware::accelerators(environment.catalog);
  RIDGE_TRY_VOID(check_known("--vendor", request.vendor, records, vendor_text));
  RIDGE_TRY_VOID(check_known("--arch", request.arch, records, arch_text));
  RIDGE_TRY_VOID(check_known("--form-factor", request.form_factor, records, form_text));

  report::Report answer;
  report::Table table{
      "accelerators",
      "Accelerators",
      {{"name", ""}, {"memory", "B"}, {"bandwidth", "B/s"}, {"dense", "FLOP/s"}, {"in", ""}, {"power", "W"}, {"architecture", ""}, {"vendor", ""}},
      {}};
  int shown = 0, candidates = 0;
  for (const AcceleratorRow& record : records) {
    candidates += request.all || record.kind == PartKind::kChip;
    const Row row = facts(environment.catalog, record, request.precision);
    if (!wanted(request, row)) continue;
    ++shown;
    table.rows.push_back(
        {std::string(record.id), row.usable ? report::cell(Interval{row.usable->low.as_double(), row.usable->high.as_double()}) : report::Cell{},
         cell_of(row.bandwidth), cell_of(row.rate), row.rate && row.rate_of ? report::Cell(std::string(ridge::name_of(*row.rate_of))) : report::Cell{},
         cell_of(row.power), arch_text(record), std::string(record.vendor)});
  }
  table.note = request.precision
                   ? "memory: usable; dense: the rate in that precision, per unit counted"
                   : "memory: usable; dense: the part's highest dense rate and its precision; a range: sources disagree, or the driver's total is not known";
  answer.verdict.text = fmt::format("{} of {} parts of the catalogue{}.", shown, candidates, shown == candidates ? "" : " are as asked");
  answer.add("parts", shown, "1");
  if (shown > 0) answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace

Command gpu_list_command() {
  return make_command<GpuListRequest>({"gpu list",
                                       kGroupFigures,
                                       "The accelerators of the catalogue",
                                       "Lists the parts by their names, with usable memory, memory bandwidth, the highest dense rate and power. Every name can "
                                       "be given wherever a GPU is asked for.",
                                       {{"gpu list --vendor nvidia --min-memory 80GB", "the NVIDIA parts that surely hold 80 GB"},
                                        {"gpu list --precision fp4", "who multiplies four-bit floats, and how fast"}}},
                                      describe_list, run_list);
}

}  // namespace ridge::commands
