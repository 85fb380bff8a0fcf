// From the words after `ridge` to a request: which command is asked for, its own arguments as texts, and the options that
// all commands share. A command's texts become values in commands/, by the parsers of its fields; here they are only sorted.
// Invariant: every word is accounted for, or there is an error that names it.
//
//   --name VALUE, --name=VALUE, --flag, "--" (what follows are no options). A single "-" is a value, and so is a negative
//   number; a VALUE that looks like an option is refused unless it is written --name=VALUE.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace ridge::cli {

struct CommonOptions {
  bool json = false;
  bool markdown = false;
  std::string html;
  bool explain = false;
  bool check = false;
  std::string catalog;
  std::string calibration;
  std::int64_t seed = 1;
  bool strict = false;
  bool stats = false;
  std::string color = "auto";
  bool quiet = false;
  bool help = false;
  bool version = false;
};

// Their description, in the order of help; the same for every command.
const std::vector<commands::FieldSpec>& common_fields();

using CommandList = std::span<const commands::Command* const>;

struct Invocation {
  const commands::Command* command = nullptr;  // null where none was named: `ridge`, `ridge --help`, `ridge gpu --help`
  std::string family;                          // then: the first word of several commands ("gpu"), or ""
  commands::Arguments arguments;
  CommonOptions common;
};

// Reads the words. Where --help is among them, nothing past the command's name is checked.
Result<Invocation> read_arguments(std::span<const std::string> words, CommandList known);

// Commands whose name begins with this word and goes on with another: "gpu" of "gpu list", "gpu show".
std::vector<const commands::Command*> family_of(std::string_view word, CommandList known);

// Index of the first word that is no option: past the common options that may stand before the command.
std::size_t skip_leading_options(std::span<const std::string> words);

// The command named by words[0] or words[0..1], and how many words its name took; null where there is none.
struct NamedCommand {
  const commands::Command* command = nullptr;
  std::size_t words = 0;
};
NamedCommand command_at(std::span<const std::string> words, CommandList known);

// "-5" and "-.5" are values, "-x" and "--x" are options, "-" is a value.
bool looks_like_option(std::string_view word);

const commands::FieldSpec* find_option(const commands::Command* command, std::string_view name);  // its own, then the common ones

}  // namespace ridge::cli
