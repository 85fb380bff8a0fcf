// interfaces/cli: the command line of `ridge`. arguments.h sorts what was typed, help.h and complete.h are made from the
// descriptions of the commands, and answer() turns a command line into what is printed. It knows how an answer is asked
// for and shown, and nothing of any subject. process.cc alone touches the clock, the terminal and the environment.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/file_system.h"
#include "interfaces/cli/arguments.h"
#include "interfaces/cli/complete.h"
#include "interfaces/cli/help.h"
#include "quantity/quantity.h"

namespace ridge::cli {

// What a command line may use of the process that it runs in.
struct Outside {
  const formats::FileSystem& files;
  std::function<Result<void>(const std::string& path, std::string_view text)> write_file;
  std::string today;   // "2026-12-01"
  int width = 80;      // columns of the output
  bool color = false;  // what --color auto comes to
  bool unicode = true;
};

inline constexpr int kAnswered = 0;
inline constexpr int kAnswerIsNo = 1;  // with --check
inline constexpr int kWrongRequest = 2;
inline constexpr int kFault = 3;
inline constexpr int kInterrupted = 130;

struct Outcome {
  int status = kAnswered;
  std::string out;  // standard output: the answer
  std::string err;  // standard error: everything else
  bool stats = false;
};

// The commands of commands/ and the few that only a command line has (help, completions), in the order of `ridge --help`.
CommandList known_commands();

// Answers the words after `ridge`. Exceptions of libraries and exhausted memory come out as kFault.
Outcome answer(std::span<const std::string> words, CommandList known, const Outside& outside);

std::string_view version();

}  // namespace ridge::cli
