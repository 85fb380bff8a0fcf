// MIG slices under `gpu show`: one slice as a part of its own, and what a whole part can be cut into.
#pragma once

#include "hardware/accelerators.h"
#include "report/report.h"

namespace ridge::commands {

bool names_slice(std::string_view gpu);

// Of "h100-sxm5/mig-3g.40gb".
Result<report::Report> show_slice(const hardware::Catalog& catalog, const std::string& gpu);

// The profiles of a whole part: a finding that names them, or with `all` a table of what each is. Nothing where the part has none.
void add_slices(report::Report& report, const hardware::Catalog& catalog, const hardware::AcceleratorRow& record, bool all);

}  // namespace ridge::commands
