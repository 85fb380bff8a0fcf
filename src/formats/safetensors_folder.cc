// Which safetensors files make up the checkpoint of a folder, and whether its index and its shards agree.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/safetensors.h"

namespace ridge::formats {
namespace {

Result<SafetensorsShard> read_shard(const FileSystem& files, const std::string& folder, const std::string& name) {
  SafetensorsShard shard;
  shard.file = name;
  const std::string path = folder + "/" + name;
  if (files.kind(path) == FileSystem::Kind::kAbsent) {
    shard.absence = "there is no such file";
    return shard;
  }
  RIDGE_TRY(const std::string first, files.read(path, 0, 64));
  if (is_lfs_pointer(first)) {
    shard.absence = "a Git LFS pointer stands in its place";
    return shard;
  }
  RIDGE_TRY(shard.header, read_safetensors(files, path));
  return shard;
}

Result<void> read_shards(const FileSystem& files, const std::string& folder, const std::set<std::string>& names, SafetensorsCheckpoint& checkpoint) {
  std::map<std::string, std::string> holder;  // tensor → shard
  for (const std::string& name : names) {
    RIDGE_TRY(SafetensorsShard shard, read_shard(files, folder, name));
    if (shard.header) {
      checkpoint.data_bytes += shard.header->data_bytes();
      for (const SafetensorsTensor& tensor : shard.header->tensors)
        if (const auto [other, added] = holder.emplace(tensor.name, name); !added)
          return fail(fmt::format("{}/{}: {}", folder, name, tensor.name), fmt::format("the tensor stands in {} as well", other->second));
    }
    checkpoint.shards.push_back(std::move(shard));
  }
  return {};
}

void compare_with_index(SafetensorsCheckpoint& checkpoint) {
  std::set<std::pair<std::string_view, std::string_view>> held, indexed;  // tensor, shard
  std::set<std::string_view> present;
  for (const SafetensorsShard& shard : checkpoint.shards) {
    if (!shard.header) continue;
    present.insert(shard.file);
    for (const SafetensorsTensor& tensor : shard.header->tensors) held.emplace(tensor.name, shard.file);
  }
  for (const auto& [tensor, shard] : checkpoint.index->weight_map) {
    indexed.emplace(tensor, shard);
    if (present.contains(shard) && !held.contains({tensor, shard})) checkpoint.not_in_shards.push_back(tensor);
  }
  for (const auto& [tensor, shard] : held)
    if (!indexed.contains({tensor, shard})) checkpoint.not_in_index.emplace_back(tensor);
}

// model-00002-of-00005.safetensors
bool is_numbered_shard(std::string_view name) {
  constexpr std::string_view kPattern = "model-NNNNN-of-NNNNN.safetensors";
  return name.size() == kPattern.size() &&
         std::ranges::equal(name, kPattern, [](char c, char pattern) { return pattern == 'N' ? c >= '0' && c <= '9' : c == pattern; });
}

}  // namespace

bool SafetensorsCheckpoint::complete() const {
  return std::ranges::all_of(shards, [](const SafetensorsShard& shard) { return shard.header.has_value(); });
}

Result<std::optional<SafetensorsCheckpoint>> find_safetensors(const FileSystem& files, const std::string& folder) {
  SafetensorsCheckpoint checkpoint;
  std::set<std::string> names;
  const std::string index_path = folder + "/model.safetensors.index.json";
  if (files.kind(folder + "/model.safetensors") != FileSystem::Kind::kAbsent) {
    names.insert("model.safetensors");
  } else if (files.kind(index_path) != FileSystem::Kind::kAbsent) {
    RIDGE_TRY(checkpoint.index, read_safetensors_index(files, index_path));
    for (const auto& [tensor, shard] : checkpoint.index->weight_map) names.insert(shard);
  } else {
    RIDGE_TRY(const std::vector<std::string> listed, files.list(folder));
    for (const std::string& name : listed)
      if (is_numbered_shard(name)) names.insert(name);
    if (names.empty()) return std::optional<SafetensorsCheckpoint>();
    // Of N shards, those that the folder lacks are absent, not unknown.
    const int count = std::stoi(names.rbegin()->substr(15, 5));
    for (int i = 1; i <= count; ++i) names.insert(fmt::format("model-{:05}-of-{:05}.safetensors", i, count));
  }
  RIDGE_TRY_VOID(read_shards(files, folder, names, checkpoint));
  if (checkpoint.index) compare_with_index(checkpoint);
  return std::optional<SafetensorsCheckpoint>(std::move(checkpoint));
}

}  // namespace ridge::formats
