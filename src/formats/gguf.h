// GGUF: the metadata and the tensor table of a model for ggml, versions 2 and 3, little-endian. Only the front of the file
// is read, as far as the table goes; the weights are never touched. A file is
//
//   "GGUF" │ version │ tensors │ keys │ key, type, value … │ name, sizes, type, offset … │ padding │ data, aligned
//
// (docs/gguf.md of ggml). Invariant of what is returned: no key and no tensor stands twice, names are UTF-8, every tensor is
// as long as its sizes and type say, begins at a multiple of the alignment, overlaps no other and ends within the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/file_system.h"
#include "quantity/result.h"

namespace ridge::formats {

inline constexpr std::uint64_t kMaxGgufHeader = 256ull << 20;  // of metadata and table together; vocabularies take some 10 MB
inline constexpr std::uint64_t kMaxGgufKept = 4096;            // elements of an array that are kept; of longer ones their number is
inline constexpr std::uint64_t kMaxGgufKey = 65'535;           // bytes of a key (specification)
inline constexpr std::uint64_t kMaxGgufName = 64;              // bytes of a tensor's name (specification)
inline constexpr std::uint32_t kMaxGgufDimensions = 4;         // of a tensor (specification)

// How ggml stores elements: blocks of so many elements in so many bytes, scales inside.
struct GgmlType {
  std::uint32_t id = 0;
  std::string_view name;  // "Q4_K"
  std::uint32_t block_elements = 1;
  std::uint32_t block_bytes = 1;
  double bits() const { return 8.0 * block_bytes / block_elements; }
};
std::span<const GgmlType> ggml_types();
const GgmlType* find_ggml_type(std::uint32_t id);

struct GgufValue {
  enum class Type : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kText, kArray, kU64, kI64, kF64 };
  Type type = Type::kU8;
  bool boolean = false;
  std::int64_t integer = 0;  // of every whole number but a kU64 beyond int64, which is in `natural` alone
  std::uint64_t natural = 0;
  double real = 0;
  std::string text;
  Type element = Type::kU8;         // of kArray
  std::uint64_t count = 0;          // of kArray
  std::vector<GgufValue> elements;  // empty where count is over kMaxGgufKept

  bool is_whole() const;  // any whole number that `integer` holds
};

struct GgufTensor {
  std::string name;
  std::vector<std::int64_t> sizes;  // innermost first, as ggml writes them: a matrix is {columns, rows}
  const GgmlType* type = nullptr;
  std::uint64_t offset = 0;  // from the beginning of the data
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
};

struct GgufFile {
  std::string path;
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t data_offset = 0;                            // of the data in the file
  std::vector<std::pair<std::string, GgufValue>> metadata;  // in the file's order
  std::vector<GgufTensor> tensors;                          // in the file's order

  const GgufValue* find(std::string_view key) const;
  std::uint64_t tensor_bytes() const;
  // An error that names the key: "m.gguf: key llama.block_count: …".
  tl::unexpected<Error> error(std::string_view key, std::string what, std::string advice = {}) const;
};

Result<GgufFile> read_gguf(const FileSystem& files, const std::string& path);  // "-" too
// The same from the first bytes of a file of `file_bytes` bytes (absent: unknown, the end is not checked); `prefix` must
// hold metadata and table. `ran_out` is set where it does not.
Result<GgufFile> parse_gguf(std::string_view prefix, std::optional<std::uint64_t> file_bytes, const std::string& path, bool* ran_out = nullptr);

// NAME-00002-of-00005.gguf: a model split over files. The metadata is in the first.
struct GgufSplitName {
  std::string stem;  // folder and NAME
  int number = 0;    // from 1
  int count = 0;
  std::string path(int part) const;
};
std::optional<GgufSplitName> parse_gguf_split_name(const std::string& path);

struct GgufCheckpoint {
  GgufFile first;
  std::vector<GgufFile> others;              // further parts that are there
  std::vector<std::string> absent;           // paths of parts that are not
  std::optional<std::uint64_t> all_tensors;  // split.tensors.count

  std::uint64_t tensor_bytes() const;
};
// One file, or all parts of a split one whichever of them `path` names. Without the first part it is an error.
Result<GgufCheckpoint> read_gguf_checkpoint(const FileSystem& files, const std::string& path);

}  // namespace ridge::formats
