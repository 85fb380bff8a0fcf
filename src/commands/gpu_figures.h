// What `gpu show` and `gpu compare` have in common: the named figures of one accelerator, each with its basis and with the
// step that explains it. A part of several profiles is a list of records; what is derived is derived within one.
#pragma once

#include "hardware/accelerators.h"
#include "hardware/caveats.h"
#include "report/report.h"

namespace ridge::commands {

struct GpuFigure {
  std::string name;   // "peak.bf16.dense", "memory_bandwidth", "ridge_point.bf16"
  std::string label;  // for people; "" where a table shows it
  SourcedFigure figure;
  DerivationStep step;
};

// Every figure that the record answers, in the order of a spec sheet.
std::vector<GpuFigure> figures_of(const hardware::Catalog& catalog, const hardware::AcceleratorRow& record);

// The figures of several profiles as those of one part: where they differ the range, and the basis says whose is which.
std::vector<GpuFigure> merged(std::span<const hardware::AcceleratorRow* const> records, std::vector<std::vector<GpuFigure>> profiles);

const GpuFigure* find_figure(const std::vector<GpuFigure>& figures, std::string_view name);

DerivationStep step_of(std::string name, const hardware::Answer& answer);
// numerator / denominator, with the ends that make the range widest.
Interval quotient(Interval numerator, Interval denominator);

// "3.352 TB/s", "19.20 TB/s to 22.00 TB/s".
std::string range_text(Interval value, std::string_view unit);

void add_caveats(report::Report& report, const std::vector<hardware::Caveat>& caveats);

}  // namespace ridge::commands
