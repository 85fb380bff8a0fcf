// The words of a command line as a shell cuts them at spaces, with single and double quotes: for the examples of help and
// of the pages, which are written as one would type them. No variables, no escapes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::cli {

std::vector<std::string> split_words(std::string_view line);

}  // namespace ridge::cli
