// How a GPU is named on the command line: a record, a part or an alias with a count, a MIG slice of one, or an inline description.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hardware/accelerators.h"
#include "hardware/mig.h"
#include "hardware/tables.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::size_t kLongestName = 512;

std::string folded(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z')
      text += static_cast<char>(c - 'A' + 'a');
    else
      text += c == '_' || c == ' ' ? '-' : c;
  }
  return text;
}

// Names that mean one part: what an error may propose.
std::vector<std::string> plain_names(const Catalog& catalog) {
  std::map<std::string, int> names;
  for (const AcceleratorRow& record : accelerators(catalog)) {
    names[std::string(record.id)] = 1;
    if (!record.part.empty()) names[std::string(record.part)] = 1;
    for (std::string_view alias : record.aliases) ++names[std::string(alias)];
  }
  std::vector<std::string> plain;
  for (const auto& [name, parts] : names)
    if (parts == 1) plain.push_back(name);
  return plain;
}

std::string ids(const std::vector<const AcceleratorRow*>& records) {
  std::string text;
  for (const AcceleratorRow* record : records) text += (text.empty() ? "" : ", ") + std::string(record->id);
  return text;
}

// "NAME:8" → NAME and 8. An inline description keeps its own colons out: only the last field may be followed by a count.
struct Counted {
  std::string_view name;
  std::optional<int> count;
};
Result<Counted> split_count(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return Counted{text, std::nullopt};
  const std::string_view digits = text.substr(colon + 1);
  auto count = parse_integer(digits);
  if (!count || *count < 1)
    return fail(std::string(text), fmt::format("\"{}\" is not a count of GPUs", digits),
                "Write NAME or NAME:COUNT with a whole number from 1, as in h100-sxm5:8.");
  if (*count > kMostGpus)
    return fail(std::string(text), fmt::format("{} GPUs are more than {}", *count, kMostGpus), "Write a count that a machine room could hold.");
  return Counted{text.substr(0, colon), static_cast<int>(*count)};
}

SourcedFigure given(double value, std::string unit, std::string basis) {
  return {{value, value}, std::move(unit), std::move(basis), {"user"}, Provenance::kUser};
}

const std::vector<std::string>& inline_keys() {
  static const std::vector<std::string> keys{"peak", "bandwidth", "memory", "link", "host", "power", "name", "peak.PRECISION"};
  return keys;
}

template <class T>
Result<double> positive(Result<T> parsed, double value_of(const T&)) {
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  const double value = value_of(*parsed);
  if (value <= 0) return fail("", "zero is no rating of a GPU", "Leave the field out where it is not known.");
  return value;
}

Result<void> assign_inline(Device& device, std::string_view key, std::string_view value, std::map<Precision, SourcedFigure>& particular) {
  const auto scalar = [](const auto& v) { return v.value; };
  if (key == "peak") {
    RIDGE_TRY(double rate, positive<FlopPerSecond>(parse_flop_per_second(value), scalar));
    for (Precision precision : all_precisions()) device.peak.insert_or_assign(precision, given(rate, "FLOP/s", "as given, for whatever precision is asked"));
  } else if (key.starts_with("peak.")) {
    RIDGE_TRY(Precision precision, parse_precision(key.substr(5)));
    RIDGE_TRY(double rate, positive<FlopPerSecond>(parse_flop_per_second(value), scalar));
    particular.insert_or_assign(precision, given(rate, "FLOP/s", "as given"));
  } else if (key == "bandwidth") {
    RIDGE_TRY(double rate, positive<BytesPerSecond>(parse_bytes_per_second(value), scalar));
    device.memory_bandwidth = given(rate, "B/s", "as given");
  } else if (key == "memory") {
    RIDGE_TRY(double size, positive<Bytes>(parse_bytes(value), [](const Bytes& bytes) { return bytes.as_double(); }));
    device.memory_label = given(size, "B", "as given");
    device.usable_memory = UsableMemory{Bytes::from_double(size), Bytes::from_double(size), "as given, all of it usable", {"user"}};
  } else if (key == "link" || key == "host") {
    RIDGE_TRY(double rate, positive<BytesPerSecond>(parse_bytes_per_second(value), scalar));
    (key == "link" ? device.scale_up : device.host_link) = given(rate, "B/s", "as given, read per direction");
  } else if (key == "power") {
    RIDGE_TRY(double watts, positive<Watts>(parse_watts(value), scalar));
    device.power = given(watts, "W", "as given");
  } else if (key == "name") {
    if (value.empty()) return fail("", "a name is missing");
    device.name = value;
  } else {
    return fail("", "there is no such field", fmt::format("Known fields: {}.", fmt::join(inline_keys(), ", ")));
  }
  return {};
}

Result<Device> inline_device(std::string_view text) {
  Device device;
  device.id = text;
  device.name = text;
  device.unit_counted = "chip";
  device.user_defined = true;
  std::map<Precision, SourcedFigure> particular;
  std::set<std::string, std::less<>> seen;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view field = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos)
      return fail(std::string(text), fmt::format("\"{}\" is not KEY=VALUE", field),
                  fmt::format("Known fields: {}; as in peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB.", fmt::join(inline_keys(), ", ")));
    const std::string_view key = field.substr(0, equals);
    if (!seen.emplace(key).second) return fail(std::string(text), fmt::format("\"{}\" stands twice", key), "Give it once.");
    if (auto assigned = assign_inline(device, key, field.substr(equals + 1), particular); !assigned)
      return tl::unexpected<Error>(with_context(assigned.error(), key));
  }
  for (auto& [precision, rate] : particular) device.peak.insert_or_assign(precision, rate);
  return device;
}

}  // namespace

const AcceleratorRow* find_record(const Catalog& catalog, std::string_view id) {
  for (const AcceleratorRow& record : accelerators(catalog))
    if (record.id == id) return &record;
  return nullptr;
}

Result<std::vector<const AcceleratorRow*>> find_records(const Catalog& catalog, std::string_view name) {
  if (name.size() > kLongestName) return fail("", fmt::format("a GPU's name of {} characters", name.size()), "See `ridge gpu list`.");
  const std::string wanted = folded(name);
  if (const AcceleratorRow* record = find_record(catalog, wanted)) return std::vector<const AcceleratorRow*>{record};
  std::vector<const AcceleratorRow*> of_part, of_alias;
  for (const AcceleratorRow& record : accelerators(catalog)) {
    if (record.part == wanted && !wanted.empty()) of_part.push_back(&record);
    if (std::find(record.aliases.begin(), record.aliases.end(), wanted) != record.aliases.end()) of_alias.push_back(&record);
  }
  if (!of_part.empty()) return of_part;
  if (of_alias.size() == 1) return of_alias;
  if (of_alias.size() > 1)
    return fail(std::string(name), fmt::format("\"{}\" may be any of {} parts", name, of_alias.size()),
                fmt::format("They differ in memory, links or rates: name one of {}.", ids(of_alias)));
  const std::string near = nearest_names(wanted, plain_names(catalog));
  return fail(std::string(name), fmt::format("\"{}\" is no GPU of the catalogue", name),
              near.empty() ? "See `ridge gpu list`." : fmt::format("Did you mean {}? See `ridge gpu list`.", near));
}

Result<GpuReference> Catalog::resolve(std::string_view gpu) const {
  if (gpu.empty()) return fail("", "the name of a GPU is missing", "See `ridge gpu list`.");
  RIDGE_TRY(Counted counted, split_count(gpu));
  GpuReference reference;
  reference.text = counted.name;
  reference.count = counted.count.value_or(1);
  reference.count_given = counted.count.has_value();
  if (counted.name.find('=') != std::string_view::npos) {
    RIDGE_TRY(Device device, inline_device(counted.name));
    reference.profiles.push_back(std::move(device));
    return reference;
  }
  const std::string name = folded(counted.name);
  const std::size_t mark = name.find(kMigMark);
  RIDGE_TRY(auto records, find_records(*this, counted.name.substr(0, mark)));
  for (const AcceleratorRow* record : records) {
    if (record->kind != PartKind::kChip) {
      return fail(std::string(counted.name), fmt::format("\"{}\" is a {} of {}, not an accelerator", record->id, word_of(record->kind), record->counts),
                  record->chip.empty() ? "Name the accelerator and how many."
                                       : fmt::format("Name the accelerator and how many: {}:{}.", record->chip, record->accelerators));
    }
    Device device = device_of(*this, *record);
    if (mark != std::string::npos) {
      RIDGE_TRY(const MigSlice slice, mig_slice(*this, *record, std::string_view(name).substr(mark + kMigMark.size())));
      device = mig_device(device, slice);
    }
    reference.profiles.push_back(std::move(device));
  }
  return reference;
}

std::vector<Device> Catalog::devices() const {
  std::vector<Device> all;
  for (const AcceleratorRow& record : accelerators(*this))
    if (record.kind == PartKind::kChip) all.push_back(device_of(*this, record));
  return all;
}

}  // namespace ridge::hardware
