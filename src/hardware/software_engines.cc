// Engines: which release is meant, which parts it takes, what it is built with, and the least that stands under it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hardware/mig.h"
#include "hardware/software.h"

namespace ridge::hardware {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

void add(std::vector<std::string>& list, std::string_view text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.emplace_back(text);
}

// Releases in order: numbers first, "main" after them all. Rows without a version have no place.
bool before(std::string_view a, std::string_view b) {
  if (a == "main" || b == "main") return a != "main" && b == "main";
  return *parse_version(a) < *parse_version(b);
}
bool same_version(std::string_view a, std::string_view b) { return a == "main" || b == "main" ? a == b : *parse_version(a) == *parse_version(b); }

// The versions that a release is built with, standard ones marked, as one text: two rows that give the same say the same.
std::string built_with(const EngineReleaseRow& row) {
  std::vector<std::string> all;
  for (const EngineCudaRow& cuda : row.cuda) all.push_back(fmt::format("{}{}{}", cuda.version, cuda.what, cuda.standard));
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, ","));
}

void take(EngineRelease& release, const EngineReleaseRow& row) {
  release.cuda = row.cuda;
  release.torch = row.torch;
  release.rocm = row.rocm;
  release.note = row.note;
  release.sources.assign(row.sources.begin(), row.sources.end());
}

// What the listed releases before and after an unlisted one let say of it.
void bracket(EngineRelease& release) {
  const EngineReleaseRow *a = release.before, *b = release.after;
  if (a == nullptr || b == nullptr) {
    const EngineReleaseRow* near = a != nullptr ? a : b;
    release.why = near == nullptr ? fmt::format("no release of {} is listed", release.engine->engine)
                                  : fmt::format("{} {} is not listed; the {} release that is, is {}", release.engine->engine, release.version,
                                                a != nullptr ? "newest" : "oldest", near->version);
    return;
  }
  for (const EngineReleaseRow* row : {a, b})
    for (const std::string_view source : row->sources) add(release.sources, source);
  if (built_with(*a) == built_with(*b)) release.cuda = a->cuda;
  if (a->torch == b->torch) release.torch = a->torch;
  if (a->rocm == b->rocm) release.rocm = a->rocm;
  release.match = ReleaseMatch::kBetween;
  release.why = fmt::format("{} {} is not listed; what {} and {} agree on is taken for it", release.engine->engine, release.version, a->version, b->version);
}

std::string part_of(const Device& device) { return device.id.substr(0, device.id.find(kMigMark)); }

Verdict3 takes_capability(std::string_view min_cc, const Device& device, std::string_view who, std::vector<std::string> sources) {
  Verdict3 verdict;
  verdict.sources = std::move(sources);
  const auto part = parse_version(device.compute_capability);
  const auto least = parse_version(min_cc);
  if (!part || !least) {
    verdict.why = part ? fmt::format("no source states the smallest compute capability of {}", who) : "the part has no compute capability in the catalogue";
    return verdict;
  }
  verdict.answer = *least <= *part ? Known::kYes : Known::kNo;
  verdict.why = fmt::format("{} needs compute capability {} or higher; this part has {}", who, min_cc, device.compute_capability);
  return verdict;
}

// The newest listed release that takes a part, for advice.
std::string newest_that_takes(const SoftwareTables& tables, std::string_view engine, const Version& cc) {
  const EngineReleaseRow* best = nullptr;
  for (const EngineReleaseRow& row : tables.releases) {
    if (row.engine != engine || row.version.empty() || row.min_cc.empty() || !(*parse_version(row.min_cc) <= cc)) continue;
    if (best == nullptr || before(best->version, row.version)) best = &row;
  }
  return best == nullptr ? "" : std::string(best->version);
}

EngineBuild build_of(const SoftwareTables& tables, const EngineCudaRow& row, std::string_view cc) {
  return {std::string(row.version), std::string(row.what), row.standard, std::string(row.how), driver_need(tables, *parse_version(row.version), cc),
          std::string(row.source)};
}

std::string driver_words(const std::optional<Version>& version) {
  if (!version) return "";
  std::string text = std::to_string(version->parts[0]);
  for (int i = 1; i < version->count; ++i) text += fmt::format(".{:02}", version->parts[static_cast<std::size_t>(i)]);
  return text;
}

// The part alone: the first toolkit that targets it.
void minimum_of_part(const SoftwareTables& tables, const Device& device, SoftwareMinimum& minimum) {
  for (const ComputeCapabilityRow& row : tables.capabilities) {
    if (row.cc != device.compute_capability) continue;
    EngineBuild build{std::string(row.first_toolkit),  "toolkit", true, "", driver_need(tables, *parse_version(row.first_toolkit), row.cc),
                      std::string(row.sources.front())};
    minimum.builds.push_back(std::move(build));
    for (const std::string_view source : row.sources) add(minimum.sources, source);
    if (!row.last_toolkit.empty()) minimum.notes.push_back(fmt::format("CUDA {} is the last that targets this part", row.last_toolkit));
  }
}

}  // namespace

Result<EngineReference> parse_engine(const SoftwareTables& tables, std::string_view text) {
  EngineReference reference;
  const std::size_t equals = text.find("==");
  const std::string name = lower(text.substr(0, equals));
  std::vector<std::string> known;
  for (const EngineRow& row : tables.engines) {
    const bool named = row.engine == name || std::find(row.names.begin(), row.names.end(), name) != row.names.end();
    if (named) reference.engine = &row;
    if (row.engine != "hardware") known.emplace_back(row.engine);
  }
  if (reference.engine == nullptr) {
    const std::string near = nearest_names(name, known);
    return fail(std::string(text), "there is no engine of that name in the catalogue",
                near.empty() ? fmt::format("Known: {}.", fmt::join(known, ", ")) : fmt::format("Did you mean {}? Known: {}.", near, fmt::join(known, ", ")));
  }
  if (equals == std::string_view::npos) return reference;
  reference.version = text.substr(equals + 2);
  if (reference.version.starts_with('v')) reference.version.erase(0, 1);
  if (reference.version == "main") return reference;
  const auto version = parse_version(reference.version);
  if (!version) return fail(std::string(text), version.error().what, "Write ENGINE==VERSION, as in vllm==0.11.0.");
  return reference;
}

EngineRelease engine_release(const SoftwareTables& tables, const EngineReference& reference) {
  EngineRelease release;
  release.engine = reference.engine;
  release.version = reference.version;
  const EngineReleaseRow* newest = nullptr;
  const EngineReleaseRow* later = nullptr;  // a row for every release after some version
  for (const EngineReleaseRow& row : tables.releases) {
    if (row.engine != reference.engine->engine || row.version.empty()) continue;
    if (row.version != "main" && (newest == nullptr || before(newest->version, row.version) || (row.after && same_version(newest->version, row.version))))
      newest = &row;
    if (release.version.empty()) continue;
    if (row.after) {
      if (before(row.version, release.version)) later = &row;
    } else if (same_version(row.version, release.version)) {
      release.row = &row;
    } else if (before(row.version, release.version)) {
      if (release.before == nullptr || before(release.before->version, row.version)) release.before = &row;
    } else if (release.after == nullptr || before(row.version, release.after->version)) {
      release.after = &row;
    }
  }
  if (release.version.empty()) {
    if (newest == nullptr) {
      release.why = fmt::format("no release of {} is listed", reference.engine->engine);
      return release;
    }
    release.row = newest;
    release.version = newest->after ? fmt::format("after {}", newest->version) : std::string(newest->version);
    release.match = ReleaseMatch::kNewest;
    release.why = fmt::format("no version was named: {} {} is the newest that is listed", reference.engine->engine, release.version);
  } else if (release.row != nullptr) {
    release.match = ReleaseMatch::kExact;
  } else if (later != nullptr) {
    release.row = later;
    release.match = ReleaseMatch::kExact;
    release.why = fmt::format("holds for every release after {}", later->version);
  } else {
    bracket(release);
    return release;
  }
  take(release, *release.row);
  return release;
}

Verdict3 engine_takes(const SoftwareTables& tables, const EngineRelease& release, const Device& device) {
  const EngineRow& engine = *release.engine;
  const std::string who = release.version.empty() ? std::string(engine.engine) : fmt::format("{} {}", engine.engine, release.version);
  if (!engine.accelerators.empty()) {
    Verdict3 verdict;
    verdict.sources = {std::string(engine.source)};
    const bool listed = std::find(engine.accelerators.begin(), engine.accelerators.end(), part_of(device)) != engine.accelerators.end();
    verdict.answer = listed ? Known::kYes : Known::kUnknown;
    verdict.why =
        listed ? fmt::format("{} lists this part as supported", engine.engine) : fmt::format("{} does not list this part: {}", engine.engine, engine.note);
    return verdict;
  }
  if (device.vendor != "NVIDIA") return {Known::kUnknown, fmt::format("the sources name no {} parts one by one", device.vendor), "", release.sources};
  if (!engine.min_cc.empty()) return takes_capability(engine.min_cc, device, engine.engine, {std::string(engine.source)});
  const auto part = parse_version(device.compute_capability);
  Verdict3 verdict;
  if (release.row != nullptr && !release.row->min_cc.empty()) {
    verdict = takes_capability(release.row->min_cc, device, who, release.sources);
  } else {
    // A release that does not say lies between two that do: what both take it takes, what neither takes it does not.
    const EngineReleaseRow *a = nullptr, *b = nullptr;
    for (const EngineReleaseRow& row : tables.releases) {
      if (row.engine != engine.engine || row.version.empty() || row.min_cc.empty() || release.version.empty()) continue;
      const std::string_view asked = release.row != nullptr ? release.row->version : std::string_view(release.version);
      if (before(row.version, asked) && (a == nullptr || before(a->version, row.version))) a = &row;
      if (before(asked, row.version) && (b == nullptr || before(row.version, b->version))) b = &row;
    }
    if (a == nullptr || b == nullptr || !part)
      return {Known::kUnknown, fmt::format("no source states the smallest compute capability of {}", who), "", release.sources};
    const Verdict3 first = takes_capability(a->min_cc, device, who, {}), second = takes_capability(b->min_cc, device, who, {});
    for (const EngineReleaseRow* row : {a, b})
      for (const std::string_view source : row->sources) add(verdict.sources, source);
    verdict.answer = first.answer == second.answer ? first.answer : Known::kUnknown;
    verdict.why = fmt::format("{} does not say; {} takes compute capability {} and higher, {} takes {} and higher; this part has {}", who, a->version,
                              a->min_cc, b->version, b->min_cc, device.compute_capability);
  }
  if (verdict.answer == Known::kNo && part) {
    const std::string other = newest_that_takes(tables, engine.engine, *part);
    if (!other.empty()) verdict.change = fmt::format("use {} {}, the newest listed release that takes this part", engine.engine, other);
  }
  return verdict;
}

Result<SoftwareMinimum> minimum_software(const Catalog& catalog, const Device& device, std::string_view engine) {
  const SoftwareTables tables = software(catalog);
  SoftwareMinimum minimum;
  EngineRelease release;
  const bool alone = engine.empty() || engine == "hardware";
  if (!alone) {
    RIDGE_TRY(const EngineReference reference, parse_engine(tables, engine));
    release = engine_release(tables, reference);
    minimum.engine = reference.engine->engine;
    minimum.engine_version = release.version;
    minimum.sources = release.sources;
    if (!release.why.empty()) minimum.notes.push_back(release.why);
    if (!release.note.empty()) minimum.notes.push_back(release.note);
  }
  if (device.vendor == "AMD") {
    if (!alone && !release.rocm.empty()) {
      minimum.platform = "ROCm";
      minimum.rocm = release.rocm;
    } else {
      minimum.notes.emplace_back("no ROCm version is in the catalogue for this release");
    }
    return minimum;
  }
  if (device.vendor != "NVIDIA" || device.compute_capability.empty()) {
    minimum.notes.push_back(device.vendor == "NVIDIA" || device.user_defined
                                ? "the part has no compute capability in the catalogue"
                                : fmt::format("the software stack of {} parts is not in the catalogue", device.vendor));
    return minimum;
  }
  minimum.platform = "CUDA";
  for (const EngineCudaRow& row : release.cuda) {
    minimum.builds.push_back(build_of(tables, row, device.compute_capability));
    add(minimum.sources, row.source);
  }
  if (alone) minimum_of_part(tables, device, minimum);
  std::stable_sort(minimum.builds.begin(), minimum.builds.end(),
                   [](const EngineBuild& a, const EngineBuild& b) { return *parse_version(a.cuda) < *parse_version(b.cuda); });
  const EngineBuild* chosen = nullptr;
  int standard = 0;
  for (const EngineBuild& build : minimum.builds)
    if (build.standard) chosen = &build, ++standard;
  if (chosen == nullptr && !minimum.builds.empty()) chosen = &minimum.builds.front();
  if (chosen == nullptr) {
    minimum.notes.push_back(alone ? fmt::format("no toolkit for compute capability {} is in the catalogue", device.compute_capability)
                                  : "what this release is built with is not known");
    return minimum;
  }
  if (standard > 1)
    minimum.notes.push_back(fmt::format("sources differ on the standard build: CUDA {}; the most demanding stands here", fmt::join(
                                                                                                                             [&] {
                                                                                                                               std::vector<std::string> all;
                                                                                                                               for (const EngineBuild& build :
                                                                                                                                    minimum.builds)
                                                                                                                                 if (build.standard)
                                                                                                                                   all.push_back(build.cuda);
                                                                                                                               return all;
                                                                                                                             }(),
                                                                                                                             " and ")));
  minimum.cuda = chosen->cuda;
  minimum.driver = driver_words(chosen->driver.floor);
  minimum.driver_full = driver_words(chosen->driver.full);
  for (const std::string& source : chosen->driver.sources) add(minimum.sources, source);
  if (const MigGpuRow* mig = device.id.find(kMigMark) == std::string::npos ? nullptr : mig_of(catalog, part_of(device));
      mig != nullptr && !mig->driver.empty()) {
    if (minimum.driver.empty() || *parse_version(minimum.driver) < *parse_version(mig->driver)) minimum.driver = mig->driver;
    minimum.notes.push_back(fmt::format("MIG on this part needs driver {}", mig->driver));
    add(minimum.sources, mig->driver_source);
  }
  return minimum;
}

}  // namespace ridge::hardware
