// The mistakes that explain a wrong number, in the order in which they are tried: first what the part's own rows say, then what
// arithmetic on its figure gives, then its relatives, then guesses by size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hardware/lint_book.h"
#include "hardware/version.h"
#include "quantity/text.h"

namespace ridge::hardware::lint {
namespace {

using Maybe = std::optional<Explained>;

std::vector<std::string> texts(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

Explained found(LintFlag flag, std::string words, std::span<const std::string_view> sources) { return {flag, std::move(words), texts(sources)}; }

// Facts about what the claim is about: the metric, or rates of its precision.
bool same_subject(const Claim& claim, const Fact& fact) {
  if (claim.kind == ClaimKind::kPeak) return fact.rate && fact.precision == claim.precision;
  return !fact.rate && (fact.figure == claim.figure || (claim.figure == FigureName::kTdp && fact.figure == FigureName::kPower));
}
std::string name_of_precision(Precision precision) { return std::string(ridge::name_of(precision)); }

// What the part's own figure is in the counting of the claim: of a memory also the number on the label in powers of ten, of a link
// the total of both directions, which is what data sheets print.
std::vector<double> own_figures(const Case& c) {
  std::vector<double> all;
  if (!c.answer) return all;
  const bool link = c.claim.kind == ClaimKind::kFigure && c.part.record->kind == PartKind::kChip &&
                    (c.claim.figure == FigureName::kScaleUp || c.claim.figure == FigureName::kPcie || c.claim.figure == FigureName::kHostLink);
  for (const Candidate& used : c.answer->choice.used) {
    all.push_back(link ? 2 * used.value : used.value);
    if (c.claim.kind == ClaimKind::kFigure && c.claim.figure == FigureName::kMemoryCapacity) all.push_back(decimal_label(used.printed, used.shown));
  }
  return all;
}

// --- the part's own rows -----------------------------------------------------------------------------------------------

Maybe own_status(const Case& c, Status status, LintFlag flag, std::string_view words) {
  for (const Fact& fact : c.part.facts)
    if (fact.status == status && same_subject(c.claim, fact) && c.says(fact.value))
      return found(
          flag,
          fmt::format("{} is {}{}{}", fact.shown(), words, fact.rate && fact.sparsity != Sparsity::kDense ? fmt::format(", {}", word_of(fact.sparsity)) : "",
                      fact.note.empty() ? "" : fmt::format(" ({})", fact.note)),
          fact.source);
  return std::nullopt;
}

Maybe own_preliminary(const Case& c) { return own_status(c, Status::kPreliminary, LintFlag::kPreliminary, "a preliminary figure of this part"); }
Maybe own_estimate(const Case& c) {
  return own_status(c, Status::kPressEstimate, LintFlag::kPressEstimate, "an estimate of the press, not the maker's figure");
}

Maybe own_sparse(const Case& c) {
  if (!c.is_peak() || c.claim.sparsity != Sparsity::kDense) return std::nullopt;
  for (const Fact& fact : c.part.facts)
    if (fact.plain() && same_subject(c.claim, fact) && fact.sparsity != Sparsity::kDense && fact.sparsity != Sparsity::kUnknown && c.says(fact.value))
      return found(LintFlag::kSparseAsDense,
                   fact.sparsity == Sparsity::kInference
                       ? fmt::format("{} is an inference figure that counts zeros among the activations", fact.shown())
                       : fmt::format("{} is the rate with {} sparsity: an ordinary dense model does not reach it", fact.shown(), word_of(fact.sparsity)),
                   fact.source);
  return std::nullopt;
}

Maybe own_smaller_unit(const Case& c) {
  for (const Fact& fact : c.part.facts)
    if (!fact.per.empty() && same_subject(c.claim, fact) && c.says(fact.value))
      return found(LintFlag::kUnitCounted, fmt::format("{} counts one {}, the part is a {}", fact.shown(), fact.per, c.part.record->counts), fact.source);
  return std::nullopt;
}

Maybe own_configuration(const Case& c) {
  for (const Fact& fact : c.part.facts)
    if (!fact.applies.empty() && same_subject(c.claim, fact) && c.says(fact.value))
      return found(LintFlag::kOtherConfiguration, fmt::format("{} is of another configuration: {}", fact.shown(), fact.applies), fact.source);
  return std::nullopt;
}

// A figure of a relative that equals a disputed one of the part is where that came from.
Maybe own_disputed(const Case& c) {
  for (const Fact& fact : c.part.facts) {
    if ((fact.status != Status::kDisputed && fact.status != Status::kMeasured) || !same_subject(c.claim, fact) || !c.says(fact.value)) continue;
    for (const Part& other : c.parts.all)
      if (other.record != c.part.record && same_family(*other.record, *c.part.record))
        for (const Fact& theirs : other.facts)
          if (theirs.plain() && same_subject(c.claim, theirs) && theirs.sparsity == fact.sparsity && theirs.vector == fact.vector && c.says(theirs.value))
            return std::nullopt;
    return found(LintFlag::kDisputed,
                 fmt::format("{} is a {} figure{}", fact.shown(), word_of(fact.status), fact.note.empty() ? "" : fmt::format(": {}", fact.note)), fact.source);
  }
  return std::nullopt;
}

Maybe own_vector(const Case& c) {
  if (!c.is_peak()) return std::nullopt;
  for (const Fact& fact : c.part.facts)
    if (fact.rate && fact.vector && fact.plain() && fact.precision == c.claim.precision && c.says(fact.value))
      return found(LintFlag::kVectorAsTensor,
                   fmt::format("{} is the rate of the vector units; a model's matrix products run on the matrix units", fact.shown()), fact.source);
  return std::nullopt;
}

// --- arithmetic on the part's figure -----------------------------------------------------------------------------------------

const Fact* vector_fp32(const Part& part) {
  for (const Fact& fact : part.facts)
    if (fact.rate && fact.vector && fact.plain() && fact.precision == Precision::kFp32) return &fact;
  return nullptr;
}

Maybe twice_dense(const Case& c) {
  if (!c.is_peak() || c.claim.sparsity != Sparsity::kDense || !skips_zeros(c.parts, c.part)) return std::nullopt;
  const bool listed = std::any_of(c.part.facts.begin(), c.part.facts.end(), [&c](const Fact& fact) {
    return same_subject(c.claim, fact) && fact.plain() && fact.sparsity != Sparsity::kDense && fact.sparsity != Sparsity::kUnknown;
  });
  const Answer* dense = c.answer ? &*c.answer : c.twin ? &*c.twin : nullptr;
  if (listed || dense == nullptr) return std::nullopt;
  std::vector<double> rates{dense->figure.value.low, dense->figure.value.high};
  for (const Fact& fact : c.part.facts)  // a coarser print of it too: 2.5 for 2.5166 PFLOP/s
    if (fact.plain() && same_subject(c.claim, fact) && !fact.vector && fact.rounded && fact.sparsity == Sparsity::kDense) rates.push_back(fact.value);
  for (const double rate : rates)
    if (c.says(2 * rate))
      return Explained{LintFlag::kSparseAsDense,
                       fmt::format("{} is twice the dense rate of {}: the rate with sparsity", c.in_unit(c.claim.value), c.in_unit(rate)),
                       dense->figure.sources};
  return std::nullopt;
}

// 1, 2 or 4 times the vector fp32 rate: what vector units make of 32- and 16-bit numbers.
Maybe multiple_of_vector(const Case& c) {
  const Fact* vector = vector_fp32(c.part);
  const Answer* dense = c.answer ? &*c.answer : c.twin ? &*c.twin : nullptr;
  if (!c.is_peak() || vector == nullptr || dense == nullptr || c.claim.precision == Precision::kFp32 || c.claim.precision == Precision::kFp64)
    return std::nullopt;
  if (dense->figure.value.low < 1.5 * c.claim.value) return std::nullopt;
  for (int times : {1, 2, 4})
    if (c.says_within(times * vector->value, 0.01))
      return found(LintFlag::kVectorAsTensor,
                   fmt::format("{} is {}the fp32 rate of the vector units ({}); the matrix units are meant", c.in_unit(c.claim.value),
                               times == 1 ? "" : fmt::format("{} times ", times), vector->shown()),
                   vector->source);
  return std::nullopt;
}

std::string decimal_text(double value, std::string_view base) {
  return base == "B" ? format_bytes_decimal(Bytes::from_double(value)) : format_value(value, base);
}

// 2^30 or 2^40 on a figure that was printed in powers of ten, also on a coarser print of it ("2 TB/s").
Maybe binary_prefix(const Case& c) {
  if (c.is_peak() || !c.answer) return std::nullopt;
  const double figure = c.answer->figure.value.high;
  for (int power : {3, 4}) {
    const double factor = std::pow(1.024, power);
    for (int digits = 1; digits <= 5; ++digits) {
      const double scale = std::pow(10.0, digits - 1 - static_cast<int>(std::floor(std::log10(figure))));
      const double coarse = std::round(figure * scale) / scale;
      if (std::abs(coarse - figure) > 0.025 * figure) continue;
      if (c.says_within(coarse * factor, 0.001))
        return Explained{LintFlag::kBinaryPrefix,
                         fmt::format("{} is {} with 2^{} for 10^{}: the figure is decimal", c.in_unit(c.claim.value), decimal_text(coarse, c.claim.base),
                                     10 * power, 3 * power),
                         c.answer->figure.sources};
    }
  }
  return std::nullopt;
}

Maybe capacity_as_bandwidth(const Case& c) {
  if (c.claim.kind != ClaimKind::kFigure || dimension_of(c.claim.figure) != Dimension::kByteRate) return std::nullopt;
  for (const Fact& fact : c.part.facts)
    if (!fact.rate && (fact.figure == FigureName::kMemoryCapacity || fact.figure == FigureName::kMemoryUsable) &&
        (c.says(fact.value) || c.says(decimal_label(fact.printed, fact.shown()))))
      return found(LintFlag::kCapacityAsBandwidth, fmt::format("{} is the size of the memory, not a rate", fact.shown()), fact.source);
  return std::nullopt;
}

std::string counted_words(const Case& c, int times, double figure) {
  return fmt::format("{} is {} times {}: the figure of {} such parts", c.in_unit(c.claim.value), times, c.in_unit(figure), times);
}

Maybe multiples(const Case& c) {
  if (!c.is_peak() && dimension_of(c.claim.figure) == Dimension::kArea) return std::nullopt;
  const bool link = !c.is_peak() && (c.claim.figure == FigureName::kScaleUp || c.claim.figure == FigureName::kPcie || c.claim.figure == FigureName::kHostLink);
  for (const double figure : own_figures(c))
    for (int times : {2, 4, 8, 16, 36, 72, 144}) {
      // Twice a rate is a sparse one, and links double from generation to generation.
      if ((times == 2 && c.is_peak()) || (times < 8 && link)) continue;
      if (c.says(times * figure)) return Explained{LintFlag::kUnitCounted, counted_words(c, times, figure), c.answer->figure.sources};
    }
  return std::nullopt;
}

// Into how many pieces a record says that it divides: devices that software sees, chips of a rack, cores ("chip (8 NeuronCores)").
std::vector<int> pieces(const AcceleratorRow& record) {
  std::vector<int> all{record.devices, record.accelerators};
  const std::size_t open = record.counts.find('(');
  if (open != std::string_view::npos && record.counts.find("Cores", open) != std::string_view::npos)
    if (auto cores = parse_integer(record.counts.substr(open + 1, record.counts.find(' ', open) - open - 1))) all.push_back(static_cast<int>(*cores));
  std::erase_if(all, [](int count) { return count < 2; });
  return all;
}

Maybe share_of_part(const Case& c) {
  for (const double figure : own_figures(c))
    for (int count : pieces(*c.part.record))
      if (c.says_within(figure / count, 0.003))
        return Explained{LintFlag::kUnitCounted,
                         fmt::format("{} is 1/{} of {}: the record counts {}", c.in_unit(c.claim.value), count, c.in_unit(figure), c.part.record->counts),
                         c.answer->figure.sources};
  return std::nullopt;
}

// --- relatives ---------------------------------------------------------------------------------------------------------------

bool contains(const AcceleratorRow& whole, const AcceleratorRow& chip) {
  return !whole.chip.empty() && (whole.chip == chip.id || (whole.chip == chip.part && !chip.part.empty()));
}

// A rack, a system or a superchip that holds the part, or the chip in what is none. A size that is written as a rate counts too:
// "13,400 GB/s" is the memory of a rack.
Maybe container(const Case& c) {
  for (const Part& other : c.parts.all) {
    const bool holds_part = contains(*other.record, *c.part.record), is_part = contains(*c.part.record, *other.record);
    if (!holds_part && !is_part) continue;
    for (const Fact& fact : other.facts) {
      if (!fact.plain() || !c.says(fact.value)) continue;
      const bool subject = same_subject(c.claim, fact) && (!c.is_peak() || !fact.vector);
      const bool confused = !c.is_peak() && !fact.rate && dimension_of(c.claim.figure) == Dimension::kByteRate && fact.figure == FigureName::kMemoryCapacity;
      if (!subject && !confused) continue;
      return found(LintFlag::kUnitCounted,
                   fmt::format("{} is the {} of {}, which counts {}", fact.shown(), confused ? "memory" : "figure", other.record->id, other.record->counts),
                   fact.source);
    }
  }
  return std::nullopt;
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

// The nearest other part with a figure that the claim says; `family` only among relatives.
template <class Wanted>
const Fact* of_other_part(const Case& c, bool family, const Part*& whose, Wanted wanted) {
  const Fact* best = nullptr;
  std::pair<bool, std::size_t> nearest{};
  for (const Part& other : c.parts.all) {
    const AcceleratorRow& record = *other.record;
    if (other.record == c.part.record || record.vendor != c.part.record->vendor || (!record.part.empty() && record.part == c.part.record->part)) continue;
    if ((record.kind == PartKind::kChip) != (c.part.record->kind == PartKind::kChip)) continue;
    if (family && !same_family(record, *c.part.record)) continue;
    const std::pair<bool, std::size_t> near{!record.die.empty() && record.die == c.part.record->die, shared_prefix(record.id, c.part.record->id)};
    for (const Fact& fact : other.facts)
      if (fact.plain() && !fact.rounded && wanted(fact) && c.says(fact.value) && (best == nullptr || near > nearest)) {
        best = &fact;
        whose = &other;
        nearest = near;
      }
  }
  return best;
}

Maybe other_sku(const Case& c, bool family) {
  const Part* whose = nullptr;
  const Fact* fact = of_other_part(
      c, family, whose, [&c](const Fact& one) { return same_subject(c.claim, one) && (!c.is_peak() || (one.sparsity == c.claim.sparsity && !one.vector)); });
  if (fact == nullptr) return std::nullopt;
  return found(LintFlag::kOtherSku, fmt::format("{} is the figure of {}, another part", fact->shown(), whose->record->id), fact->source);
}
Maybe other_sku_of_family(const Case& c) { return other_sku(c, true); }
Maybe other_sku_of_vendor(const Case& c) { return other_sku(c, false); }

Maybe sparse_of_family(const Case& c) {
  if (!c.is_peak()) return std::nullopt;
  const Part* whose = nullptr;
  const Fact* fact = of_other_part(c, true, whose, [&c](const Fact& one) { return same_subject(c.claim, one) && one.sparsity == Sparsity::kTwoOfFour; });
  if (fact == nullptr) return std::nullopt;
  return found(LintFlag::kSparseAsDense, fmt::format("{} is the rate with 2:4 sparsity of {}, another part", fact->shown(), whose->record->id), fact->source);
}

Maybe other_precision(const Case& c) {
  if (!c.is_peak()) return std::nullopt;
  for (const bool dense : {true, false})
    for (const Fact& fact : c.part.facts)
      if (fact.rate && fact.plain() && !fact.vector && fact.precision != c.claim.precision && (fact.sparsity == Sparsity::kDense) == dense &&
          fact.sparsity != Sparsity::kUnknown && c.says(fact.value))
        return found(LintFlag::kOtherPrecision,
                     fmt::format("{} is the {}{} rate of this part, not that of {}", fact.shown(), dense ? "" : "sparse ", name_of_precision(fact.precision),
                                 name_of_precision(c.claim.precision)),
                     fact.source);
  return std::nullopt;
}

Maybe other_precision_of_family(const Case& c) {
  if (!c.is_peak()) return std::nullopt;
  const Part* whose = nullptr;
  const Fact* fact = of_other_part(c, true, whose, [](const Fact& one) { return one.rate && !one.vector && one.sparsity == Sparsity::kDense; });
  if (fact == nullptr) return std::nullopt;
  return found(LintFlag::kOtherPrecision,
               fmt::format("{} is the {} rate of {}, another part", fact->shown(), name_of_precision(fact->precision), whose->record->id), fact->source);
}

// --- by size -------------------------------------------------------------------------------------------------------------------

// A rate no higher than what the vector units can do, on a part whose matrix units do much more.
Maybe size_of_vector(const Case& c) {
  const Answer* dense = c.answer ? &*c.answer : c.twin ? &*c.twin : nullptr;
  if (!c.is_peak() || dense == nullptr || c.claim.precision == Precision::kFp32 || c.claim.precision == Precision::kFp64) return std::nullopt;
  const double rate = dense->figure.value.low;
  if (const Fact* vector = vector_fp32(c.part); vector != nullptr && c.claim.value <= 2.05 * vector->value && rate >= 1.5 * c.claim.value)
    return found(LintFlag::kVectorAsTensor,
                 fmt::format("{} is within what the vector units reach (fp32 {}); the matrix units reach {}", c.in_unit(c.claim.value), vector->shown(),
                             c.in_unit(rate)),
                 vector->source);
  if (vector_fp32(c.part) == nullptr)
    for (int parts : {4, 8, 16})
      if (c.says_within(rate / parts, 0.005))
        return Explained{LintFlag::kVectorAsTensor,
                         fmt::format("{} is 1/{} of the matrix units' {}: what vector units reach", c.in_unit(c.claim.value), parts, c.in_unit(rate)),
                         dense->figure.sources};
  return std::nullopt;
}

Maybe halved(const Case& c) {
  if (!c.is_peak()) return std::nullopt;
  if (c.answer && c.says_within(c.answer->figure.value.low / 2, 0.003))
    return Explained{LintFlag::kMismatch,
                     fmt::format("{} is half of {}, which is dense already", c.in_unit(c.claim.value), c.in_unit(c.answer->figure.value.low)),
                     c.answer->figure.sources};
  for (const Fact& fact : c.part.facts)
    if (fact.plain() && same_subject(c.claim, fact) && fact.sparsity != Sparsity::kDense && c.says_within(fact.value / 2, 0.003))
      return found(LintFlag::kMismatch,
                   fmt::format("{} is half of {}; on this part the dense rate is not half of that one", c.in_unit(c.claim.value), fact.shown()), fact.source);
  return std::nullopt;
}

// A third party prints it, and the maker something else.
Maybe less_authority(const Case& c) {
  if (!c.answer) return std::nullopt;
  for (const Candidate& over : c.answer->choice.passed_over)
    if (over.passed_over == PassedOver::kLessAuthority && c.says(over.value))
      return Explained{LintFlag::kMismatch,
                       fmt::format("{} is what {} prints; a source nearer to the maker says otherwise", over.shown, fmt::join(over.sources, ", ")),
                       over.sources};
  return std::nullopt;
}

using Rule = Maybe (*)(const Case&);
constexpr std::array kRules{
    Rule{own_preliminary},
    Rule{own_sparse},
    Rule{own_estimate},
    Rule{own_smaller_unit},
    Rule{own_configuration},
    Rule{own_disputed},
    Rule{own_vector},
    Rule{twice_dense},
    Rule{container},
    Rule{capacity_as_bandwidth},
    Rule{multiple_of_vector},
    Rule{binary_prefix},
    Rule{share_of_part},
    Rule{other_sku_of_family},
    Rule{other_precision},
    Rule{multiples},
    Rule{sparse_of_family},
    Rule{other_precision_of_family},
    Rule{less_authority},
    Rule{other_sku_of_vendor},
    Rule{halved},
    Rule{size_of_vector},
};

}  // namespace

double decimal_label(double printed, std::string_view shown) {
  return printed * (shown.ends_with("TB") || shown.ends_with("TiB") ? 1e12 : shown.ends_with("MiB") ? 1e6 : 1e9);
}

std::string Fact::shown() const { return unit == Unit::kOne ? fmt::format("{}", printed) : fmt::format("{} {}", printed, hardware::name_of(unit)); }

const Part* Parts::find(std::string_view id) const {
  const auto at = std::find_if(all.begin(), all.end(), [id](const Part& part) { return part.record->id == id; });
  return at == all.end() ? nullptr : &*at;
}

bool Case::says_within(double target, double share) const { return std::abs(claim.value - target) <= share * target; }

namespace {
double half_written_digit(const Claim& claim) {
  const std::size_t point = claim.claimed.find('.');
  if (claim.claimed.find_first_of("eE") != std::string::npos || claim.printed == 0) return 0;
  std::size_t decimals = 0;
  if (point != std::string::npos) decimals = claim.claimed.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals)) * claim.value / claim.printed;
}
}  // namespace

bool Case::says(double target) const {
  return says_within(target, 0.003) || (std::abs(claim.value - target) <= half_written_digit(claim) && says_within(target, 0.01));
}
bool Case::rounds(double target) const {
  return says_within(target, 0.003) || (std::abs(claim.value - target) <= half_written_digit(claim) * (1 + 1e-9) && says_within(target, 0.025));
}

std::string Case::number_in_unit(double base) const {
  const double number = base * claim.printed / claim.value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(number)));  // six digits
  return fmt::format("{}", std::round(number * scale) / scale);
}
std::string Case::in_unit(double base) const { return number_in_unit(base) + (claim.unit.empty() ? "" : " " + claim.unit); }

std::optional<Explained> explain(const Case& c) {
  for (const Rule rule : kRules)
    if (Maybe explained = rule(c)) return explained;
  return std::nullopt;
}

bool same_family(const AcceleratorRow& a, const AcceleratorRow& b) {
  if (a.vendor != b.vendor) return false;
  const auto first = [](std::string_view words) { return words.substr(0, words.find(' ')); };
  return first(a.architecture) == first(b.architecture);
}

bool skips_zeros(const Parts& parts, const Part& part) {
  const AcceleratorRow* record = part.record;
  if (record->kind != PartKind::kChip)
    if (const Part* chip = parts.find(record->chip)) record = chip->record;
  if (std::any_of(part.facts.begin(), part.facts.end(), [](const Fact& fact) { return fact.rate && fact.sparsity == Sparsity::kTwoOfFour; })) return true;
  if (auto version = parse_version(record->compute_capability); version && !record->compute_capability.empty()) return *version >= Version{{8, 0, 0, 0}, 2};
  return record->architecture.starts_with("CDNA3") || record->architecture.starts_with("CDNA4");
}

}  // namespace ridge::hardware::lint
