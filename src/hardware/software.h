// The software under a deployment: which toolkit and driver a part and an engine need, what a wheel contains, and how a number format runs.
// Invariant: an answer that no source supports is "unknown", with the reason; it is never taken from a near part or release.
//
// Rules of the CUDA platform that are used here (CUDA Programming Guide, "The CUDA platform"; CUDA Compatibility guide):
//   - a driver runs every toolkit up to its own with all features, and newer ones of the same major release with a limited set;
//   - binary code for X.Y runs on X.Z with Z >= Y; PTX for X.Y is compiled by the driver for any later part.
#pragma once

#include "hardware/catalog.h"
#include "hardware/software_rows.h"
#include "hardware/version.h"

namespace ridge::hardware {

struct SoftwareTables {
  std::span<const ToolkitRow> toolkits;
  std::span<const CudaFamilyRow> families;
  std::span<const ForwardCompatibilityRow> forward;
  std::span<const DriverBranchRow> branches;
  std::span<const ComputeCapabilityRow> capabilities;
  std::span<const BinaryRow> binaries;
  std::span<const EngineRow> engines;
  std::span<const EngineReleaseRow> releases;
  std::span<const PrecisionRuleRow> precision_rules;
};
SoftwareTables software(const Catalog& catalog);

enum class Known { kYes, kNo, kUnknown };

// An answer with its reason, and what would change a no.
struct Verdict3 {
  Known answer = Known::kUnknown;
  std::string why;
  std::string change;  // "" where nothing would, or nothing need
  std::vector<std::string> sources;
};

// --- toolkits and drivers -------------------------------------------------------------------------------------------------------------------

// The release meant by "12.4" (its first), "12.4.1", "13" (its first minor). An update that is not listed stands for the newest listed of its
// minor release: the more demanding. Null: not listed.
const ToolkitRow* find_toolkit(const SoftwareTables& tables, const Version& version);

// The driver from which a part's architecture can be known to a driver at all: that of the first toolkit that targets it. Derived, and a lower
// bound; absent where that toolkit is not listed.
std::optional<Version> architecture_driver(const SoftwareTables& tables, std::string_view cc);

// Whether a driver serves an architecture at all: no older than architecture_driver(), no later than the last branch that serves it, and as new as
// the driver of some toolkit that targets it.
Verdict3 driver_serves(const SoftwareTables& tables, const Version& driver, std::string_view cc);

struct DriverNeed {
  std::optional<Version> floor;  // runs, with a limited feature set
  std::optional<Version> full;   // every feature
  std::vector<std::string> sources;
  std::string note;
};
// Of one CUDA version on one part: no lower than the part's architecture allows.
DriverNeed driver_need(const SoftwareTables& tables, const Version& cuda, std::string_view cc);

enum class DriverFit {
  kFull,            // every feature of that toolkit
  kMinorVersion,    // minor-version compatibility: a limited feature set
  kForwardPackage,  // only with the forward-compatibility package, if it covers the driver's branch
  kRefused,         // too old for the toolkit, or it does not serve the part
  kUnknown
};
struct DriverAnswer {
  DriverFit fit = DriverFit::kUnknown;
  std::string why;
  std::string change;
  std::vector<std::string> sources;
};
DriverAnswer driver_runs(const SoftwareTables& tables, const Version& driver, const Version& cuda, const Device& device);

// Whether the compilers of a toolkit can target a part.
Verdict3 toolkit_targets(const SoftwareTables& tables, const Version& cuda, const Device& device);

// Whether code compiled for these targets runs on a capability: "binary code for 8.6", "PTX for 12.0, compiled by the driver".
Verdict3 code_runs(std::span<const std::string_view> code, std::string_view cc);

// What a release of an engine (pytorch, llama.cpp) contains for a part, over its binaries or the one for `cuda` ("13.0" also means 13.0.2).
struct BinaryAnswer {
  const BinaryRow* binary = nullptr;
  Verdict3 runs;
};
std::vector<BinaryAnswer> binaries_for(const SoftwareTables& tables, std::string_view engine, const Version& release, const std::optional<Version>& cuda,
                                       std::string_view cc);

// --- engines --------------------------------------------------------------------------------------------------------------------------------

struct EngineReference {
  const EngineRow* engine = nullptr;
  std::string version;  // "" where none was named
};
// "vllm", "vllm==0.11.0", "trtllm". Unknown engines list the known ones.
Result<EngineReference> parse_engine(const SoftwareTables& tables, std::string_view text);

enum class ReleaseMatch {
  kExact,
  kNewest,   // no version was named: the newest release that is listed
  kBetween,  // not listed; the listed ones before and after it say the same, as far as the fields here go
  kUnknown
};
struct EngineRelease {
  const EngineRow* engine = nullptr;
  std::string version;  // asked, or assumed
  ReleaseMatch match = ReleaseMatch::kUnknown;
  const EngineReleaseRow* row = nullptr;     // exact or newest
  const EngineReleaseRow* before = nullptr;  // of an unlisted release
  const EngineReleaseRow* after = nullptr;
  std::string why;
  // What the rows allow to be said. Empty where they say nothing, or differ.
  std::span<const EngineCudaRow> cuda;
  std::string torch, rocm, note;
  std::vector<std::string> sources;
};
EngineRelease engine_release(const SoftwareTables& tables, const EngineReference& reference);

// Whether a release takes parts of this capability.
Verdict3 engine_takes(const SoftwareTables& tables, const EngineRelease& release, const Device& device);

// One way to get an engine, with what it needs below it.
struct EngineBuild {
  std::string cuda;  // "12.9"
  std::string what;  // "wheel"
  bool standard = false;
  std::string how;
  DriverNeed driver;
  std::string source;
};

// The smallest software of a part and an engine (without one: of the part alone).
struct SoftwareMinimum {
  std::string platform;  // "CUDA", "ROCm"; "" where nothing is known
  std::string engine, engine_version;
  std::string cuda;         // of the standard build; where sources disagree about it, the most demanding
  std::string driver;       // from which that build runs
  std::string driver_full;  // with which every feature of its toolkit works; "" where not known
  std::string rocm;
  std::vector<EngineBuild> builds;  // all, the least demanding first
  std::vector<std::string> notes;
  std::vector<std::string> sources;
};
Result<SoftwareMinimum> minimum_software(const Catalog& catalog, const Device& device, std::string_view engine);

// --- number formats -------------------------------------------------------------------------------------------------------------------------

enum class Support { kNative, kWeightOnly, kNone, kUnknown };
std::string_view name_of(Support support);  // "native", "weight_only", "none", "unknown"

struct PrecisionSupport {
  Support support = Support::kUnknown;
  bool partial = false;
  std::string method;  // the engine's name for it
  std::string reason;
  std::string cuda;  // smallest release for which its kernels are built; "" where none is stated
  std::vector<std::string> sources;
};
// `engine` "" or "hardware": what the part itself multiplies. A format that an engine's tables do not name is unknown, save fp64, fp32, tf32, fp16
// and bf16, which go by the part.
PrecisionSupport precision_support(const Catalog& catalog, const Device& device, Precision precision, std::string_view engine);

// That a format is supported is not that it is safe: what to watch, in the order of weight.
struct PrecisionCaveat {
  std::string kind;
  std::string text;
  std::string advice;
};
std::vector<PrecisionCaveat> precision_caveats(Precision precision);

}  // namespace ridge::hardware
