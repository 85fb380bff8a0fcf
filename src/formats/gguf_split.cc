// Models that are split over several GGUF files.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/gguf.h"

namespace ridge::formats {

std::string GgufSplitName::path(int part) const { return fmt::format("{}-{:05}-of-{:05}.gguf", stem, part, count); }

std::optional<GgufSplitName> parse_gguf_split_name(const std::string& path) {
  constexpr std::string_view kPattern = "-NNNNN-of-NNNNN.gguf";
  if (path.size() <= kPattern.size()) return std::nullopt;
  const std::string_view tail = std::string_view(path).substr(path.size() - kPattern.size());
  const auto fits = [](char c, char pattern) { return pattern == 'N' ? c >= '0' && c <= '9' : c == pattern; };
  if (!std::ranges::equal(tail, kPattern, fits)) return std::nullopt;
  GgufSplitName name;
  name.stem = path.substr(0, path.size() - kPattern.size());
  name.number = std::stoi(std::string(tail.substr(1, 5)));
  name.count = std::stoi(std::string(tail.substr(10, 5)));
  if (name.number < 1 || name.number > name.count) return std::nullopt;
  return name;
}

std::uint64_t GgufCheckpoint::tensor_bytes() const {
  std::uint64_t sum = first.tensor_bytes();
  for (const GgufFile& file : others) sum += file.tensor_bytes();
  return sum;
}

Result<GgufCheckpoint> read_gguf_checkpoint(const FileSystem& files, const std::string& path) {
  GgufCheckpoint checkpoint;
  const std::optional<GgufSplitName> split = parse_gguf_split_name(path);
  if (!split) {
    RIDGE_TRY(checkpoint.first, read_gguf(files, path));
    return checkpoint;
  }
  const std::string first = split->path(1);
  if (files.kind(first) == FileSystem::Kind::kAbsent)
    return fail(first, fmt::format("there is no such file, and the first of {} parts holds the model's description", split->count),
                "Fetch all parts into one folder.");
  RIDGE_TRY(checkpoint.first, read_gguf(files, first));
  std::set<std::string_view> names;
  for (const GgufTensor& tensor : checkpoint.first.tensors) names.insert(tensor.name);
  checkpoint.others.reserve(static_cast<std::size_t>(split->count));
  for (int part = 2; part <= split->count; ++part) {
    const std::string other = split->path(part);
    if (files.kind(other) == FileSystem::Kind::kAbsent) {
      checkpoint.absent.push_back(other);
      continue;
    }
    RIDGE_TRY(GgufFile file, read_gguf(files, other));
    const GgufFile& added = checkpoint.others.emplace_back(std::move(file));
    for (const GgufTensor& tensor : added.tensors)
      if (!names.insert(tensor.name).second) return fail(fmt::format("{}: tensor {}", other, tensor.name), "the tensor stands in another part as well");
  }
  const GgufValue* all = checkpoint.first.find("split.tensors.count");
  if (all == nullptr || !all->is_whole() || all->integer < 0) return checkpoint;
  checkpoint.all_tensors = static_cast<std::uint64_t>(all->integer);
  if (checkpoint.absent.empty() && *checkpoint.all_tensors != names.size())
    return checkpoint.first.error("split.tensors.count",
                                  fmt::format("{} tensors are announced, the {} parts hold {}", *checkpoint.all_tensors, split->count, names.size()));
  return checkpoint;
}

}  // namespace ridge::formats
