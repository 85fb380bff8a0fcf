// Lines of the input are the words of a command line. Reading, completing and answering them must not fault, and what is
// refused says why.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/cli/complete.h"
#include "interfaces/cli/sample_commands.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n')
      words.emplace_back();
    else
      words.back() += static_cast<char>(data[i]);
  }
  static const std::vector<const ridge::commands::Command*> known = ridge::cli::sample_list();
  const auto invocation = ridge::cli::read_arguments(words, known);
  if (!invocation && invocation.error().what.empty()) std::abort();
  ridge::cli::complete(words, known, [](std::string_view type) { return std::vector<std::string>{std::string(type), "h100-sxm5"}; });
  return 0;
}
