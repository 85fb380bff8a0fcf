// A number with a basis. Invariant: a figure that entered from data names its source; what was derived from it keeps the
// arithmetic. How sure a figure is (measured, published, assumed, derived) is part of the type, not of the prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quantity/units.h"

namespace ridge {

enum class Provenance { kPublished, kMeasured, kDerived, kAssumed, kUser };
std::string_view name_of(Provenance provenance);

// `value` is in the base unit of `unit`. A range stands only where final sources disagree, or a model gives an interval.
struct SourcedFigure {
  Interval value;
  std::string unit;                  // "B/s", "FLOP/s", "B", "W", …
  std::string basis;                 // "dense, tensor, final, per chip"
  std::vector<std::string> sources;  // ids of the catalogue's sources, or "user"
  Provenance provenance = Provenance::kPublished;

  double low() const { return value.low; }
  double high() const { return value.high; }
};

// One step of an explanation: name = formula over inputs. `--explain` prints them in order.
struct DerivationStep {
  std::string name;     // "weights.bf16"
  std::string formula;  // "parameters × bits / 8"
  struct Input {
    std::string name;
    double value = 0;
    std::string unit;
    std::string source;  // "" where the input is an earlier step
  };
  std::vector<Input> inputs;
  Interval value;
  std::string unit;
  std::string source;  // of the formula: paper, section, page; or of the value itself
};

}  // namespace ridge
