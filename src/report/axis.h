// An axis of a plot: from values to positions between 0 and 1, and the ticks that a person reads there. The terminal sketch
// and the SVG share it. Invariant: ticks lie within the range, rise, and are few, whatever the values are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace ridge::report {

struct Tick {
  double value = 0;
  std::string label;
};

struct AxisOptions {
  bool include_zero = false;  // bars start at zero (on a linear axis)
  bool margin = false;        // room beyond the outermost values
  int most_ticks = 7;
  bool ascii = false;
};

class AxisScale {
 public:
  static AxisScale fit(std::span<const double> values, const Axis& axis, const AxisOptions& options);

  bool has_place(double value) const;   // finite, and above zero on a logarithmic axis
  double position(double value) const;  // 0 at the low end, 1 at the high end; clamped a little outside
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::vector<double>& minor() const { return minor_; }  // unlabelled, between the ticks of a logarithmic axis
  const std::string& title() const { return title_; }          // "step time (ms)"

 private:
  void fit_linear(const Axis& axis, const AxisOptions& options);
  void fit_logarithmic(const Axis& axis, const AxisOptions& options);
  void add_decades(const Axis& axis, const AxisOptions& options);
  void add_powers_of_two(const AxisOptions& options);
  void set_title(const Axis& axis, const std::string& unit, bool ascii);

  bool logarithmic_ = false;
  double low_ = 0, high_ = 1;
  std::vector<Tick> ticks_;
  std::vector<double> minor_;
  std::string title_;
};

}  // namespace ridge::report
