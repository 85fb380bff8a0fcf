// Names that a field of a given type takes, for completion: the accelerators, models, … that the program knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/catalog.h"

namespace ridge::commands {

// `type` is FieldSpec::type ("gpu", "model", "precision"); empty where the set is open.
std::vector<std::string> names_of_type(std::string_view type, const hardware::Catalog& catalog);

}  // namespace ridge::commands
