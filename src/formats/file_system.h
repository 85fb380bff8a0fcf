// The seam to the outside: readers take bytes from a FileSystem, so tests and fuzz targets need no disk.
// Errors name the path and what the system said ("is a directory", "no such file", "permission denied").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/result.h"

namespace ridge::formats {

class FileSystem {
 public:
  enum class Kind { kAbsent, kFile, kFolder, kOther };
  virtual ~FileSystem() = default;

  virtual Kind kind(const std::string& path) const = 0;
  virtual Result<std::uint64_t> size(const std::string& path) const = 0;
  // At most `length` bytes from `offset`; shorter only at the end of the file. "-" is standard input (read whole, once).
  virtual Result<std::string> read(const std::string& path, std::uint64_t offset, std::uint64_t length) const = 0;
  virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;  // names, sorted

  // The whole file; over `limit` bytes is an error that names the limit.
  Result<std::string> read_all(const std::string& path, std::uint64_t limit) const;
};

class DiskFileSystem final : public FileSystem {
 public:
  Kind kind(const std::string& path) const override;
  Result<std::uint64_t> size(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t offset, std::uint64_t length) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
};

class MemoryFileSystem final : public FileSystem {
 public:
  std::map<std::string, std::string> files;

  Kind kind(const std::string& path) const override;
  Result<std::uint64_t> size(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t offset, std::uint64_t length) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
};

// Writes to a temporary beside `path` and renames it: a file is whole or absent.
Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace ridge::formats
