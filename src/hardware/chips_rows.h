// The rows of data/chips.yaml: dies, exposure fields, wafers, defect densities, and what a node is claimed to gain over which
// baseline. Lengths and areas are texts with their unit, as their source prints them; check() sees that they can be read.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::hardware {

using formats::Named;

// A die, or a package of several whose areas no source gives.
struct DieRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::DieRow";
  std::string_view id;
  std::string_view name;
  bool package = false;     // several dies in one package
  std::optional<int> dies;  // how many, where a source says so
  std::string_view area;    // "814 mm2"; "" where no source gives it
  std::string_view width;   // "26 mm"; sides are rarely published
  std::string_view height;
  std::optional<double> transistors;
  std::string_view process;                        // as the source prints it
  std::string_view node;                           // the name under which process_claims know it
  std::span<const std::string_view> accelerators;  // that carry it and do not name it by their own `die`
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, DieRow& row) {
  v.key("id", row.id, "dies");
  v.required("name", row.name);
  v.optional("package", row.package);
  v.optional("dies", row.dies);
  v.optional("area", row.area);
  v.optional("width", row.width);
  v.optional("height", row.height);
  v.optional("transistors", row.transistors);
  v.optional("process", row.process);
  v.optional("node", row.node);
  v.reference("accelerators", row.accelerators, "accelerators", false);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources", false);
}
Result<void> check(const DieRow& row, const formats::NodeRef& at);

// What one exposure of a scanner prints.
struct ExposureFieldRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ExposureFieldRow";
  std::string_view id;
  std::string_view name;
  std::string_view width;
  std::string_view height;
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, ExposureFieldRow& row) {
  v.key("id", row.id, "exposure_fields");
  v.required("name", row.name);
  v.required("width", row.width);
  v.required("height", row.height);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const ExposureFieldRow& row, const formats::NodeRef& at);

struct WaferRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::WaferRow";
  std::string_view id;
  std::string_view diameter;
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, WaferRow& row) {
  v.key("id", row.id, "wafers");
  v.required("diameter", row.diameter);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const WaferRow& row, const formats::NodeRef& at);

// A published defect density: of one node at one time.
struct DefectDensityRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::DefectDensityRow";
  std::string_view id;
  std::string_view node;                      // "" where it is said of any
  std::span<const std::string_view> density;  // "0.09/cm2": one, or the two ends of a range
  bool below = false;                         // the source says "less than"
  std::string_view when;
  std::string_view source;
};
template <class V>
void describe(V& v, DefectDensityRow& row) {
  v.key("id", row.id, "defect_densities");
  v.optional("node", row.node);
  v.required("density", row.density);
  v.optional("below", row.below);
  v.required("when", row.when);
  v.reference("source", row.source, "sources");
}
Result<void> check(const DefectDensityRow& row, const formats::NodeRef& at);

// Whether the gains of one claim hold together.
enum class ClaimRelation : std::uint8_t {
  kSingle,    // one gain only, or none in numbers
  kEitherOr,  // speed at the same power, or power at the same speed
  kUnstated,  // listed side by side without a word on it
  kJoint,     // claimed to hold at once
};
inline constexpr Named<ClaimRelation> kClaimRelations[] = {
    {"single", ClaimRelation::kSingle}, {"either_or", ClaimRelation::kEitherOr}, {"unstated", ClaimRelation::kUnstated}, {"joint", ClaimRelation::kJoint}};
constexpr std::span<const Named<ClaimRelation>> names_of(ClaimRelation) { return kClaimRelations; }

// "TSMC N2P", "n2p", "N2P" → "n2p": as figures are named. "" where no letter or digit is left.
std::string node_key(std::string_view node);

// Gains are fractions over the baseline: speed 0.18 is 18 % faster, power -0.36 is 36 % less. Each list has one number or the
// two ends of a range, low first.
struct ProcessClaimRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ProcessClaimRow";
  std::string_view id;
  std::string_view node;
  std::string_view foundry;
  std::string_view baseline;  // "" where nothing public names one
  std::span<const double> speed;
  std::span<const double> power;
  std::span<const double> power_efficiency;
  std::span<const double> density;  // factor over the baseline
  ClaimRelation relation = ClaimRelation::kSingle;
  std::string_view text;  // what the claim says where it gives no number
  std::string_view date;  // of the statement: year, month or day; "" where the source has none
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, ProcessClaimRow& row) {
  v.key("id", row.id, "process_claims");
  v.required("node", row.node);
  v.required("foundry", row.foundry);
  v.optional("baseline", row.baseline);
  v.optional("speed", row.speed);
  v.optional("power", row.power);
  v.optional("power_efficiency", row.power_efficiency);
  v.optional("density", row.density);
  v.required("relation", row.relation);
  v.optional("text", row.text);
  v.optional("date", row.date);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const ProcessClaimRow& row, const formats::NodeRef& at);

// What must be said with any claim.
struct ProcessRemarkRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ProcessRemarkRow";
  std::string_view id;
  std::string_view foundry;  // "" where it holds for all
  std::string_view text;
  std::string_view source;
};
template <class V>
void describe(V& v, ProcessRemarkRow& row) {
  v.key("id", row.id, "process_remarks");
  v.optional("foundry", row.foundry);
  v.required("text", row.text);
  v.reference("source", row.source, "sources");
}

}  // namespace ridge::hardware
