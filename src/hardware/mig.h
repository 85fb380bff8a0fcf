// MIG slices as parts of their own: "h100-sxm5/mig-3g.40gb". A slice's memory is what a tool reports for that part, else the interval
// of its label; its rates are the part's own times its share of the SMs where both counts are known, else of the compute slices; its
// bandwidth goes by memory slices, which no vendor publishes as a rate. Each basis says which.
#pragma once

#include "hardware/accelerators.h"
#include "hardware/mig_rows.h"

namespace ridge::hardware {

inline constexpr std::string_view kMigMark = "/mig-";

std::span<const MigGpuRow> mig_gpus(const Catalog& catalog);

// The row of the profiles of an accelerator, by its id; null where none is known.
const MigGpuRow* mig_of(const Catalog& catalog, std::string_view accelerator);

// One profile with what follows from its row.
struct MigSlice {
  const MigGpuRow* gpu = nullptr;
  const MigProfileRow* profile = nullptr;
  double compute_share = 0;   // of the whole part's rate
  std::string compute_basis;  // "60 of 132 SMs" or "3 of 7 compute slices (an upper bound where SMs stay unused)"
  int memory_slices = 0;
  double memory_share = 0;             // memory_slices / slices of the part
  bool memory_slices_derived = false;  // rounded from the label
  std::string resource;                // "nvidia.com/mig-3g.40gb" under the mixed strategy; "" where no source gives its form
};
// Errors list the part's profiles, or say that it has none.
Result<MigSlice> mig_slice(const Catalog& catalog, const AcceleratorRow& part, std::string_view profile);

// The device of a slice, of the whole part's. Its link to other GPUs is none: MIG takes NVLink away; the power is the card's and not divided.
Device mig_device(const Device& whole, const MigSlice& slice);

}  // namespace ridge::hardware
