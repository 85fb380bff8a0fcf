#include "model/tensor.h"

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

TEST(StoredBytes, OfPlainElementsAreTheirBits) {
  EXPECT_EQ(stored_bytes(4096, 4096, plain_storage(Precision::kBf16)).count, 4096 * 4096 * 2);
  EXPECT_EQ(stored_bytes(3, 1, plain_storage(Precision::kFp4)).count, 2) << "a last half byte is a whole one";
}

TEST(StoredBytes, CountAScalePerStartedTile) {
  Storage fp8 = plain_storage(Precision::kFp8);
  fp8.scale_bits = 32;
  fp8.tile_rows = fp8.tile_columns = 128;
  EXPECT_EQ(stored_bytes(576, 7168, fp8).count, 576 * 7168 + 5 * 56 * 4) << "576 rows are 4.5 tiles, the last one half full";
}

TEST(StoredBytes, TileOfZeroIsTheWholeExtent) {
  Storage per_tensor = plain_storage(Precision::kFp8);
  per_tensor.scale_bits = 32;
  EXPECT_EQ(stored_bytes(10, 20, per_tensor).count, 200 + 4);
  per_tensor.tile_rows = 1;
  EXPECT_EQ(stored_bytes(10, 20, per_tensor).count, 200 + 10 * 4) << "one scale per output feature";
}

TEST(StoredBytes, HoldZerosAndGroupIndexBesideTheElements) {
  Storage gptq = plain_storage(Precision::kInt4);
  gptq.scale_bits = 16;
  gptq.zero_bits = 4;
  gptq.tile_rows = 1;
  gptq.tile_columns = 128;
  gptq.column_bits = 32;
  // 4096 × 4096 in int4, 32 groups per row with an fp16 scale and a 4-bit zero, one int32 per input feature.
  EXPECT_EQ(stored_bytes(4096, 4096, gptq).count, 8388608 + 4096 * 32 * 2 + 4096 * 32 / 2 + 4096 * 4);
}

TEST(StoredBytes, OfDoublyQuantisedScalesAddTheOuterScale) {
  Storage nf4 = plain_storage(Precision::kInt4);
  nf4.scale_bits = 8;
  nf4.tile_rows = 1;
  nf4.tile_columns = 64;
  nf4.nested_scale_bits = 32;
  nf4.nested_tiles = 256;
  EXPECT_EQ(stored_bytes(1024, 1024, nf4).count, 524288 + 16384 + 64 * 4);
}

}  // namespace
}  // namespace ridge::model
