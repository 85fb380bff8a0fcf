// The block formats of ggml. Elements and bytes per block: ggml-common.h of ggml (the sizes that it asserts of its block
// structs) and docs/gguf.md for the numbers. Each row's bytes are its fields: Q4_K: 2 scales of 16 bits, 12 bytes of 6-bit
// scales and minima, 128 bytes of 4-bit elements = 144.
#include <algorithm>
#include <array>

#include "formats/gguf.h"

namespace ridge::formats {
namespace {

constexpr std::array kTypes{
    GgmlType{0, "F32", 1, 4},
    GgmlType{1, "F16", 1, 2},
    GgmlType{2, "Q4_0", 32, 2 + 16},
    GgmlType{3, "Q4_1", 32, 2 + 2 + 16},
    GgmlType{6, "Q5_0", 32, 2 + 4 + 16},
    GgmlType{7, "Q5_1", 32, 2 + 2 + 4 + 16},
    GgmlType{8, "Q8_0", 32, 2 + 32},
    GgmlType{9, "Q8_1", 32, 2 + 2 + 32},
    GgmlType{10, "Q2_K", 256, 16 + 64 + 2 + 2},
    GgmlType{11, "Q3_K", 256, 32 + 64 + 12 + 2},
    GgmlType{12, "Q4_K", 256, 2 + 2 + 12 + 128},
    GgmlType{13, "Q5_K", 256, 2 + 2 + 12 + 32 + 128},
    GgmlType{14, "Q6_K", 256, 128 + 64 + 16 + 2},
    GgmlType{15, "Q8_K", 256, 4 + 256 + 32},
    GgmlType{16, "IQ2_XXS", 256, 2 + 64},
    GgmlType{17, "IQ2_XS", 256, 2 + 64 + 8},
    GgmlType{18, "IQ3_XXS", 256, 2 + 96},
    GgmlType{19, "IQ1_S", 256, 2 + 32 + 16},
    GgmlType{20, "IQ4_NL", 32, 2 + 16},
    GgmlType{21, "IQ3_S", 256, 2 + 64 + 8 + 32 + 4},
    GgmlType{22, "IQ2_S", 256, 2 + 64 + 8 + 8},
    GgmlType{23, "IQ4_XS", 256, 2 + 2 + 4 + 128},
    GgmlType{24, "I8", 1, 1},
    GgmlType{25, "I16", 1, 2},
    GgmlType{26, "I32", 1, 4},
    GgmlType{27, "I64", 1, 8},
    GgmlType{28, "F64", 1, 8},
    GgmlType{29, "IQ1_M", 256, 32 + 16 + 8},
    GgmlType{30, "BF16", 1, 2},
    GgmlType{34, "TQ1_0", 256, 48 + 4 + 2},
    GgmlType{35, "TQ2_0", 256, 64 + 2},
    GgmlType{39, "MXFP4", 32, 1 + 16},
    GgmlType{40, "NVFP4", 64, 4 + 32},
    GgmlType{41, "Q1_0", 128, 2 + 16},
    GgmlType{42, "Q2_0", 64, 2 + 16},
};

}  // namespace

std::span<const GgmlType> ggml_types() { return kTypes; }

const GgmlType* find_ggml_type(std::uint32_t id) {
  const auto row = std::ranges::lower_bound(kTypes, id, {}, &GgmlType::id);
  return row != kTypes.end() && row->id == id ? &*row : nullptr;
}

}  // namespace ridge::formats
