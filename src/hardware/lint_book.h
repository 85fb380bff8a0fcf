// For lint.cc only: the rows of all parts as comparable numbers, and what a rule sees of one claim.
#pragma once

#include <string>
#include <vector>

#include "hardware/lint.h"

namespace ridge::hardware::lint {

struct Fact {
  bool rate = false;
  FigureName figure = FigureName::kMemoryBandwidth;
  Precision precision = Precision::kBf16;
  Sparsity sparsity = Sparsity::kDense;
  bool vector = false;
  Accumulate accumulate = Accumulate::kUnstated;
  std::string_view per;
  std::string_view applies;
  Status status = Status::kFinal;
  bool rounded = false;
  double value = 0;  // base unit
  double printed = 0;
  Unit unit = Unit::kNone;
  std::string_view note;
  std::span<const std::string_view> source;

  bool plain() const { return status == Status::kFinal && per.empty() && applies.empty(); }
  std::string shown() const;  // "1979 TFLOP/s"
};

struct Part {
  const AcceleratorRow* record = nullptr;
  std::vector<Fact> facts;
};

struct Parts {
  std::vector<Part> all;
  const Part* find(std::string_view id) const;
};

// One claim against one record.
struct Case {
  const Catalog& catalog;
  const Parts& parts;
  const Part& part;
  const Claim& claim;
  std::optional<Answer> answer;  // of the claim's basis
  std::optional<Answer> twin;    // for fp16 without a figure: that of bf16, and the other way round; explains, never answers

  bool is_peak() const { return claim.kind == ClaimKind::kPeak; }
  // The claim says `value`: within 0.3 %, or within half of its last written digit (and 1 %).
  bool says(double value) const;
  bool says_within(double value, double share) const;
  // As `says`, for the part's own figure: a number may be written as coarsely as "2 TB/s" for 2,039 GB/s (2.5 %).
  bool rounds(double value) const;
  std::string in_unit(double base) const;  // in the unit of the claim: "989.4 TFLOP/s"
  std::string number_in_unit(double base) const;
};

// The number on a label ("192 GiB", "2.1 TB") read in powers of ten.
double decimal_label(double printed, std::string_view shown);

struct Explained {
  LintFlag flag;
  std::string words;
  std::vector<std::string> sources;
};

// The first rule that explains the number, or nothing.
std::optional<Explained> explain(const Case& c);

// Parts among which names are mixed up: one maker and one architecture ("Blackwell" with "Blackwell Ultra").
bool same_family(const AcceleratorRow& a, const AcceleratorRow& b);
// Whether the matrix units skip zeros of a 2:4 pattern: NVIDIA from compute capability 8.0, AMD from CDNA3, and what lists such a rate.
bool skips_zeros(const Parts& parts, const Part& part);

}  // namespace ridge::hardware::lint
