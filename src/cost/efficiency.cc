#include "cost/efficiency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cost/data.h"
#include "formats/tree.h"

namespace ridge::cost {
namespace {

constexpr std::size_t kLongestChain = 16;

// The formats whose rows answer, in this order, for one that has none of its own in the whole chain of classes.
std::span<const Precision> relatives(Precision format) {
  using enum Precision;
  static constexpr Precision kSixteen[] = {kBf16}, kEight[] = {kFp8}, kFour[] = {kNvFp4, kMxFp4, kInt4, kFp8}, kNv[] = {kMxFp4, kInt4, kFp8},
                             kMx[] = {kNvFp4, kInt4, kFp8}, kInteger[] = {kMxFp4, kNvFp4, kFp8};
  switch (format) {
    case kFp64:
    case kFp32:
    case kTf32:
    case kFp16:
      return kSixteen;
    case kFp6:
    case kMxFp8:
    case kMxFp6:
    case kInt8:
      return kEight;
    case kFp4:
      return kFour;
    case kNvFp4:
      return kNv;
    case kMxFp4:
      return kMx;
    case kInt4:
      return kInteger;
    case kFp8:
    case kBf16:
      return {};
  }
  return {};
}

KernelEfficiency ready(const KernelRow& row) {
  KernelEfficiency out;
  out.launch = {row.launch_us * 1e-6};
  out.memory = row.memory;
  out.peak = row.peak;
  out.points = static_cast<int>(row.compute.size());
  for (std::size_t i = 0; i < row.compute.size(); ++i) {
    out.compute[i] = row.compute[i];
    if (!row.rows.empty()) out.log_rows[i] = std::log(row.rows[i]);
  }
  out.source = row.source;
  return out;
}

template <class Row, class Same>
void replace_or_add(std::vector<Row>& rows, const Row& row, Same same) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& old) { return same(old, row); });
  if (found == rows.end())
    rows.push_back(row);
  else
    *found = row;
}

}  // namespace

double KernelEfficiency::compute_at(double rows) const {
  if (points == 1) return compute[0];
  const double x = std::log(std::max(rows, 1e-9));
  if (x <= log_rows[0]) return compute[0] * std::exp(x - log_rows[0]);
  for (int i = 1; i < points; ++i) {
    if (x > log_rows[i]) continue;
    const double t = (x - log_rows[i - 1]) / (log_rows[i] - log_rows[i - 1]);
    return compute[i - 1] + t * (compute[i] - compute[i - 1]);
  }
  return compute[points - 1];
}

const KernelEfficiency& DeviceEfficiency::kernel(Kernel kernel, Precision format, Precision compute) const& {
  const auto& row = index_[static_cast<std::size_t>(kernel)];
  for (const Precision p : {format, compute, Precision::kBf16})
    if (const std::int16_t at = row[static_cast<std::size_t>(p)]; at >= 0) return rows_[static_cast<std::size_t>(at)];
  RIDGE_CHECK(!"the default class answers every kernel in bf16");
  return rows_[0];
}

CollectiveEfficiency DeviceEfficiency::collective(Collective collective, int ranks) const {
  const auto& rows = collectives_[static_cast<std::size_t>(collective)];
  RIDGE_CHECK(!rows.empty());
  for (const CollectiveEfficiency& row : rows)
    if (row.ranks >= ranks) return row;
  CollectiveEfficiency last = rows.back();
  last.launch = last.launch * (std::log2(ranks) / std::log2(last.ranks));
  return last;
}

EfficiencyTables::EfficiencyTables()
    : sources_(data::sources.begin(), data::sources.end()),
      classes_(data::classes.begin(), data::classes.end()),
      kernels_(data::kernels.begin(), data::kernels.end()),
      collectives_(data::collectives.begin(), data::collectives.end()) {}

const EfficiencyTables& EfficiencyTables::builtin() {
  static const EfficiencyTables tables;
  return tables;
}

Result<EfficiencyTables> EfficiencyTables::with_calibration(std::string_view yaml, const std::string& file) {
  EfficiencyTables tables;
  RIDGE_TRY_VOID(tables.overlay(yaml, file));
  return tables;
}

Result<void> EfficiencyTables::overlay(std::string_view yaml, const std::string& file) {
  RIDGE_TRY(const formats::Node node, formats::read_yaml(yaml, file));
  formats::RowContext context(arena_);
  for (const ClassRow& row : classes_) context.know("classes", row.id);
  for (const formats::SourceRow& row : sources_) context.know("sources", row.id);
  context.know("sources", "user");
  RIDGE_TRY(const Calibration mine, formats::read_row<Calibration>(formats::NodeRef(node, file), context));
  RIDGE_TRY_VOID(context.resolve());

  for (const auto& row : mine.sources) replace_or_add(sources_, row, [](const auto& a, const auto& b) { return a.id == b.id; });
  for (const auto& row : mine.classes) replace_or_add(classes_, row, [](const auto& a, const auto& b) { return a.id == b.id; });
  for (const auto& row : mine.kernels)
    replace_or_add(kernels_, row, [](const auto& a, const auto& b) { return a.of == b.of && a.kernel == b.kernel && a.format == b.format; });
  for (const auto& row : mine.collectives)
    replace_or_add(collectives_, row,
                   [](const auto& a, const auto& b) { return a.of == b.of && a.collective == b.collective && a.path == b.path && a.ranks == b.ranks; });
  for (const ClassRow& row : classes_) {
    const ClassRow* at = &row;
    for (std::size_t steps = 0; !at->like.empty(); ++steps, at = find_class(at->like))
      if (steps == kLongestChain)
        return fail(
            file, fmt::format("class \"{}\" never comes to \"default\": each is like the next in a ring, or the chain is over {} long", row.id, kLongestChain));
  }
  calibrated_ = true;
  return {};
}

const ClassRow* EfficiencyTables::find_class(std::string_view id) const {
  const auto found = std::find_if(classes_.begin(), classes_.end(), [id](const ClassRow& row) { return row.id == id; });
  return found == classes_.end() ? nullptr : &*found;
}

const formats::SourceRow* EfficiencyTables::source(std::string_view id) const {
  const auto found = std::find_if(sources_.begin(), sources_.end(), [id](const formats::SourceRow& row) { return row.id == id; });
  return found == sources_.end() ? nullptr : &*found;
}

const ClassRow& EfficiencyTables::class_of(const hardware::Device& device) const {
  const auto holds = [](std::span<const std::string_view> names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  for (const ClassRow& row : classes_)
    if (holds(row.devices, device.id)) return row;
  for (const ClassRow& row : classes_)
    if (!device.compute_capability.empty() && holds(row.capabilities, device.compute_capability)) return row;
  const ClassRow* best = nullptr;
  std::size_t longest = 0;
  for (const ClassRow& row : classes_)
    for (const std::string_view prefix : row.architectures)
      if (prefix.size() > longest && device.architecture.starts_with(prefix)) {
        best = &row;
        longest = prefix.size();
      }
  if (best != nullptr) return *best;
  for (const ClassRow& row : classes_)
    if (holds(row.vendors, device.vendor)) return row;
  best = find_class("default");
  RIDGE_CHECK(best != nullptr);
  return *best;
}

DeviceEfficiency EfficiencyTables::of(const hardware::Device& device, std::string_view class_id) const {
  const ClassRow* named = class_id.empty() ? nullptr : find_class(class_id);
  RIDGE_CHECK(class_id.empty() || named != nullptr);
  const ClassRow& own = named != nullptr ? *named : class_of(device);
  DeviceEfficiency out;
  out.class_id = own.id;
  out.class_title = own.title;
  out.evidence = own.evidence;
  out.path = device.scale_up ? Path::kScaleUp : Path::kHost;
  for (auto& row : out.index_) row.fill(-1);

  bool host_known = false;
  for (const ClassRow* at = &own; at != nullptr; at = at->like.empty() ? nullptr : find_class(at->like)) {
    if (!host_known && at->step_us) {
      out.per_step = {*at->step_us * 1e-6};
      out.per_request = {at->request_us.value_or(0) * 1e-6};
      out.host_source = at->source;
      host_known = true;
    }
    for (const KernelRow& row : kernels_) {
      if (row.of != at->id) continue;
      std::int16_t& slot = out.index_[static_cast<std::size_t>(row.kernel)][static_cast<std::size_t>(row.format)];
      if (slot >= 0) continue;
      slot = static_cast<std::int16_t>(out.rows_.size());
      out.rows_.push_back(ready(row));
    }
    for (std::size_t c = 0; c < out.collectives_.size(); ++c) {
      if (!out.collectives_[c].empty()) continue;  // a nearer class has measured this collective over this link
      for (const CollectiveRow& row : collectives_) {
        if (row.of != at->id || static_cast<std::size_t>(row.collective) != c) continue;
        if (row.path != Path::kAny && row.path != out.path) continue;
        out.collectives_[c].push_back({row.ranks, {row.launch_us * 1e-6}, row.share.value_or(0), {row.rate_gbs.value_or(0) * 1e9}, row.source});
      }
      std::sort(out.collectives_[c].begin(), out.collectives_[c].end(), [](const auto& a, const auto& b) { return a.ranks < b.ranks; });
    }
  }
  for (auto& row : out.index_) {
    const auto own_rows = row;
    for (const Precision p : all_precisions())
      for (const Precision relative : relatives(p))
        if (std::int16_t& slot = row[static_cast<std::size_t>(p)]; slot < 0) slot = own_rows[static_cast<std::size_t>(relative)];
  }
  return out;
}

}  // namespace ridge::cost
