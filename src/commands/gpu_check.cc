// ridge gpu check: does this engine run on this part, with this driver, toolkit and number format? Why, and what to change.
#include <fmt/format.h>

#include <algorithm>

#include "commands/fields.h"
#include "commands/registry.h"
#include "hardware/software_check.h"

namespace ridge::commands {

// A version as it was typed: "550.54.14".
struct TypedVersion {
  std::string text;
  hardware::Version version;
};
template <>
struct FieldType<TypedVersion> {
  static constexpr const char* name = "version";
  static constexpr const char* unit = "";
  static Result<TypedVersion> parse(std::string_view text) {
    RIDGE_TRY(hardware::Version version, hardware::parse_version(text));
    return TypedVersion{std::string(text), version};
  }
  static report::Cell echo(const TypedVersion& value) { return value.text; }
};

namespace {

struct GpuCheckRequest {
  std::string gpu;
  std::string engine;
  std::optional<TypedVersion> driver;
  std::optional<TypedVersion> cuda;
  std::optional<TypedVersion> torch;
  std::optional<Precision> dtype;
};

void describe(Fields<GpuCheckRequest>& f) {
  f.option("gpu", &GpuCheckRequest::gpu, "GPU", "the part, or a MIG slice of it: h100-sxm5, a100-sxm4-80gb/mig-3g.40gb").required().type("gpu");
  f.option("engine", &GpuCheckRequest::engine, "ENGINE", "vllm, sglang, tensorrt-llm, llama.cpp or pytorch; with a release: vllm==0.11.0").type("engine");
  f.option("driver", &GpuCheckRequest::driver, "VERSION", "the driver that nvidia-smi shows: 550.54.14");
  f.option("cuda", &GpuCheckRequest::cuda, "VERSION", "the toolkit that the engine is built with: 12.8; by default what it comes with");
  f.option("torch", &GpuCheckRequest::torch, "VERSION", "a PyTorch wheel: 2.9");
  f.option("dtype", &GpuCheckRequest::dtype, "FORMAT", "the number format of the weights: fp8");
}

using hardware::Known;
using hardware::SoftwareAnswer;
using report::Cell;
using report::Report;
using report::Severity;

std::string_view in_words(Known answer) {
  switch (answer) {
    case Known::kYes:
      return "yes";
    case Known::kNo:
      return "no";
    case Known::kUnknown:
      return "not known";
  }
  return "not known";
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }
Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : Cell{std::string(text)}; }

std::string driver_text(const std::optional<hardware::Version>& version) {
  if (!version) return "";
  std::string text = std::to_string(version->parts[0]);
  for (int i = 1; i < version->count; ++i) text += fmt::format(".{:02}", version->parts[static_cast<std::size_t>(i)]);
  return text;
}

void add_minimum(Report& report, const hardware::SoftwareMinimum& minimum) {
  const auto add = [&](std::string name, const std::string& value, std::string label, std::string formula) {
    if (value.empty()) return;
    report::Figure& figure = report.add_category(std::move(name), value, std::move(label));
    figure.sources = minimum.sources;
    figure.basis = std::move(formula);
  };
  add("cuda.minimum", minimum.cuda, "CUDA", minimum.engine.empty() ? "first toolkit that targets the part" : "what the standard build comes with");
  add("driver.minimum", minimum.driver, "driver, at least", "floor of minor-version compatibility, no older than the part's architecture");
  add("driver.full", minimum.driver_full, "driver, for every feature", "the driver of that toolkit");
  add("rocm.minimum", minimum.rocm, "ROCm", "what the release is built for");
  if (minimum.builds.empty()) return;
  report::Table table{"builds",
                      minimum.engine.empty() ? "Toolkit" : "Builds of the engine",
                      {{"CUDA", ""}, {"what", ""}, {"standard", ""}, {"driver from", ""}, {"all features from", ""}, {"how", ""}, {"source", ""}},
                      {},
                      ""};
  for (const hardware::EngineBuild& build : minimum.builds)
    table.rows.push_back({build.cuda, build.what, std::string(build.standard ? "yes" : "no"), text_cell(driver_text(build.driver.floor)),
                          text_cell(driver_text(build.driver.full)), text_cell(build.how), build.source});
  report.tables.push_back(std::move(table));
}

void add_tables(Report& report, const SoftwareAnswer& answer, const GpuCheckRequest& request) {
  if (!answer.checks.empty()) {
    report::Table checks{"checks", "Checks", {{"check", ""}, {"answer", ""}, {"why", ""}, {"sources", ""}}, {}, ""};
    for (const hardware::SoftwareCheck& check : answer.checks)
      checks.rows.push_back({check.name, std::string(in_words(check.answer)), check.why, text_cell(joined(check.sources))});
    report.tables.insert(report.tables.begin(), std::move(checks));
  }
  if (answer.formats.empty()) return;
  report::Table formats{"formats",
                        "Number formats",
                        {{"format", ""}, {"support", ""}, {"why", ""}, {"sources", ""}},
                        {},
                        "Of 16 bits and fewer; what is not listed is not known here."};
  for (const auto& [precision, support] : answer.formats) {
    if (element_bits(precision) > 16) continue;  // nobody serves in these
    formats.rows.push_back({std::string(name_of(precision)), fmt::format("{}{}", hardware::name_of(support.support), support.partial ? ", partial" : ""),
                            support.reason, text_cell(joined(support.sources))});
  }
  if (request.dtype || !request.engine.empty()) report.tables.push_back(std::move(formats));
}

void add_findings(Report& report, const SoftwareAnswer& answer, const GpuCheckRequest& request) {
  for (const std::string& change : answer.changes) report.find(Severity::kWarning, "change", fmt::format("To change the answer: {}.", change));
  int standard = 0;
  std::string versions;
  for (const hardware::EngineBuild& build : answer.minimum.builds)
    if (build.standard) ++standard, versions += fmt::format("{}CUDA {} ({})", versions.empty() ? "" : ", ", build.cuda, build.source);
  if (standard > 1)
    report.find(Severity::kWarning, "sources-disagree",
                fmt::format("Sources differ on what {} {} comes with: {}.", answer.minimum.engine, answer.minimum.engine_version, versions),
                "both are kept; the answer must hold for each", "Look at what you install: the file name of a wheel or the tag of an image says it.");
  if (answer.release && answer.release->match == hardware::ReleaseMatch::kBetween)
    report.find(Severity::kWarning, "inferred", fmt::format("{}.", answer.release->why));
  if (answer.release && answer.release->match == hardware::ReleaseMatch::kNewest)
    report.find(Severity::kInfo, "newest-listed", fmt::format("{}.", answer.release->why), "", "Name yours, as in vllm==0.11.0.");
  if (answer.release && !answer.release->note.empty())
    report.find(Severity::kInfo, "release-note", fmt::format("{} {}: {}.", answer.release->engine->engine, answer.release->version, answer.release->note),
                joined(answer.release->sources));
  for (const hardware::BuildCheck& build : answer.builds)
    if (build.driver && build.driver->fit == hardware::DriverFit::kMinorVersion)
      report.find(Severity::kInfo, "minor-version", fmt::format("{}.", build.driver->why), joined(build.driver->sources),
                  "PTX is compiled by the driver, so code that comes as PTX alone needs the toolkit's own driver.");
  if (!request.dtype || !answer.precision) return;
  const hardware::PrecisionSupport& support = *answer.precision;
  if (support.support == hardware::Support::kWeightOnly)
    report.find(Severity::kWarning, "weight-only",
                fmt::format("{} weights take less memory and are multiplied in 16 bits: decoding gains, prefill does not.", name_of(*request.dtype)),
                joined(support.sources));
  if (support.partial)
    report.find(Severity::kWarning, "partial-support", fmt::format("Some of {} is missing here: {}.", name_of(*request.dtype), support.reason),
                joined(support.sources));
  if (support.support == hardware::Support::kNone) return;
  report.find(Severity::kInfo, "support-is-not-safety", fmt::format("That {} is supported does not say that it is safe for a model.", name_of(*request.dtype)));
  for (const hardware::PrecisionCaveat& caveat : hardware::precision_caveats(*request.dtype))
    report.find(Severity::kInfo, caveat.kind, caveat.text, "", caveat.advice);
}

std::string subject(const GpuCheckRequest& request, const SoftwareAnswer& answer, const hardware::Device& device) {
  std::string text = answer.minimum.engine.empty() ? "" : fmt::format("{} {} on ", answer.minimum.engine, answer.minimum.engine_version);
  if (answer.minimum.engine_version.empty() && !answer.minimum.engine.empty()) text = answer.minimum.engine + " on ";
  text += device.id;
  if (request.driver) text += " with driver " + request.driver->text;
  return text;
}

report::Verdict verdict(const GpuCheckRequest& request, const SoftwareAnswer& answer, const hardware::Device& device) {
  const std::string who = subject(request, answer, device);
  if (answer.checks.empty()) {
    const hardware::SoftwareMinimum& minimum = answer.minimum;
    if (minimum.cuda.empty())
      return {fmt::format("Not known: {}.", minimum.notes.empty() ? "nothing in the catalogue says what " + device.id + " needs" : minimum.notes.front()),
              std::nullopt};
    return {fmt::format("{} needs CUDA {} or later{}.", device.id, minimum.cuda,
                        minimum.driver.empty() ? "" : fmt::format(" and driver {} or later", minimum.driver)),
            std::nullopt};
  }
  const auto first =
      std::find_if(answer.checks.begin(), answer.checks.end(), [&answer](const hardware::SoftwareCheck& check) { return check.answer == answer.answer; });
  switch (answer.answer) {
    case Known::kYes: {
      std::string how;
      if (request.dtype && answer.precision)
        how = answer.precision->support == hardware::Support::kWeightOnly
                  ? fmt::format(", {} as weights only", name_of(*request.dtype))
                  : fmt::format(", {} natively{}", name_of(*request.dtype), answer.precision->partial ? " in part" : "");
      return {fmt::format("Yes: {}{}.", who, how), true};
    }
    case Known::kNo:
      return {fmt::format("No: {}: {}.{}", who, first->why, answer.changes.empty() ? "" : fmt::format(" To change that: {}.", answer.changes.front())), false};
    case Known::kUnknown:
      break;
  }
  return {fmt::format("Not known: {}: {}.", who, first->why), std::nullopt};
}

Result<Report> run(const GpuCheckRequest& request, const Environment& environment) {
  RIDGE_TRY(const hardware::GpuReference reference, environment.catalog.resolve(request.gpu));
  const hardware::Device& device = reference.profiles.front();
  hardware::SoftwareQuestion question;
  if (!request.engine.empty()) {
    auto engine = hardware::parse_engine(hardware::software(environment.catalog), request.engine);
    if (!engine) return tl::unexpected<Error>(with_context(engine.error(), "--engine"));
    question.engine = *engine;
  }
  if (request.driver) question.driver = request.driver->version;
  if (request.cuda) question.cuda = request.cuda->version;
  if (request.torch) question.torch = request.torch->version;
  question.precision = request.dtype;
  RIDGE_TRY(const SoftwareAnswer answer, hardware::check_software(environment.catalog, device, question));

  Report report;
  report.verdict = verdict(request, answer, device);
  if (!device.compute_capability.empty()) report.add_category("compute.capability", device.compute_capability, "compute capability");
  if (answer.precision) {
    report::Figure& figure =
        report.add_category("precision.support", std::string(hardware::name_of(answer.precision->support)), fmt::format("{} support", name_of(*request.dtype)));
    figure.basis = answer.precision->reason;
    figure.sources = answer.precision->sources;
  }
  add_minimum(report, answer.minimum);
  add_tables(report, answer, request);
  add_findings(report, answer, request);
  return report;
}

}  // namespace

Command gpu_check_command() {
  return make_command<GpuCheckRequest>(
      {"gpu check",
       kGroupFigures,
       "Whether engine, driver and number format go together",
       "Compares a part, an engine's release, a driver, a CUDA toolkit and a number format with the vendors' tables: which driver a "
       "toolkit needs (in full, by minor-version compatibility, or by the forward-compatibility package of data-center parts), which "
       "architectures a wheel holds code for, and whether a format is multiplied natively, stored as weights only or refused. "
       "What no source says is answered with \"not known\". That a format is supported is not that it is safe: see its findings.",
       {{"gpu check --gpu h100-sxm5 --engine vllm==0.20.0 --driver 550.54.14 --dtype fp8", "a driver too old for the standard wheel, and the build that runs"},
        {"gpu check --gpu a100-sxm4-80gb --engine vllm --dtype fp8", "weights only: no fp8 arithmetic before compute capability 8.9"}}},
      describe, run);
}

}  // namespace ridge::commands
