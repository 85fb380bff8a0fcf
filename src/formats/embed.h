// Writes rows (rows.h) as constant C++ tables. For host programs at build time only: src/<room>/embed.cc is such a program,
// and ridge_room(… DATA a b) runs it over data/a.yaml and data/b.yaml (cmake/rooms.cmake).
//
// To embed a table in a room:
//   1. data/things.yaml holds one top-level key, `things:`, with a list of rows.
//   2. src/<room>/things_rows.h (and .cc, for its check()) describes the row; src/<room>/data_rows.h holds
//        struct Data { std::span<const ThingRow> things; … };  template <class V> void describe(V& v, Data& d) { v.optional("things", d.things); … }
//      Files named *_rows.cc are linked by the embedding program too, so they may not use the compiled-in tables.
//   3. src/<room>/data.h declares `namespace ridge::<room>::data { extern const std::span<const ThingRow> things; }`.
//   4. src/<room>/embed.cc is `int main(int argc, char** argv) { return formats::embed<Data>(argc, argv, "<room>/data.h", "ridge::<room>::data"); }`
//   5. src/CMakeLists.txt names `things` under DATA of the room.
#pragma once

#include <string>
#include <vector>

#include "formats/rows.h"

namespace ridge::formats {

// The text of one generated file; nested lists become arrays of their own before the row that points to them.
class TableWriter {
 public:
  template <class T>
  std::string literal(const T& value);
  // Defines `name` as a span over `rows`.
  template <class Row>
  void table(std::string_view name, std::span<const Row> rows) {
    const std::string initialiser = literal(rows);
    body_ += "const std::span<const " + std::string(Row::kTypeName) + "> " + std::string(name) + (initialiser == "{}" ? "{}" : "{" + initialiser + "}") + ";\n";
  }
  std::string file(std::string_view header, std::string_view name_space, std::string_view from) const;

 private:
  std::string array(std::string_view type, const std::string& elements);

  std::string arrays_, body_;
  std::map<std::string, std::string> names_;  // text of an array → its name: equal lists are stored once
};

std::string cpp_string(std::string_view text);
std::string cpp_number(double value);

template <class T>
constexpr std::string_view type_name_of() {
  if constexpr (std::is_same_v<T, std::string_view>)
    return "std::string_view";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, int>)
    return "int";
  else if constexpr (std::is_same_v<T, Precision>)
    return "ridge::Precision";
  else
    return T::kTypeName;
}

namespace detail {
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsSpan : std::false_type {};
template <class T>
struct IsSpan<std::span<const T>> : std::true_type {};

// The visitor that prints the members of a row.
template <class Row>
class RowWriter {
 public:
  explicit RowWriter(TableWriter& writer) : writer_(&writer) {}
  std::vector<std::pair<std::string, std::string>> members;  // name, literal ("" for an empty optional)

  template <class T>
  void required(std::string_view name, T& member) {
    write(name, member);
  }
  template <class T>
  void optional(std::string_view name, T& member) {
    write(name, member);
  }
  void key(std::string_view name, std::string_view& member, std::string_view) { write(name, member); }
  template <class T>
  void reference(std::string_view name, T& member, std::string_view, bool = true) {
    write(name, member);
  }

 private:
  template <class T>
  void write(std::string_view name, const T& member) {
    std::string value;
    if constexpr (IsOptional<T>::value) {
      using Inner = typename T::value_type;
      if (!member)
        value = "";
      else if constexpr (std::is_enum_v<Inner>)
        value = "decltype(" + std::string(Row::kTypeName) + "::" + std::string(name) + ")::value_type{" + std::to_string(static_cast<int>(*member)) + "}";
      else
        value = writer_->literal(*member);
    } else if constexpr (std::is_enum_v<T>) {
      value = "decltype(" + std::string(Row::kTypeName) + "::" + std::string(name) + "){" + std::to_string(static_cast<int>(member)) + "}";
    } else {
      value = writer_->literal(member);
    }
    members.emplace_back(name, std::move(value));
  }
  TableWriter* writer_;
};
}  // namespace detail

template <class T>
std::string TableWriter::literal(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return cpp_string(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return cpp_number(value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(type_name_of<T>()) + "{" + std::to_string(static_cast<int>(value)) + "}";
  } else if constexpr (detail::IsSpan<T>::value) {
    if (value.empty()) return "{}";
    std::string elements;
    for (const auto& element : value) elements += "    " + literal(element) + ",\n";
    return array(type_name_of<typename T::value_type>(), elements);
  } else {
    // A designated initialiser without the members that have their default: shorter, and compiled in half the time.
    detail::RowWriter<T> defaults(*this), writer(*this);
    T untouched{};
    T copy = value;  // describe() takes rows by reference to fill them
    describe(defaults, untouched);
    describe(writer, copy);
    std::string out;
    for (std::size_t i = 0; i < writer.members.size(); ++i) {
      if (writer.members[i] == defaults.members[i]) continue;
      out += (out.empty() ? "{." : ", .") + writer.members[i].first + " = " + writer.members[i].second;
    }
    return out.empty() ? "{}" : out + "}";
  }
}

struct EmbedFile {
  std::string stem;  // "accelerators"
  Node node;
  std::string file;
};
// argv: OUTPUT_FOLDER FILE.yaml… Errors are printed and null is returned.
std::optional<std::vector<EmbedFile>> embed_inputs(int argc, char** argv);
int embed_failed(const Error& error);
// Leaves a file with the same text alone, so that nothing behind it is built again.
Result<void> write_if_changed(const std::string& path, const std::string& text);

namespace detail {
// Writes those tables of Data that came with this file.
class DataWriter {
 public:
  DataWriter(TableWriter& writer, const NodeRef& file) : writer_(&writer), file_(&file) {}
  template <class Row>
  void optional(std::string_view name, std::span<const Row>& rows) {
    if (file_->has(name)) writer_->table(name, std::span<const Row>(rows));
  }

 private:
  TableWriter* writer_;
  const NodeRef* file_;
};
}  // namespace detail

// The whole of an embedding program: reads and checks every file, writes OUTPUT_FOLDER/<stem>_data.cc for each.
// Data is a struct of spans, one per table; a key may stand in one file only.
template <class Data>
int embed(int argc, char** argv, std::string_view header, std::string_view name_space) {
  const auto files = embed_inputs(argc, argv);
  if (!files) return 2;
  Arena arena;
  RowContext context(arena);
  std::vector<Data> parts;
  for (const EmbedFile& file : *files) {
    auto part = read_row<Data>(NodeRef(file.node, file.file), context);
    if (!part) return embed_failed(part.error());
    parts.push_back(*part);
  }
  if (auto resolved = context.resolve(); !resolved) return embed_failed(resolved.error());
  for (std::size_t i = 0; i < files->size(); ++i) {
    const EmbedFile& file = (*files)[i];
    TableWriter writer;
    const NodeRef root(file.node, file.file);
    detail::DataWriter tables(writer, root);
    describe(tables, parts[i]);
    const std::string path = std::string(argv[1]) + "/" + file.stem + "_data.cc";
    if (auto written = write_if_changed(path, writer.file(header, name_space, file.stem + ".yaml")); !written) return embed_failed(written.error());
  }
  return 0;
}

}  // namespace ridge::formats
