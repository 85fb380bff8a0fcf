#include "commands/names.h"

namespace ridge::commands {

std::vector<std::string> names_of_type(std::string_view type, const hardware::Catalog& catalog) {
  std::vector<std::string> names;
  if (type == "gpu") {
    // Profiles of one part follow each other; the part's name comes from the id that a user types.
    for (const hardware::Device& device : catalog.devices())
      if (names.empty() || names.back() != device.id) names.push_back(device.id);
  } else if (type == "precision") {
    for (const Precision precision : all_precisions()) names.emplace_back(name_of(precision));
  }
  return names;
}

}  // namespace ridge::commands
