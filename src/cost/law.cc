#include "cost/law.h"

#include <algorithm>

namespace ridge::cost {

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::kCompute:
      return "compute";
    case Bound::kMemory:
      return "memory";
    case Bound::kLink:
      return "link";
    case Bound::kLaunch:
      return "launch";
  }
  return "";
}

Seconds Time::slowest() const { return std::max({compute, memory, link}); }

Time price(Flop flops, Bytes memory, Bytes link, const Rates& rates, const Efficiency& efficiency) {
  Time time;
  // No work takes no time, whatever the rate: 0 / 0 must not enter.
  if (flops.value > 0) time.compute = flops / (efficiency.compute * rates.compute);
  if (memory.count > 0) time.memory = memory / (efficiency.memory * rates.memory);
  if (link.count > 0) time.link = link / (efficiency.link * rates.link);
  time.launch = efficiency.launch;
  const Seconds slowest = time.slowest();
  time.total = time.launch + slowest;
  if (time.launch > slowest) {
    time.bound = Bound::kLaunch;
  } else if (time.link > time.memory && time.link > time.compute) {
    time.bound = Bound::kLink;
  } else {
    time.bound = time.compute > time.memory ? Bound::kCompute : Bound::kMemory;
  }
  return time;
}

FlopPerByte ridge_point(const Rates& rates) { return rates.compute / rates.memory; }

Bound classify(FlopPerByte intensity, const Rates& rates) { return intensity < ridge_point(rates) ? Bound::kMemory : Bound::kCompute; }

FlopPerSecond attainable(FlopPerByte intensity, const Rates& rates) { return {std::min(rates.compute.value, intensity.value * rates.memory.value)}; }

}  // namespace ridge::cost
