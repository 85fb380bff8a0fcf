#include "commands/names.h"

#include <algorithm>

#include "hardware/chips.h"
#include "hardware/instances.h"
#include "hardware/software.h"

namespace ridge::commands {

std::vector<std::string> names_of_type(std::string_view type, const hardware::Catalog& catalog) {
  std::vector<std::string> names;
  if (type == "gpu") {
    // Profiles of one part follow each other; the part's name comes from the id that a user types.
    for (const hardware::Device& device : catalog.devices())
      if (names.empty() || names.back() != device.id) names.push_back(device.id);
  } else if (type == "precision") {
    for (const Precision precision : all_precisions()) names.emplace_back(name_of(precision));
  } else if (type == "engine") {
    for (const hardware::EngineRow& row : hardware::software(catalog).engines)
      if (row.engine != "hardware") names.emplace_back(row.engine);
  } else if (type == "instance") {
    for (const hardware::InstanceRow& row : hardware::instances(catalog)) names.emplace_back(row.name);
    std::erase_if(names, [](const std::string& name) { return name.find(' ') != std::string::npos; });  // a shell would split them
  } else if (type == "provider") {
    for (const hardware::InstanceRow& row : hardware::instances(catalog))
      if (std::find(names.begin(), names.end(), row.provider) == names.end()) names.emplace_back(row.provider);
  } else if (type == "die") {
    for (const hardware::DieRow& row : hardware::chips(catalog).dies) names.emplace_back(row.id);
  } else if (type == "node") {
    for (const hardware::ProcessClaimRow& row : hardware::chips(catalog).claims)
      if (std::find(names.begin(), names.end(), row.node) == names.end()) names.emplace_back(row.node);
  }
  return names;
}

}  // namespace ridge::commands
