#include "formats/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace ridge::formats {
namespace {

tl::unexpected<Error> system_error(const std::string& path, int code) {
  if (code == ENOENT) return fail(path, "there is no such file", "Check the path.");
  if (code == EACCES) return fail(path, "permission denied", "Make it readable for you.");
  return fail(path, std::strerror(code));
}

tl::unexpected<Error> write_error(const std::string& path, int code) {
  const char* advice = code == ENOENT   ? "Make its folder first."
                       : code == ENOSPC ? "Make room, or choose another place."
                                        : "Choose a place that you may write to.";
  return fail(path, std::string("it cannot be written: ") + std::strerror(code), advice);
}

struct Descriptor {
  int value;
  ~Descriptor() {
    if (value > 0) ::close(value);
  }
};

// 0, or the errno of what failed; a full disk may show itself at close.
int write_and_close(Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file.value, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  const int descriptor = std::exchange(file.value, -1);
  return ::close(descriptor) == 0 ? 0 : errno;
}

Result<std::string> read_descriptor(int descriptor, const std::string& path, std::uint64_t length) {
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  while (text.size() < length) {
    const std::size_t before = text.size();
    const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, length - before));
    text.resize(before + want);
    const ssize_t got = ::read(descriptor, text.data() + before, want);
    if (got < 0) {
      if (errno == EINTR) {
        text.resize(before);
        continue;
      }
      return system_error(path, errno);
    }
    text.resize(before + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return text;
}

}  // namespace

Result<std::string> FileSystem::read_all(const std::string& path, std::uint64_t limit) const {
  if (kind(path) == Kind::kFolder) return fail(path, "this is a folder, a file is expected");
  RIDGE_TRY(std::string text, read(path, 0, limit + 1));
  if (text.size() > limit) return fail(path, fmt::format("the file is larger than the limit of {} bytes", limit));
  return text;
}

FileSystem::Kind DiskFileSystem::kind(const std::string& path) const {
  if (path == "-") return Kind::kFile;
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return Kind::kAbsent;
  if (S_ISDIR(info.st_mode)) return Kind::kFolder;
  return S_ISREG(info.st_mode) ? Kind::kFile : Kind::kOther;
}

Result<std::uint64_t> DiskFileSystem::size(const std::string& path) const {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return system_error(path, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::string> DiskFileSystem::read(const std::string& path, std::uint64_t offset, std::uint64_t length) const {
  if (path == "-") {
    RIDGE_TRY(std::string text, read_descriptor(0, "standard input", length + offset));
    return text.size() > offset ? text.substr(static_cast<std::size_t>(offset)) : std::string();
  }
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) return system_error(path, errno);
  if (offset > 0 && ::lseek(file.value, static_cast<off_t>(offset), SEEK_SET) < 0) return system_error(path, errno);
  return read_descriptor(file.value, path, length);
}

Result<std::vector<std::string>> DiskFileSystem::list(const std::string& folder) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> handle(::opendir(folder.c_str()), ::closedir);
  if (!handle) return system_error(folder, errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(handle.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

FileSystem::Kind MemoryFileSystem::kind(const std::string& path) const {
  if (files.contains(path)) return Kind::kFile;
  const auto after = files.lower_bound(path + "/");
  return after != files.end() && after->first.starts_with(path + "/") ? Kind::kFolder : Kind::kAbsent;
}

Result<std::uint64_t> MemoryFileSystem::size(const std::string& path) const {
  const auto found = files.find(path);
  if (found == files.end()) return system_error(path, ENOENT);
  return found->second.size();
}

Result<std::string> MemoryFileSystem::read(const std::string& path, std::uint64_t offset, std::uint64_t length) const {
  const auto found = files.find(path);
  if (found == files.end()) return system_error(path, ENOENT);
  if (offset >= found->second.size()) return std::string();
  return found->second.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(std::min<std::uint64_t>(length, found->second.size())));
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& folder) const {
  std::vector<std::string> names;
  for (const auto& [path, text] : files) {
    if (!path.starts_with(folder + "/")) continue;
    const std::string rest = path.substr(folder.size() + 1);
    const std::string name = rest.substr(0, rest.find('/'));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

Result<void> write_file(const std::string& path, std::string_view text) {
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return fail(path, "this is a folder, a file is to be written");
  // A device or a pipe is written in place: renaming over it would take it away.
  if (exists && !S_ISREG(info.st_mode)) {
    Descriptor device{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    const int code = device.value < 0 ? errno : write_and_close(device, text);
    return code == 0 ? Result<void>{} : write_error(path, code);
  }

  // A link stays one: the file that it leads to is replaced.
  std::string target = path;
  if (exists) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
    if (real) target = real.get();
  }
  const std::string temporary = fmt::format("{}.{}.part", target, ::getpid());
  ::unlink(temporary.c_str());  // left by a process of the same number that was killed
  Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? info.st_mode & 0777 : 0666)};
  if (file.value < 0) return write_error(path, errno);
  int code = write_and_close(file, text);
  if (code == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return {};
  ::unlink(temporary.c_str());
  return write_error(path, code);
}

}  // namespace ridge::formats
