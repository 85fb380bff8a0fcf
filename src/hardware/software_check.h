// One question of the software under a deployment, put together: will this engine run on this part with this driver, this toolkit and this
// number format? Each check answers yes, no or unknown by itself, and the whole is no where one is no, unknown where one is unknown, yes else.
#pragma once

#include "hardware/software.h"

namespace ridge::hardware {

struct SoftwareQuestion {
  std::optional<EngineReference> engine = std::nullopt;
  std::optional<Version> driver = std::nullopt;
  std::optional<Version> cuda = std::nullopt;   // what the engine is built with; absent: what it comes with
  std::optional<Version> torch = std::nullopt;  // a PyTorch wheel of its own
  std::optional<Precision> precision = std::nullopt;
};

struct SoftwareCheck {
  std::string name;  // "engine takes the part", "driver", …
  Known answer = Known::kUnknown;
  std::string why;
  std::string change;
  std::vector<std::string> sources;
};

// One build of the engine (or the toolkit named), with everything that depends on its CUDA version.
struct BuildCheck {
  EngineBuild build;
  Verdict3 code;                       // whether code built with it can run on the part
  std::optional<DriverAnswer> driver;  // where a driver was named
  std::optional<Verdict3> kernels;     // where the format's kernels ask for a release
  std::optional<BinaryAnswer> torch;   // the PyTorch wheel that goes with it, where what it holds is known
  Known answer = Known::kUnknown;
};

struct SoftwareAnswer {
  Known answer = Known::kUnknown;
  std::vector<SoftwareCheck> checks;
  std::vector<BuildCheck> builds;
  std::vector<std::string> changes;  // what would make a no a yes, each by itself enough for its check
  std::optional<EngineRelease> release;
  std::optional<PrecisionSupport> precision;
  std::vector<std::pair<Precision, PrecisionSupport>> formats;  // of every format that is not unknown, for advice and the table
  SoftwareMinimum minimum;
};
Result<SoftwareAnswer> check_software(const Catalog& catalog, const Device& device, const SoftwareQuestion& question);

}  // namespace ridge::hardware
