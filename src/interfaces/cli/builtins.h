// The commands that only a command line has: help and completions. They are described like every other command, and answer
// with text, not with a report.
#pragma once

#include <span>
#include <string>

#include "interfaces/cli/arguments.h"

namespace ridge::cli {

// What a completion script calls: `ridge __complete WORDS…`. Not listed in help.
inline constexpr const char* kCompletionWord = "__complete";

std::span<const commands::Command> builtin_commands();  // without `run`

// The text of a builtin; options that a text cannot follow (--json, --check, …) are refused.
Result<std::string> run_builtin(const Invocation& invocation, CommandList known, int width);

}  // namespace ridge::cli
