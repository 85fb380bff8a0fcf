// Completion: what could stand at the end of a command line, computed from the descriptions of the commands. The scripts of
// the shells are a few lines that call `ridge __complete WORDS…`, so that they never grow stale.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/cli/arguments.h"

namespace ridge::cli {

struct Candidate {
  std::string text;         // the whole word, what was typed included
  std::string description;  // may be empty
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  // names of files fit as well
};

// Names that a field of this type takes ("gpu", "model", …); empty where the set is open.
using NamesOfType = std::function<std::vector<std::string>(std::string_view type)>;

// `words` are those after `ridge`; the last one is being typed and may be empty.
Completion complete(std::span<const std::string> words, CommandList known, const NamesOfType& names);

// One candidate a line, "TEXT\tDESCRIPTION"; then ":files" where they fit.
std::string completion_lines(const Completion& completion);

// The script that a shell loads: "bash", "zsh" or "fish".
std::string completion_script(std::string_view shell);

}  // namespace ridge::cli
