#include "model/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "formats/gguf.h"
#include "formats/safetensors.h"
#include "model/model.h"
#include "quantity/text.h"

namespace ridge::model {
namespace {

using formats::SafetensorsTensor;
using Kind = CheckpointDifference::Kind;

// Last parts of names under which methods of quantisation store one matrix: its elements, scales, zeros, shape, order.
constexpr std::array<std::string_view, 30> kPieces{"weight",
                                                   "qweight",
                                                   "qzeros",
                                                   "scales",
                                                   "g_idx",
                                                   "perm",
                                                   "weight_packed",
                                                   "weight_scale",
                                                   "weight_scale_inv",
                                                   "weight_scale_2",
                                                   "weight_shape",
                                                   "weight_zero_point",
                                                   "weight_g_idx",
                                                   "weight_global_scale",
                                                   "input_scale",
                                                   "input_global_scale",
                                                   "input_zero_point",
                                                   "output_scale",
                                                   "scale",
                                                   "k_scale",
                                                   "v_scale",
                                                   "q_scale",
                                                   "absmax",
                                                   "quant_map",
                                                   "nested_absmax",
                                                   "nested_quant_map",
                                                   "bitsandbytes__nf4",
                                                   "bitsandbytes__fp4",
                                                   "SCB",
                                                   "weight_format"};

// "a.q_proj.weight_scale_inv" → "a.q_proj"; a bias and what is no piece stay as they are.
std::string_view module_of(std::string_view name) {
  for (;;) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos && std::ranges::find(kPieces, name.substr(dot + 1)) != kPieces.end()) {
      name = name.substr(0, dot);
      continue;
    }
    // mxfp4 of gpt-oss: "gate_up_proj_blocks", "gate_up_proj_scales".
    for (const std::string_view tail : {"_blocks", "_scales"})
      if (name.ends_with(tail)) return name.substr(0, name.size() - tail.size());
    return name;
  }
}

bool is_main(std::string_view name) {
  return name.ends_with(".weight") || name.ends_with(".qweight") || name.ends_with(".weight_packed") || name.ends_with("_blocks") || module_of(name) == name;
}

std::optional<Precision> plain_format(formats::SafetensorsType type) {
  switch (type) {
    case formats::SafetensorsType::kF64:
      return Precision::kFp64;
    case formats::SafetensorsType::kF32:
      return Precision::kFp32;
    case formats::SafetensorsType::kF16:
      return Precision::kFp16;
    case formats::SafetensorsType::kBf16:
      return Precision::kBf16;
    default:
      return std::nullopt;
  }
}

// One module on either side.
struct Stored {
  Bytes bytes{};
  std::uint64_t elements = 0;  // of its main tensor
  std::optional<formats::SafetensorsType> type;
  bool seen = false;
};
struct Described {
  Bytes bytes{};
  std::uint64_t elements = 0;
  Storage storage;
};

std::uint64_t elements_of(const SafetensorsTensor& tensor) { return tensor.bytes() * 8 / static_cast<std::uint64_t>(formats::bits_of(tensor.type)); }

// "model.layers.17.mlp" → "model.layers.*.mlp".
std::string without_numbers(std::string_view name) {
  std::string result;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (begin > 0) result += '.';
    result += !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos ? "*" : part;
    begin = end + 1;
  }
  return result;
}

class Comparison {
 public:
  explicit Comparison(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  void add_stored(const SafetensorsTensor& tensor) {
    Stored& module = stored_[std::string(module_of(tensor.name))];
    module.bytes += Bytes{static_cast<std::int64_t>(tensor.bytes())};
    if (is_main(tensor.name)) {
      module.elements = elements_of(tensor);
      module.type = tensor.type;
    }
  }

  // All tensors of a stack, layer by layer; parts of one fused tensor, and a matrix's scales, add up under one name.
  void compare(const Stack& stack) {
    compare(stack.tensors, std::string());
    for (std::int64_t layer = 0; layer < stack.layers(); ++layer)
      compare(stack.blocks[static_cast<std::size_t>(stack.sequence[static_cast<std::size_t>(layer)])].tensors,
              fmt::format("{}{}.", stack.layer_prefix, stack.first_layer + layer));
  }

  // Checkpoints are also saved without the wrapper's first word ("h.0.…" for "transformer.h.0.…"): the change of names
  // under which most of the text model's own tensors are found.
  void choose_names(const Stack& text) {
    struct Change {
      std::string_view from, to;
    };
    constexpr std::array kChanges{Change{"", ""}, Change{"transformer.", ""}, Change{"model.", ""}, Change{"model.language_model.", "language_model.model."},
                                  Change{"language_model.model.", "model.language_model."}};
    std::int64_t best = -1;
    for (const Change& change : kChanges) {
      std::int64_t found = 0;
      for (const Tensor& tensor : text.tensors) found += stored_.contains(renamed(module_of(tensor.name), change.from, change.to)) ? 1 : 0;
      if (!text.sequence.empty())
        for (const Tensor& tensor : text.blocks[static_cast<std::size_t>(text.sequence[0])].tensors)
          found +=
              stored_.contains(renamed(fmt::format("{}{}.{}", text.layer_prefix, text.first_layer, module_of(tensor.name)), change.from, change.to)) ? 1 : 0;
      if (found <= best) continue;
      best = found;
      from_ = change.from;
      to_ = change.to;
    }
  }

  // What no tensor of the model asked for.
  void finish() {
    for (const auto& [name, module] : stored_)
      if (!module.seen) add(Kind::kExtra, name, module.bytes, Bytes{}, module.type ? std::string(formats::name_of(*module.type)) : std::string());
    for (auto& [key, difference] : differences_) checkpoint_.differences.push_back(std::move(difference));
    std::ranges::stable_sort(checkpoint_.differences, std::ranges::greater(), [](const CheckpointDifference& d) {
      const std::int64_t by = (d.stored - d.described).count;
      return by < 0 ? -by : by;
    });
  }

  // Tensors that lie in a shard which is not there.
  void excuse(const std::string& tensor) { elsewhere_[std::string(module_of(tensor))] = true; }

 private:
  void compare(const std::vector<Tensor>& tensors, const std::string& prefix) {
    std::map<std::string, Described> modules;
    for (const Tensor& tensor : tensors) {
      Described& module = modules[std::string(module_of(tensor.name))];
      const bool spread = tensor.name.find('*') != std::string::npos;
      module.bytes += spread ? stored_bytes(tensor.rows, tensor.columns, tensor.storage) : tensor.stored();
      module.elements += static_cast<std::uint64_t>(spread ? tensor.rows * tensor.columns : tensor.elements());
      module.storage = tensor.storage;
    }
    for (const auto& [name, module] : modules) {
      const std::size_t star = name.find('*');
      if (star == std::string::npos) {
        compare(prefix + name, module);
        continue;
      }
      for (std::int64_t copy = 0; copy < copies_of(tensors, name); ++copy)
        compare(fmt::format("{}{}{}{}", prefix, name.substr(0, star), copy, name.substr(star + 1)), module);
    }
  }

  static std::int64_t copies_of(const std::vector<Tensor>& tensors, const std::string& module) {
    const auto tensor = std::ranges::find_if(tensors, [&](const Tensor& t) { return module_of(t.name) == module; });
    return tensor == tensors.end() ? 0 : tensor->copies;
  }

  static std::string renamed(std::string_view name, std::string_view from, std::string_view to) {
    if (from.empty() || !name.starts_with(from)) return std::string(name);
    return std::string(to) + std::string(name.substr(from.size()));
  }

  void compare(const std::string& described_name, const Described& described) {
    const std::string name = renamed(described_name, from_, to_);
    const auto found = stored_.find(name);
    if (found == stored_.end()) {
      if (!elsewhere_.contains(name)) add(Kind::kMissing, name, Bytes{}, described.bytes, {});
      return;
    }
    Stored& stored = found->second;
    stored.seen = true;
    const std::optional<Precision> plain = stored.type ? plain_format(*stored.type) : std::nullopt;
    const bool both_plain = plain && !described.storage.quantised();
    if (both_plain && stored.elements != described.elements)
      add(Kind::kShape, name, stored.bytes, described.bytes, fmt::format("{} elements in the file, {} described", stored.elements, described.elements));
    else if (plain ? *plain != described.storage.format : stored.bytes != described.bytes && !described.storage.quantised())
      add(Kind::kType, name, stored.bytes, described.bytes,
          fmt::format("{} in the file, {} described", stored.type ? formats::name_of(*stored.type) : "no weight", ridge::name_of(described.storage.format)));
    else if (stored.bytes != described.bytes)
      add(Kind::kSize, name, stored.bytes, described.bytes, fmt::format("{} B in the file, {} B described", stored.bytes.count, described.bytes.count));
  }

  void add(Kind kind, const std::string& name, Bytes stored, Bytes described, std::string detail) {
    std::string pattern = without_numbers(name);
    const auto key = std::tuple(kind, pattern, detail);
    const auto [entry, added] = differences_.try_emplace(key, CheckpointDifference{kind, std::move(pattern), 0, {}, {}, std::move(detail)});
    ++entry->second.tensors;
    entry->second.stored += stored;
    entry->second.described += described;
  }

  Checkpoint& checkpoint_;
  std::string_view from_, to_;  // the change of names
  std::unordered_map<std::string, Stored> stored_;
  std::unordered_map<std::string, bool> elsewhere_;
  std::map<std::tuple<Kind, std::string, std::string>, CheckpointDifference> differences_;
};

void add_type(std::vector<CheckpointType>& types, std::string_view name, Bytes bytes) {
  auto type = std::ranges::find(types, name, &CheckpointType::name);
  if (type == types.end()) type = types.insert(types.end(), CheckpointType{std::string(name), 0, {}});
  ++type->tensors;
  type->bytes += bytes;
}

void sort_types(std::vector<CheckpointType>& types) {
  std::ranges::sort(types, [](const CheckpointType& a, const CheckpointType& b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name; });
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 3); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > 3 ? fmt::format("{} and {} more", text, names.size() - 3) : text;
}

Checkpoint of_safetensors(const Model& model, const formats::SafetensorsCheckpoint& found, const std::string& folder) {
  Checkpoint checkpoint;
  checkpoint.path = folder;
  checkpoint.files = 0;
  Comparison comparison(checkpoint);
  for (const formats::SafetensorsShard& shard : found.shards) {
    if (!shard.header) {
      checkpoint.absent.push_back(fmt::format("{}: {}", shard.file, shard.absence));
      continue;
    }
    ++checkpoint.files;
    for (const SafetensorsTensor& tensor : shard.header->tensors) {
      add_type(checkpoint.types, formats::name_of(tensor.type), Bytes{static_cast<std::int64_t>(tensor.bytes())});
      comparison.add_stored(tensor);
    }
  }
  checkpoint.stored = Bytes{static_cast<std::int64_t>(found.data_bytes)};
  if (found.index) {
    if (found.index->total_size) checkpoint.announced = Bytes{static_cast<std::int64_t>(*found.index->total_size)};
    const auto there = [&found](const std::string& file) {
      return std::ranges::any_of(found.shards, [&](const formats::SafetensorsShard& shard) { return shard.file == file && shard.header; });
    };
    for (const auto& [tensor, file] : found.index->weight_map)
      if (!checkpoint.complete() && !there(file)) comparison.excuse(tensor);
    if (!found.not_in_shards.empty()) checkpoint.notes.push_back("the index names tensors that its shards lack: " + list(found.not_in_shards));
    if (!found.not_in_index.empty()) checkpoint.notes.push_back("shards hold tensors that the index does not name: " + list(found.not_in_index));
    if (checkpoint.complete() && checkpoint.announced && *checkpoint.announced != checkpoint.stored)
      checkpoint.notes.push_back(fmt::format("the index announces {} B, its shards hold {} B", checkpoint.announced->count, checkpoint.stored.count));
  }
  sort_types(checkpoint.types);
  const Result<Bytes> described = checkpoint_bytes(model);
  if (!described) return checkpoint;
  checkpoint.described = *described;
  comparison.choose_names(model.text);
  comparison.compare(model.text);
  for (const std::optional<Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) comparison.compare(**stack);
  comparison.finish();
  return checkpoint;
}

Result<Checkpoint> of_gguf(const formats::FileSystem& files, const std::string& path) {
  RIDGE_TRY(const formats::GgufCheckpoint found, formats::read_gguf_checkpoint(files, path));
  Checkpoint checkpoint;
  checkpoint.path = path;
  checkpoint.files = 1 + static_cast<std::int64_t>(found.others.size());
  for (const std::string& absent : found.absent) checkpoint.absent.push_back(absent + ": there is no such file");
  const auto add = [&checkpoint](const formats::GgufFile& file) {
    for (const formats::GgufTensor& tensor : file.tensors) {
      const Bytes bytes{static_cast<std::int64_t>(tensor.bytes)};
      add_type(checkpoint.types, tensor.type->name, bytes);
      checkpoint.stored += bytes;
    }
  };
  add(found.first);
  for (const formats::GgufFile& file : found.others) add(file);
  sort_types(checkpoint.types);
  checkpoint.described = checkpoint.stored;  // the model was read from the same table
  return checkpoint;
}

}  // namespace

std::string_view name_of(CheckpointDifference::Kind kind) {
  switch (kind) {
    case Kind::kMissing:
      return "missing";
    case Kind::kExtra:
      return "extra";
    case Kind::kShape:
      return "shape differs";
    case Kind::kType:
      return "type differs";
    case Kind::kSize:
      return "size differs";
  }
  return "";
}

std::string Checkpoint::summary() const {
  std::string text;
  if (!complete()) text = fmt::format("{} of {} files are absent; ", absent.size(), static_cast<std::size_t>(files) + absent.size());
  const Bytes held = complete() ? stored : announced.value_or(stored);
  text += fmt::format("the {} {}, ", complete() ? "header holds" : announced ? "index announces" : "rest holds", format_bytes_decimal(held));
  if (!described) return text + "what the quantisation of the config stores is not known";
  text += fmt::format("the config describes {}", format_bytes_decimal(*described));
  if (!complete() && !announced) return text;
  const Bytes by = held - *described;
  text += by.count == 0 ? std::string(" (difference 0")
                        : fmt::format(" ({} {}", format_bytes_decimal(by.count < 0 ? Bytes{} - by : by), by.count < 0 ? "less" : "more");
  if (!differences.empty()) {
    const CheckpointDifference& first = differences.front();
    text += fmt::format("; {}: {}{}", name_of(first.kind), first.name, first.detail.empty() ? "" : ", " + first.detail);
    if (differences.size() > 1) text += fmt::format("; {} more", differences.size() - 1);
  }
  return text + ")";
}

Result<std::optional<Checkpoint>> inspect_checkpoint(const Model& model, const formats::FileSystem& files, const std::string& path) {
  if (path.ends_with(".gguf")) {
    RIDGE_TRY(Checkpoint checkpoint, of_gguf(files, path));
    return std::optional<Checkpoint>(std::move(checkpoint));
  }
  std::string folder = path;
  if (files.kind(path) != formats::FileSystem::Kind::kFolder) {
    const std::size_t slash = path.rfind('/');
    folder = slash == std::string::npos ? "." : path.substr(0, slash);
  }
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  if (files.kind(folder) != formats::FileSystem::Kind::kFolder) return std::optional<Checkpoint>();
  RIDGE_TRY(const std::optional<formats::SafetensorsCheckpoint> found, formats::find_safetensors(files, folder));
  if (!found) return std::optional<Checkpoint>();
  return std::optional<Checkpoint>(of_safetensors(model, *found, folder));
}

}  // namespace ridge::model
