// MODEL as people write it, in this order: "key=value,…", a name of the catalogue, a file or folder that is there, a count.
#include <fmt/format.h>

#include <algorithm>

#include "formats/gguf.h"
#include "model/checkpoint.h"
#include "model/config.h"
#include "model/data.h"
#include "model/gguf_model.h"
#include "model/inline.h"
#include "model/model.h"
#include "quantity/text.h"

namespace ridge::model {
namespace {

using formats::FileSystem;

constexpr std::uint64_t kMaxConfigBytes = 64ull << 20;

std::string lower(std::string_view text) {
  std::string plain;
  for (char c : text) plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return plain;
}

// The name itself, an alias, or the part of an alias behind its publisher ("Llama-3.1-8B" of "meta-llama/Llama-3.1-8B").
const ModelRow* find_row(std::string_view text) {
  const std::string wanted = lower(text);
  for (const ModelRow& row : data::models) {
    if (row.name == wanted) return &row;
    for (std::string_view alias : row.aliases)
      if (lower(alias) == wanted) return &row;
  }
  for (const ModelRow& row : data::models)
    for (std::string_view alias : row.aliases)
      if (const std::size_t slash = alias.find('/'); slash != std::string_view::npos && lower(alias.substr(slash + 1)) == wanted) return &row;
  return nullptr;
}

Result<Model> load_row(const ModelRow& row) {
  const std::string file = fmt::format("catalogue model {}", row.name);
  RIDGE_TRY(const formats::Node node, formats::read_json(row.config, file));
  RIDGE_TRY(Model model, read_config(formats::NodeRef(node, file)));
  model.name = row.name;
  model.origin = "catalogue";
  if (!row.note.empty()) model.notes.emplace_back(row.note);
  const auto source = std::find_if(data::sources.begin(), data::sources.end(), [&](const formats::SourceRow& s) { return s.id == row.source; });
  if (source != data::sources.end()) model.sources.push_back(fmt::format("{}{}{}", source->title, source->version.empty() ? "" : ", ", source->version));
  return model;
}

// The name of a model that lies in a folder: the folder's own, or of config.json the folder's.
std::string name_of_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string last = slash == std::string::npos ? path : path.substr(slash + 1);
  if (last == "config.json" && slash != std::string::npos && slash > 0) return name_of_path(path.substr(0, slash));
  if (last.ends_with(".json") && last != "config.json") last.resize(last.size() - 5);
  if (last.ends_with(".gguf")) last.resize(last.size() - 5);
  return last;
}

// A checkpoint is often named after its quantisation; without a description of it the sizes would pass for its own.
void note_unkept_promise(Model& model) {
  if (!model.quantisation_name.empty()) return;
  const std::string name = lower(model.name);
  for (std::string_view word : {"nvfp4", "mxfp4", "fp8", "int8", "int4", "awq", "gptq", "w4a16", "w8a8", "bnb"}) {
    if (name.find(word) == std::string::npos) continue;
    std::string shown(word);
    for (char& c : shown) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    model.notes.push_back(fmt::format("the name says {}, but neither config.json nor hf_quant_config.json describes a quantisation: sizes are those of {}",
                                      shown, name_of(model.native)));
    return;
  }
}

// The weights beside a config say exactly what they take; where the two disagree the reader must know.
Result<void> add_checkpoint(Model& model, const FileSystem& files, const std::string& path) {
  if (path != "config.json" && !path.ends_with("/config.json")) return {};  // "llama.json" among others: the weights beside it are anyone's
  RIDGE_TRY(const std::optional<Checkpoint> checkpoint, inspect_checkpoint(model, files, path));
  if (!checkpoint) return {};
  if (checkpoint->complete()) model.checkpoint_bytes = checkpoint->stored;
  if (!checkpoint->complete() || !checkpoint->differences.empty()) model.notes.push_back(checkpoint->summary());
  model.notes.insert(model.notes.end(), checkpoint->notes.begin(), checkpoint->notes.end());
  return {};
}

Result<Model> load_gguf(const FileSystem& files, const std::string& path) {
  RIDGE_TRY(Model model, read_gguf_model(files, path));
  model.name = name_of_path(path);
  return model;
}

// Standard input is read once: what it begins with tells a GGUF file from a config.
Result<Model> load_standard_input(const FileSystem& files) {
  constexpr const char* kName = "standard input";
  RIDGE_TRY(const std::string text, files.read("-", 0, formats::kMaxGgufHeader));
  if (text.starts_with("GGUF")) {
    formats::GgufCheckpoint checkpoint;
    const bool whole = text.size() < formats::kMaxGgufHeader;
    RIDGE_TRY(checkpoint.first, formats::parse_gguf(text, whole ? std::optional<std::uint64_t>(text.size()) : std::nullopt, kName));
    return model_of(checkpoint);
  }
  if (text.size() > kMaxConfigBytes) return fail(kName, fmt::format("the file is larger than the limit of {} bytes", kMaxConfigBytes));
  RIDGE_TRY(const formats::Node node, formats::read_python_json(text, kName));
  RIDGE_TRY(Model model, read_config(formats::NodeRef(node, kName), nullptr));
  model.name = kName;
  model.sources.emplace_back(kName);
  return model;
}

Result<Model> load_config(const FileSystem& files, const std::string& path) {
  RIDGE_TRY(const std::string text, files.read_all(path, kMaxConfigBytes));
  RIDGE_TRY(const formats::Node node, formats::read_python_json(text, path));
  const std::size_t slash = path.rfind('/');
  const std::string beside = (slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) + "hf_quant_config.json";
  std::optional<formats::Node> quantisation;
  if (files.kind(beside) == FileSystem::Kind::kFile) {
    RIDGE_TRY(const std::string words, files.read_all(beside, kMaxConfigBytes));
    RIDGE_TRY(quantisation, formats::read_python_json(words, beside));
  }
  std::optional<formats::NodeRef> reference;
  if (quantisation) reference.emplace(*quantisation, beside);
  RIDGE_TRY(Model model, read_config(formats::NodeRef(node, path), reference ? &*reference : nullptr));
  model.name = name_of_path(path);
  model.sources.push_back(path);
  note_unkept_promise(model);
  RIDGE_TRY_VOID(add_checkpoint(model, files, path));
  return model;
}

// The GGUF file of a folder without config.json: the only one, or the parts of the only one.
Result<std::string> only_gguf(const FileSystem& files, const std::string& path) {
  RIDGE_TRY(const std::vector<std::string> names, files.list(path));
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (!name.ends_with(".gguf") || name.starts_with("mmproj")) continue;
    const auto split = formats::parse_gguf_split_name(name);
    if (!split || split->number == 1) found.push_back(name);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) return fail(path, "the folder holds no config.json", "Give the folder of a Hugging Face model, its config.json, or a .gguf file.");
  return fail(path, fmt::format("the folder holds {} models: {}, {}{}", found.size(), found[0], found[1], found.size() > 2 ? ", …" : ""),
              "Give one of the files.");
}

Result<Model> load_path(const FileSystem& files, const std::string& path, FileSystem::Kind kind) {
  if (kind != FileSystem::Kind::kFolder) {
    RIDGE_TRY(const std::string first, files.read(path, 0, 4));
    return first == "GGUF" || path.ends_with(".gguf") ? load_gguf(files, path) : load_config(files, path);
  }
  if (files.kind(path + "/config.json") != FileSystem::Kind::kAbsent) return load_config(files, path + "/config.json");
  RIDGE_TRY(const std::string gguf, only_gguf(files, path));
  return load_gguf(files, path + "/" + gguf);
}

bool looks_like_a_path(std::string_view text) {
  return text.starts_with("./") || text.starts_with("../") || text.starts_with('/') || text.ends_with(".json") || text.ends_with(".gguf") ||
         text.ends_with('/');
}

}  // namespace

Result<Model> load(std::string_view text, const FileSystem& files) {
  if (text.empty()) return fail("", "no model is given", "Give a name, a config.json, a parameter count such as 7b, or layers=…,hidden=…,heads=….");
  std::string path(text);
  const bool pathlike = looks_like_a_path(text);
  if (!pathlike && text.find('=') != std::string_view::npos) return read_inline(text);
  if (const ModelRow* row = find_row(text)) return load_row(*row);
  if (text == "-") return load_standard_input(files);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const FileSystem::Kind kind = files.kind(path);
  if (kind != FileSystem::Kind::kAbsent) return load_path(files, path, kind);
  if (pathlike) return fail(path, "there is no such file");
  if (std::optional<Model> model = read_count(text)) return *model;
  const std::string near = nearest_names(lower(text), catalogue_names());
  return fail(path, "no model of this name is in the catalogue, and there is no such file",
              near.empty() ? "Give a config.json or its folder, a parameter count such as 7b, or layers=…,hidden=…,heads=…." : "Did you mean " + near + "?");
}

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const ModelRow& row : data::models) names.emplace_back(row.name);
  return names;
}

}  // namespace ridge::model
