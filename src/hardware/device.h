// Device: one accelerator as the analyses see it: figures that are dense, tensor, final and per chip, each with its basis
// and sources, all of one profile (where sources disagree about a part as a whole there is one Device per source).
// What the sources do not give is absent; nothing is borrowed from a nearby part.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quantity/quantity.h"

namespace ridge::hardware {

struct UsableMemory {
  Bytes low;  // "fits" needs this end
  Bytes high;
  std::string basis;  // "nvidia-smi total" or "label × 10^9 to label × 2^30"
  std::vector<std::string> sources;
};

struct Device {
  std::string id;       // "h100-sxm5"; of a profile: "rubin-gpu-us-page"; of an inline description: the text itself
  std::string name;     // "H100 SXM5 80GB"
  std::string vendor;   // "NVIDIA"
  std::string profile;  // "" where the part has one profile
  std::string unit_counted;
  std::string architecture;
  std::string compute_capability;  // "9.0", "" where there is none
  bool user_defined = false;       // inline description or overlay
  int software_devices = 1;        // that the driver shows for one unit, each with its share of the memory (MI250X: 2 GCDs)

  // FLOP/s (integer precisions: OP/s), dense, final, per chip, of the matrix unit; of the vector unit, as its basis says, for a
  // precision that the matrix unit does not list. Preliminary only where no final figure exists, and the basis says so.
  std::map<Precision, SourcedFigure> peak;
  std::optional<SourcedFigure> vector_fp32;       // FLOP/s of the vector units
  std::optional<SourcedFigure> memory_bandwidth;  // B/s
  std::optional<SourcedFigure> memory_label;      // B as marketed, GB read as 10^9
  std::optional<UsableMemory> usable_memory;
  std::optional<SourcedFigure> scale_up;   // B/s per direction and GPU: NVLink, ICI, Infinity Fabric; absent: none known
  bool scale_up_none = false;              // a source says that the part has no such link
  std::optional<SourcedFigure> host_link;  // B/s per direction: PCIe or NVLink-C2C
  std::string host_link_name;              // "PCIe Gen5 x16", "NVLink-C2C"
  std::optional<SourcedFigure> power;      // W, board or module as stated in its basis

  // The peak at which a weight or activation format multiplies: bf16 of bf16, fp8 of fp8, …; nvfp4 and mxfp4 ask for the
  // figure of fp4. Absent: an error that lists the precisions which have a figure.
  Result<SourcedFigure> peak_of(Precision precision) const;
};

// "h100-sxm5:8", "h100-sxm:8", "peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB[:N]".
struct GpuReference {
  std::string text;  // as written, without the count
  int count = 1;
  bool count_given = false;
  std::vector<Device> profiles;  // at least one; several where sources disagree as a whole (rubin-gpu)
};

}  // namespace ridge::hardware
