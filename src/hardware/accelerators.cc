#include "hardware/accelerators.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

std::vector<std::string> texts(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

int authority_of(const Catalog& catalog, std::span<const std::string_view> sources, bool cites) {
  int best = 4;
  for (std::string_view id : sources) {
    const formats::SourceRow* source = find_source(catalog, id);
    best = std::min(best, source == nullptr ? authority(formats::Tier::kUser, cites) : authority(source->tier, cites));
  }
  return best;
}

bool on_chip(FigureName name) {
  return name == FigureName::kL2Cache || name == FigureName::kInfinityCache || name == FigureName::kSmemPerSm || name == FigureName::kLdsPerCu ||
         name == FigureName::kSram;
}

double figure_base(const FigureRow& row) {
  // Sizes of on-chip memories are powers of two: "228 KB" of shared memory is 228 × 1,024 B.
  if (on_chip(row.name) && row.unit == Unit::kKB) return base_value(*row.value, Unit::kKiB);
  if (on_chip(row.name) && row.unit == Unit::kMB) return base_value(*row.value, Unit::kMiB);
  return base_value(*row.value, row.unit);
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string printed(double value, Unit unit) { return unit == Unit::kOne ? fmt::format("{}", value) : fmt::format("{} {}", value, name_of(unit)); }

std::string own_basis(std::string_view basis, std::string_view derived, std::string_view cites) {
  std::vector<std::string> parts{std::string(basis)};
  if (!derived.empty()) parts.push_back(fmt::format("derived: {}", derived));
  if (!cites.empty()) parts.push_back(fmt::format("{} as cited", cites));
  return join(parts);
}

Candidate candidate_of(const Catalog& catalog, const FigureRow& row) {
  Candidate candidate;
  candidate.value = figure_base(row);
  candidate.printed = *row.value;
  candidate.shown = printed(*row.value, row.unit);
  candidate.basis = own_basis(row.basis, row.derived, row.cites);
  candidate.status = row.status;
  candidate.rounded = row.rounded;
  candidate.up_to = row.up_to;
  candidate.derived = !row.derived.empty();
  candidate.authority = authority_of(catalog, row.source, !row.cites.empty());
  candidate.sources = texts(row.source);
  return candidate;
}

Candidate candidate_of(const Catalog& catalog, const RateRow& row) {
  Candidate candidate;
  candidate.value = base_value(row.value, row.unit);
  candidate.printed = row.value;
  candidate.shown = printed(row.value, row.unit);
  candidate.basis = own_basis(row.accumulate == Accumulate::kUnstated ? "" : fmt::format("{} accumulate", word_of(row.accumulate)), row.derived, row.cites);
  candidate.status = row.status;
  candidate.rounded = row.rounded;
  candidate.derived = !row.derived.empty();
  candidate.authority = authority_of(catalog, row.source, !row.cites.empty());
  candidate.sources = texts(row.source);
  return candidate;
}

// The words after what was asked: status, coarseness, and what each figure that answers adds of its own.
Answer answer_of(Choice choice, std::vector<std::string> asked, std::string unit) {
  Answer answer;
  asked.insert(asked.begin() + static_cast<std::ptrdiff_t>(asked.size()) - 1, std::string(word_of(choice.status)));  // before "per chip"
  if (choice.rounded) asked.push_back("rounded by its source");
  if (choice.up_to) asked.push_back("an upper bound");
  if (choice.used.size() == 1) {
    asked.push_back(choice.used.front().basis);
  } else {
    std::string words = "sources disagree: ";
    for (const Candidate& used : choice.used)
      words += fmt::format("{}{} ({}{})", &used == choice.used.data() ? "" : " and ", used.shown, fmt::join(used.sources, " and "),
                           used.basis.empty() ? "" : "; " + used.basis);
    asked.push_back(words);
  }
  answer.figure.value = choice.value;
  answer.figure.unit = std::move(unit);
  answer.figure.basis = join(asked);
  for (const Candidate& used : choice.used)
    for (const std::string& source : used.sources)
      if (std::find(answer.figure.sources.begin(), answer.figure.sources.end(), source) == answer.figure.sources.end()) answer.figure.sources.push_back(source);
  answer.figure.provenance = choice.derived ? Provenance::kDerived : Provenance::kPublished;
  answer.choice = std::move(choice);
  return answer;
}

std::string rate_words(const RateRow& row) {
  std::vector<std::string> parts{printed(row.value, row.unit) + " " + std::string(ridge::name_of(row.precision)),
                                 row.pattern.empty() ? std::string(word_of(row.sparsity)) : fmt::format("{} {}", word_of(row.sparsity), row.pattern),
                                 std::string(word_of(row.path)), std::string(word_of(row.status))};
  if (row.accumulate != Accumulate::kUnstated) parts.push_back(fmt::format("{} accumulate", word_of(row.accumulate)));
  if (!row.per.empty()) parts.push_back(fmt::format("per {}", row.per));
  return join(parts);
}

bool four_bit(Precision precision) { return precision == Precision::kNvFp4 || precision == Precision::kMxFp4; }

bool has_rate(const AcceleratorRow& record, Precision precision, bool vector) {
  return std::any_of(record.rates.begin(), record.rates.end(),
                     [&](const RateRow& row) { return row.precision == precision && (row.path == Path::kVector) == vector; });
}

Error no_rate(const AcceleratorRow& record, const RateQuestion& question, bool vector) {
  std::vector<std::string> exist = listed_rates(record, question.precision);
  if (exist.empty()) exist = listed_rates(record);
  return {std::string(record.id),
          fmt::format("no {} rate is listed that is {}, {} and final, {}", ridge::name_of(question.precision), word_of(question.sparsity),
                      vector ? "of the vector units" : "of the matrix units", per_what(record, question.per)),
          exist.empty() ? "It lists no rates at all." : fmt::format("It lists: {}.", fmt::join(exist, "; "))};
}

}  // namespace

std::span<const AcceleratorRow> accelerators(const Catalog& catalog) { return catalog.tables().data.accelerators; }

std::string per_what(const AcceleratorRow& record, std::string_view per) { return fmt::format("per {}", per.empty() ? record.counts : per); }

std::vector<std::string> listed_rates(const AcceleratorRow& record, std::optional<Precision> precision) {
  std::vector<std::string> all;
  for (const RateRow& row : record.rates)
    if (!precision || row.precision == *precision) all.push_back(rate_words(row));
  return all;
}

std::vector<Precision> listed_precisions(const AcceleratorRow& record) {
  std::vector<Precision> all;
  for (Precision precision : all_precisions())
    if (has_rate(record, precision, false) || has_rate(record, precision, true)) all.push_back(precision);
  return all;
}

Result<Answer> peak(const Catalog& catalog, const AcceleratorRow& record, const RateQuestion& question) {
  RateQuestion asked = question;
  if (four_bit(question.precision) && !has_rate(record, question.precision, false)) asked.precision = Precision::kFp4;
  const bool vector = asked.vector.value_or(!has_rate(record, asked.precision, false) && has_rate(record, asked.precision, true));

  // Of the asked basis but for the accumulator, which is settled below.
  std::vector<const RateRow*> rows;
  for (const RateRow& row : record.rates)
    if (row.precision == asked.precision && row.sparsity == asked.sparsity && (row.path == Path::kVector) == vector && row.per == asked.per)
      rows.push_back(&row);
  const auto usable = [](const RateRow& row) { return row.status == Status::kFinal || row.status == Status::kPreliminary; };
  const auto accumulates = [](const RateRow& row, Accumulate accumulate) {
    return row.accumulate == accumulate || (row.accumulate == Accumulate::kEither && accumulate != Accumulate::kUnstated);
  };
  Accumulate accumulate = asked.accumulate;
  if (accumulate == Accumulate::kUnstated) {
    const bool stated =
        std::any_of(rows.begin(), rows.end(), [&](const RateRow* row) { return row->status == Status::kFinal && accumulates(*row, Accumulate::kFp32); });
    if (stated) accumulate = Accumulate::kFp32;
  }

  std::vector<Candidate> candidates, others;
  std::string_view path;
  for (const RateRow* row : rows) {
    Candidate candidate = candidate_of(catalog, *row);
    // Figures that name no accumulator stand beside those of fp32: they are read as the same unless they say another number,
    // and then the one that names its accumulator answers.
    if (usable(*row) && !accumulates(*row, accumulate)) {
      candidate.passed_over = PassedOver::kOtherBasis;
      others.push_back(std::move(candidate));
      continue;
    }
    if (path.empty()) path = word_of(row->path);
    candidates.push_back(std::move(candidate));
  }
  auto choice = choose(std::move(candidates));
  if (!choice) return tl::unexpected<Error>(no_rate(record, asked, vector));
  for (Candidate& other : others) {
    if (std::any_of(choice->used.begin(), choice->used.end(), [&other](const Candidate& used) { return same_figure(used, other); }))
      other.passed_over = PassedOver::kSame;
    choice->passed_over.push_back(std::move(other));
  }

  std::vector<std::string> words{std::string(word_of(asked.sparsity)), std::string(path)};
  if (asked.precision != question.precision) words.push_back(fmt::format("the fp4 rate, at which {} multiplies", ridge::name_of(question.precision)));
  words.push_back(per_what(record, asked.per));
  return answer_of(*std::move(choice), std::move(words), "FLOP/s");
}

Result<Answer> figure(const Catalog& catalog, const AcceleratorRow& record, FigureName name) {
  std::vector<Candidate> candidates, others;
  std::string_view kind;
  for (const FigureRow& row : record.figures) {
    if (row.name != name || !row.value) continue;
    Candidate candidate = candidate_of(catalog, row);
    if (!row.applies.empty()) {
      candidate.passed_over = PassedOver::kOtherConfiguration;
      candidate.basis = join({candidate.basis, std::string(row.applies)});
      others.push_back(std::move(candidate));
      continue;
    }
    if (kind.empty()) kind = row.kind;
    candidates.push_back(std::move(candidate));
  }
  auto choice = choose(std::move(candidates));
  if (!choice) {
    return fail(std::string(record.id), fmt::format("no {} is listed that is final, {}", word_of(name), per_what(record)),
                others.empty() ? "" : fmt::format("Listed for {}: {}.", others.front().basis, others.front().shown));
  }
  choice->passed_over.insert(choice->passed_over.end(), others.begin(), others.end());
  std::vector<std::string> words;
  if (name == FigureName::kMemoryCapacity) words.emplace_back("as marketed");
  if (!kind.empty()) words.emplace_back(kind);
  words.push_back(per_what(record));
  return answer_of(*std::move(choice), std::move(words), std::string(base_unit(dimension_of(name))));
}

Result<Answer> link_per_direction(const Catalog& catalog, const AcceleratorRow& record, FigureName name) {
  std::vector<Candidate> stated, unstated;
  std::string_view kind;
  for (const FigureRow& row : record.figures) {
    if (row.name != name || !row.value || !row.applies.empty()) continue;
    if (kind.empty()) kind = row.kind;
    Candidate candidate = candidate_of(catalog, row);
    if (row.direction == Direction::kEach) {
      stated.push_back(std::move(candidate));
      continue;
    }
    const bool total = row.direction == Direction::kTotal;
    candidate.value /= 2;
    candidate.derived = true;
    candidate.basis = join({candidate.basis, (total ? fmt::format("derived: {} of both directions / 2", candidate.shown)
                                                    : fmt::format("{} without a direction, taken as both and halved", candidate.shown))});
    (total ? stated : unstated).push_back(std::move(candidate));
  }
  const bool assumed = stated.empty();
  auto choice = choose(assumed ? std::move(unstated) : std::move(stated));
  if (!choice) return fail(std::string(record.id), fmt::format("no {} is listed as a rate, {}", word_of(name), per_what(record)));
  std::vector<std::string> words{"per direction"};
  if (!kind.empty()) words.emplace_back(kind);
  words.push_back(per_what(record));
  Answer answer = answer_of(*std::move(choice), std::move(words), "B/s");
  if (assumed) answer.figure.provenance = Provenance::kAssumed;
  return answer;
}

Result<UsableMemory> usable_memory(const Catalog& catalog, const AcceleratorRow& record) {
  std::vector<Candidate> readings;
  for (const FigureRow& row : record.figures)
    if (row.name == FigureName::kMemoryUsable && row.reading == Reading::kDriver && row.value) {
      readings.push_back(candidate_of(catalog, row));
      readings.back().authority = 0;  // a tool's reading of the thing itself: who copied it does not matter
      readings.back().status = Status::kFinal;
    }
  if (auto choice = choose(std::move(readings))) {
    UsableMemory memory;
    memory.low = Bytes::from_double(choice->value.low);
    memory.high = Bytes::from_double(choice->value.high);
    memory.basis = fmt::format("{}, {}", choice->used.front().basis, per_what(record));
    for (const Candidate& used : choice->used) memory.sources.insert(memory.sources.end(), used.sources.begin(), used.sources.end());
    return memory;
  }
  RIDGE_TRY(Answer label, figure(catalog, record, FigureName::kMemoryCapacity));
  // The number on the label, whichever prefix its source meant: 192 of "192 GB" and of "192 GiB".
  UsableMemory memory{Bytes::max(), Bytes{0}, {}, label.figure.sources};
  std::vector<std::string> labels;
  for (const Candidate& used : label.choice.used) {
    const bool tera = used.shown.ends_with("TB") || used.shown.ends_with("TiB");
    memory.low = std::min(memory.low, Bytes::from_double(used.printed * (tera ? 1e12 : 1e9)));
    memory.high = std::max(memory.high, Bytes::from_double(used.printed * static_cast<double>(kGiB) * (tera ? 1024 : 1)));
    labels.push_back(used.shown);
  }
  memory.basis =
      fmt::format("label × 10^9 to label × 2^30 (label {}; no source says what the driver reports), {}", fmt::join(labels, " and "), per_what(record));
  return memory;
}

Result<BestRate> best_peak(const Catalog& catalog, const AcceleratorRow& record) {
  std::optional<BestRate> best;
  for (const bool vector : {false, true}) {
    if (best) break;
    for (Precision precision : all_precisions()) {
      // int8 and int4 count operations on integers, not FLOP: they do not compete.
      if (precision == Precision::kInt8 || precision == Precision::kInt4 || !has_rate(record, precision, vector)) continue;
      auto answer = peak(catalog, record, {.precision = precision, .vector = vector});
      if (answer && (!best || answer->figure.value.high > best->answer.figure.value.high)) best = BestRate{precision, *std::move(answer)};
    }
  }
  if (!best) return fail(std::string(record.id), "no dense rate is listed that is final", fmt::format("It lists: {}.", fmt::join(listed_rates(record), "; ")));
  return *std::move(best);
}

}  // namespace ridge::hardware
