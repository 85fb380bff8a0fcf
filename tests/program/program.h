// Runs the built program as a user would: in a pipe or on a terminal of its own, with an environment that the test sets.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridge::tests {

struct Call {
  std::vector<std::string> arguments;                            // after `ridge`
  std::string input;                                             // standard input
  std::string folder = RIDGE_SOURCE_DIR;                         // working directory
  std::vector<std::pair<std::string, std::string>> environment;  // beside the fixed one (program.cc), which it overrides
  int terminal_columns = 0;                                      // > 0: output goes to a terminal of this width
};

struct Ran {
  int status = 0;   // exit status; 128 + N where signal N ended it
  std::string out;  // on a terminal: both outputs
  std::string err;
};

Ran run_ridge(const Call& call);
Ran run_ridge(std::vector<std::string> arguments);

// The same for a line of /bin/sh that calls `ridge`.
Ran run_shell(const std::string& line, const std::string& folder);

bool has_command(const std::string& name);  // "fit", "gpu show"

std::string read_text(const std::string& path);  // fails the test where it cannot be read

}  // namespace ridge::tests
