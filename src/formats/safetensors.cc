#include "formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "formats/cursor.h"
#include "formats/tree.h"

namespace ridge::formats {
namespace {

struct TypeRow {
  SafetensorsType type;
  std::string_view name;
  int bits;
};

// Dtype of the reference implementation, version 0.8 (safetensors/src/tensor.rs). F4 and F6 are packed without padding.
constexpr std::array kTypes{
    TypeRow{SafetensorsType::kBool, "BOOL", 8},
    TypeRow{SafetensorsType::kF4, "F4", 4},
    TypeRow{SafetensorsType::kF6E2M3, "F6_E2M3", 6},
    TypeRow{SafetensorsType::kF6E3M2, "F6_E3M2", 6},
    TypeRow{SafetensorsType::kU8, "U8", 8},
    TypeRow{SafetensorsType::kI8, "I8", 8},
    TypeRow{SafetensorsType::kF8E5M2, "F8_E5M2", 8},
    TypeRow{SafetensorsType::kF8E4M3, "F8_E4M3", 8},
    TypeRow{SafetensorsType::kF8E8M0, "F8_E8M0", 8},
    TypeRow{SafetensorsType::kF8E4M3Fnuz, "F8_E4M3FNUZ", 8},
    TypeRow{SafetensorsType::kF8E5M2Fnuz, "F8_E5M2FNUZ", 8},
    TypeRow{SafetensorsType::kI16, "I16", 16},
    TypeRow{SafetensorsType::kU16, "U16", 16},
    TypeRow{SafetensorsType::kF16, "F16", 16},
    TypeRow{SafetensorsType::kBf16, "BF16", 16},
    TypeRow{SafetensorsType::kI32, "I32", 32},
    TypeRow{SafetensorsType::kU32, "U32", 32},
    TypeRow{SafetensorsType::kF32, "F32", 32},
    TypeRow{SafetensorsType::kC64, "C64", 64},
    TypeRow{SafetensorsType::kF64, "F64", 64},
    TypeRow{SafetensorsType::kI64, "I64", 64},
    TypeRow{SafetensorsType::kU64, "U64", 64},
};

const TypeRow& row_of(SafetensorsType type) {
  const auto row = std::ranges::find(kTypes, type, &TypeRow::type);
  RIDGE_CHECK(row != kTypes.end());
  return *row;
}

Result<SafetensorsType> parse_type(const NodeRef& node) {
  RIDGE_TRY(const std::string text, node.as_text());
  if (const auto row = std::ranges::find(kTypes, text, &TypeRow::name); row != kTypes.end()) return row->type;
  std::string known;
  for (const TypeRow& row : kTypes) known += (known.empty() ? "" : ", ") + std::string(row.name);
  return node.error(fmt::format("\"{}\" is no type of the format", text), "The types are " + known + ".");
}

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// Bytes that shape and type ask for.
Result<std::uint64_t> wanted_bytes(const SafetensorsTensor& tensor, const NodeRef& node) {
  std::uint64_t elements = 1;
  for (const std::int64_t size : tensor.shape) {
    Result<std::uint64_t> product = checked_multiply(elements, static_cast<std::uint64_t>(size), "elements of the shape");
    if (!product) return node.error(product.error().what);
    elements = *product;
  }
  const Result<std::uint64_t> bits = checked_multiply(elements, static_cast<std::uint64_t>(bits_of(tensor.type)), "bits of the tensor");
  if (!bits) return node.error(bits.error().what);
  if (*bits % 8 != 0) return node.error(fmt::format("{} elements of {} do not fill whole bytes", elements, name_of(tensor.type)));
  return *bits / 8;
}

Result<SafetensorsTensor> parse_tensor(std::string_view name, const NodeRef& node) {
  SafetensorsTensor tensor;
  tensor.name = std::string(name);
  if (node.kind() != Node::Kind::kMap)
    return node.error(fmt::format("an object with dtype, shape and data_offsets is expected, found {}", name_of(node.kind())));
  RIDGE_TRY_VOID(node.only({"dtype", "shape", "data_offsets"}));
  RIDGE_TRY(const NodeRef type, node.require("dtype"));
  RIDGE_TRY(tensor.type, parse_type(type));
  RIDGE_TRY(const NodeRef shape, node.require("shape"));
  if (shape.kind() != Node::Kind::kList) return shape.error(fmt::format("a list of sizes is expected, found {}", name_of(shape.kind())));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    RIDGE_TRY(const std::int64_t size, shape.at(i).as_integer(0, kLargest));
    tensor.shape.push_back(size);
  }
  RIDGE_TRY(const NodeRef offsets, node.require("data_offsets"));
  if (offsets.kind() != Node::Kind::kList || offsets.size() != 2) return offsets.error("a list of two byte offsets, begin and end, is expected");
  RIDGE_TRY(const std::int64_t begin, offsets.at(0).as_integer(0, kLargest));
  RIDGE_TRY(const std::int64_t end, offsets.at(1).as_integer(0, kLargest));
  if (end < begin) return offsets.error(fmt::format("the tensor ends at byte {}, before it begins at {}", end, begin));
  tensor.begin = static_cast<std::uint64_t>(begin);
  tensor.end = static_cast<std::uint64_t>(end);
  RIDGE_TRY(const std::uint64_t wanted, wanted_bytes(tensor, node));
  if (wanted != tensor.bytes())
    return node.error(fmt::format("the shape in {} takes {} bytes, the offsets span {}", name_of(tensor.type), wanted, tensor.bytes()));
  return tensor;
}

Result<void> parse_metadata(const NodeRef& node, SafetensorsFile& file) {
  if (node.kind() == Node::Kind::kNull) return {};
  if (node.kind() != Node::Kind::kMap) return node.error(fmt::format("an object of texts is expected, found {}", name_of(node.kind())));
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto [key, value] = node.entry(i);
    RIDGE_TRY(std::string text, value.as_text());
    file.metadata.emplace_back(std::string(key), std::move(text));
  }
  return {};
}

// The tensors cover the data from its first to its last byte, each byte once.
Result<void> check_cover(SafetensorsFile& file, std::uint64_t file_bytes) {
  std::ranges::sort(file.tensors, [](const SafetensorsTensor& a, const SafetensorsTensor& b) {
    return std::pair(a.begin, a.end) != std::pair(b.begin, b.end) ? std::pair(a.begin, a.end) < std::pair(b.begin, b.end) : a.name < b.name;
  });
  std::uint64_t at = 0;
  for (const SafetensorsTensor& tensor : file.tensors) {
    if (tensor.begin != at)
      return fail(fmt::format("{}: {}", file.path, tensor.name),
                  tensor.begin > at ? fmt::format("bytes {} to {} of the data belong to no tensor", at, tensor.begin)
                                    : fmt::format("the tensor begins at byte {} of the data, where another still lies (until byte {})", tensor.begin, at));
    at = tensor.end;
  }
  const std::uint64_t end = file.header_bytes + at;  // both are far below 2^63
  if (end > file_bytes)
    return fail(file.path, fmt::format("the file is cut short: its tensors end at byte {}, the file at byte {}", end, file_bytes), "Fetch it again.");
  if (end < file_bytes) return fail(file.path, fmt::format("{} bytes follow the last tensor, which ends at byte {} of {}", file_bytes - end, end, file_bytes));
  return {};
}

tl::unexpected<Error> lfs_error(const std::string& path) {
  return fail(path, "a Git LFS pointer stands in place of the file", "Fetch the file itself: git lfs pull.");
}

// Length of the JSON, from the first 8 bytes.
Result<std::uint64_t> header_length(std::string_view prefix, std::uint64_t file_bytes, const std::string& path) {
  if (is_lfs_pointer(prefix)) return lfs_error(path);
  if (file_bytes == 0) return fail(path, "the file is empty", "A safetensors file is expected.");
  Cursor cursor(prefix, path);
  RIDGE_TRY(const std::uint64_t length, cursor.u64_le());
  if (length > kMaxSafetensorsHeader)
    return fail(path + ": byte 0", fmt::format("a header of {} bytes is over the format's limit of {}", length, kMaxSafetensorsHeader),
                "This is no safetensors file, or it is damaged.");
  if (length > file_bytes - 8)
    return fail(path + ": byte 0", fmt::format("the header is said to take {} bytes, {} are left", length, file_bytes - 8),
                "The file is cut short; fetch it again.");
  return length;
}

}  // namespace

std::string_view name_of(SafetensorsType type) { return row_of(type).name; }
int bits_of(SafetensorsType type) { return row_of(type).bits; }

bool is_lfs_pointer(std::string_view first_bytes) { return first_bytes.starts_with("version https://git-lfs.github.com/spec/"); }

Result<SafetensorsFile> parse_safetensors(std::string_view prefix, std::uint64_t file_bytes, const std::string& path) {
  prefix = prefix.substr(0, file_bytes);
  RIDGE_TRY(const std::uint64_t length, header_length(prefix, file_bytes, path));
  Cursor cursor(prefix, path);
  RIDGE_TRY_VOID(cursor.skip(8));
  RIDGE_TRY(const std::string_view json, cursor.bytes(length));
  if (!json.starts_with('{')) return fail(path + ": byte 8", "the header does not begin with {", "This is no safetensors file, or it is damaged.");
  RIDGE_TRY(const Node tree, read_json(json, path));
  const NodeRef root(tree, path);
  SafetensorsFile file;
  file.path = path;
  file.header_bytes = 8 + length;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const auto [name, node] = root.entry(i);
    if (name == "__metadata__") {
      RIDGE_TRY_VOID(parse_metadata(node, file));
      continue;
    }
    RIDGE_TRY(SafetensorsTensor tensor, parse_tensor(name, node));
    file.tensors.push_back(std::move(tensor));
  }
  RIDGE_TRY_VOID(check_cover(file, file_bytes));
  return file;
}

Result<SafetensorsFile> read_safetensors(const FileSystem& files, const std::string& path) {
  if (files.kind(path) == FileSystem::Kind::kFolder) return fail(path, "this is a folder, a file is expected");
  RIDGE_TRY(const std::uint64_t file_bytes, files.size(path));
  RIDGE_TRY(std::string prefix, files.read(path, 0, 64));  // as much as tells a Git LFS pointer
  RIDGE_TRY(const std::uint64_t length, header_length(prefix, file_bytes, path));
  RIDGE_TRY(prefix, files.read(path, 0, 8 + length));
  return parse_safetensors(prefix, file_bytes, path);
}

Result<SafetensorsIndex> read_safetensors_index(const FileSystem& files, const std::string& path) {
  RIDGE_TRY(const std::string text, files.read_all(path, kMaxTextBytes));
  if (is_lfs_pointer(text)) return lfs_error(path);
  RIDGE_TRY(const Node tree, read_json(text, path));
  const NodeRef root(tree, path);
  SafetensorsIndex index;
  index.path = path;
  if (const std::optional<NodeRef> metadata = root.get("metadata")) {
    if (const std::optional<NodeRef> total = metadata->get("total_size")) {
      RIDGE_TRY(const std::int64_t bytes, total->as_integer(0, kLargest));
      index.total_size = static_cast<std::uint64_t>(bytes);
    }
  }
  RIDGE_TRY(const NodeRef map, root.require("weight_map"));
  if (map.kind() != Node::Kind::kMap) return map.error(fmt::format("an object from tensor to file is expected, found {}", name_of(map.kind())));
  index.weight_map.reserve(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [tensor, node] = map.entry(i);
    RIDGE_TRY(std::string shard, node.as_text());
    // A shard lies beside its index; anything else would send the reader elsewhere on the disk.
    if (shard.empty() || shard == "." || shard == ".." || shard.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos)
      return node.error(fmt::format("\"{}\" is no plain file name", shard), "The shards of an index lie in its own folder.");
    index.weight_map.emplace_back(std::string(tensor), std::move(shard));
  }
  return index;
}

}  // namespace ridge::formats
