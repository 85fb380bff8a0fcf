#include "quantity/precision.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace ridge {
namespace {

struct Row {
  Precision precision;
  std::string_view name;
  int bits;
  double bits_with_scales;
};

constexpr std::array kRows{
    Row{Precision::kFp64, "fp64", 64, 64},    Row{Precision::kFp32, "fp32", 32, 32},    Row{Precision::kTf32, "tf32", 32, 32},
    Row{Precision::kFp16, "fp16", 16, 16},    Row{Precision::kBf16, "bf16", 16, 16},    Row{Precision::kFp8, "fp8", 8, 8},
    Row{Precision::kFp6, "fp6", 6, 6},        Row{Precision::kFp4, "fp4", 4, 4},        Row{Precision::kMxFp8, "mxfp8", 8, 8.25},
    Row{Precision::kMxFp6, "mxfp6", 6, 6.25}, Row{Precision::kMxFp4, "mxfp4", 4, 4.25}, Row{Precision::kNvFp4, "nvfp4", 4, 4.5},
    Row{Precision::kInt8, "int8", 8, 8},      Row{Precision::kInt4, "int4", 4, 4},
};

constexpr std::array kAll{Precision::kFp64, Precision::kFp32,  Precision::kTf32,  Precision::kFp16,  Precision::kBf16,  Precision::kFp8,  Precision::kFp6,
                          Precision::kFp4,  Precision::kMxFp8, Precision::kMxFp6, Precision::kMxFp4, Precision::kNvFp4, Precision::kInt8, Precision::kInt4};

struct Alias {
  std::string_view text;
  Precision precision;
};
constexpr std::array kAliases{
    Alias{"float64", Precision::kFp64},    Alias{"double", Precision::kFp64},     Alias{"f64", Precision::kFp64},     Alias{"float32", Precision::kFp32},
    Alias{"float", Precision::kFp32},      Alias{"f32", Precision::kFp32},        Alias{"float16", Precision::kFp16}, Alias{"half", Precision::kFp16},
    Alias{"f16", Precision::kFp16},        Alias{"bfloat16", Precision::kBf16},   Alias{"float8", Precision::kFp8},   Alias{"float8_e4m3fn", Precision::kFp8},
    Alias{"float8_e4m3", Precision::kFp8}, Alias{"float8_e5m2", Precision::kFp8}, Alias{"fp8_e4m3", Precision::kFp8}, Alias{"fp8_e5m2", Precision::kFp8},
    Alias{"e4m3", Precision::kFp8},        Alias{"e5m2", Precision::kFp8},        Alias{"f8_e4m3", Precision::kFp8},  Alias{"f8_e5m2", Precision::kFp8},
    Alias{"i8", Precision::kInt8},         Alias{"uint8", Precision::kInt8},      Alias{"w8a8", Precision::kInt8},    Alias{"i4", Precision::kInt4},
    Alias{"uint4", Precision::kInt4},
};

const Row& row_of(Precision precision) { return kRows[static_cast<std::size_t>(precision)]; }

}  // namespace

std::string_view name_of(Precision precision) { return row_of(precision).name; }
int element_bits(Precision precision) { return row_of(precision).bits; }
double bits_with_scales(Precision precision) { return row_of(precision).bits_with_scales; }
std::span<const Precision> all_precisions() { return kAll; }

Result<Precision> parse_precision(std::string_view text) {
  std::string plain;
  for (char c : text.starts_with("torch.") ? text.substr(6) : text) plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const Row& row : kRows)
    if (row.name == plain) return row.precision;
  for (const Alias& alias : kAliases)
    if (alias.text == plain) return alias.precision;
  std::string names;
  for (const Row& row : kRows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return fail("", fmt::format("\"{}\" is not a number format", text), "Use one of: " + names + ".");
}

}  // namespace ridge
