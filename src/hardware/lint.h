// Claims about accelerators against the catalogue. A claim is one figure of one part ("h100-sxm5, bf16 peak, 1979 TFLOP/s"), read as dense,
// final and per unit counted; the judgement says whether it holds, and where it does not, which mistake explains the number. The rules
// are over the rows of all parts and know none of them; lint_rules.cc holds them in the order in which they are tried.
#pragma once

#include "hardware/accelerators.h"

namespace ridge::hardware {

enum class LintFlag : std::uint8_t {
  kOk,
  // The number is that of …
  kPreliminary,           // … an announcement; the final figure differs
  kSparseAsDense,         // … the sparse rate
  kPressEstimate,         // … an estimate of the press
  kUnitCounted,           // … more or fewer units than the part: a rack, a system, a die, a core
  kVectorAsTensor,        // … the vector units; the matrix units are meant
  kOtherSku,              // … another part of the family
  kOtherPrecision,        // … another precision of the part
  kCapacityAsBandwidth,   // … the memory's size
  kBinaryPrefix,          // … the figure with 2^30 or 2^40 where 10^9 or 10^12 was meant
  kOtherConfiguration,    // … an option or variant of the part
  kDisputed,              // … a measured or disputed figure
  kMismatch,              // no rule explains it
  kUnsupportedPrecision,  // the part has no unit for it
  // Not decided.
  kAmbiguous,    // several parts have the name, and they judge differently
  kUnknownPart,  // the name is no part of the catalogue
  kNoFigure      // the catalogue has no figure to hold against it
};
std::string_view word_for(LintFlag flag);  // "sparse_as_dense"
bool holds(LintFlag flag);
bool decided(LintFlag flag);

// What a claim is about. Links are taken in either counting, one direction or both.
enum class ClaimKind : std::uint8_t { kPeak, kFigure, kComputeCapability };

struct Claim {
  std::string label;  // "L07", or "line 12"
  std::string where;  // "claims.csv:12", for errors
  std::string accelerator;
  ClaimKind kind = ClaimKind::kPeak;
  FigureName figure = FigureName::kMemoryBandwidth;
  Precision precision = Precision::kBf16;
  Sparsity sparsity = Sparsity::kDense;
  std::string claimed;  // as written
  std::string unit;     // as written
  double printed = 0;   // the number as written
  double value = 0;     // in the base unit
  std::string base;     // "FLOP/s", "B/s", "B", "W", "1", "m2"
};

struct Judgement {
  LintFlag flag = LintFlag::kMismatch;
  std::optional<Interval> right;  // in the base unit: the figure of the claim's basis, where there is one
  std::string right_text;         // "989.4 TFLOP/s", "13.5 to 14 PFLOP/s", "10.3"
  std::string explanation;
  std::vector<std::string> sources;
  std::string accelerator;  // the record judged against; "" where none
};

class Linter {
 public:
  explicit Linter(const Catalog& catalog);
  ~Linter();
  Linter(const Linter&) = delete;
  Linter& operator=(const Linter&) = delete;

  Judgement judge(const Claim& claim) const;

 private:
  struct Book;
  std::unique_ptr<const Book> book_;
};

// A table of claims. Columns (or keys): accelerator, metric, claimed, unit; precision for a peak; case and sparsity where wanted; others are
// passed over and named in `ignored`. CSV or TSV with a header, a JSON or YAML list of maps, or a map with such a list under "claims";
// `format` "" recognises which. An unknown metric, a wrong unit or a value that is no number is an error that names the line.
struct ClaimTable {
  std::vector<Claim> claims;
  std::vector<std::string> ignored;
};
Result<ClaimTable> read_claims(std::string_view text, const std::string& file, std::string_view format = {});

}  // namespace ridge::hardware
