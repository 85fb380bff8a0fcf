// ridge gpu identify: which accelerator a name from a driver or a node's label means.
#include <fmt/format.h>

#include "commands/fields.h"
#include "commands/registry.h"
#include "hardware/identify.h"

namespace ridge::commands {
namespace {

using hardware::Identity;
using hardware::Match;

struct GpuIdentifyRequest {
  std::vector<std::string> names;
  std::optional<Bytes> memory;
};

void describe_identify(Fields<GpuIdentifyRequest>& f) {
  f.positional("names", &GpuIdentifyRequest::names, "STRING", "what nvidia-smi, PyTorch or DCGM print, or labels of one node as KEY=VALUE").required();
  f.option("memory", &GpuIdentifyRequest::memory, "SIZE", "the memory that the device reports, to tell apart parts of one name");
}

std::string ids(const Identity& identity) {
  std::vector<std::string_view> all;
  for (const hardware::AcceleratorRow* record : identity.candidates) all.push_back(record->id);
  return fmt::format("{}", fmt::join(all, ", "));
}
// What other commands take: the part, and the slice of it.
std::string reference(const Identity& identity) {
  const hardware::AcceleratorRow& record = *identity.candidates.front();
  std::string text(record.part.empty() ? record.id : record.part);
  if (!identity.mig_profile.empty()) text += "/mig-" + identity.mig_profile;
  return text;
}
bool known(const Identity& identity) { return identity.match == Match::kExact || identity.match == Match::kInferred; }

std::string sentence(const Identity& identity) {
  switch (identity.match) {
    case Match::kExact:
      return fmt::format("\"{}\" is {} ({}).", identity.text, reference(identity), identity.how);
    case Match::kInferred:
      return fmt::format("\"{}\" is taken as {} ({}); no source states which part it is.", identity.text, reference(identity), identity.how);
    case Match::kAmbiguous:
      return fmt::format("\"{}\" may be any of {}.", identity.text, ids(identity));
    case Match::kUnknown:
      return fmt::format("\"{}\" is unknown{}.", identity.text, identity.note.empty() ? "" : fmt::format(": {}", identity.note));
  }
  return "";
}

// What tells the candidates apart.
report::Table candidates_table(const hardware::Catalog& catalog, const Identity& identity) {
  report::Table table{"candidates", "Parts of that name", {{"part", ""}, {"memory", "B"}, {"bandwidth", "B/s"}, {"form", ""}}, {}};
  for (const hardware::AcceleratorRow* record : identity.candidates) {
    auto usable = usable_memory(catalog, *record);
    auto bandwidth = figure(catalog, *record, hardware::FigureName::kMemoryBandwidth);
    table.rows.push_back({std::string(record->id), usable ? report::cell(Interval{usable->low.as_double(), usable->high.as_double()}) : report::Cell{},
                          bandwidth ? report::cell(bandwidth->figure.value) : report::Cell{}, std::string(record->form_factor)});
  }
  return table;
}

void explain(report::Report& answer, const Identity& identity) {
  if (identity.match == Match::kAmbiguous)
    answer.find(report::Severity::kWarning, "ambiguous", fmt::format("Several parts are called \"{}\": {}.", identity.name, ids(identity)), "",
                "Give the memory that the device reports with --memory, or the name that `nvidia-smi -L` prints.");
  if (identity.match == Match::kUnknown)
    answer.find(report::Severity::kWarning, "unknown",
                fmt::format("\"{}\" names no part of the catalogue; it is not taken for one that looks alike.", identity.name),
                identity.near.empty() ? "" : fmt::format("names that look alike: {}", fmt::join(identity.near, ", ")),
                "Describe it inline (peak=…,bandwidth=…,memory=…) or add it with --catalog.");
  if (identity.match != Match::kUnknown && !identity.note.empty())
    answer.find(report::Severity::kInfo, "note", fmt::format("Of \"{}\": {}.", identity.name, identity.note));
  if (!identity.mig_profile.empty())
    answer.find(report::Severity::kInfo, "mig", fmt::format("A MIG slice {}: it has a share of the memory and of the SMs only.", identity.mig_profile));
  if (identity.shared)
    answer.find(report::Severity::kWarning, "shared",
                "The device is shared between pods by time slicing or MPS: neither its memory nor its rate is one pod's own.");
}

Result<report::Report> run_identify(const GpuIdentifyRequest& request, const Environment& environment) {
  RIDGE_TRY(auto identities, hardware::identify(environment.catalog, request.names, request.memory));
  report::Report answer;
  report::Table table{"devices", "Devices", {{"string", ""}, {"accelerator", ""}, {"match", ""}, {"candidates", ""}, {"how", ""}, {"source", ""}}, {}};
  int sure = 0;
  for (const Identity& identity : identities) {
    sure += known(identity);
    table.rows.push_back({identity.text, known(identity) ? report::Cell(reference(identity)) : report::Cell{}, std::string(word_for(identity.match)),
                          known(identity) ? std::string() : ids(identity), identity.how, fmt::format("{}", fmt::join(identity.sources, ", "))});
    explain(answer, identity);
  }
  answer.verdict.ok = sure == static_cast<int>(identities.size());
  answer.verdict.text = identities.size() == 1 ? sentence(identities.front()) : fmt::format("{} of {} names are known.", sure, identities.size());
  if (identities.size() == 1) {
    const Identity& identity = identities.front();
    answer.add_category("match", std::string(word_for(identity.match)), "match");
    if (known(identity)) {
      report::Figure& figure = answer.add_category(
          "accelerator", std::string(identity.candidates.front()->part.empty() ? identity.candidates.front()->id : identity.candidates.front()->part),
          "accelerator");
      figure.basis = identity.how;
      figure.sources = identity.sources;
      answer.add_category("reference", reference(identity), "");
    }
    if (!identity.mig_profile.empty()) answer.add_category("mig_profile", identity.mig_profile, "MIG profile");
    if (identity.shared) answer.add_category("shared", "yes", "shared");
    if (identity.match == Match::kAmbiguous) answer.tables.push_back(candidates_table(environment.catalog, identity));
  } else {
    answer.tables.push_back(std::move(table));
  }
  return answer;
}

}  // namespace

Command gpu_identify_command() {
  return make_command<GpuIdentifyRequest>(
      {"gpu identify",
       kGroupFigures,
       "Which accelerator a driver's or a node label's name means",
       "Takes names as nvidia-smi, torch.cuda.get_device_name and DCGM give them, labels (nvidia.com/gpu.product with its -MIG and -SHARED suffixes, "
       "cloud.google.com/gke-accelerator, Karpenter's, "
       "AMD's), PCI ids (10de:2330) and vLLM's file names. Only an exact name identifies; what several parts share is ambiguous, and anything else is unknown.",
       {{"gpu identify 'NVIDIA A10G'", "one letter that makes another part"},
        {"gpu identify nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED", "the slice behind a label"}}},
      describe_identify, run_identify);
}

}  // namespace ridge::commands
