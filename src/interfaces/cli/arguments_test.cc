#include "interfaces/cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interfaces/cli/sample_commands.h"
#include "interfaces/cli/words.h"

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Result<Invocation> read(const std::string& line) { return read_arguments(split_words(line), sample_list()); }

std::string error_of(const std::string& line) {
  const Result<Invocation> read_line = read(line);
  return read_line ? "no error" : to_string(read_line.error());
}

TEST(Arguments, AreSortedByField) {
  const Result<Invocation> got = read("fit 7e9 --gpu a:8 --batch=1,8 --batch 64 --ideal");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->command->name, "fit");
  EXPECT_THAT(got->arguments, ElementsAre(Pair("model", ElementsAre("7e9")), Pair("gpu", ElementsAre("a:8")), Pair("batch", ElementsAre("1,8", "64")),
                                          Pair("ideal", ElementsAre())));
}

TEST(Arguments, FindACommandOfTwoWords) {
  const Result<Invocation> got = read("gpu compare a b c");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->command->name, "gpu compare");
  EXPECT_THAT(got->arguments, ElementsAre(Pair("names", ElementsAre("a", "b", "c"))));
}

TEST(Arguments, TakeCommonOptionsAnywhere) {
  for (const char* line : {"--color never --json fit 7e9", "fit --color never 7e9 --json", "fit 7e9 --json --color=never", "--json fit --color never 7e9"}) {
    const Result<Invocation> got = read(line);
    ASSERT_TRUE(got) << line << ": " << to_string(got.error());
    EXPECT_TRUE(got->common.json) << line;
    EXPECT_EQ(got->common.color, "never") << line;
    EXPECT_THAT(got->arguments, ElementsAre(Pair("model", ElementsAre("7e9")))) << line;
  }
}

TEST(Arguments, TakeAHyphenAndANegativeNumberAsValues) {
  Result<Invocation> got = read("fit - --batch -5 --ttft -.5s");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_THAT(got->arguments, ElementsAre(Pair("model", ElementsAre("-")), Pair("batch", ElementsAre("-5")), Pair("ttft", ElementsAre("-.5s"))));
  got = read("fit --prices=--odd-name -- --model");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_THAT(got->arguments, ElementsAre(Pair("prices", ElementsAre("--odd-name")), Pair("model", ElementsAre("--model"))));
}

TEST(Arguments, KeepAnEmptyValue) {
  const std::vector<std::string> words{"fit", "", "--prices", ""};
  const Result<Invocation> got = read_arguments(words, sample_list());
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_THAT(got->arguments, ElementsAre(Pair("model", ElementsAre("")), Pair("prices", ElementsAre(""))));
}

TEST(Arguments, OfNoCommandAreEmpty) {
  const Result<Invocation> got = read("");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->command, nullptr);
  EXPECT_TRUE(read("--version")->common.version);
  EXPECT_EQ(read("--version")->command, nullptr);
}

TEST(Arguments, LetHelpWinOverWhatIsWrong) {
  Result<Invocation> got = read("fit --bogus --gpu --help");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->command->name, "fit");
  EXPECT_TRUE(got->common.help);
  got = read("gpu -h");
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(got->family, "gpu");
  EXPECT_TRUE(read("--help")->common.help);
  EXPECT_EQ(error_of("fit -- --help extra"), "\"extra\" is one argument too many\n  fit takes MODEL; options begin with --. See ridge fit --help.");
}

TEST(Arguments, NameTheNearestCommand) {
  EXPECT_EQ(error_of("fti 7e9"), "there is no command \"fti\"\n  Did you mean fit?");
  EXPECT_EQ(error_of("xyzzy"), "there is no command \"xyzzy\"\n  See ridge --help.");
  EXPECT_EQ(error_of("compare a b"), "there is no command \"compare\"\n  Did you mean gpu compare?");
  EXPECT_EQ(error_of("gpu"), "gpu: a second word is missing\n  One of: compare, list.");
  EXPECT_EQ(error_of("gpu --json"), "gpu: a second word is missing\n  One of: compare, list.");
  EXPECT_EQ(error_of("gpu lsit"), "gpu: there is no command \"gpu lsit\"\n  Did you mean list?");
  EXPECT_EQ(error_of("gpu frobnicate a"), "gpu: there is no command \"gpu frobnicate\"\n  One of: compare, list.");
}

TEST(Arguments, NameTheNearestOption) {
  EXPECT_EQ(error_of("fit 7e9 --bacth 8"), "--bacth: there is no such option\n  Did you mean --batch?");
  EXPECT_EQ(error_of("fit 7e9 --jsno"), "--jsno: there is no such option\n  Did you mean --json?");
  EXPECT_EQ(error_of("fit 7e9 --frobnicate"), "--frobnicate: there is no such option\n  See ridge fit --help.");
  EXPECT_EQ(error_of("fit --model 7e9"), "--model: there is no such option\n  MODEL is given by itself, without a name.");
  EXPECT_EQ(error_of("fit 7e9 -j"), "-j: there is no such option\n  Options begin with two hyphens: --json.");
  EXPECT_EQ(error_of("--frobnicate"), "--frobnicate: there is no such option\n  See ridge --help.");
}

TEST(Arguments, RefuseWhatDoesNotFit) {
  EXPECT_EQ(error_of("fit 7e9 8e9"), "\"8e9\" is one argument too many\n  fit takes MODEL; options begin with --. See ridge fit --help.");
  EXPECT_EQ(error_of("gpu list a"), "\"a\" is one argument too many\n  gpu list takes none; options begin with --. See ridge gpu list --help.");
  EXPECT_EQ(error_of("fit 7e9 --gpu"), "--gpu: a value is missing\n  Write --gpu GPU[:COUNT].");
  EXPECT_EQ(error_of("fit 7e9 --gpu --json"), "--gpu: a value is missing: --json is an option\n  Write --gpu GPU[:COUNT].");
  EXPECT_EQ(error_of("fit 7e9 --ideal=yes"), "--ideal: it takes no value\n  Write --ideal alone.");
  EXPECT_EQ(error_of("fit 7e9 --json --markdown"), "--json: it does not go with --markdown\n  Choose one form of the answer.");
  EXPECT_EQ(error_of("fit 7e9 --json --html -"), "--html -: it does not go with --json\n  Both would be written to standard output; give a FILE.");
  EXPECT_EQ(error_of("fit 7e9 --json --quiet"), "--quiet: it does not go with --json\n  Its one line is for the terminal.");
  EXPECT_EQ(error_of("fit 7e9 --color red"), "--color: \"red\" is not one of its values\n  Use one of: auto, always, never.");
  EXPECT_EQ(error_of("fit 7e9 --color auto --color never"), "--color: given twice\n  Give it once.");
  EXPECT_EQ(error_of("fit 7e9 --seed -1"), "--seed: -1 is below 0\n  Give a whole number from 0.");
  EXPECT_EQ(error_of("--json"), "no error");
}

TEST(Words, AreCutAtSpacesOutsideQuotes) {
  EXPECT_THAT(split_words("gpu identify \"NVIDIA A10G\" --x='a b' ''"), ElementsAre("gpu", "identify", "NVIDIA A10G", "--x=a b", ""));
  EXPECT_THAT(split_words("  "), ElementsAre());
}

// Every word is either used or named in an error: nothing that a user typed is dropped in silence.
TEST(Arguments, AccountForEveryWord) {
  const std::vector<std::string> pieces{"fit", "7e9", "--json", "--gpu", "a", "-", "--", "--batch=1", "-1", "--bogus", "gpu", "list"};
  for (const std::string& a : pieces)
    for (const std::string& b : pieces)
      for (const std::string& c : pieces) {
        const std::vector<std::string> words{"fit", a, b, c};
        const Result<Invocation> got = read_arguments(words, sample_list());
        if (!got) {
          EXPECT_FALSE(got.error().what.empty());
          continue;
        }
        std::size_t used = 1;  // the command
        bool ended = false;
        for (std::size_t i = 1; i < words.size(); ++i) {
          if (!ended && words[i] == "--") {
            ended = true;
            ++used;
          } else if (!ended && words[i] == "--json") {
            EXPECT_TRUE(got->common.json);
            ++used;
          } else if (!ended && words[i] == "--gpu") {
            ++used;
          }
        }
        for (const auto& [name, texts] : got->arguments) used += texts.size();
        EXPECT_EQ(used, words.size()) << a << " " << b << " " << c;
      }
}

}  // namespace
}  // namespace ridge::cli
