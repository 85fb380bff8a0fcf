#include "hardware/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

bool holds(std::span<const std::string_view> list, std::string_view id) { return std::find(list.begin(), list.end(), id) != list.end(); }

SourcedFigure scaled(SourcedFigure figure, double share, const std::string& basis) {
  figure.value.low *= share;
  figure.value.high *= share;
  figure.basis += (figure.basis.empty() ? "" : ", ") + basis;
  figure.provenance = Provenance::kDerived;
  return figure;
}

UsableMemory memory_of(const MigSlice& slice, bool measured) {
  const MigProfileRow& profile = *slice.profile;
  if (measured && profile.memory_mib) {
    const Bytes size{*profile.memory_mib * kMiB};
    return {size, size, fmt::format("as the driver reports the {} slice", profile.name), {std::string(profile.source)}};
  }
  return {Bytes::from_double(profile.memory_gb * 1e9),
          Bytes{profile.memory_gb * kGiB},
          fmt::format("label of {} GB x 10^9 to x 2^30", profile.memory_gb),
          {std::string(slice.gpu->source)}};
}

}  // namespace

std::span<const MigGpuRow> mig_gpus(const Catalog& catalog) { return catalog.tables().data.mig_gpus; }

const MigGpuRow* mig_of(const Catalog& catalog, std::string_view accelerator) {
  for (const MigGpuRow& row : mig_gpus(catalog))
    if (holds(row.accelerators, accelerator)) return &row;
  return nullptr;
}

Result<MigSlice> mig_slice(const Catalog& catalog, const AcceleratorRow& part, std::string_view profile) {
  const std::string_view accelerator = part.id;
  const MigGpuRow* gpu = mig_of(catalog, accelerator);
  if (gpu == nullptr) return fail(std::string(accelerator), "no MIG profile of this part is known", "Name the whole part.");
  std::vector<std::string> names;
  MigSlice slice;
  slice.gpu = gpu;
  for (const MigProfileRow& row : gpu->profiles) {
    if (row.name == profile) slice.profile = &row;
    names.emplace_back(row.name);
  }
  if (slice.profile == nullptr)
    return fail(fmt::format("{}{}{}", accelerator, kMigMark, profile), fmt::format("\"{}\" is no MIG profile of this part", profile),
                fmt::format("Its profiles: {}.", fmt::join(names, ", ")));

  const MigProfileRow& row = *slice.profile;
  const auto whole = figure(catalog, part, FigureName::kSmCount);
  if (row.sm_count && whole && whole->figure.value.is_point() && whole->figure.low() >= *row.sm_count && holds(gpu->measured_on, accelerator)) {
    slice.compute_share = *row.sm_count / whole->figure.low();
    slice.compute_basis = fmt::format("MIG {}: {} of {:g} SMs", row.name, *row.sm_count, whole->figure.low());
  } else {
    slice.compute_share = static_cast<double>(row.compute) / gpu->compute_slices;
    slice.compute_basis = fmt::format("MIG {}: {} of {} compute slices, its SMs not published", row.name, row.compute, gpu->compute_slices);
  }
  slice.memory_slices_derived = !row.memory_slices;
  const double by_label = std::round(static_cast<double>(row.memory_gb) / gpu->memory_gb * gpu->memory_slices);
  slice.memory_slices = row.memory_slices.value_or(std::clamp(static_cast<int>(by_label), 1, gpu->memory_slices));
  slice.memory_share = static_cast<double>(slice.memory_slices) / gpu->memory_slices;
  // The form is stated for plain profiles only; "+me" and its kind have names of their own.
  if (row.name.find_first_of("+-") == std::string_view::npos) slice.resource = fmt::format("nvidia.com/mig-{}", row.name);
  return slice;
}

Device mig_device(const Device& whole, const MigSlice& slice) {
  const MigProfileRow& profile = *slice.profile;
  Device device = whole;
  device.id = fmt::format("{}{}{}", whole.id, kMigMark, profile.name);
  device.name = fmt::format("{} MIG {}", whole.name, profile.name);
  device.unit_counted = fmt::format("MIG slice of a {}", whole.unit_counted);
  for (auto& [precision, figure] : device.peak) figure = scaled(figure, slice.compute_share, slice.compute_basis);
  if (device.vector_fp32) device.vector_fp32 = scaled(*device.vector_fp32, slice.compute_share, slice.compute_basis);
  if (device.memory_bandwidth)
    device.memory_bandwidth = scaled(*device.memory_bandwidth, slice.memory_share,
                                     fmt::format("derived: {} of {} memory slices{}, not published", slice.memory_slices, slice.gpu->memory_slices,
                                                 slice.memory_slices_derived ? " by the label" : ""));
  device.memory_label = SourcedFigure{{profile.memory_gb * 1e9, profile.memory_gb * 1e9},
                                      "B",
                                      "number in the profile's name, GB read as 10^9",
                                      {std::string(slice.gpu->source)},
                                      Provenance::kPublished};
  device.usable_memory = memory_of(slice, holds(slice.gpu->measured_on, whole.id));
  device.scale_up.reset();
  device.scale_up_none = true;  // RAPIDS deployment documentation, "Multi-Instance GPU": no NVLink and no NVSwitch under MIG
  if (device.host_link) device.host_link->basis += (device.host_link->basis.empty() ? "" : ", ") + std::string("shared by all slices of the card");
  device.power.reset();
  return device;
}

}  // namespace ridge::hardware
