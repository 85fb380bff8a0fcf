// Models that are written on the command line: a parameter count ("7e9", "7b") or a description
// ("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8"). What a description lacks is listed in Model::missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/architecture.h"
#include "quantity/result.h"

namespace ridge::model {

// Nullopt where the text is no count.
std::optional<Model> read_count(std::string_view text);

// A text with '='. Errors name the key.
Result<Model> read_inline(std::string_view text);

// Keys of the inline syntax, for help and completion.
std::vector<std::string> inline_keys();

}  // namespace ridge::model
