#include "hardware/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hardware/tables.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

constexpr std::size_t kLongestText = 4096;

struct LabelKey {
  std::string_view key;
  NameKind kind;
};
constexpr LabelKey kLabelKeys[] = {
    {"nvidia.com/gpu.product", NameKind::kDriver},
    {"amd.com/gpu.product-name", NameKind::kAmdLabel},
    {"beta.amd.com/gpu.product-name", NameKind::kAmdLabel},
    {"cloud.google.com/gke-accelerator", NameKind::kGke},
    {"cloud.google.com/gke-tpu-accelerator", NameKind::kGkeTpu},
    {"karpenter.k8s.aws/instance-gpu-name", NameKind::kKarpenterGpu},
    {"karpenter.k8s.aws/instance-accelerator-name", NameKind::kKarpenterAccelerator},
    {"karpenter.azure.com/sku-gpu-name", NameKind::kAks},
    {"modelName", NameKind::kDriver},
    {"device_name", NameKind::kDriver},
};
constexpr std::string_view kMemoryKeys[] = {"nvidia.com/gpu.memory", "karpenter.k8s.aws/instance-gpu-memory"};

std::string_view trimmed(std::string_view text) {
  const auto edge = [](char c) { return c == ' ' || c == '\t' || c == '"' || c == '\'' || c == ',' || c == '\r' || c == '\n'; };
  while (!text.empty() && edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && edge(text.back())) text.remove_suffix(1);
  return text;
}

// Lower case, words joined by '-', nothing else but letters, digits, '.' and '+': the form in which driver names, the labels made
// from them ("NVIDIA-A10G") and file names ("NVIDIA_A10G") meet.
std::string canonical(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z')
      text += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '+')
      text += c;
    else if ((c == ' ' || c == '_' || c == '-' || c == '/') && !text.empty() && text.back() != '-')
      text += '-';
  }
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text;
}

std::string without_vendor(std::string text) {
  for (std::string_view prefix : {"nvidia-", "amd-", "tesla-", "geforce-", "instinct-"})
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
}
std::string without_memory_type(std::string text) {
  for (std::string_view suffix : {"-hbm2e", "-hbm2", "-hbm3e", "-hbm3"})
    if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
  return text;
}

// What one text says: the name in it, under which key, and the suffixes of sharing and MIG taken off.
struct Parsed {
  std::string_view name;
  std::optional<NameKind> kind;
  std::string_view key;
  std::string_view mig;
  bool shared = false;
  std::string_view pci;                // "2330" of "10de:2330"
  std::optional<std::int64_t> memory;  // MiB: the text was a label of memory
};

bool label_like(std::string_view key) {
  return key.find('/') != std::string_view::npos || key.find('.') != std::string_view::npos || key.find('_') != std::string_view::npos;
}

// "key=value", "key: value", or a key="value" inside a longer line (DCGM's metrics, vLLM's file names).
Result<void> take_key(std::string_view text, Parsed& parsed) {
  for (std::string_view inside : {std::string_view("modelName="), std::string_view("device_name=")}) {
    if (const std::size_t at = text.find(inside); at != std::string_view::npos) {
      std::string_view value = text.substr(at + inside.size());
      const bool quoted = value.starts_with('"');
      if (quoted) value.remove_prefix(1);
      value = value.substr(0, value.find_first_of(quoted ? "\"" : ",}"));
      if (value.ends_with(".json")) value.remove_suffix(5);
      parsed.key = inside.substr(0, inside.size() - 1);
      parsed.kind = NameKind::kDriver;
      parsed.name = trimmed(value);
      return {};
    }
  }
  const std::size_t separator = text.find_first_of("=:");
  const std::string_view key = separator == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, separator));
  if (key.empty() || !label_like(key) || key.find(' ') != std::string_view::npos) return {};
  const std::string_view value = trimmed(text.substr(separator + 1));
  parsed.key = key;
  parsed.name = value;
  for (std::string_view memory : kMemoryKeys)
    if (key == memory) {
      auto mib = parse_integer(value);
      if (!mib || *mib < 1) return fail(std::string(key), fmt::format("\"{}\" is not a memory in MiB", value));
      parsed.memory = *mib;
      return {};
    }
  for (const LabelKey& known : kLabelKeys)
    if (key == known.key) {
      parsed.kind = known.kind;
      return {};
    }
  // Of a MIG resource under the mixed strategy: nvidia.com/mig-1g.10gb.product.
  if (key.starts_with("nvidia.com/mig-") && key.ends_with(".product")) {
    parsed.kind = NameKind::kDriver;
    return {};
  }
  std::vector<std::string> keys;
  for (const LabelKey& known : kLabelKeys) keys.emplace_back(known.key);
  return fail(std::string(key), "this label names no accelerator", fmt::format("Labels that do: {}.", fmt::join(keys, ", ")));
}

bool hexadecimal(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); });
}

Result<Parsed> parse(std::string_view given) {
  if (given.size() > kLongestText) return fail("", fmt::format("a name of {} characters", given.size()), fmt::format("At most {} are read.", kLongestText));
  Parsed parsed;
  std::string_view text = trimmed(given);
  // "10de:2330", NVIDIA's PCI vendor id and the device's.
  if (text.size() == 9 && (text.starts_with("10de:") || text.starts_with("10DE:")) && hexadecimal(text.substr(5))) {
    parsed.pci = text.substr(5);
    parsed.name = text;
    return parsed;
  }
  parsed.name = text;
  RIDGE_TRY_VOID(take_key(text, parsed));
  if (parsed.memory) return parsed;
  std::string_view& name = parsed.name;
  if (parsed.key.empty()) {
    // `nvidia-smi -L`: "GPU 0: NVIDIA A10G (UUID: GPU-…)"; `lspci`: "… NVIDIA Corporation GA102GL [A10G] (rev a1)".
    if (name.starts_with("GPU "))
      if (const std::size_t colon = name.find(": "); colon < 12) name = trimmed(name.substr(colon + 2));
    if (const std::size_t uuid = name.find(" (UUID:"); uuid != std::string_view::npos) name = trimmed(name.substr(0, uuid));
    const std::size_t open = name.rfind('['), close = name.rfind(']');
    if (name.find("Corporation") != std::string_view::npos && open != std::string_view::npos && close != std::string_view::npos && open < close)
      name = trimmed(name.substr(open + 1, close - open - 1));
  }
  if (name.ends_with("-SHARED")) {
    parsed.shared = true;
    name.remove_suffix(7);
  }
  for (std::string_view mark : {std::string_view("-MIG-"), std::string_view(" MIG ")})
    if (const std::size_t mig = name.rfind(mark); mig != std::string_view::npos) {
      parsed.mig = name.substr(mig + mark.size());
      name = name.substr(0, mig);
      break;
    }
  return parsed;
}

void add(std::vector<const AcceleratorRow*>& list, const AcceleratorRow* record) {
  if (record != nullptr && std::find(list.begin(), list.end(), record) == list.end()) list.push_back(record);
}

bool memory_agrees(const Catalog& catalog, const AcceleratorRow& record, Bytes memory) {
  auto usable = usable_memory(catalog, record);
  // A driver reports somewhat less than the label of which it is made; 3 % covers what page tables and ECC take.
  return usable && memory.as_double() >= 0.97 * usable->low.as_double() && memory.as_double() <= 1.03 * usable->high.as_double();
}

struct Finder {
  const Catalog& catalog;
  Identity& identity;
  std::optional<Bytes> memory;

  void take(const DeviceNameRow& row, std::string_view how) {
    for (std::string_view id : row.accelerators) add(identity.candidates, find_record(catalog, id));
    identity.how = how;
    if (row.inferred) identity.match = Match::kInferred;
    if (!row.note.empty() && identity.note.find(row.note) == std::string::npos) identity.note += (identity.note.empty() ? "" : "; ") + std::string(row.note);
    for (std::string_view source : row.source)
      if (std::find(identity.sources.begin(), identity.sources.end(), source) == identity.sources.end()) identity.sources.emplace_back(source);
  }

  // Rows of one kind whose name is `wanted`; true where there is one, though it may name a product without a record.
  bool by_row(NameKind kind, const std::string& wanted, std::string_view how, bool loosely) {
    bool found = false;
    for (const DeviceNameRow& row : catalog.tables().data.device_names) {
      if (row.kind != kind) continue;
      const std::string name = canonical(row.name);
      if (name != wanted && !(loosely && without_vendor(name) == without_vendor(wanted))) continue;
      // Two rows of one name differ in the memory.
      if (memory && row.memory_mib && std::abs(memory->as_double() / static_cast<double>(kMiB) - *row.memory_mib) > 0.03 * *row.memory_mib) continue;
      found = true;
      take(row, how);
      if (row.accelerators.empty() && identity.note.empty()) identity.note = "a product that is known, and has no record here";
    }
    return found;
  }
  bool by_catalogue(const std::string& wanted) {
    const std::string plain = without_memory_type(without_vendor(wanted));
    bool found = false;
    for (const AcceleratorRow& record : accelerators(catalog)) {
      const auto is = [&](std::string_view name) { return name == wanted || name == plain || without_vendor(canonical(name)) == plain; };
      if (!is(record.id) && !is(record.name) && !is(record.part) && std::none_of(record.aliases.begin(), record.aliases.end(), is)) continue;
      add(identity.candidates, &record);
      found = true;
    }
    if (found) identity.how = "catalogue name";
    return found;
  }
};

std::string_view kind_words(NameKind kind) { return kind == NameKind::kDriver ? "driver name" : formats::word_of(kind); }

void look_up(const Catalog& catalog, const Parsed& parsed, std::optional<Bytes> memory, Identity& identity) {
  Finder finder{catalog, identity, memory};
  if (!parsed.pci.empty()) {
    std::string id(parsed.pci);
    std::transform(id.begin(), id.end(), id.begin(), [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    for (const DeviceNameRow& row : catalog.tables().data.device_names)
      if (std::find(row.pci.begin(), row.pci.end(), id) != row.pci.end()) finder.take(row, "PCI id");
    return;
  }
  const std::string wanted = canonical(parsed.name);
  if (wanted.empty()) return;
  if (parsed.kind) {
    const std::string how =
        parsed.key == "modelName" || parsed.key == "device_name" ? fmt::format("driver name in {}", parsed.key) : fmt::format("label {}", parsed.key);
    finder.by_row(*parsed.kind, wanted, how, *parsed.kind == NameKind::kDriver);
    return;
  }
  // The driver's own name settles it, also when it is of a product without a record: "NVIDIA H100" is not any H100.
  if (finder.by_row(NameKind::kDriver, wanted, "driver name", false)) return;
  // Without its "NVIDIA" it does so only where it names a record; else it may be the short name of something else.
  if (finder.by_row(NameKind::kDriver, wanted, "driver name without its prefix", true) && !identity.candidates.empty()) return;
  identity.note.clear();
  identity.sources.clear();
  for (const auto& kind : kNameKinds)
    if (kind.value != NameKind::kDriver) finder.by_row(kind.value, wanted, kind_words(kind.value), false);
  finder.by_catalogue(wanted);
}

// Names that share the model with an unknown one: only shown, never chosen.
std::vector<std::string> look_alikes(const Catalog& catalog, std::string_view name) {
  std::vector<std::string> known;
  for (const DeviceNameRow& row : catalog.tables().data.device_names)
    if (row.kind == NameKind::kDriver || row.kind == NameKind::kAmdLabel) known.emplace_back(row.name);
  std::vector<std::string> near;
  const std::string text = nearest_names(name, known, 4);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    near.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return near;
}

Identity identity_of(const Catalog& catalog, const std::string& text, const Parsed& parsed, std::optional<Bytes> memory) {
  Identity identity;
  identity.text = text;
  identity.name = parsed.name;
  identity.mig_profile = parsed.mig;
  identity.shared = parsed.shared;
  look_up(catalog, parsed, memory, identity);
  if (memory && identity.candidates.size() > 1) {
    auto agree = identity.candidates;
    std::erase_if(agree, [&](const AcceleratorRow* record) { return !memory_agrees(catalog, *record, *memory); });
    if (!agree.empty()) identity.candidates = std::move(agree);
  }
  const auto one_part = [&identity] {
    return std::all_of(identity.candidates.begin(), identity.candidates.end(),
                       [&identity](const AcceleratorRow* record) { return !record->part.empty() && record->part == identity.candidates.front()->part; });
  };
  if (identity.candidates.empty()) {
    identity.match = Match::kUnknown;
    if (identity.note.empty()) identity.near = look_alikes(catalog, parsed.name);
  } else if (identity.candidates.size() > 1 && !one_part()) {
    identity.match = Match::kAmbiguous;
  } else if (identity.match != Match::kInferred) {
    identity.match = Match::kExact;
  }
  return identity;
}

}  // namespace

std::string_view word_for(Match match) {
  switch (match) {
    case Match::kExact:
      return "exact";
    case Match::kInferred:
      return "inferred";
    case Match::kAmbiguous:
      return "ambiguous";
    case Match::kUnknown:
      return "unknown";
  }
  return "";
}

Result<std::vector<Identity>> identify(const Catalog& catalog, std::span<const std::string> texts, std::optional<Bytes> memory) {
  std::vector<std::pair<const std::string*, Parsed>> names;
  for (const std::string& text : texts) {
    RIDGE_TRY(Parsed parsed, parse(text));
    if (!parsed.memory) {
      if (parsed.name.empty()) return fail("", "the name of a device is empty", "Give what nvidia-smi -L or a node's label says.");
      names.emplace_back(&text, parsed);
      continue;
    }
    const Bytes stated{*parsed.memory * kMiB};
    if (memory && *memory != stated) return fail(std::string(parsed.key), "the memory is given twice, with two values", "Identify one device at a time.");
    memory = stated;
  }
  if (names.empty()) return fail("", "no name of a device was given", "Give what nvidia-smi -L or a node's label says.");
  std::vector<Identity> identities;
  for (const auto& [text, parsed] : names) identities.push_back(identity_of(catalog, *text, parsed, memory));
  return identities;
}

}  // namespace ridge::hardware
