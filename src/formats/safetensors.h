// safetensors: what a checkpoint holds, read from the headers alone; the weights are never touched. A file is
//
//   8 bytes N, little-endian │ N bytes of JSON, "{…}", padded with spaces │ the tensors' bytes, without holes
//
// (the format's README and reference implementation, version 0.8). Invariant of what is returned: the tensors lie back to
// back from byte 0 of the data to its end, each is as long as its shape and type say, and the file ends where they end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/file_system.h"
#include "quantity/result.h"

namespace ridge::formats {

// The reference implementation's own limit (MAX_HEADER_SIZE).
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

enum class SafetensorsType : std::uint8_t {
  kBool,
  kF4,
  kF6E2M3,
  kF6E3M2,
  kU8,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kF8E8M0,
  kF8E4M3Fnuz,
  kF8E5M2Fnuz,
  kI16,
  kU16,
  kF16,
  kBf16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};
std::string_view name_of(SafetensorsType type);  // as the header writes it: "BF16", "F8_E4M3"
int bits_of(SafetensorsType type);               // of one element

struct SafetensorsTensor {
  std::string name;
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<std::int64_t> shape;   // outermost first; empty: one element
  std::uint64_t begin = 0, end = 0;  // bytes, from the first byte after the header
  std::uint64_t bytes() const { return end - begin; }
};

struct SafetensorsFile {
  std::string path;
  std::uint64_t header_bytes = 0;                             // the length field and the JSON
  std::vector<SafetensorsTensor> tensors;                     // in the order of their bytes
  std::vector<std::pair<std::string, std::string>> metadata;  // "__metadata__", in the file's order
  std::uint64_t data_bytes() const { return tensors.empty() ? 0 : tensors.back().end; }
};

Result<SafetensorsFile> read_safetensors(const FileSystem& files, const std::string& path);
// The same from the first bytes of a file of `file_bytes` bytes; `prefix` must hold the whole header.
Result<SafetensorsFile> parse_safetensors(std::string_view prefix, std::uint64_t file_bytes, const std::string& path);

// model.safetensors.index.json: which shard holds which tensor.
struct SafetensorsIndex {
  std::string path;
  std::optional<std::uint64_t> total_size;                      // metadata.total_size: bytes of all tensors, as its writer summed them
  std::vector<std::pair<std::string, std::string>> weight_map;  // tensor → shard (a plain file name), in the file's order
};
Result<SafetensorsIndex> read_safetensors_index(const FileSystem& files, const std::string& path);

struct SafetensorsShard {
  std::string file;                       // name in the folder
  std::optional<SafetensorsFile> header;  // absent where the shard is not there
  std::string absence;                    // why it is absent: "there is no such file", "a Git LFS pointer stands in its place"
};

// The checkpoint of a folder. Shards named by the index need not be there: `complete` says whether all are.
struct SafetensorsCheckpoint {
  std::optional<SafetensorsIndex> index;
  std::vector<SafetensorsShard> shards;    // sorted by name
  std::vector<std::string> not_in_shards;  // the index names them, their shard is there and lacks them
  std::vector<std::string> not_in_index;   // a shard holds them, the index does not name them there
  std::uint64_t data_bytes = 0;            // of the shards that are there
  bool complete() const;
};

// model.safetensors, else the shards of model.safetensors.index.json, else model-00001-of-0000N.safetensors without an
// index (the order in which the transformers library looks). nullopt where the folder holds none of them.
Result<std::optional<SafetensorsCheckpoint>> find_safetensors(const FileSystem& files, const std::string& folder);

// A clone without Git LFS leaves a text of three lines in place of a large file.
bool is_lfs_pointer(std::string_view first_bytes);

}  // namespace ridge::formats
