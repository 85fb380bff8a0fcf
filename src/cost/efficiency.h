// Efficiency: how much of a device's peak, bandwidth and link each kind of kernel reaches, in one place. The numbers are data
// with sources (data/efficiency.yaml; docs/efficiency.md says how they were fitted), found by the device's class: the
// measured part itself, else the family that it belongs to, else its vendor's, else the default, which says "assumed".
// The user's --calibration file overlays them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/efficiency_rows.h"
#include "cost/law.h"
#include "hardware/device.h"

namespace ridge::cost {

// One kernel row made ready: logarithms taken, seconds, shares.
struct KernelEfficiency {
  Seconds launch{};
  double memory = 1;
  Precision peak = Precision::kBf16;
  int points = 0;
  std::array<double, kMostCurvePoints> log_rows{};
  std::array<double, kMostCurvePoints> compute{};
  std::string_view source;

  // Share of the peak for work on this many rows (KernelRow says what they count).
  double compute_at(double rows) const;
};

struct CollectiveEfficiency {
  int ranks = 2;
  Seconds launch{};
  double share = 0;       // of the link's rate per direction; 0: not given
  BytesPerSecond rate{};  // where the link's rate is not known; 0: not given
  std::string_view source;
};

// What holds for one device: every kernel and format answered.
class DeviceEfficiency {
 public:
  // The row for a format of the weights, or else for the format that multiplies, or else for bf16.
  const KernelEfficiency& kernel(Kernel kernel, Precision format, Precision compute) const&;
  const KernelEfficiency& kernel(Kernel kernel, Precision format, Precision compute) const&& = delete;
  // The row of the fewest ranks that hold n; the largest row's with a launch grown by log2(n) beyond it.
  CollectiveEfficiency collective(Collective collective, int ranks) const;

  std::string_view class_id;
  std::string_view class_title;
  Evidence evidence = Evidence::kAssumed;
  Path path = Path::kHost;  // which link the collectives run over
  Seconds per_step{};
  Seconds per_request{};
  std::string_view host_source;

 private:
  friend class EfficiencyTables;
  static constexpr int kPrecisions = 16;
  std::vector<KernelEfficiency> rows_;
  std::array<std::array<std::int16_t, kPrecisions>, kKernels> index_{};  // into rows_, −1: none
  std::array<std::vector<CollectiveEfficiency>, kCollectives> collectives_;
};

class EfficiencyTables {
 public:
  static const EfficiencyTables& builtin();
  // builtin() with the user's YAML on top. `file` names it in errors.
  static Result<EfficiencyTables> with_calibration(std::string_view yaml, const std::string& file);

  // class_id: as if the device were of that class (the back-test's hold-out); "" for its own. An unknown one is a fault of the caller.
  DeviceEfficiency of(const hardware::Device& device, std::string_view class_id = {}) const;
  const ClassRow& class_of(const hardware::Device& device) const;
  const formats::SourceRow* source(std::string_view id) const;
  const std::vector<ClassRow>& classes() const { return classes_; }
  const std::vector<KernelRow>& kernels() const { return kernels_; }
  const std::vector<CollectiveRow>& collectives() const { return collectives_; }
  bool calibrated() const { return calibrated_; }  // the user's rows are in

 private:
  EfficiencyTables();
  Result<void> overlay(std::string_view yaml, const std::string& file);
  const ClassRow* find_class(std::string_view id) const;

  formats::Arena arena_;  // owns the texts of the overlay
  std::vector<formats::SourceRow> sources_;
  std::vector<ClassRow> classes_;
  std::vector<KernelRow> kernels_;
  std::vector<CollectiveRow> collectives_;
  bool calibrated_ = false;
};

}  // namespace ridge::cost
