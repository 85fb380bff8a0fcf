#include "hardware/software.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/mig.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

std::vector<std::string> texts(std::span<const std::string_view> list) { return {list.begin(), list.end()}; }

void add(std::vector<std::string>& sources, std::string_view source) {
  if (!source.empty() && std::find(sources.begin(), sources.end(), source) == sources.end()) sources.emplace_back(source);
}

const CudaFamilyRow* family_of(const SoftwareTables& tables, const Version& cuda) {
  for (const CudaFamilyRow& row : tables.families)
    if (parse_version(row.major)->major() == cuda.major()) return &row;
  return nullptr;
}

const ComputeCapabilityRow* capability_row(const SoftwareTables& tables, std::string_view cc) {
  for (const ComputeCapabilityRow& row : tables.capabilities)
    if (row.cc == cc) return &row;
  return nullptr;
}

std::string text_of(const Version& version) {
  std::string text;
  for (int i = 0; i < std::max(1, version.count); ++i) text += fmt::format("{}{}", i == 0 ? "" : ".", version.parts[static_cast<std::size_t>(i)]);
  return text;
}

// Drivers are written with two digits in each part after the first: 580.65.06.
std::string driver_text(const Version& version) {
  std::string text = std::to_string(version.parts[0]);
  for (int i = 1; i < version.count; ++i) text += fmt::format(".{:02}", version.parts[static_cast<std::size_t>(i)]);
  return text;
}

// "12.8" is targeted from its first release on: a minor release is compared as a whole.
Version minor_release(Version version) {
  version.parts[2] = version.parts[3] = 0;
  return version;
}

// The long-term branch that runs a CUDA family, for advice.
std::string branch_hint(const SoftwareTables& tables, const Version& cuda) {
  for (const DriverBranchRow& row : tables.branches)
    if (row.kind == "long-term" && parse_version(row.cuda_major)->major() >= cuda.major())
      return fmt::format(" (R{} is a long-term branch, to {})", row.branch, row.end_of_life);
  return "";
}

const ForwardCompatibilityRow* forward_row(const SoftwareTables& tables, const Device& device) {
  const std::string_view part = std::string_view(device.id).substr(0, device.id.find(kMigMark));
  for (const ForwardCompatibilityRow& row : tables.forward)
    if (std::find(row.accelerators.begin(), row.accelerators.end(), part) != row.accelerators.end()) return &row;
  return nullptr;
}

}  // namespace

SoftwareTables software(const Catalog& catalog) {
  const Data& data = catalog.tables().data;
  return {data.toolkits, data.cuda_families, data.forward_compatibility, data.driver_branches, data.compute_capabilities,
          data.binaries, data.engines,       data.engine_releases,       data.precision_rules};
}

const ToolkitRow* find_toolkit(const SoftwareTables& tables, const Version& version) {
  const ToolkitRow* oldest = nullptr;
  const ToolkitRow* newest = nullptr;
  for (const ToolkitRow& row : tables.toolkits) {
    const Version listed = *parse_version(row.version);
    if (listed.major() != version.major() || (version.count > 1 && listed.minor() != version.minor())) continue;
    if (version.count > 2 && listed == version) return &row;
    if (oldest == nullptr || listed < *parse_version(oldest->version)) oldest = &row;
    if (newest == nullptr || *parse_version(newest->version) < listed) newest = &row;
  }
  return version.count > 2 ? newest : oldest;
}

std::optional<Version> architecture_driver(const SoftwareTables& tables, std::string_view cc) {
  const ComputeCapabilityRow* row = capability_row(tables, cc);
  if (row == nullptr) return std::nullopt;
  const ToolkitRow* toolkit = find_toolkit(tables, *parse_version(row->first_toolkit));
  if (toolkit == nullptr || toolkit->driver.empty()) return std::nullopt;
  return *parse_version(toolkit->driver);
}

Verdict3 driver_serves(const SoftwareTables& tables, const Version& driver, std::string_view cc) {
  Verdict3 verdict;
  const ComputeCapabilityRow* row = capability_row(tables, cc);
  if (row == nullptr) {
    verdict.why = cc.empty() ? "the part has no compute capability in the catalogue" : fmt::format("compute capability {} is not in the catalogue", cc);
    return verdict;
  }
  verdict.sources = texts(row->sources);
  const std::optional<Version> oldest = architecture_driver(tables, cc);
  if (oldest && driver < *oldest) {
    verdict.answer = Known::kNo;
    verdict.why = fmt::format("driver {} is older than {}, that of the first toolkit for compute capability {}", driver_text(driver), driver_text(*oldest), cc);
    verdict.change = fmt::format("install driver {} or later", driver_text(*oldest));
    return verdict;
  }
  if (!row->last_driver.empty() && driver.major() > parse_version(row->last_driver)->major()) {
    verdict.answer = Known::kNo;
    verdict.why = fmt::format("driver {} is of a branch after R{}, the last that serves compute capability {}", driver_text(driver), row->last_driver, cc);
    verdict.change = fmt::format("install a driver of branch R{}", row->last_driver);
    add(verdict.sources, row->last_driver_source);
    return verdict;
  }
  const Version first = *parse_version(row->first_toolkit);
  for (const ToolkitRow& toolkit : tables.toolkits) {
    if (toolkit.driver.empty() || driver < *parse_version(toolkit.driver)) continue;
    const Version version = *parse_version(toolkit.version);
    if (version < first || (!row->last_toolkit.empty() && minor_release(*parse_version(row->last_toolkit)) < minor_release(version))) continue;
    verdict.answer = Known::kYes;
    verdict.why =
        fmt::format("driver {} is at least {}, that of CUDA {}, which targets compute capability {}", driver_text(driver), toolkit.driver, toolkit.name, cc);
    add(verdict.sources, toolkit.source);
    return verdict;
  }
  verdict.why = fmt::format("no listed toolkit with a driver up to {} targets compute capability {}", driver_text(driver), cc);
  return verdict;
}

DriverNeed driver_need(const SoftwareTables& tables, const Version& cuda, std::string_view cc) {
  DriverNeed need;
  if (const CudaFamilyRow* family = family_of(tables, cuda)) {
    need.floor = *parse_version(family->floor);
    need.sources = texts(family->sources);
    need.note = family->note;
  }
  if (const ToolkitRow* toolkit = find_toolkit(tables, cuda); toolkit != nullptr && !toolkit->driver.empty()) {
    need.full = *parse_version(toolkit->driver);
    add(need.sources, toolkit->source);
  }
  const std::optional<Version> architecture = architecture_driver(tables, cc);
  if (architecture && need.floor && *need.floor < *architecture) {
    need.floor = architecture;
    need.note = fmt::format("an older driver of the family does not know compute capability {}", cc);
  }
  if (architecture && need.full && *need.full < *architecture) need.full = architecture;
  return need;
}

DriverAnswer driver_runs(const SoftwareTables& tables, const Version& driver, const Version& cuda, const Device& device) {
  DriverAnswer answer;
  const DriverNeed need = driver_need(tables, cuda, device.compute_capability);
  answer.sources = need.sources;
  const std::string given = driver_text(driver), toolkit = "CUDA " + text_of(cuda);
  const Verdict3 serves = driver_serves(tables, driver, device.compute_capability);
  if (serves.answer == Known::kNo) {
    answer.fit = DriverFit::kRefused;
    answer.why = serves.why;
    answer.change = serves.change;
    answer.sources = serves.sources;
    return answer;
  }
  if (!need.floor) {
    answer.why = fmt::format("no driver for {} is in the catalogue", toolkit);
    return answer;
  }
  if (need.full && *need.full <= driver) {
    answer.fit = DriverFit::kFull;
    answer.why = fmt::format("driver {} is at least {}, with which {} works in full", given, driver_text(*need.full), toolkit);
    return answer;
  }
  if (*need.floor <= driver) {
    answer.fit = DriverFit::kMinorVersion;
    answer.why = need.full ? fmt::format("{} runs on driver {} by minor-version compatibility (from {}), with a limited feature set; all of it from {}",
                                         toolkit, given, driver_text(*need.floor), driver_text(*need.full))
                           : fmt::format("{} runs on driver {} by minor-version compatibility (from {}); the driver for all of its features was not read",
                                         toolkit, given, driver_text(*need.floor));
    return answer;
  }
  answer.why = fmt::format("{} needs driver {} or later, and {} is older", toolkit, driver_text(*need.floor), given);
  answer.change = fmt::format("install driver {} or later{}", driver_text(*need.floor), branch_hint(tables, cuda));
  const ForwardCompatibilityRow* forward = forward_row(tables, device);
  answer.fit = DriverFit::kRefused;
  if (forward != nullptr && forward->applies != Applies::kNo) {
    answer.fit = DriverFit::kForwardPackage;
    answer.change +=
        fmt::format(", or the package cuda-compat-{}-{} if NVIDIA's table lists it for this driver's branch{} (that table is not in the catalogue)",
                    cuda.major(), cuda.minor(), forward->applies == Applies::kUnknown ? " and this card" : "");
    add(answer.sources, forward->source);
  } else if (forward != nullptr) {
    answer.why += fmt::format("; forward compatibility is not for a {}", forward->why);
    add(answer.sources, forward->source);
  }
  return answer;
}

Verdict3 toolkit_targets(const SoftwareTables& tables, const Version& cuda, const Device& device) {
  Verdict3 verdict;
  const ComputeCapabilityRow* row = capability_row(tables, device.compute_capability);
  if (row == nullptr) {
    verdict.why = device.compute_capability.empty() ? "the part has no compute capability in the catalogue"
                                                    : fmt::format("compute capability {} is not in the catalogue", device.compute_capability);
    return verdict;
  }
  verdict.sources = texts(row->sources);
  const Version first = *parse_version(row->first_toolkit);
  if (minor_release(cuda) < minor_release(first)) {
    verdict.answer = Known::kNo;
    verdict.why = fmt::format("CUDA {} does not know compute capability {}: the first that does is {}", text_of(cuda), row->cc, row->first_toolkit);
    verdict.change = fmt::format("use CUDA {} or later", row->first_toolkit);
  } else if (!row->last_toolkit.empty() && minor_release(*parse_version(row->last_toolkit)) < minor_release(cuda)) {
    verdict.answer = Known::kNo;
    verdict.why = fmt::format("CUDA {} no longer targets compute capability {}: the last that does is {}", text_of(cuda), row->cc, row->last_toolkit);
    verdict.change = fmt::format("use CUDA {} or earlier", row->last_toolkit);
  } else {
    verdict.answer = Known::kYes;
    verdict.why = fmt::format("CUDA {} targets compute capability {} (from {}{})", text_of(cuda), row->cc, row->first_toolkit,
                              row->last_toolkit.empty() ? "" : fmt::format(" to {}", row->last_toolkit));
  }
  return verdict;
}

Verdict3 code_runs(std::span<const std::string_view> code, std::string_view cc) {
  Verdict3 verdict;
  const auto part = parse_version(cc);
  if (code.empty()) {
    verdict.why = "what it contains was not read";
    return verdict;
  }
  if (!part) {
    verdict.why = "the part has no compute capability in the catalogue";
    return verdict;
  }
  std::string best;
  bool binary = false;
  Version best_version;
  for (const std::string_view text : code) {
    const CodeEntry entry = *parse_code(text);
    const Version target = *parse_version(entry.cc);
    const bool as_binary = entry.binary && (entry.exact ? target == *part : target.major() == part->major() && target.minor() <= part->minor());
    const bool as_ptx = entry.ptx && target <= *part;
    if (!as_binary && !as_ptx) continue;
    // Binary code goes before PTX, and the nearest target before a farther one.
    if (!best.empty() && (binary && !as_binary)) continue;
    if (!best.empty() && binary == as_binary && target < best_version) continue;
    binary = as_binary;
    best_version = target;
    best = as_binary ? fmt::format("binary code for {}", entry.cc)
                     : fmt::format("PTX for {}, compiled by the driver, which must not be older than its toolkit's", entry.cc);
  }
  verdict.answer = best.empty() ? Known::kNo : Known::kYes;
  verdict.why = best.empty() ? fmt::format("holds code for {}, none of which runs on {}", fmt::join(code, ", "), cc) : best;
  verdict.sources = {"cuda_guide_platform"};
  return verdict;
}

std::vector<BinaryAnswer> binaries_for(const SoftwareTables& tables, std::string_view engine, const Version& release, const std::optional<Version>& cuda,
                                       std::string_view cc) {
  std::vector<BinaryAnswer> answers;
  for (const BinaryRow& row : tables.binaries) {
    if (row.engine != engine) continue;
    if (!row.release.empty()) {
      // Patch releases of a minor release are built for the same targets: 2.9.1 is looked up as 2.9.
      const Version listed = *parse_version(row.release);
      if (listed.major() != release.major() || listed.minor() != release.minor()) continue;
    }
    const Version built = *parse_version(row.cuda);
    if (cuda && (built.major() != cuda->major() || (built.count > 1 && cuda->count > 1 && built.minor() != cuda->minor()))) continue;
    BinaryAnswer answer{&row, code_runs(row.code, cc)};
    for (const std::string_view source : row.sources) add(answer.runs.sources, source);
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace ridge::hardware
