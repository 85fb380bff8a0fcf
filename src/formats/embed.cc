#include "formats/embed.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "formats/file_system.h"

namespace ridge::formats {

std::string cpp_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7f || byte >= 0x80 || c == '?')
      out += fmt::format("\\{:03o}", byte);  // three octal digits never run into what follows; '?' so that no trigraph forms
    else
      out += c;
  }
  return out + "\"";
}

std::string cpp_number(double value) {
  RIDGE_CHECK(std::isfinite(value));
  std::string text = fmt::format("{}", value);  // the shortest that reads back the same
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string TableWriter::array(std::string_view type, const std::string& elements) {
  const std::string text = fmt::format("{}[] = {{\n{}}}", type, elements);
  if (const auto known = names_.find(text); known != names_.end()) return known->second;
  std::string name = fmt::format("kList{}", names_.size());
  arrays_ += fmt::format("constexpr {} {}[] = {{\n{}}};\n", type, name, elements);
  names_.emplace(text, name);
  return name;
}

std::string TableWriter::file(std::string_view header, std::string_view name_space, std::string_view from) const {
  return fmt::format(
      "// Written by the build from {}; changes here are lost.\n#include \"{}\"\n\n#pragma GCC diagnostic ignored "
      "\"-Wmissing-field-initializers\"\n\nnamespace {} {{\nnamespace {{\n{}}}  // namespace\n{}}}\n",
      from, header, name_space, arrays_, body_);
}

std::optional<std::vector<EmbedFile>> embed_inputs(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} OUTPUT_FOLDER FILE.yaml...\n", argv[0]);
    return std::nullopt;
  }
  const DiskFileSystem disk;
  std::vector<EmbedFile> files;
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i];
    const std::string name = path.substr(path.find_last_of('/') + 1);
    auto text = disk.read_all(path, 16u << 20);
    if (!text) {
      embed_failed(text.error());
      return std::nullopt;
    }
    auto node = read_yaml(*text, path);
    if (!node) {
      embed_failed(node.error());
      return std::nullopt;
    }
    files.push_back({name.substr(0, name.find('.')), *std::move(node), path});
  }
  return files;
}

int embed_failed(const Error& error) {
  fmt::print(stderr, "{}\n", to_string(error));
  return 1;
}

Result<void> write_if_changed(const std::string& path, const std::string& text) {
  const DiskFileSystem disk;
  if (disk.kind(path) == FileSystem::Kind::kFile)
    if (auto old = disk.read_all(path, 1u << 30); old && *old == text) return {};
  return write_file(path, text);
}

}  // namespace ridge::formats
