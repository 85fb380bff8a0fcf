#include "hardware/catalog.h"

#include <algorithm>

#include "hardware/data.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

Data builtin_data() {
  Data all;
  all.sources = data::sources;
  all.accelerators = data::accelerators;
  all.sm_limits = data::sm_limits;
  all.sm_rules = data::sm_rules;
  all.device_names = data::device_names;
  all.dies = data::dies;
  all.exposure_fields = data::exposure_fields;
  all.wafers = data::wafers;
  all.defect_densities = data::defect_densities;
  all.process_claims = data::process_claims;
  all.process_remarks = data::process_remarks;
  all.instances = data::instances;
  all.mig_gpus = data::mig_gpus;
  all.toolkits = data::toolkits;
  all.cuda_families = data::cuda_families;
  all.forward_compatibility = data::forward_compatibility;
  all.driver_branches = data::driver_branches;
  all.compute_capabilities = data::compute_capabilities;
  all.binaries = data::binaries;
  all.engines = data::engines;
  all.engine_releases = data::engine_releases;
  all.precision_rules = data::precision_rules;
  return all;
}

// What names a row of each table: an overlay's row of the same name replaces the old one.
std::string_view name_in_table(const formats::SourceRow& row) { return row.id; }
std::string_view name_in_table(const AcceleratorRow& row) { return row.id; }
std::string_view name_in_table(const SmLimitRow& row) { return row.cc; }
std::string_view name_in_table(const SmRuleRow& row) { return row.name; }
std::string_view name_in_table(const DeviceNameRow& row) { return row.name; }
std::string_view name_in_table(const DieRow& row) { return row.id; }
std::string_view name_in_table(const ExposureFieldRow& row) { return row.id; }
std::string_view name_in_table(const WaferRow& row) { return row.id; }
std::string_view name_in_table(const DefectDensityRow& row) { return row.id; }
std::string_view name_in_table(const ProcessClaimRow& row) { return row.id; }
std::string_view name_in_table(const ProcessRemarkRow& row) { return row.id; }
std::string_view name_in_table(const InstanceRow& row) { return row.name; }
std::string_view name_in_table(const MigGpuRow& row) { return row.id; }
std::string_view name_in_table(const ToolkitRow& row) { return row.version; }
std::string_view name_in_table(const CudaFamilyRow& row) { return row.major; }
std::string_view name_in_table(const ForwardCompatibilityRow& row) { return row.id; }
std::string_view name_in_table(const DriverBranchRow& row) { return row.branch; }
std::string_view name_in_table(const ComputeCapabilityRow& row) { return row.cc; }
std::string_view name_in_table(const BinaryRow& row) { return row.id; }
std::string_view name_in_table(const EngineRow& row) { return row.engine; }
std::string_view name_in_table(const EngineReleaseRow& row) { return row.id; }
std::string_view name_in_table(const PrecisionRuleRow& row) { return row.id; }

// The visitor that lays one document's tables over another's. Order: the old rows, each replaced where it stood, then the new.
class Overlay {
 public:
  Overlay(const Data& over, formats::Arena& arena) : over_(&over), arena_(&arena) {}

  template <class Row>
  void optional(std::string_view name, std::span<const Row>& rows) {
    std::span<const Row> over;
    Pick<Row> pick{name, &over};
    Data copy = *over_;
    describe(pick, copy);
    if (over.empty()) return;
    std::vector<Row> merged;
    for (const Row& old : rows)
      if (std::none_of(over.begin(), over.end(), [&old](const Row& fresh) { return name_in_table(fresh) == name_in_table(old); })) merged.push_back(old);
    merged.insert(merged.end(), over.begin(), over.end());
    rows = arena_->list(std::move(merged));
  }

 private:
  template <class Row>
  struct Pick {
    std::string_view name;
    std::span<const Row>* out;
    void optional(std::string_view key, std::span<const Row>& rows) {
      if (key == name) *out = rows;
    }
    template <class Other>
    void optional(std::string_view, Other&) {}
  };
  const Data* over_;
  formats::Arena* arena_;
};

// Tells the context what exists already, so that an overlay may name it.
struct Known {
  formats::RowContext* context;
  template <class Row>
  void optional(std::string_view table, std::span<const Row>& rows) {
    for (const Row& row : rows) context->know(table, name_in_table(row));
  }
};

}  // namespace

Catalog::Catalog() : tables_(std::make_unique<Tables>()) { tables_->data = builtin_data(); }
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

const Catalog& Catalog::builtin() {
  static const Catalog catalog;
  return catalog;
}

Result<Catalog> Catalog::with_overlay(std::string_view yaml, const std::string& file) {
  RIDGE_TRY(formats::Node node, formats::read_yaml(yaml, file));
  Catalog catalog;
  Tables& tables = *catalog.tables_;
  formats::RowContext context(tables.arena);
  Known known{&context};
  describe(known, tables.data);
  context.know("sources", "user");
  RIDGE_TRY(Data over, formats::read_row<Data>(formats::NodeRef(node, file), context));
  RIDGE_TRY_VOID(context.resolve());
  for (const AcceleratorRow& row : over.accelerators) tables.user_ids.push_back(row.id);
  Overlay overlay(over, tables.arena);
  describe(overlay, tables.data);
  return catalog;
}

const formats::SourceRow* find_source(const Catalog& catalog, std::string_view id) {
  for (const formats::SourceRow& row : catalog.tables().data.sources)
    if (row.id == id) return &row;
  return nullptr;
}

}  // namespace ridge::hardware
