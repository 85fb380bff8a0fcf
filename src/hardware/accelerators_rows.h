// The rows of data/accelerators.yaml and of a user's overlay: one record per part (or per counted unit), with every figure
// that any source gives, each with the basis on which it stands. Nothing is chosen here: accelerators.h answers questions.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"
#include "hardware/units.h"

namespace ridge::hardware {

using formats::Named;
using formats::word_of;

// What a record is. Only chips can be deployed on; the totals of the others count several of them.
enum class PartKind : std::uint8_t { kChip, kSuperchip, kSystem, kRack };
inline constexpr Named<PartKind> kPartKinds[] = {
    {"chip", PartKind::kChip}, {"superchip", PartKind::kSuperchip}, {"system", PartKind::kSystem}, {"rack", PartKind::kRack}};
constexpr std::span<const Named<PartKind>> names_of(PartKind) { return kPartKinds; }

// How far a figure may be relied on. Only final ones answer a question; a preliminary one where there is no final one and
// the answer says so; the others are shown, never used.
enum class Status : std::uint8_t { kFinal, kPreliminary, kPressEstimate, kMeasured, kDisputed };
inline constexpr Named<Status> kStatuses[] = {{"final", Status::kFinal},
                                              {"preliminary", Status::kPreliminary},
                                              {"press estimate", Status::kPressEstimate},
                                              {"measured", Status::kMeasured},
                                              {"disputed", Status::kDisputed}};
constexpr std::span<const Named<Status>> names_of(Status) { return kStatuses; }

enum class FigureName : std::uint8_t {
  kMemoryCapacity,  // as marketed
  kMemoryUsable,    // as a tool reports it
  kMemoryBandwidth,
  kScaleUp,      // NVLink, ICI, NeuronLink: of the whole part
  kScaleUpLink,  // one of several such links
  kDieLink,      // between the dies of one package
  kPcie,
  kHostLink,  // other than PCIe: NVLink-C2C
  kTdp,
  kPower,  // of a system or rack
  kSmCount,
  kCuCount,
  kBoostClock,
  kMaxClockSeen,
  kMatrixClock,  // of the unit that multiplies matrices where it has its own
  kDieArea,
  kProcess,
  kTransistors,
  kL2Cache,
  kInfinityCache,
  kSmemPerSm,
  kLdsPerCu,
  kSram,
  kComposition,
  kPod
};
inline constexpr Named<FigureName> kFigureNames[] = {{"memory_capacity", FigureName::kMemoryCapacity},
                                                     {"memory_usable", FigureName::kMemoryUsable},
                                                     {"memory_bandwidth", FigureName::kMemoryBandwidth},
                                                     {"scale_up", FigureName::kScaleUp},
                                                     {"scale_up_link", FigureName::kScaleUpLink},
                                                     {"die_link", FigureName::kDieLink},
                                                     {"pcie", FigureName::kPcie},
                                                     {"host_link", FigureName::kHostLink},
                                                     {"tdp", FigureName::kTdp},
                                                     {"power", FigureName::kPower},
                                                     {"sm_count", FigureName::kSmCount},
                                                     {"cu_count", FigureName::kCuCount},
                                                     {"boost_clock", FigureName::kBoostClock},
                                                     {"max_clock_seen", FigureName::kMaxClockSeen},
                                                     {"matrix_clock", FigureName::kMatrixClock},
                                                     {"die_area", FigureName::kDieArea},
                                                     {"process", FigureName::kProcess},
                                                     {"transistors", FigureName::kTransistors},
                                                     {"l2_cache", FigureName::kL2Cache},
                                                     {"infinity_cache", FigureName::kInfinityCache},
                                                     {"smem_per_sm", FigureName::kSmemPerSm},
                                                     {"lds_per_cu", FigureName::kLdsPerCu},
                                                     {"sram", FigureName::kSram},
                                                     {"composition", FigureName::kComposition},
                                                     {"pod", FigureName::kPod}};
constexpr std::span<const Named<FigureName>> names_of(FigureName) { return kFigureNames; }
Dimension dimension_of(FigureName name);

// Of a link. "total" counts both directions; where a source says neither, nothing is assumed here.
enum class Direction : std::uint8_t { kUnstated, kEach, kTotal };
inline constexpr Named<Direction> kDirections[] = {{"unstated", Direction::kUnstated}, {"each", Direction::kEach}, {"total", Direction::kTotal}};
constexpr std::span<const Named<Direction>> names_of(Direction) { return kDirections; }

// Who reports the usable memory. The EC2 API gives either 2^30 times the label, or 10^9 times the label, or what the driver says.
enum class Reading : std::uint8_t { kNone, kDriver, kEc2Binary, kEc2Decimal };
inline constexpr Named<Reading> kReadings[] = {
    {"none", Reading::kNone}, {"driver", Reading::kDriver}, {"ec2-binary", Reading::kEc2Binary}, {"ec2-decimal", Reading::kEc2Decimal}};
constexpr std::span<const Named<Reading>> names_of(Reading) { return kReadings; }

struct FigureRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::FigureRow";
  FigureName name = FigureName::kMemoryCapacity;
  std::optional<double> value;  // in `unit`, as the source prints it
  std::string_view text;        // where the source gives no number: "TSMC 4N", "none"
  Unit unit = Unit::kNone;
  std::string_view basis;  // what the figure counts, in a few words
  Direction direction = Direction::kUnstated;
  std::string_view applies;  // a configuration other than the part as it is sold: shown, never an answer
  Status status = Status::kFinal;
  bool rounded = false;      // a coarser print of another figure
  bool up_to = false;        // an upper bound: answers only where nothing else does
  std::string_view cites;    // the vendor's document from which a third party took it
  std::string_view derived;  // the arithmetic behind it
  Reading reading = Reading::kNone;
  std::string_view kind;  // "HBM3", "NVLink 4"
  int generation = 0;     // PCIe
  int lanes = 0;
  std::string_view note;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, FigureRow& row) {
  v.required("name", row.name);
  v.optional("value", row.value);
  v.optional("text", row.text);
  v.optional("unit", row.unit);
  v.optional("basis", row.basis);
  v.optional("direction", row.direction);
  v.optional("applies", row.applies);
  v.optional("status", row.status);
  v.optional("rounded", row.rounded);
  v.optional("up_to", row.up_to);
  v.optional("cites", row.cites);
  v.optional("derived", row.derived);
  v.optional("reading", row.reading);
  v.optional("kind", row.kind);
  v.optional("generation", row.generation);
  v.optional("lanes", row.lanes);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const FigureRow& row, const formats::NodeRef& at);

// Which unit multiplies. The makers' words stay; all but the vector units are matrix units.
enum class Path : std::uint8_t { kTensor, kMatrix, kMme, kMxu, kVector };
inline constexpr Named<Path> kPaths[] = {
    {"tensor", Path::kTensor}, {"matrix", Path::kMatrix}, {"MME", Path::kMme}, {"MXU", Path::kMxu}, {"vector", Path::kVector}};
constexpr std::span<const Named<Path>> names_of(Path) { return kPaths; }

// kStructured is a pattern other than two of four (or one the source does not name); kInference is a maker's inference figure that
// counts zeros in activations, with no fixed relation to the dense rate; kUnknown is a rate without a footnote.
enum class Sparsity : std::uint8_t { kDense, kTwoOfFour, kStructured, kInference, kUnknown };
inline constexpr Named<Sparsity> kSparsities[] = {{"dense", Sparsity::kDense},
                                                  {"2:4", Sparsity::kTwoOfFour},
                                                  {"structured", Sparsity::kStructured},
                                                  {"inference", Sparsity::kInference},
                                                  {"unknown", Sparsity::kUnknown}};
constexpr std::span<const Named<Sparsity>> names_of(Sparsity) { return kSparsities; }

enum class Accumulate : std::uint8_t { kUnstated, kFp16, kFp32, kEither };
inline constexpr Named<Accumulate> kAccumulates[] = {
    {"unstated", Accumulate::kUnstated}, {"fp16", Accumulate::kFp16}, {"fp32", Accumulate::kFp32}, {"fp16 or fp32", Accumulate::kEither}};
constexpr std::span<const Named<Accumulate>> names_of(Accumulate) { return kAccumulates; }

struct RateRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::RateRow";
  Precision precision = Precision::kFp32;
  Path path = Path::kTensor;
  Sparsity sparsity = Sparsity::kDense;
  Accumulate accumulate = Accumulate::kUnstated;
  double value = 0;
  Unit unit = Unit::kTflops;
  Status status = Status::kFinal;
  bool rounded = false;
  std::string_view per;      // a smaller unit than the record counts: "GCD", "NeuronCore"
  std::string_view pattern;  // of structured sparsity: "16:4"
  std::string_view cites;
  std::string_view derived;
  std::string_view note;
  std::span<const std::string_view> source;
};
template <class V>
void describe(V& v, RateRow& row) {
  v.required("precision", row.precision);
  v.required("path", row.path);
  v.required("sparsity", row.sparsity);
  v.optional("accumulate", row.accumulate);
  v.required("value", row.value);
  v.required("unit", row.unit);
  v.optional("status", row.status);
  v.optional("rounded", row.rounded);
  v.optional("per", row.per);
  v.optional("pattern", row.pattern);
  v.optional("cites", row.cites);
  v.optional("derived", row.derived);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const RateRow& row, const formats::NodeRef& at);

struct AcceleratorRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::AcceleratorRow";
  std::string_view id;
  std::string_view name;
  std::string_view vendor;
  PartKind kind = PartKind::kChip;
  std::string_view counts;   // what a figure of the record counts: "GPU", "8 GPUs", "OAM = 2 GCDs"
  int accelerators = 1;      // how many chips that is
  int devices = 1;           // that software sees in one chip, each with its share of the memory
  std::string_view chip;     // of what is no chip: the record or part of the chips in it
  std::string_view part;     // records of one part whose sources disagree as a whole share it: one profile each
  std::string_view profile;  // the source of the profile, in words
  std::string_view architecture;
  std::string_view die;  // "GH100"
  std::string_view compute_capability;
  std::string_view form_factor;
  std::span<const std::string_view> aliases;
  std::string_view note;
  std::span<const FigureRow> figures;
  std::span<const RateRow> rates;
};
template <class V>
void describe(V& v, AcceleratorRow& row) {
  v.key("id", row.id, "accelerators");
  v.required("name", row.name);
  v.required("vendor", row.vendor);
  v.optional("kind", row.kind);
  v.required("counts", row.counts);
  v.optional("accelerators", row.accelerators);
  v.optional("devices", row.devices);
  v.optional("chip", row.chip);
  v.optional("part", row.part);
  v.optional("profile", row.profile);
  v.optional("architecture", row.architecture);
  v.optional("die", row.die);
  v.optional("compute_capability", row.compute_capability);
  v.optional("form_factor", row.form_factor);
  v.optional("aliases", row.aliases);
  v.optional("note", row.note);
  v.optional("figures", row.figures);
  v.optional("rates", row.rates);
}
Result<void> check(const AcceleratorRow& row, const formats::NodeRef& at);

}  // namespace ridge::hardware
