#include "hardware/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hardware/identify.h"
#include "hardware/lint_book.h"
#include "hardware/software.h"
#include "quantity/text.h"

namespace ridge::hardware {
namespace {

using lint::Case;
using lint::Fact;
using lint::Part;
using lint::Parts;

Fact fact_of(const FigureRow& row) {
  Fact fact;
  fact.figure = row.name;
  fact.applies = row.applies;
  fact.status = row.status;
  fact.rounded = row.rounded;
  fact.value = base_value(*row.value, row.unit);
  fact.printed = *row.value;
  fact.unit = row.unit;
  fact.note = row.note;
  fact.source = row.source;
  return fact;
}
Fact fact_of(const RateRow& row) {
  Fact fact;
  fact.rate = true;
  fact.precision = row.precision;
  fact.sparsity = row.sparsity;
  fact.vector = row.path == Path::kVector;
  fact.accumulate = row.accumulate;
  fact.per = row.per;
  fact.status = row.status;
  fact.rounded = row.rounded;
  fact.value = base_value(row.value, row.unit);
  fact.printed = row.value;
  fact.unit = row.unit;
  fact.note = row.note;
  fact.source = row.source;
  return fact;
}

bool is_link(FigureName name) { return name == FigureName::kScaleUp || name == FigureName::kPcie || name == FigureName::kHostLink; }

std::optional<Answer> answer_to(const Catalog& catalog, const AcceleratorRow& record, const Claim& claim, Precision precision) {
  const auto value = [](Result<Answer> answer) { return answer ? std::optional<Answer>(*std::move(answer)) : std::nullopt; };
  if (claim.kind == ClaimKind::kPeak) return value(peak(catalog, record, {.precision = precision, .sparsity = claim.sparsity}));
  if (is_link(claim.figure) && record.kind == PartKind::kChip) return value(link_per_direction(catalog, record, claim.figure));
  if (claim.figure == FigureName::kTdp && record.kind != PartKind::kChip) return value(figure(catalog, record, FigureName::kPower));
  return value(figure(catalog, record, claim.figure));
}

bool lists(const AcceleratorRow& record, Precision precision) {
  return std::any_of(record.rates.begin(), record.rates.end(), [precision](const RateRow& row) { return row.precision == precision; });
}

// bf16 of fp16 and the other way round, for a part that lists only one of them.
std::optional<Answer> twin_of(const Catalog& catalog, const AcceleratorRow& record, const Claim& claim) {
  if (claim.kind != ClaimKind::kPeak || lists(record, claim.precision)) return std::nullopt;
  if (claim.precision == Precision::kFp16) return answer_to(catalog, record, claim, Precision::kBf16);
  if (claim.precision == Precision::kBf16) return answer_to(catalog, record, claim, Precision::kFp16);
  return std::nullopt;
}

bool decimal(std::string_view unit) { return unit.find('i') == std::string_view::npos; }

// The words for which a claim holds, or nothing.
std::optional<std::string> holds_as(const Case& c) {
  const Answer& answer = *c.answer;
  const Interval value = answer.figure.value;
  const auto in_range = [&c](Interval range) {
    return (c.claim.value >= range.low && c.claim.value <= range.high) || c.rounds(range.low) || c.rounds(range.high);
  };
  if (in_range(value)) return answer.figure.basis;
  if (!c.is_peak() && is_link(c.claim.figure) && in_range({2 * value.low, 2 * value.high})) return "both directions together";
  for (const Candidate& over : answer.choice.passed_over) {
    if (!c.rounds(over.value)) continue;
    if (over.passed_over == PassedOver::kSame || over.passed_over == PassedOver::kRounded)
      return fmt::format("rounded, as {} prints it", fmt::join(over.sources, ", "));
    if (over.passed_over == PassedOver::kUpTo) return fmt::format("an upper bound, as {} prints it", fmt::join(over.sources, ", "));
    if (over.passed_over == PassedOver::kOtherBasis && over.status == Status::kFinal && c.is_peak())
      return fmt::format("{}, which is another accumulator than the usual one", over.basis.empty() ? "accumulator not stated" : over.basis);
  }
  // fp64 and fp32 have a vector rate and may have a matrix rate: both are called the part's peak.
  if (c.is_peak() && (c.claim.precision == Precision::kFp64 || c.claim.precision == Precision::kFp32))
    for (const Fact& fact : c.part.facts)
      if (fact.rate && fact.plain() && fact.precision == c.claim.precision && fact.sparsity == c.claim.sparsity && c.rounds(fact.value))
        return fmt::format("{}, the {} rate", fact.shown(), fact.vector ? "vector" : "matrix");
  return std::nullopt;
}

// Labels count in 10^9 or 2^30 as their maker likes, so the number on it in decimal units holds; in binary units only where a source
// prints it so, or where the driver reports as much.
std::optional<std::string> holds_as_memory(const Case& c) {
  if (c.claim.kind != ClaimKind::kFigure || c.claim.figure != FigureName::kMemoryCapacity) return std::nullopt;
  for (const Candidate& used : c.answer->choice.used) {
    if (decimal(c.claim.unit) && c.rounds(lint::decimal_label(used.printed, used.shown))) return fmt::format("the label is {}", used.shown);
  }
  auto usable = usable_memory(c.catalog, *c.part.record);
  if (usable && usable->low == usable->high && c.says(usable->low.as_double())) return fmt::format("what the driver reports ({})", usable->basis);
  return std::nullopt;
}

// The figure that stands against the claim, in its unit: a label keeps its number.
void set_right(const Case& c, Judgement& judgement) {
  if (!c.answer) return;
  const Choice& choice = c.answer->choice;
  judgement.right = c.answer->figure.value;
  judgement.sources = c.answer->figure.sources;
  if (c.claim.kind == ClaimKind::kFigure && c.claim.figure == FigureName::kMemoryCapacity && decimal(c.claim.unit)) {
    const auto label = [](const Candidate& used) { return lint::decimal_label(used.printed, used.shown); };
    judgement.right = Interval{label(choice.used.front()), label(choice.used.back())};
    if (judgement.right->low > judgement.right->high) std::swap(judgement.right->low, judgement.right->high);
  }
  judgement.right_text = judgement.right->is_point() ? c.in_unit(judgement.right->low)
                                                     : fmt::format("{} to {}", c.number_in_unit(judgement.right->low), c.in_unit(judgement.right->high));
}

Judgement judge_capability(const AcceleratorRow& record, const Claim& claim) {
  Judgement judgement;
  judgement.accelerator = record.id;
  auto known = parse_real(record.compute_capability);
  if (record.compute_capability.empty() || !known) {
    judgement.flag = LintFlag::kNoFigure;
    judgement.explanation = "the catalogue has no compute capability for this part";
    return judgement;
  }
  judgement.right = Interval{*known, *known};
  judgement.right_text = record.compute_capability;
  judgement.flag = claim.value == *known ? LintFlag::kOk : LintFlag::kMismatch;
  judgement.explanation = judgement.flag == LintFlag::kOk ? "compute capability" : fmt::format("the part has compute capability {}", record.compute_capability);
  return judgement;
}

Judgement judge_record(const Catalog& catalog, const Parts& parts, const Part& part, const Claim& asked) {
  const AcceleratorRow& record = *part.record;
  if (asked.kind == ClaimKind::kComputeCapability) return judge_capability(record, asked);
  // nvfp4 and mxfp4 run at the rate of fp4 where the part lists no rate of their own.
  Claim claim = asked;
  if ((claim.precision == Precision::kNvFp4 || claim.precision == Precision::kMxFp4) && !lists(record, claim.precision)) claim.precision = Precision::kFp4;
  const Case c{catalog, parts, part, claim, answer_to(catalog, record, claim, claim.precision), twin_of(catalog, record, claim)};
  Judgement judgement;
  judgement.accelerator = record.id;
  set_right(c, judgement);
  if (c.answer && c.answer->choice.status == Status::kFinal) {
    auto words = holds_as(c);
    if (!words) words = holds_as_memory(c);
    if (words) {
      judgement.flag = LintFlag::kOk;
      judgement.explanation = *words;
      return judgement;
    }
  }
  if (c.is_peak() && !c.answer && !lists(record, claim.precision)) {
    const PrecisionSupport support = precision_support(catalog, device_of(catalog, record), asked.precision, "hardware");
    if (support.support == Support::kNone) {
      judgement.flag = LintFlag::kUnsupportedPrecision;
      judgement.explanation = support.reason;
      judgement.sources = support.sources;
      return judgement;
    }
  }
  if (!c.answer && c.twin && c.says(c.twin->figure.value.low)) {
    judgement.flag = LintFlag::kNoFigure;
    judgement.explanation = fmt::format("no {} rate is listed; that is the part's rate in {}", ridge::name_of(claim.precision),
                                        claim.precision == Precision::kFp16 ? "bf16" : "fp16");
    return judgement;
  }
  if (auto explained = lint::explain(c)) {
    judgement.flag = explained->flag;
    judgement.explanation = explained->words;
    for (const std::string& source : explained->sources)
      if (std::find(judgement.sources.begin(), judgement.sources.end(), source) == judgement.sources.end()) judgement.sources.push_back(source);
    return judgement;
  }
  if (c.answer) {
    judgement.flag = LintFlag::kMismatch;
    judgement.explanation = fmt::format("the catalogue has {} ({})", judgement.right_text, c.answer->figure.basis);
  } else {
    judgement.flag = LintFlag::kNoFigure;
    judgement.explanation = "the catalogue has no figure of that basis for this part";
  }
  return judgement;
}

// One judgement for several records: profiles of one part hold if one does; parts that share a name must agree.
Judgement combined(const std::vector<Judgement>& each, bool profiles, const std::string& name) {
  const auto holding = std::find_if(each.begin(), each.end(), [](const Judgement& one) { return one.flag == LintFlag::kOk; });
  if (profiles) return holding == each.end() ? each.front() : *holding;
  if (std::all_of(each.begin(), each.end(), [&each](const Judgement& one) { return one.flag == each.front().flag; })) {
    Judgement one = each.front();
    if (one.flag != LintFlag::kOk) one.right.reset(), one.right_text.clear();
    return one;
  }
  Judgement judgement;
  judgement.flag = LintFlag::kAmbiguous;
  std::string words;
  for (const Judgement& one : each) words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", one.accelerator, word_for(one.flag));
  judgement.explanation = fmt::format("\"{}\" may be any of {} parts ({})", name, each.size(), words);
  return judgement;
}

constexpr std::array kWords{
    std::pair{LintFlag::kOk, "ok"},
    std::pair{LintFlag::kPreliminary, "preliminary"},
    std::pair{LintFlag::kSparseAsDense, "sparse_as_dense"},
    std::pair{LintFlag::kPressEstimate, "press_estimate"},
    std::pair{LintFlag::kUnitCounted, "unit_counted"},
    std::pair{LintFlag::kVectorAsTensor, "vector_as_tensor"},
    std::pair{LintFlag::kOtherSku, "other_sku"},
    std::pair{LintFlag::kOtherPrecision, "other_precision"},
    std::pair{LintFlag::kCapacityAsBandwidth, "capacity_as_bandwidth"},
    std::pair{LintFlag::kBinaryPrefix, "binary_prefix"},
    std::pair{LintFlag::kOtherConfiguration, "other_configuration"},
    std::pair{LintFlag::kDisputed, "disputed"},
    std::pair{LintFlag::kMismatch, "mismatch"},
    std::pair{LintFlag::kUnsupportedPrecision, "unsupported_precision"},
    std::pair{LintFlag::kAmbiguous, "ambiguous"},
    std::pair{LintFlag::kUnknownPart, "unknown_part"},
    std::pair{LintFlag::kNoFigure, "no_figure"},
};

}  // namespace

std::string_view word_for(LintFlag flag) {
  for (const auto& [known, word] : kWords)
    if (known == flag) return word;
  return "";
}
bool holds(LintFlag flag) { return flag == LintFlag::kOk; }
bool decided(LintFlag flag) { return flag != LintFlag::kAmbiguous && flag != LintFlag::kUnknownPart && flag != LintFlag::kNoFigure; }

struct Linter::Book {
  const Catalog& catalog;
  Parts parts;
};

Linter::Linter(const Catalog& catalog) {
  auto book = std::make_unique<Book>(Book{catalog, {}});
  for (const AcceleratorRow& record : accelerators(catalog)) {
    Part part{&record, {}};
    for (const FigureRow& row : record.figures)
      if (row.value) part.facts.push_back(fact_of(row));
    for (const RateRow& row : record.rates) part.facts.push_back(fact_of(row));
    book->parts.all.push_back(std::move(part));
  }
  book_ = std::move(book);
}
Linter::~Linter() = default;

Judgement Linter::judge(const Claim& claim) const {
  const Catalog& catalog = book_->catalog;
  std::vector<const AcceleratorRow*> records;
  if (auto found = find_records(catalog, claim.accelerator)) {
    records = *std::move(found);
  } else {
    const std::vector<std::string> names{claim.accelerator};
    if (auto identities = identify(catalog, names)) records = identities->front().candidates;
  }
  if (records.empty()) {
    Judgement judgement;
    judgement.flag = LintFlag::kUnknownPart;
    judgement.explanation = fmt::format("\"{}\" is no part of the catalogue", claim.accelerator);
    return judgement;
  }
  std::vector<Judgement> each;
  for (const AcceleratorRow* record : records) each.push_back(judge_record(catalog, book_->parts, *book_->parts.find(record->id), claim));
  if (each.size() == 1) return each.front();
  const bool profiles = !records.front()->part.empty() &&
                        std::all_of(records.begin(), records.end(), [&](const AcceleratorRow* record) { return record->part == records.front()->part; });
  return combined(each, profiles, claim.accelerator);
}

}  // namespace ridge::hardware
