#include "interfaces/cli/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "interfaces/cli/sample_commands.h"

namespace ridge::cli {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TEST(Help, ListsCommandsByTheQuestionTheyAnswer) {
  EXPECT_EQ(program_help(sample_list(), 80),
            "ridge answers questions about GPU systems, with no GPU.\n"
            "\n"
            "Usage: ridge COMMAND SUBJECT [OPTIONS]\n"
            "\n"
            "What fits?\n"
            "  fit          what a model holds in memory\n"
            "\n"
            "What does a figure mean?\n"
            "  gpu compare  parts side by side\n"
            "  gpu list     all parts\n"
            "\n"
            "ridge COMMAND --help shows a command's options and two examples; ridge help\n"
            "options those that all commands take.\n");
}

TEST(Help, OfACommandHasUsageOptionsDefaultsAndExamples) {
  const std::string text = command_help(sample_commands()[0], 80);
  EXPECT_TRUE(
      text.starts_with("what a model holds in memory\n"
                       "\n"
                       "Usage: ridge fit MODEL [OPTIONS]\n"
                       "\n"
                       "Adds up weights and cache.\n"
                       "\n"
                       "Arguments:\n"
                       "  MODEL                  the network\n"
                       "\n"
                       "Options:\n"
                       "  --gpu GPU[:COUNT],...  accelerators to try\n"
                       "  --batch N,...          requests in a step [default: 1]\n"
                       "  --phase PHASE          which step (decode or prefill) [default: decode]\n"
                       "\n"
                       "Promise:\n"
                       "  --ttft TIME            longest time to the first token\n"
                       "  --prices FILE          your own prices\n"
                       "  --ideal                the bound alone\n"))
      << text;
  EXPECT_TRUE(
      text.ends_with("\nExamples:\n"
                     "  ridge fit 7e9\n"
                     "      a bare count\n"
                     "  ridge fit 7e9 --batch 8\n"
                     "      a batch\n"))
      << text;
}

TEST(Help, FitsTheWidth) {
  for (const int width : {60, 80, 120}) {
    EXPECT_LE(widest_line(command_help(sample_commands()[0], width)), static_cast<std::size_t>(width));
    EXPECT_LE(widest_line(common_options_help(width)), static_cast<std::size_t>(width));
    EXPECT_LE(widest_line(program_help(sample_list(), width)), static_cast<std::size_t>(width));
  }
}

TEST(Help, OfAFamilyListsItsCommands) {
  EXPECT_EQ(family_help("gpu", sample_list(), 80),
            "Usage: ridge gpu COMMAND [OPTIONS]\n"
            "\n"
            "  gpu compare  parts side by side\n"
            "  gpu list     all parts\n"
            "\n"
            "ridge gpu COMMAND --help shows a command's options and two examples.\n");
}

TEST(Help, ShowsWhatAListTakes) { EXPECT_EQ(usage(sample_commands()[1]), "ridge gpu compare GPU... [OPTIONS]"); }

}  // namespace
}  // namespace ridge::cli
