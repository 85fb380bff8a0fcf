// Questions to the records of accelerators. A figure is asked for with a basis and answered with one; where there is none of that
// basis the error lists those that exist. Nothing is taken from a nearby part, and no rate is turned into another: a dense
// rate is never half of a sparse one unless a source says so.
//
// Which figure answers, and when the answer is a range: choose.h.
#pragma once

#include "hardware/catalog.h"
#include "hardware/choose.h"

namespace ridge::hardware {

std::span<const AcceleratorRow> accelerators(const Catalog& catalog);

// The records that a name means: an id, a part of several profiles ("rubin-gpu": one record per profile), or an alias. Upper case, '_'
// and ' ' are read as lower case and '-'. An alias of several parts ("h100") is an error that lists them; an unknown name lists
// the nearest.
Result<std::vector<const AcceleratorRow*>> find_records(const Catalog& catalog, std::string_view name);
const AcceleratorRow* find_record(const Catalog& catalog, std::string_view id);

// The answer: `figure.basis` says all that was asked and all that was not; `passed_over` holds what did not answer, with reasons.
struct Answer {
  SourcedFigure figure;
  Choice choice;
  bool disagree() const { return !figure.value.is_point(); }
};

struct RateQuestion {
  Precision precision = Precision::kBf16;
  Sparsity sparsity = Sparsity::kDense;
  // Absent: the matrix unit, or the vector unit for a precision that the part's matrix unit does not list (fp32 on most).
  std::optional<bool> vector = std::nullopt;
  // Unstated: fp32 where rates with that accumulator are listed (what frameworks ask for), else rates that do not name theirs.
  // A rate with fp16 accumulators answers only where it is asked for.
  Accumulate accumulate = Accumulate::kUnstated;
  std::string_view per = {};  // "GCD", "NeuronCore"; "" what the record counts
};
// FLOP/s (OP/s for integers). nvfp4 and mxfp4 are answered by their own rate, or by that of fp4, and the basis says so.
Result<Answer> peak(const Catalog& catalog, const AcceleratorRow& record, const RateQuestion& question);

// "989.4 TFLOP/s fp16, dense, tensor, final", one a line of the record's rates; of `precision` only where given.
std::vector<std::string> listed_rates(const AcceleratorRow& record, std::optional<Precision> precision = {});
// Precisions of which the record lists any rate, in the order of all_precisions().
std::vector<Precision> listed_precisions(const AcceleratorRow& record);

// A figure other than a rate or a link, in the base unit. on-chip memories: a KB there is 1,024 B.
Result<Answer> figure(const Catalog& catalog, const AcceleratorRow& record, FigureName name);
// A link (kScaleUp, kPcie, kHostLink) in one direction. A total of both is halved and the basis says so; where a source does not say
// which it means, it is taken as the total and marked as assumed.
Result<Answer> link_per_direction(const Catalog& catalog, const AcceleratorRow& record, FigureName name);

// What the driver reports where a source says it, else label × 10^9 to label × 2^30; error where there is no label either.
Result<UsableMemory> usable_memory(const Catalog& catalog, const AcceleratorRow& record);

// The highest dense rate of the matrix unit (of the vector unit for a part without one).
struct BestRate {
  Precision precision = Precision::kBf16;
  Answer answer;
};
Result<BestRate> best_peak(const Catalog& catalog, const AcceleratorRow& record);

// "per chip", "per 72 GPUs + 36 Grace CPUs".
std::string per_what(const AcceleratorRow& record, std::string_view per = {});

// The analyses' view of one record. Only chips; what has no answer is absent.
Device device_of(const Catalog& catalog, const AcceleratorRow& record);

}  // namespace ridge::hardware
