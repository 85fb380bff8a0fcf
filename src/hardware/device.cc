#include "hardware/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/accelerators.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

std::optional<SourcedFigure> if_any(Result<Answer> answer) {
  if (!answer) return std::nullopt;
  return std::move(answer->figure);
}

// "PCIe Gen5 x16", "NVLink-C2C"; "" where no source names the link.
std::string host_link_name(const AcceleratorRow& record) {
  for (const FigureRow& row : record.figures)
    if (row.name == FigureName::kHostLink) return std::string(row.text.empty() ? row.kind : row.text);
  for (const FigureRow& row : record.figures)
    if (row.name == FigureName::kPcie && row.status == Status::kFinal && row.generation > 0)
      return row.lanes > 0 ? fmt::format("PCIe Gen{} x{}", row.generation, row.lanes) : fmt::format("PCIe Gen{}", row.generation);
  return "";
}

}  // namespace

Result<SourcedFigure> Device::peak_of(Precision precision) const {
  if (const auto found = peak.find(precision); found != peak.end()) return found->second;
  if (precision == Precision::kNvFp4 || precision == Precision::kMxFp4) {
    if (const auto four = peak.find(Precision::kFp4); four != peak.end()) {
      SourcedFigure figure = four->second;
      figure.basis += fmt::format(", the fp4 rate, at which {} multiplies", ridge::name_of(precision));
      return figure;
    }
  }
  std::vector<std::string> exist;
  for (const auto& [known, figure] : peak) exist.emplace_back(ridge::name_of(known));
  return fail(id, fmt::format("no dense {} rate is listed", ridge::name_of(precision)),
              exist.empty() ? "It lists no dense rate at all." : fmt::format("Dense rates are listed for: {}.", fmt::join(exist, ", ")));
}

Device device_of(const Catalog& catalog, const AcceleratorRow& record) {
  Device device;
  device.id = record.id;
  device.name = record.name;
  device.vendor = record.vendor;
  device.profile = record.profile;
  device.unit_counted = record.counts;
  device.architecture = record.architecture;
  device.compute_capability = record.compute_capability;
  device.software_devices = record.devices;
  const auto& mine = catalog.tables().user_ids;
  device.user_defined = std::find(mine.begin(), mine.end(), record.id) != mine.end();

  for (Precision precision : listed_precisions(record))
    if (auto rate = if_any(peak(catalog, record, {.precision = precision}))) device.peak.emplace(precision, *std::move(rate));
  device.vector_fp32 = if_any(peak(catalog, record, {.precision = Precision::kFp32, .vector = true}));
  device.memory_bandwidth = if_any(figure(catalog, record, FigureName::kMemoryBandwidth));
  device.memory_label = if_any(figure(catalog, record, FigureName::kMemoryCapacity));
  if (auto usable = usable_memory(catalog, record)) device.usable_memory = *std::move(usable);
  device.scale_up = if_any(link_per_direction(catalog, record, FigureName::kScaleUp));
  device.scale_up_none =
      std::any_of(record.figures.begin(), record.figures.end(), [](const FigureRow& row) { return row.name == FigureName::kScaleUp && row.text == "none"; });
  device.host_link_name = host_link_name(record);
  device.host_link = if_any(link_per_direction(catalog, record, FigureName::kHostLink));
  // A part with a link of its own to the host does not use PCIe for it, though its figure may be missing.
  if (!device.host_link && (device.host_link_name.empty() || device.host_link_name.starts_with("PCIe")))
    device.host_link = if_any(link_per_direction(catalog, record, FigureName::kPcie));
  device.power = if_any(figure(catalog, record, FigureName::kTdp));
  return device;
}

}  // namespace ridge::hardware
