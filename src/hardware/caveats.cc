#include "hardware/caveats.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "quantity/text.h"

namespace ridge::hardware {
namespace {

using List = std::vector<Caveat>;

std::string number(const Candidate& candidate) {
  return fmt::format("{} ({}{})", candidate.shown, fmt::join(candidate.sources, ", "), candidate.basis.empty() ? "" : "; " + candidate.basis);
}
std::string numbers(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates) text += (text.empty() ? "" : " and ") + number(candidate);
  return text;
}

std::string words_of(FigureName name) {
  switch (name) {
    case FigureName::kTdp:
      return "power";
    case FigureName::kScaleUp:
      return "scale-up link";
    case FigureName::kMemoryCapacity:
      return "memory on the label";
    default: {
      std::string words(word_of(name));
      std::replace(words.begin(), words.end(), '_', ' ');
      return words;
    }
  }
}

// The answers of a record to everything that may be asked of it, by the words in which they are shown.
std::vector<std::pair<std::string, Answer>> all_answers(const Catalog& catalog, const AcceleratorRow& record) {
  std::vector<std::pair<std::string, Answer>> all;
  for (const auto& name : kFigureNames) {
    if (name.value == FigureName::kMemoryUsable || name.value == FigureName::kBoostClock || name.value == FigureName::kMatrixClock) continue;
    const bool link = name.value == FigureName::kScaleUp || name.value == FigureName::kPcie || name.value == FigureName::kHostLink;
    auto answer = link && record.kind == PartKind::kChip ? link_per_direction(catalog, record, name.value) : figure(catalog, record, name.value);
    if (answer) all.emplace_back(words_of(name.value), *std::move(answer));
  }
  for (Precision precision : listed_precisions(record))
    for (Sparsity sparsity : {Sparsity::kDense, Sparsity::kTwoOfFour})
      if (auto answer = peak(catalog, record, {.precision = precision, .sparsity = sparsity}))
        all.emplace_back(fmt::format("{} {} rate", ridge::name_of(precision), word_of(sparsity)), *std::move(answer));
  return all;
}

void disagreements(const std::vector<std::pair<std::string, Answer>>& answers, List& list) {
  for (const auto& [what, answer] : answers) {
    if (answer.disagree()) {
      list.push_back({true, "sources-disagree", fmt::format("Final sources disagree about the {}: the answer is the range.", what), numbers(answer.choice.used),
                      "Results that depend on it are ranges too; decide with a measurement."});
    }
    std::vector<Candidate> other;
    for (const Candidate& over : answer.choice.passed_over) {
      const bool differs =
          std::none_of(answer.choice.used.begin(), answer.choice.used.end(), [&over](const Candidate& used) { return same_figure(used, over); });
      if ((over.passed_over == PassedOver::kLessAuthority || over.passed_over == PassedOver::kUpTo) && differs) other.push_back(over);
    }
    if (!other.empty())
      list.push_back({false, "other-figures",
                      fmt::format("Other figures for the {} exist and were not used: a source nearer to the maker says {}, or they are upper bounds.", what,
                                  numbers(answer.choice.used)),
                      numbers(other), ""});
    if (answer.figure.provenance == Provenance::kAssumed)
      list.push_back(
          {true, "assumed", fmt::format("No source says whether the {} counts one direction or both: it was halved.", what), numbers(answer.choice.used), ""});
    if (answer.choice.status == Status::kPreliminary)
      list.push_back({true, "preliminary", fmt::format("Only a preliminary figure exists for the {}.", what), numbers(answer.choice.used),
                      "Look for the final one before deciding on it."});
  }
}

// What is listed but never answers where something better does.
void shown_only(const AcceleratorRow& record, List& list) {
  std::vector<std::string> preliminary, unsure;
  const auto add = [&](Status status, std::string words) {
    if (status == Status::kPreliminary)
      preliminary.push_back(std::move(words));
    else if (status == Status::kDisputed || status == Status::kMeasured || status == Status::kPressEstimate)
      unsure.push_back(std::move(words));
  };
  for (const FigureRow& row : record.figures)
    if (row.value)
      add(row.status, fmt::format("{} {} {} ({}{})", word_of(row.name), *row.value, name_of(row.unit), word_of(row.status),
                                  row.note.empty() ? "" : fmt::format("; {}", row.note)));
  for (const RateRow& row : record.rates)
    add(row.status, fmt::format("{} {} {} {} ({}{})", ridge::name_of(row.precision), word_of(row.sparsity), row.value, name_of(row.unit), word_of(row.status),
                                row.derived.empty() ? "" : fmt::format("; {}", row.derived)));
  if (!preliminary.empty())
    list.push_back({false, "preliminary-exists", "Preliminary figures of this part are in circulation; none answers where a final one exists.",
                    fmt::format("{}", fmt::join(preliminary, ", ")), ""});
  if (!unsure.empty())
    list.push_back({false, "not-final", "Measured, disputed or estimated figures of this part are in circulation; none is used.",
                    fmt::format("{}", fmt::join(unsure, ", ")), ""});
}

void sparsity(const Catalog& catalog, const AcceleratorRow& record, List& list) {
  std::vector<std::string> only_sparse, uneven;
  bool any = false;
  for (Precision precision : listed_precisions(record)) {
    for (const RateRow& row : record.rates)
      if (row.precision == precision && row.sparsity == Sparsity::kInference)
        list.push_back({true, "inference-figure",
                        fmt::format("The {} figure for inference counts zeros among the activations: it is neither dense nor twice the dense rate.",
                                    ridge::name_of(precision)),
                        fmt::format("{} {} ({})", row.value, name_of(row.unit), fmt::join(row.source, ", ")),
                        "Use the dense figure; half of this one is no figure."});
    auto dense = peak(catalog, record, {.precision = precision, .vector = false});
    auto sparse = peak(catalog, record, {.precision = precision, .sparsity = Sparsity::kTwoOfFour, .vector = false});
    if (!sparse) continue;
    any = true;
    if (!dense) {
      only_sparse.emplace_back(ridge::name_of(precision));
      continue;
    }
    const double ratio = sparse->figure.value.low / dense->figure.value.low;
    if (ratio < 1.9 || ratio > 2.1)
      uneven.push_back(fmt::format("{}: {} of {}", ridge::name_of(precision), format_number(ratio, 3), dense->choice.used.front().shown));
  }
  if (any)
    list.push_back({false, "sparsity",
                    "The 2:4 rates need two of every four values of one operand to be zero; an ordinary dense model gains nothing from them.", "",
                    "Compare dense with dense."});
  if (!uneven.empty())
    list.push_back({true, "sparse-not-twice", "The sparse rate is not twice the dense one.", fmt::format("sparse over dense, {}", fmt::join(uneven, "; ")),
                    "Never halve a sparse figure to get a dense one."});
  if (!only_sparse.empty())
    list.push_back({true, "only-sparse",
                    fmt::format("Only a sparse rate is listed for {}; half of it is not taken for the dense one.", fmt::join(only_sparse, ", ")), "", ""});
}

void accumulators(const Catalog& catalog, const AcceleratorRow& record, List& list) {
  for (Precision precision : listed_precisions(record)) {
    auto answer = peak(catalog, record, {.precision = precision, .vector = false});
    if (!answer) continue;
    const auto other = peak(catalog, record, {.precision = precision, .vector = false, .accumulate = Accumulate::kFp16});
    if (other && other->figure.value != answer->figure.value)
      list.push_back({false, "accumulator",
                      fmt::format("{} multiplies at another rate with fp16 accumulators: {} against {} with fp32.", ridge::name_of(precision),
                                  other->choice.used.front().shown, answer->choice.used.front().shown),
                      "", "Frameworks accumulate in fp32 unless told otherwise."});
    const bool disputed = std::any_of(record.rates.begin(), record.rates.end(), [precision](const RateRow& row) {
      return row.precision == precision && row.status == Status::kDisputed && row.accumulate == Accumulate::kFp32;
    });
    if (disputed && answer->choice.used.front().basis.find("accumulate") == std::string::npos)
      list.push_back({true, "accumulator",
                      fmt::format("The page does not say with which accumulator {} reaches {}; with fp32 it may be about half.", ridge::name_of(precision),
                                  answer->choice.used.front().shown),
                      "", "Measure a matrix multiplication with the framework that will run."});
  }
}

// Steps between precisions that are not near two: a unit that was cut, or one precision that runs at the rate of the next.
void steps(const Catalog& catalog, const AcceleratorRow& record, List& list) {
  const std::pair<Precision, Precision> pairs[] = {
      {Precision::kBf16, Precision::kFp8}, {Precision::kBf16, Precision::kInt8}, {Precision::kFp8, Precision::kFp4}};
  for (const auto& [wide, narrow] : pairs) {
    auto a = peak(catalog, record, {.precision = wide, .vector = false});
    auto b = peak(catalog, record, {.precision = narrow, .vector = false});
    if (!a || !b) continue;
    const double ratio = b->figure.value.high / a->figure.value.high;
    if (ratio >= kUsualStep.low && ratio <= kUsualStep.high) continue;
    const std::string text = ratio < 1                ? fmt::format("{} is slower than {} on this part", ridge::name_of(narrow), ridge::name_of(wide))
                             : ratio < kUsualStep.low ? fmt::format("{} runs hardly faster than {} on this part", ridge::name_of(narrow), ridge::name_of(wide))
                                                      : fmt::format("{} runs at {} times the rate of {} here: an unusual step", ridge::name_of(narrow),
                                                                    format_number(ratio, 3), ridge::name_of(wide));
    list.push_back({false, "step", text + ".",
                    fmt::format("{} {} and {} {}", ridge::name_of(wide), a->choice.used.back().shown, ridge::name_of(narrow), b->choice.used.back().shown),
                    ""});
  }
}

void counting(const AcceleratorRow& record, List& list) {
  if (record.kind != PartKind::kChip) {
    list.push_back({true, "unit-counted", fmt::format("The figures count {}, not one accelerator.", record.counts), "",
                    record.chip.empty() ? "" : fmt::format("For one accelerator: {}.", record.chip)});
  }
  if (record.devices > 1)
    list.push_back({true, "unit-counted",
                    fmt::format("Software sees {} devices in one {}, each with its share of the rates and of the memory.", record.devices, record.id), "",
                    "A model that fits the whole does not fit one device."});
}

void labels(const Catalog& catalog, const AcceleratorRow& record, List& list) {
  if (record.kind != PartKind::kChip) return;
  auto label = figure(catalog, record, FigureName::kMemoryCapacity);
  auto usable = usable_memory(catalog, record);
  if (!label || !usable || usable->low != usable->high) return;
  list.push_back({false, "label",
                  fmt::format("The label says {}; the driver reports {:.1f} x 10^9 B, which is {:.1f} GiB.", label->choice.used.front().shown,
                              usable->low.as_double() / 1e9, usable->low.as_double() / static_cast<double>(kGiB)),
                  fmt::format("{}", fmt::join(usable->sources, ", ")), ""});
}

void profiles(const Catalog& catalog, std::span<const AcceleratorRow* const> records, List& list) {
  if (records.size() < 2) return;
  std::string evidence;
  for (const AcceleratorRow* record : records) {
    auto bandwidth = figure(catalog, *record, FigureName::kMemoryBandwidth);
    evidence += fmt::format("{}{}: {}", evidence.empty() ? "" : "; ", record->profile,
                            bandwidth ? "memory bandwidth " + numbers(bandwidth->choice.used) : "no memory bandwidth");
  }
  list.push_back(
      {true, "sources-disagree",
       fmt::format("The sources disagree about {} as a whole: each is a profile of its own, and what is derived is derived within one.", records.front()->part),
       evidence, "Name one profile to compute with it alone."});
}

}  // namespace

std::vector<Caveat> caveats(const Catalog& catalog, std::span<const AcceleratorRow* const> records) {
  List list;
  profiles(catalog, records, list);
  for (const AcceleratorRow* record : records) {
    List own;
    disagreements(all_answers(catalog, *record), own);
    counting(*record, own);
    sparsity(catalog, *record, own);
    accumulators(catalog, *record, own);
    steps(catalog, *record, own);
    labels(catalog, *record, own);
    shown_only(*record, own);
    if (!record->note.empty()) own.push_back({false, "note", fmt::format("Of this record: {}.", record->note), "", ""});
    for (Caveat& caveat : own) {
      if (records.size() > 1) caveat.text = fmt::format("{}: {}", record->id, caveat.text);
      const auto same = [&caveat](const Caveat& other) { return other.kind == caveat.kind && other.text == caveat.text; };
      if (std::none_of(list.begin(), list.end(), same)) list.push_back(std::move(caveat));
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const Caveat& a, const Caveat& b) { return a.warning && !b.warning; });
  return list;
}

}  // namespace ridge::hardware
