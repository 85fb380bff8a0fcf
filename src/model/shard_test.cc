#include "model/shard.h"

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

Tensor matrix(std::int64_t rows, std::int64_t columns, Split split, std::int64_t units) {
  Tensor tensor;
  tensor.rows = rows;
  tensor.columns = columns;
  tensor.split = split;
  tensor.units = units;
  return tensor;
}

TEST(ShardOf, SplitsRowsByHeads) {
  const Tensor q = matrix(32 * 128, 4096, Split::kRows, 32);
  EXPECT_EQ(shard_of(q, {.tensor = 8}).rows, 4 * 128);
  EXPECT_EQ(shard_of(q, {.tensor = 8}).columns, 4096);
}

TEST(ShardOf, ReplicatesKeyValueHeadsBeyondTheirNumber) {
  const Tensor k = matrix(8 * 128, 4096, Split::kRows, 8);
  EXPECT_EQ(shard_of(k, {.tensor = 16}).rows, 128);
}

TEST(ShardOf, SplitsColumnsOfRowParallelMatrices) {
  const Tensor down = matrix(4096, 14336, Split::kColumns, 14336);
  EXPECT_EQ(shard_of(down, {.tensor = 4}).columns, 3584);
  EXPECT_EQ(shard_of(down, {.tensor = 4}).rows, 4096);
}

TEST(ShardOf, LeavesReplicatedTensorsWhole) {
  const Tensor norm = matrix(4096, 1, Split::kReplicated, 1);
  EXPECT_EQ(shard_of(norm, {.tensor = 8}).rows, 4096);
}

TEST(ShardOf, SpreadsExpertsFirstAndSplitsThemOverTheRanksThatAreLeft) {
  Tensor up = matrix(2048, 7168, Split::kRows, 2048);
  up.copies = 256;
  up.by_expert = true;
  EXPECT_EQ(shard_of(up, {.tensor = 8}).copies, 256);
  EXPECT_EQ(shard_of(up, {.tensor = 8}).rows, 256);
  const Shard parallel = shard_of(up, {.tensor = 8, .expert = 4});
  EXPECT_EQ(parallel.copies, 64);
  EXPECT_EQ(parallel.rows, 1024);
  EXPECT_EQ(shard_of(up, {.tensor = 8, .expert = 8}).elements() * 8, up.elements());
}

TEST(ShardOf, GivesTheFullestRankAUnitMoreWhereTheyDoNotDivide) {
  EXPECT_EQ(shard_of(matrix(10 * 64, 512, Split::kRows, 10), {.tensor = 4}).rows, 3 * 64);
  Tensor experts = matrix(8, 8, Split::kReplicated, 1);
  experts.copies = 10;
  experts.by_expert = true;
  EXPECT_EQ(shard_of(experts, {.tensor = 4, .expert = 4}).copies, 3);
}

TEST(StorageIn, ConvertsMatricesOfLinearLayersAlone) {
  Tensor tensor = matrix(4096, 4096, Split::kRows, 32);
  tensor.storage = plain_storage(Precision::kBf16);
  EXPECT_EQ(storage_in(tensor, Precision::kFp8), tensor.storage) << "an embedding or a norm";
  tensor.quantisable = true;
  EXPECT_EQ(storage_in(tensor, std::nullopt), tensor.storage);
  EXPECT_EQ(stored_bytes(4096, 4096, storage_in(tensor, Precision::kFp8)).count, 4096 * 4096 + 4);
  EXPECT_EQ(stored_bytes(4096, 4096, storage_in(tensor, Precision::kNvFp4)).count, 4096 * 4096 * 9 / 16 + 4);
  EXPECT_EQ(stored_bytes(4096, 4096, storage_in(tensor, Precision::kMxFp4)).count, 4096 * 4096 * 17 / 32);
  EXPECT_EQ(stored_bytes(4096, 4096, storage_in(tensor, Precision::kInt4)).count, 4096 * 4096 / 2 + 4096 * 32 * 2);
  EXPECT_EQ(stored_bytes(4096, 4096, storage_in(tensor, Precision::kInt8)).count, 4096 * 4096 + 4096 * 4);
}

TEST(StorageIn, KeepsTheScalesOfACheckpointAlreadyInTheFormat) {
  Tensor tensor = matrix(4096, 4096, Split::kRows, 32);
  tensor.quantisable = true;
  tensor.storage = plain_storage(Precision::kFp8);
  tensor.storage.scale_bits = 32;
  tensor.storage.tile_rows = tensor.storage.tile_columns = 128;
  EXPECT_EQ(storage_in(tensor, Precision::kFp8), tensor.storage);
  EXPECT_EQ(storage_in(tensor, Precision::kBf16), plain_storage(Precision::kBf16));
}

}  // namespace
}  // namespace ridge::model
