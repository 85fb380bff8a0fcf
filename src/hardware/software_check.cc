#include "hardware/software_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/mig.h"

namespace ridge::hardware {
namespace {

std::string version_text(const Version& version) {
  std::string text = std::to_string(version.parts[0]);
  for (int i = 1; i < version.count; ++i) text += fmt::format(".{}", version.parts[static_cast<std::size_t>(i)]);
  return text;
}

Known both(Known a, Known b) {
  if (a == Known::kNo || b == Known::kNo) return Known::kNo;
  return a == Known::kUnknown || b == Known::kUnknown ? Known::kUnknown : Known::kYes;
}

// Whether code built with a toolkit can run on a part: it targets the part, or a lower capability of the same major version.
Verdict3 code_of_toolkit(const SoftwareTables& tables, const Version& cuda, const Device& device) {
  Verdict3 verdict = toolkit_targets(tables, cuda, device);
  const auto part = parse_version(device.compute_capability);
  if (verdict.answer != Known::kNo || !part) return verdict;
  for (const ComputeCapabilityRow& row : tables.capabilities) {
    const Version lower = *parse_version(row.cc);
    if (lower.major() != part->major() || !(lower < *part)) continue;
    Device other = device;
    other.compute_capability = row.cc;
    if (toolkit_targets(tables, cuda, other).answer != Known::kYes) continue;
    verdict.answer = Known::kYes;
    verdict.why =
        fmt::format("CUDA {} does not target compute capability {}, but its binary code for {} runs there; code for one architecture alone ({}a) does not",
                    version_text(cuda), device.compute_capability, row.cc, row.cc);
    verdict.change.clear();
    verdict.sources.emplace_back("cuda_guide_platform");
    break;
  }
  return verdict;
}

Known known_of(DriverFit fit) {
  switch (fit) {
    case DriverFit::kFull:
    case DriverFit::kMinorVersion:
      return Known::kYes;
    case DriverFit::kForwardPackage:
    case DriverFit::kRefused:
      return Known::kNo;
    case DriverFit::kUnknown:
      return Known::kUnknown;
  }
  return Known::kUnknown;
}

// The candidates: the CUDA that was named, or all that the release comes with.
std::vector<EngineBuild> candidates(const SoftwareTables& tables, const SoftwareAnswer& answer, const Device& device, const SoftwareQuestion& question) {
  if (!question.cuda) return answer.minimum.builds;
  for (const EngineBuild& build : answer.minimum.builds) {
    const Version built = *parse_version(build.cuda);
    if (built.major() == question.cuda->major() && built.minor() == question.cuda->minor()) return {build};
  }
  return {{version_text(*question.cuda), "toolkit named", true, "", driver_need(tables, *question.cuda, device.compute_capability), "user"}};
}

BuildCheck check_build(const SoftwareTables& tables, const Device& device, const SoftwareQuestion& question, const SoftwareAnswer& answer, EngineBuild build) {
  BuildCheck check;
  const Version cuda = *parse_version(build.cuda);
  check.build = std::move(build);
  check.code = code_of_toolkit(tables, cuda, device);
  check.answer = check.code.answer;
  if (question.driver) {
    check.driver = driver_runs(tables, *question.driver, cuda, device);
    check.answer = both(check.answer, known_of(check.driver->fit));
  }
  if (answer.precision && !answer.precision->cuda.empty()) {
    const Version least = *parse_version(answer.precision->cuda);
    const bool enough = !(cuda < least);
    check.kernels = Verdict3{enough ? Known::kYes : Known::kNo,
                             fmt::format("the {} kernels are built from CUDA {} on", ridge::name_of(*question.precision), answer.precision->cuda),
                             enough ? "" : fmt::format("use a build with CUDA {} or later", answer.precision->cuda), answer.precision->sources};
    check.answer = both(check.answer, check.kernels->answer);
  }
  const bool own_torch = answer.release && answer.release->engine->engine != "pytorch" && !answer.release->torch.empty();
  if (own_torch && !question.torch) {
    auto wheels = binaries_for(tables, "pytorch", *parse_version(answer.release->torch), cuda, device.compute_capability);
    if (!wheels.empty() && wheels.front().runs.answer != Known::kUnknown) {
      check.torch = wheels.front();
      check.answer = both(check.answer, check.torch->runs.answer);
    }
  }
  return check;
}

void push(SoftwareAnswer& answer, std::string name, const Verdict3& verdict) {
  answer.checks.push_back({std::move(name), verdict.answer, verdict.why, verdict.change, verdict.sources});
}

// The builds as one check: yes where every standard one does, no where a standard one does not, even though another would.
void check_builds(SoftwareAnswer& answer, const SoftwareQuestion& question) {
  SoftwareCheck check;
  check.name = question.driver ? "build and driver" : "build";
  const bool any_standard = std::any_of(answer.builds.begin(), answer.builds.end(), [](const BuildCheck& b) { return b.build.standard; });
  std::vector<const BuildCheck*> running, failing, open;
  for (const BuildCheck& one : answer.builds) {
    (one.answer == Known::kYes ? running : one.answer == Known::kNo ? failing : open).push_back(&one);
    for (const std::string& source : one.code.sources) check.sources.push_back(source);
    if (one.driver) check.sources.insert(check.sources.end(), one.driver->sources.begin(), one.driver->sources.end());
  }
  const auto is_standard = [](const BuildCheck* b) { return b->build.standard; };
  const auto why_of = [](const BuildCheck& b) {
    if (b.code.answer == Known::kNo) return b.code.why;
    if (b.driver && known_of(b.driver->fit) == Known::kNo) return b.driver->why;
    if (b.kernels && b.kernels->answer == Known::kNo) return fmt::format("CUDA {}: {}", b.build.cuda, b.kernels->why);
    if (b.torch && b.torch->runs.answer == Known::kNo)
      return fmt::format("the PyTorch {} wheel for CUDA {} {}", b.torch->binary->release, b.torch->binary->cuda, b.torch->runs.why);
    if (b.driver) return b.driver->why;
    return b.code.why;
  };
  const bool standard_runs = any_standard ? std::any_of(running.begin(), running.end(), is_standard) : !running.empty();
  const bool standard_fails = any_standard ? std::any_of(failing.begin(), failing.end(), is_standard) : running.empty() && open.empty() && !failing.empty();
  if (standard_fails)
    check.answer = Known::kNo;
  else
    check.answer = standard_runs ? Known::kYes : Known::kUnknown;
  // The reason is that of the build which decides.
  const std::vector<const BuildCheck*>& deciding = check.answer == Known::kNo ? failing : check.answer == Known::kYes ? running : open;
  for (const BuildCheck* one : deciding)
    if (check.why.empty() && (!any_standard || one->build.standard || check.answer == Known::kUnknown)) check.why = why_of(*one);
  if (check.answer == Known::kNo) {
    for (const BuildCheck* one : running)
      answer.changes.push_back(
          fmt::format("take the build with CUDA {}{}{}", one->build.cuda, one->build.how.empty() ? "" : fmt::format(" ({})", one->build.how),
                      one->driver && one->driver->fit == DriverFit::kMinorVersion ? ", which runs on this driver by minor-version compatibility" : ""));
    for (const BuildCheck* one : failing) {
      if (any_standard && !one->build.standard) continue;
      for (const std::string& change : {one->code.change, one->driver ? one->driver->change : "", one->kernels ? one->kernels->change : ""})
        if (!change.empty() && std::find(answer.changes.begin(), answer.changes.end(), change) == answer.changes.end()) answer.changes.push_back(change);
    }
  }
  std::sort(check.sources.begin(), check.sources.end());
  check.sources.erase(std::unique(check.sources.begin(), check.sources.end()), check.sources.end());
  answer.checks.push_back(std::move(check));
}

// A PyTorch wheel that was named, over the CUDA that was named or over all of the release.
void check_torch(const SoftwareTables& tables, const Device& device, const SoftwareQuestion& question, SoftwareAnswer& answer) {
  const auto wheels = binaries_for(tables, "pytorch", *question.torch, question.cuda, device.compute_capability);
  SoftwareCheck check;
  check.name = "PyTorch wheel";
  const std::string release = version_text(*question.torch);
  if (wheels.empty()) {
    check.why = fmt::format("no wheel of PyTorch {}{} is in the catalogue", release, question.cuda ? " for CUDA " + version_text(*question.cuda) : "");
    answer.checks.push_back(std::move(check));
    return;
  }
  std::vector<std::string> holding, lacking;
  for (const BinaryAnswer& wheel : wheels) {
    for (const std::string& source : wheel.runs.sources)
      if (std::find(check.sources.begin(), check.sources.end(), source) == check.sources.end()) check.sources.push_back(source);
    if (wheel.runs.answer == Known::kYes) holding.push_back(fmt::format("CUDA {} ({})", wheel.binary->cuda, wheel.runs.why));
    if (wheel.runs.answer == Known::kNo) lacking.push_back(std::string(wheel.binary->cuda));
  }
  if (!holding.empty()) {
    check.answer = Known::kYes;
    check.why = fmt::format("PyTorch {} has code for this part in its wheel for {}{}", release, fmt::join(holding, ", "),
                            lacking.empty() ? "" : fmt::format("; not in that for CUDA {}", fmt::join(lacking, ", ")));
  } else if (lacking.size() == wheels.size()) {
    check.answer = Known::kNo;
    check.why = fmt::format("no wheel of PyTorch {} (CUDA {}) holds code that runs on compute capability {}", release, fmt::join(lacking, ", "),
                            device.compute_capability);
    std::string better;
    for (const BinaryRow& row : tables.binaries)
      if (row.engine == "pytorch" && !row.code.empty() && code_runs(row.code, device.compute_capability).answer == Known::kYes)
        if (better.empty()) better = fmt::format("use PyTorch {} for CUDA {}", row.release, row.cuda);
    check.change = better;
    if (!better.empty()) answer.changes.push_back(better);
  } else {
    check.why = fmt::format("what the wheels of PyTorch {} hold was not read", release);
  }
  answer.checks.push_back(std::move(check));
}

void check_precision(const Catalog& catalog, const Device& device, const SoftwareQuestion& question, SoftwareAnswer& answer) {
  const std::string engine = question.engine ? std::string(question.engine->engine->engine) : "";
  for (const Precision precision : all_precisions()) {
    PrecisionSupport support = precision_support(catalog, device, precision, engine);
    if (support.support != Support::kUnknown) answer.formats.emplace_back(precision, std::move(support));
  }
  if (!question.precision) return;
  answer.precision = precision_support(catalog, device, *question.precision, engine);
  const PrecisionSupport& support = *answer.precision;
  Verdict3 verdict{Known::kUnknown, support.reason, "", support.sources};
  if (support.support == Support::kNative || support.support == Support::kWeightOnly) verdict.answer = Known::kYes;
  if (support.support == Support::kNone) {
    verdict.answer = Known::kNo;
    std::vector<std::string_view> others;
    for (const auto& [precision, other] : answer.formats)
      if (other.support == Support::kNative && (precision == Precision::kFp16 || element_bits(precision) <= 16)) others.push_back(ridge::name_of(precision));
    if (!others.empty()) verdict.change = fmt::format("use another format: {} run natively here", fmt::join(others, ", "));
  }
  push(answer, "number format", verdict);
  if (!verdict.change.empty()) answer.changes.push_back(verdict.change);
}

void check_engine(const SoftwareTables& tables, const Device& device, const SoftwareQuestion& question, SoftwareAnswer& answer) {
  answer.release = engine_release(tables, *question.engine);
  const bool by_wheels = question.engine->engine->engine == "pytorch" || question.engine->engine->engine == "llama.cpp";
  if (by_wheels) return;
  const Verdict3 takes = engine_takes(tables, *answer.release, device);
  push(answer, "engine and part", takes);
  if (takes.answer == Known::kNo && !takes.change.empty()) answer.changes.push_back(takes.change);
}

// pytorch and llama.cpp are known by what their binaries hold.
void check_binaries(const SoftwareTables& tables, const Device& device, const SoftwareQuestion& question, SoftwareAnswer& answer) {
  const std::string_view engine = question.engine->engine->engine;
  std::optional<Version> release;
  if (!question.engine->version.empty() && question.engine->version != "main") release = *parse_version(question.engine->version);
  for (const BinaryRow& row : tables.binaries)
    if (!release && row.engine == engine && !row.code.empty()) release = row.release.empty() ? Version{} : *parse_version(row.release);
  if (engine == "pytorch") {
    SoftwareQuestion torch = question;
    torch.torch = release;
    check_torch(tables, device, torch, answer);
    return;
  }
  Verdict3 verdict;
  verdict.why = "its default build targets were not read";
  std::vector<std::string> whys;
  bool any = false;
  for (const BinaryAnswer& one : binaries_for(tables, engine, Version{}, question.cuda, device.compute_capability)) {
    any = any || one.runs.answer == Known::kYes;
    whys.push_back(fmt::format("the default build with CUDA {} {}{}", one.binary->cuda, one.runs.answer == Known::kYes ? "runs by " : "", one.runs.why));
    verdict.sources = one.runs.sources;
  }
  if (!whys.empty()) {
    verdict.answer = any ? Known::kYes : Known::kNo;
    verdict.why = fmt::format("{}", fmt::join(whys, "; "));
    if (!any) verdict.change = "build it from source for this part's own architecture";
  }
  push(answer, "engine and part", verdict);
  if (!verdict.change.empty()) answer.changes.push_back(verdict.change);
}

}  // namespace

Result<SoftwareAnswer> check_software(const Catalog& catalog, const Device& device, const SoftwareQuestion& question) {
  const SoftwareTables tables = software(catalog);
  SoftwareAnswer answer;
  const std::string engine =
      !question.engine ? "" : std::string(question.engine->engine->engine) + (question.engine->version.empty() ? "" : "==" + question.engine->version);
  RIDGE_TRY(answer.minimum, minimum_software(catalog, device, engine));
  if (question.engine) check_engine(tables, device, question, answer);
  check_precision(catalog, device, question, answer);
  const bool by_binaries = question.engine && (question.engine->engine->engine == "pytorch" || question.engine->engine->engine == "llama.cpp");
  if (by_binaries) check_binaries(tables, device, question, answer);

  const bool cuda_part = device.vendor == "NVIDIA" && !device.compute_capability.empty();
  if (cuda_part) {
    for (EngineBuild& build : candidates(tables, answer, device, question)) {
      if (!question.engine && !question.cuda) continue;  // the part alone: its driver is checked below
      answer.builds.push_back(check_build(tables, device, question, answer, std::move(build)));
    }
    if (!answer.builds.empty()) {
      check_builds(answer, question);
    } else {
      if (question.driver) {
        const Verdict3 serves = driver_serves(tables, *question.driver, device.compute_capability);
        push(answer, "driver and part", serves);
        if (!serves.change.empty()) answer.changes.push_back(serves.change);
      }
      if (question.engine && !by_binaries)
        push(answer, "build", {Known::kUnknown, "what this release is built with is not known, so the driver it needs is not either", "", {}});
    }
    if (question.torch) check_torch(tables, device, question, answer);
    const MigGpuRow* mig = device.id.find(kMigMark) == std::string::npos ? nullptr : mig_of(catalog, device.id.substr(0, device.id.find(kMigMark)));
    if (question.driver && mig != nullptr && !mig->driver.empty()) {
      const bool enough = !(*question.driver < *parse_version(mig->driver));
      const std::string change = enough ? "" : fmt::format("install driver {} or later", mig->driver);
      push(answer, "driver and MIG",
           {enough ? Known::kYes : Known::kNo, fmt::format("MIG on this part needs driver {}", mig->driver), change, {std::string(mig->driver_source)}});
      if (!enough) answer.changes.push_back(change);
    }
  } else if (question.driver || question.cuda || question.torch) {
    push(answer, "driver and toolkit",
         {Known::kUnknown,
          device.vendor == "NVIDIA" ? "the part has no compute capability in the catalogue"
                                    : fmt::format("CUDA and its drivers are not for {} parts", device.vendor),
          "",
          {}});
  }
  answer.answer = answer.checks.empty() ? Known::kUnknown : Known::kYes;
  for (const SoftwareCheck& check : answer.checks) answer.answer = both(answer.answer, check.answer);
  return answer;
}

}  // namespace ridge::hardware
