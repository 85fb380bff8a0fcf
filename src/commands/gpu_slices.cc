#include "commands/gpu_slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/mig.h"

namespace ridge::commands {
namespace {

using report::Cell;
using report::Report;

void add_share(Report& report, std::string name, double share, std::string label, const std::string& basis, const std::string& formula,
               std::string_view source) {
  report::Figure& figure = report.add(name, share, "1", std::move(label));
  figure.basis = basis;
  figure.sources = {std::string(source)};
  figure.provenance = Provenance::kDerived;
  report.derivation.push_back({std::move(name), formula, {}, {share, share}, "1", std::string(source)});
}

// A figure of the slice as a share of the whole part's.
void add_scaled(Report& report, std::string name, const SourcedFigure& slice, const SourcedFigure& whole, double share, std::string label,
                const std::string& share_name) {
  report.add(name, slice, std::move(label));
  report.derivation.push_back({std::move(name),
                               "the whole part's × " + share_name,
                               {{"whole", whole.low(), whole.unit, whole.sources.empty() ? "" : whole.sources.front()}, {share_name, share, "1", ""}},
                               slice.value,
                               slice.unit,
                               ""});
}

std::string_view source_of(const hardware::MigSlice& slice) { return slice.profile->source.empty() ? slice.gpu->source : slice.profile->source; }

}  // namespace

bool names_slice(std::string_view gpu) { return gpu.find('/') != std::string_view::npos && gpu.find('=') == std::string_view::npos; }

Result<Report> show_slice(const hardware::Catalog& catalog, const std::string& gpu) {
  RIDGE_TRY(const hardware::GpuReference reference, catalog.resolve(gpu));
  const hardware::Device& device = reference.profiles.front();
  const std::size_t mark = device.id.find(hardware::kMigMark);
  if (mark == std::string::npos) return fail(gpu, "this is no MIG slice", "Write PART/mig-PROFILE, as in h100-sxm5/mig-3g.40gb.");
  const hardware::AcceleratorRow* part = hardware::find_record(catalog, device.id.substr(0, mark));
  RIDGE_CHECK(part != nullptr);
  RIDGE_TRY(const hardware::MigSlice slice, hardware::mig_slice(catalog, *part, device.id.substr(mark + hardware::kMigMark.size())));
  RIDGE_TRY(const hardware::GpuReference whole, catalog.resolve(part->id));
  const hardware::Device& all = whole.profiles.front();

  Report report;
  report.add_category("accelerator", device.id);
  report.add_category("compute_capability", device.compute_capability, "compute capability");
  if (device.usable_memory) {
    const hardware::UsableMemory& memory = *device.usable_memory;
    const SourcedFigure usable{{memory.low.as_double(), memory.high.as_double()},
                               "B",
                               memory.basis,
                               memory.sources,
                               memory.low == memory.high ? Provenance::kMeasured : Provenance::kPublished};
    report.add("memory_usable", usable, "usable memory");
    report.derivation.push_back({"memory_usable", memory.basis, {}, usable.value, "B", memory.sources.empty() ? "" : memory.sources.front()});
  }
  add_share(report, "mig.compute_share", slice.compute_share, "share of the part's arithmetic", slice.compute_basis, slice.compute_basis, source_of(slice));
  add_share(report, "mig.memory_share", slice.memory_share, "share of the part's bandwidth",
            fmt::format("{} of {} memory slices{}", slice.memory_slices, slice.gpu->memory_slices, slice.memory_slices_derived ? ", by the label" : ""),
            "memory slices / memory slices of the part", source_of(slice));
  if (device.memory_bandwidth && all.memory_bandwidth)
    add_scaled(report, "memory_bandwidth", *device.memory_bandwidth, *all.memory_bandwidth, slice.memory_share, "memory bandwidth", "mig.memory_share");
  report::Table rates{"rates", "Rates by precision", {{"precision", ""}, {"dense", "FLOP/s"}, {"basis", ""}}, {}, ""};
  for (const auto& [precision, figure] : device.peak) {
    const std::string name(ridge::name_of(precision));
    add_scaled(report, "peak." + name + ".dense", figure, all.peak.at(precision), slice.compute_share, "", "mig.compute_share");
    rates.rows.push_back({name, report::cell(figure.value), figure.basis});
  }
  if (!rates.rows.empty()) report.tables.push_back(std::move(rates));
  report.add("mig.max_instances", slice.profile->most, "1", "of this profile on one GPU").sources = {std::string(slice.gpu->source)};
  report.derivation.push_back({"mig.max_instances",
                               "as listed",
                               {},
                               {static_cast<double>(slice.profile->most), static_cast<double>(slice.profile->most)},
                               "1",
                               std::string(slice.gpu->source)});
  if (!slice.resource.empty())
    report.add_category("mig.resource", slice.resource, "Kubernetes resource").basis = "mixed strategy; under the single strategy nvidia.com/gpu counts slices";
  if (!slice.gpu->driver.empty())
    report.add_category("driver.minimum", std::string(slice.gpu->driver), "driver, at least").sources = {std::string(slice.gpu->driver_source)};

  report.verdict.text =
      fmt::format("{}: {} of memory, {:.0f} % of the arithmetic and {:.0f} % of the bandwidth of the whole part.", device.name,
                  device.usable_memory ? format_bytes(device.usable_memory->low) : "an unknown size", slice.compute_share * 100, slice.memory_share * 100);
  report.find(report::Severity::kInfo, "bandwidth-derived", "No vendor publishes the bandwidth of a slice: it is the part's, by memory slices.",
              std::string(slice.gpu->source));
  report.find(report::Severity::kInfo, "no-link", "Slices have no NVLink: work over several of them goes through the host.", "rapids_mig",
              "Take a whole part for tensor parallelism.");
  if (!slice.gpu->note.empty())
    report.find(report::Severity::kInfo, "mig-note", fmt::format("{}: {}.", slice.gpu->name, slice.gpu->note), std::string(slice.gpu->source));
  return report;
}

void add_slices(Report& report, const hardware::Catalog& catalog, const hardware::AcceleratorRow& record, bool all) {
  const hardware::MigGpuRow* gpu = hardware::mig_of(catalog, record.id);
  if (gpu == nullptr || gpu->profiles.empty()) return;
  if (!all) {
    report.find(report::Severity::kInfo, "mig-profiles",
                fmt::format("It can be cut into MIG slices, from {} to {}; each is a part of its own.", gpu->profiles.front().name, gpu->profiles.back().name),
                std::string(gpu->source), fmt::format("See: gpu show {}{}{}; --all lists them.", record.id, hardware::kMigMark, gpu->profiles.front().name));
    return;
  }
  report::Table table{
      "mig",
      "MIG profiles",
      {{"profile", ""}, {"most", "1"}, {"memory", "B"}, {"SMs", "1"}, {"arithmetic", "1"}, {"bandwidth", "1"}, {"Kubernetes resource", ""}, {"source", ""}},
      {},
      "Arithmetic and bandwidth: shares of the whole part. Memory: as reported, else the label's interval."};
  const auto device = catalog.resolve(record.id);
  for (const hardware::MigProfileRow& profile : gpu->profiles) {
    const auto slice = hardware::mig_slice(catalog, record, profile.name);
    if (!slice || !device) continue;
    const hardware::Device cut = hardware::mig_device(device->profiles.front(), *slice);
    const bool measured = std::find(gpu->measured_on.begin(), gpu->measured_on.end(), record.id) != gpu->measured_on.end();
    table.rows.push_back({std::string(profile.name), static_cast<double>(profile.most),
                          report::cell(Interval{cut.usable_memory->low.as_double(), cut.usable_memory->high.as_double()}),
                          profile.sm_count && measured ? Cell{static_cast<double>(*profile.sm_count)} : Cell{}, slice->compute_share, slice->memory_share,
                          slice->resource.empty() ? Cell{} : Cell{slice->resource}, std::string(source_of(*slice))});
  }
  report.tables.push_back(std::move(table));
}

}  // namespace ridge::commands
