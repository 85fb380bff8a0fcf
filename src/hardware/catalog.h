// hardware/: the catalogue. Accelerators, MIG profiles, instances with prices, SM limits, process nodes, software stack,
// sources; compiled in from data/, overlaid by the user's own YAML. A figure is asked for with a basis and answered with
// one; a part that is not in the catalogue is unknown and never taken for a near one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/device.h"

namespace ridge::hardware {

class Catalog {
 public:
  // The compiled-in tables.
  static const Catalog& builtin();

  // builtin() with the user's YAML on top: records of the same id replace, others are added. `file` names it in errors.
  static Result<Catalog> with_overlay(std::string_view yaml, const std::string& file);

  Catalog(Catalog&&) noexcept;
  Catalog& operator=(Catalog&&) noexcept;
  ~Catalog();

  // GPU syntax of the command line. Unknown names list the nearest.
  Result<GpuReference> resolve(std::string_view gpu) const;

  // Every accelerator that one can deploy on (chips; not racks, systems or MIG slices), in catalogue order, one Device per profile.
  std::vector<Device> devices() const;

  // The rest of the interface (records, instances, software, chips) is declared beside its tables: see accelerators.h,
  // instances.h, software.h, chips.h; each takes the Catalog.
  struct Tables;
  const Tables& tables() const { return *tables_; }

 private:
  Catalog();
  std::unique_ptr<Tables> tables_;
};

}  // namespace ridge::hardware
