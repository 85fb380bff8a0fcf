// What must be known before a part's figures are used: where its sources disagree, what is preliminary, which rate is sparse, what
// a total counts. Found in the rows by rules that hold for any part; nothing here knows one.
#pragma once

#include "hardware/accelerators.h"

namespace ridge::hardware {

struct Caveat {
  bool warning = false;  // else for information
  std::string kind;      // "sources-disagree", "sparsity", "preliminary", "not-final", "accumulator", "unit-counted", "label", "step", "assumed"
  std::string text;
  std::string evidence;
  std::string advice;
};

// `records`: one part, one record per profile.
std::vector<Caveat> caveats(const Catalog& catalog, std::span<const AcceleratorRow* const> records);

// A rate of `precision` over that of another must lie here, else the part was cut or the figures are of different kinds:
// halving the bits doubles the rate of matrix units since Volta, within what rounding and marketing make of it.
inline constexpr Interval kUsualStep{1.5, 2.5};

}  // namespace ridge::hardware
