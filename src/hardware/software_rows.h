// The rows of data/software.yaml: toolkits and the drivers they come with, compute capabilities, what wheels contain, engine releases, and
// which number formats run how. Versions are texts; check() sees that they can be read.
#pragma once

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::hardware {

using formats::Named;

struct ToolkitRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ToolkitRow";
  std::string_view version;  // "12.8.1"
  std::string_view name;     // "12.8 Update 1"
  std::string_view driver;   // with it every feature works; "" where the row was not read
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, ToolkitRow& row) {
  v.key("version", row.version, "toolkits");
  v.required("name", row.name);
  v.optional("driver", row.driver);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources");
}
Result<void> check(const ToolkitRow& row, const formats::NodeRef& at);

// Minor-version compatibility of one major release.
struct CudaFamilyRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::CudaFamilyRow";
  std::string_view major;
  std::string_view floor;  // driver from which any toolkit of the family runs, with a limited feature set
  std::string_view note;
  std::span<const std::string_view> sources;
};
template <class V>
void describe(V& v, CudaFamilyRow& row) {
  v.key("major", row.major, "cuda_families");
  v.required("floor", row.floor);
  v.optional("note", row.note);
  v.reference("sources", row.sources, "sources");
}
Result<void> check(const CudaFamilyRow& row, const formats::NodeRef& at);

enum class Applies : std::uint8_t { kYes, kNo, kUnknown };
inline constexpr Named<Applies> kApplies[] = {{"yes", Applies::kYes}, {"no", Applies::kNo}, {"unknown", Applies::kUnknown}};
constexpr std::span<const Named<Applies>> names_of(Applies) { return kApplies; }

// Which parts the forward-compatibility package serves.
struct ForwardCompatibilityRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ForwardCompatibilityRow";
  std::string_view id;
  Applies applies = Applies::kUnknown;
  std::string_view why;
  std::span<const std::string_view> accelerators;
  std::string_view source;
};
template <class V>
void describe(V& v, ForwardCompatibilityRow& row) {
  v.key("id", row.id, "forward_compatibility");
  v.required("applies", row.applies);
  v.required("why", row.why);
  v.reference("accelerators", row.accelerators, "accelerators");
  v.reference("source", row.source, "sources");
}

struct DriverBranchRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::DriverBranchRow";
  std::string_view branch;       // "580"
  std::string_view kind;         // "long-term", "production", "new-feature"
  std::string_view end_of_life;  // month
  std::string_view cuda_major;   // the newest family that runs without forward compatibility
  std::string_view source;
};
template <class V>
void describe(V& v, DriverBranchRow& row) {
  v.key("branch", row.branch, "driver_branches");
  v.required("kind", row.kind);
  v.required("end_of_life", row.end_of_life);
  v.required("cuda_major", row.cuda_major);
  v.reference("source", row.source, "sources");
}
Result<void> check(const DriverBranchRow& row, const formats::NodeRef& at);

struct ComputeCapabilityRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::ComputeCapabilityRow";
  std::string_view cc;
  std::string_view architecture;   // "" where no source names it
  std::string_view first_toolkit;  // releases whose nvcc can target it
  std::string_view last_toolkit;   // "": still accepted
  std::string_view last_driver;    // the last branch that serves it; "" where none is known to be the last
  std::string_view last_driver_source;
  std::string_view note;
  std::span<const std::string_view> sources;
};
template <class V>
void describe(V& v, ComputeCapabilityRow& row) {
  v.key("cc", row.cc, "compute_capabilities");
  v.optional("architecture", row.architecture);
  v.required("first_toolkit", row.first_toolkit);
  v.optional("last_toolkit", row.last_toolkit);
  v.optional("last_driver", row.last_driver);
  v.reference("last_driver_source", row.last_driver_source, "sources", false);
  v.optional("note", row.note);
  v.reference("sources", row.sources, "sources");
}
Result<void> check(const ComputeCapabilityRow& row, const formats::NodeRef& at);

// The code inside one binary distribution. An entry is "8.6" (binary code), "8.6+PTX" (both), "8.6-PTX" (PTX alone) or "12.0a" (for that one
// architecture). Empty: known to exist, not what it holds.
struct BinaryRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::BinaryRow";
  std::string_view id;
  std::string_view engine;
  std::string_view release;  // "" where it holds for any
  std::string_view cuda;
  std::string_view status;  // as its maker calls it: "stable", "experimental", "legacy"
  std::span<const std::string_view> code;
  std::span<const std::string_view> sources;
};
template <class V>
void describe(V& v, BinaryRow& row) {
  v.key("id", row.id, "binaries");
  v.reference("engine", row.engine, "engines");
  v.optional("release", row.release);
  v.required("cuda", row.cuda);
  v.optional("status", row.status);
  v.optional("code", row.code);
  v.reference("sources", row.sources, "sources");
}
Result<void> check(const BinaryRow& row, const formats::NodeRef& at);

struct EngineRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::EngineRow";
  std::string_view engine;
  std::span<const std::string_view> names;         // other spellings
  std::string_view min_cc;                         // of every release; "" where it depends on the release or is not stated
  std::span<const std::string_view> accelerators;  // closed list of supported parts; empty: no such list
  std::string_view note;
  std::string_view source;
};
template <class V>
void describe(V& v, EngineRow& row) {
  v.key("engine", row.engine, "engines");
  v.optional("names", row.names);
  v.optional("min_cc", row.min_cc);
  v.reference("accelerators", row.accelerators, "accelerators", false);
  v.optional("note", row.note);
  v.reference("source", row.source, "sources", false);
}
Result<void> check(const EngineRow& row, const formats::NodeRef& at);

// One statement of what a release is built with.
struct EngineCudaRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::EngineCudaRow";
  std::string_view version;
  std::string_view what;  // "wheel", "image", "toolkit"
  bool standard = false;  // what one gets without asking; several may disagree
  std::string_view how;   // to get it where it is not
  std::string_view source;
};
template <class V>
void describe(V& v, EngineCudaRow& row) {
  v.required("version", row.version);
  v.required("what", row.what);
  v.optional("standard", row.standard);
  v.optional("how", row.how);
  v.reference("source", row.source, "sources");
}
Result<void> check(const EngineCudaRow& row, const formats::NodeRef& at);

struct EngineReleaseRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::EngineReleaseRow";
  std::string_view id;
  std::string_view engine;
  std::string_view version;  // "main" is after all others; "" where its page names none
  bool after = false;        // holds for every release after `version`
  std::string_view min_cc;   // "" where no source states one
  std::string_view torch;
  std::string_view rocm;
  std::span<const EngineCudaRow> cuda;
  std::string_view note;
  std::span<const std::string_view> sources;
};
template <class V>
void describe(V& v, EngineReleaseRow& row) {
  v.key("id", row.id, "engine_releases");
  v.reference("engine", row.engine, "engines");
  v.optional("version", row.version);
  v.optional("after", row.after);
  v.optional("min_cc", row.min_cc);
  v.optional("torch", row.torch);
  v.optional("rocm", row.rocm);
  v.optional("cuda", row.cuda);
  v.optional("note", row.note);
  v.reference("sources", row.sources, "sources");
}
Result<void> check(const EngineReleaseRow& row, const formats::NodeRef& at);

enum class RuleSupport : std::uint8_t {
  kNative,      // multiplied in that format
  kWeightOnly,  // stored in it, multiplied in fp16 or bf16
  kNone,        // refused
  kListed,      // named for the vendor without parts: the part's own figures decide
  kUnknown,     // the source leaves it open
};
inline constexpr Named<RuleSupport> kRuleSupports[] = {{"native", RuleSupport::kNative},
                                                       {"weight_only", RuleSupport::kWeightOnly},
                                                       {"none", RuleSupport::kNone},
                                                       {"listed", RuleSupport::kListed},
                                                       {"unknown", RuleSupport::kUnknown}};
constexpr std::span<const Named<RuleSupport>> names_of(RuleSupport) { return kRuleSupports; }

struct PrecisionRuleRow {
  static constexpr std::string_view kTypeName = "ridge::hardware::PrecisionRuleRow";
  std::string_view id;
  std::string_view engine;  // "hardware": what the part itself multiplies
  std::span<const Precision> formats;
  std::string_view method;  // the engine's name for it
  std::string_view vendor;
  std::string_view from;                           // from <= compute capability
  std::string_view below;                          // compute capability < below
  std::span<const std::string_view> accelerators;  // only these; empty: all
  RuleSupport support = RuleSupport::kUnknown;
  bool partial = false;   // some of it is missing: the note says what
  std::string_view cuda;  // smallest release for which its kernels are built
  std::string_view note;
  std::span<const std::string_view> sources;
};
template <class V>
void describe(V& v, PrecisionRuleRow& row) {
  v.key("id", row.id, "precision_rules");
  v.reference("engine", row.engine, "engines");
  v.required("formats", row.formats);
  v.optional("method", row.method);
  v.required("vendor", row.vendor);
  v.optional("from", row.from);
  v.optional("below", row.below);
  v.reference("accelerators", row.accelerators, "accelerators", false);
  v.required("support", row.support);
  v.optional("partial", row.partial);
  v.optional("cuda", row.cuda);
  v.optional("note", row.note);
  v.reference("sources", row.sources, "sources");
}
Result<void> check(const PrecisionRuleRow& row, const formats::NodeRef& at);

// One entry of BinaryRow::code.
struct CodeEntry {
  std::string_view cc;
  bool binary = true;
  bool ptx = false;
  bool exact = false;  // "a": runs on no other architecture
};
Result<CodeEntry> parse_code(std::string_view text);

}  // namespace ridge::hardware
