// The law. An operation takes
//   t = t0 + max(FLOPs / (em · peak), bytes / (eb · bandwidth), link bytes / (el · link))
// (Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009, with a launch term and stated efficiencies). Every room
// prices through here. Under the default Efficiency, em = eb = el = 1 and t0 = 0, so the result is a lower bound.
// Example: 14e9 B over 3,352 GB/s = 4.1766 ms (law_test.cc).
//
// Work at a rate of 0 takes for ever (infinity): whoever builds Rates from a device refuses a missing figure first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/device.h"
#include "model/operations.h"
#include "quantity/quantity.h"

namespace ridge::cost {

enum class Bound { kCompute, kMemory, kLink, kLaunch };
std::string_view name_of(Bound bound);  // "compute", "memory", "link", "launch"

struct Efficiency {
  double compute = 1;         // em, of the dense peak
  double memory = 1;          // eb, of the memory bandwidth
  double link = 1;            // el, of the link's rate per direction
  Seconds launch{};           // t0
  std::string_view source{};  // where the four come from; text of the efficiency tables, which outlive every price
};

struct Time {
  Seconds total{};
  Seconds compute{}, memory{}, link{}, launch{};  // each term alone; total = launch + max of the others
  Bound bound = Bound::kMemory;                   // the largest of the four terms

  Seconds slowest() const;  // max(compute, memory, link)
};

// Rates of one profile of a device, for one end of its figures.
struct Rates {
  FlopPerSecond compute{};
  BytesPerSecond memory{};
  BytesPerSecond link{};  // 0: no link
};

Time price(Flop flops, Bytes memory, Bytes link, const Rates& rates, const Efficiency& efficiency);

// FLOP/B at which arithmetic and memory take equally long: peak / bandwidth.
FlopPerByte ridge_point(const Rates& rates);

// What bounds work of this intensity: below the ridge point memory, from it on compute ("can be compute-bound").
Bound classify(FlopPerByte intensity, const Rates& rates);

// The roof: the most FLOP/s that work of this intensity can reach, min(peak, intensity · bandwidth).
FlopPerSecond attainable(FlopPerByte intensity, const Rates& rates);

}  // namespace ridge::cost
