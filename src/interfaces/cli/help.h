// What `--help` prints, made from the descriptions of the commands. Each text fits the width and, for the program as a
// whole, a screen.
#pragma once

#include <string>
#include <string_view>

#include "interfaces/cli/arguments.h"

namespace ridge::cli {

std::string program_help(CommandList known, int width);                          // all commands, by the question they answer
std::string family_help(std::string_view family, CommandList known, int width);  // "gpu": its commands
std::string command_help(const commands::Command& command, int width);           // usage, arguments, options, examples
std::string common_options_help(int width);                                      // the options that every command takes

// "ridge fit MODEL [OPTIONS]"
std::string usage(const commands::Command& command);
// "--gpu GPU[:COUNT],…": an option as it is listed; MODEL for a positional.
std::string option_form(const commands::FieldSpec& field);
// Help, choices and default of a field in one sentence: "phase (decode or prefill) [default: decode]".
std::string field_text(const commands::FieldSpec& field);
// The fields under their headings, in order of first appearance; positionals under "Arguments", the rest under "Options".
struct Section {
  std::string title;
  std::vector<const commands::FieldSpec*> fields;
};
std::vector<Section> sections(std::span<const commands::FieldSpec> fields);

}  // namespace ridge::cli
