// MODEL as people write it, in this order: "key=value,…", a name of the catalogue, a file or folder that is there, a count.
#include <fmt/format.h>

#include <algorithm>

#include "model/config.h"
#include "model/data.h"
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
std::string name_of_path(std::string path) {
  const std::size_t slash = path.rfind('/');
  std::string last = slash == std::string::npos ? path : path.substr(slash + 1);
  if (last == "config.json" && slash != std::string::npos && slash > 0) return name_of_path(path.substr(0, slash));
  if (last.ends_with(".json") && last != "config.json") last.resize(last.size() - 5);
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

Result<Model> load_config(const FileSystem& files, const std::string& path) {
  RIDGE_TRY(const std::string text, files.read_all(path, kMaxConfigBytes));
  const std::string file = path == "-" ? "standard input" : path;
  RIDGE_TRY(const formats::Node node, formats::read_python_json(text, file));
  const std::size_t slash = path.rfind('/');
  const std::string beside = (slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) + "hf_quant_config.json";
  std::optional<formats::Node> quantisation;
  if (path != "-" && files.kind(beside) == FileSystem::Kind::kFile) {
    RIDGE_TRY(const std::string words, files.read_all(beside, kMaxConfigBytes));
    RIDGE_TRY(quantisation, formats::read_python_json(words, beside));
  }
  std::optional<formats::NodeRef> reference;
  if (quantisation) reference.emplace(*quantisation, beside);
  RIDGE_TRY(Model model, read_config(formats::NodeRef(node, file), reference ? &*reference : nullptr));
  model.name = path == "-" ? file : name_of_path(path);
  model.sources.push_back(file);
  note_unkept_promise(model);
  return model;
}

Result<Model> load_path(const FileSystem& files, const std::string& path, FileSystem::Kind kind) {
  if (kind != FileSystem::Kind::kFolder) return load_config(files, path);
  const std::string config = path + "/config.json";
  if (files.kind(config) == FileSystem::Kind::kAbsent)
    return fail(path, "the folder holds no config.json", "Give the folder of a Hugging Face model, its config.json, or a .gguf file.");
  return load_config(files, config);
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
  if (text == "-") return load_config(files, path);
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
