#include "commands/names.h"

#include <algorithm>

#include "hardware/accelerators.h"
#include "hardware/chips.h"
#include "hardware/instances.h"
#include "hardware/software.h"
#include "model/model.h"

namespace ridge::commands {
namespace {

// Each name once, in the order of the catalogue. Records without one are passed over, and so are names with a space, which
// a shell would split.
template <class Rows, class NameOf>
std::vector<std::string> once_each(const Rows& rows, NameOf name_of_row) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    const std::string_view name = name_of_row(row);
    const bool usable = !name.empty() && name.find(' ') == std::string_view::npos;
    if (usable && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> names_of_type(std::string_view type, const hardware::Catalog& catalog) {
  // The profiles of a part are asked for by the part's name.
  if (type == "gpu") return once_each(hardware::accelerators(catalog), [](const auto& row) { return row.part.empty() ? row.id : row.part; });
  if (type == "model") return model::catalogue_names();
  if (type == "precision") return once_each(all_precisions(), [](Precision precision) { return name_of(precision); });
  if (type == "instance") return once_each(hardware::instances(catalog), [](const auto& row) { return row.name; });
  if (type == "provider") return once_each(hardware::instances(catalog), [](const auto& row) { return row.provider; });
  if (type == "engine") return once_each(hardware::software(catalog).engines, [](const auto& row) { return row.engine == "hardware" ? "" : row.engine; });
  if (type == "die") return once_each(hardware::chips(catalog).dies, [](const auto& row) { return row.id; });
  if (type == "node") return once_each(hardware::chips(catalog).claims, [](const auto& row) { return row.node; });
  return {};
}

}  // namespace ridge::commands
