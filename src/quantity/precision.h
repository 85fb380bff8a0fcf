// Number formats: how a weight, an activation or a cache element is stored, and at which rate a unit multiplies it.
// One enumeration serves the model's storage types and the accelerator's rates, so the two can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quantity/result.h"

namespace ridge {

enum class Precision : std::uint8_t {
  kFp64,
  kFp32,
  kTf32,
  kFp16,
  kBf16,
  kFp8,  // e4m3 or e5m2, one byte
  kFp6,
  kFp4,  // an unqualified four-bit float rate of a data sheet (NVIDIA's is NVFP4)
  kMxFp8,
  kMxFp6,
  kMxFp4,  // OCP microscaling: one shared 8-bit scale per 32 elements
  kNvFp4,  // one fp8 scale per 16 elements and one fp32 scale per tensor
  kInt8,
  kInt4,
};

std::string_view name_of(Precision precision);  // "bf16", "nvfp4"
// Accepts the names above and the usual other ones: float16, half, bfloat16, float8_e4m3fn, e4m3, e5m2, f32, torch.bfloat16, …
Result<Precision> parse_precision(std::string_view text);
std::span<const Precision> all_precisions();

// Bits of one element without scales: 32, 16, 8, 6, 4.
int element_bits(Precision precision);

// Bits of one element with the scales that the format itself defines: mxfp4 4.25 (OCP Microscaling Formats v1.0, table 1:
// 32 elements share 8 bits), nvfp4 4.5 (16 elements share 8 bits; the per-tensor fp32 scale is not counted here).
double bits_with_scales(Precision precision);

}  // namespace ridge
