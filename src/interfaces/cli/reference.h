// The reference, written from the descriptions of the commands: docs/commands.md and the manual page's source. Both are
// kept in the project so that they can be read without building it; a test checks that they are current.
#pragma once

#include <string>
#include <string_view>

#include "interfaces/cli/arguments.h"

namespace ridge::cli {

std::string reference_markdown(CommandList known);
std::string manual_source(CommandList known);  // scdoc(5)

}  // namespace ridge::cli
