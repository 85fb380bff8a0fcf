// Requests that are wrong: exit status 2, nothing on standard output, one message that names what is wrong, where, and what
// to do. The texts are asserted whole.
#include <gtest/gtest.h>

#include <filesystem>

#include "program.h"

namespace ridge::tests {
namespace {

std::string refusal(std::vector<std::string> arguments) {
  const Ran ran = run_ridge(std::move(arguments));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

TEST(Refusal, NamesTheNearestCommandAndOption) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(refusal({"fti", "7e9"}), "ridge: there is no command \"fti\"\n  Did you mean fit?\n");
  EXPECT_EQ(refusal({"gpu", "shwo", "h100-sxm5"}), "ridge: gpu: there is no command \"gpu shwo\"\n  Did you mean show?\n");
  EXPECT_EQ(refusal({"fit", "7e9", "--dtpye", "bf16"}), "ridge: --dtpye: there is no such option\n  Did you mean --dtype?\n");
}

TEST(Refusal, OfConflictsAndOfOneTooMany) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(refusal({"fit", "7e9", "--json", "--markdown"}), "ridge: --json: it does not go with --markdown\n  Choose one form of the answer.\n");
  EXPECT_EQ(refusal({"fit", "7e9", "8e9"}), "ridge: \"8e9\" is one argument too many\n  fit takes MODEL; options begin with --. See ridge fit --help.\n");
}

TEST(Refusal, ShowsNoControlCharacters) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(refusal({"\x1b[31mfit\a"}), "ridge: there is no command \"�[31mfit�\"\n  Did you mean fit?\n");
}

TEST(Refusal, OfACatalogueThatIsNotThere) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(refusal({"fit", "7e9", "--catalog", "/nonexistent/own.yaml"}),
            "ridge: --catalog: /nonexistent/own.yaml: there is no such file\n  Check the path.\n");
}

TEST(Refusal, OfAPageThatCannotBeWritten) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(refusal({"fit", "7e9", "--dtype", "bf16", "--html", "/nonexistent/page.html"}),
            "ridge: --html: /nonexistent/page.html: it cannot be written: No such file or directory\n  Make its folder first.\n");
}

TEST(Check, GivesStatusOneWhereTheAnswerIsNo) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  const std::vector<std::string> no{"fit", "7e9", "--train", "--optimizer", "adam", "--gpu", "a100-sxm4-80gb"};
  const std::vector<std::string> yes{"fit", "7e9", "--dtype", "fp16", "--gpu", "a100-sxm4-40gb"};
  const auto status = [](std::vector<std::string> arguments, bool check) {
    if (check) arguments.emplace_back("--check");
    return run_ridge(std::move(arguments)).status;
  };
  EXPECT_EQ(status(no, false), 0);
  EXPECT_EQ(status(no, true), 1);
  EXPECT_EQ(status(yes, true), 0);
  EXPECT_EQ(refusal({"fit", "7e9", "--dtype", "bf16", "--check"}), "ridge: --check: fit gave an answer that is neither yes nor no\n  Ask without --check.\n");
}

}  // namespace
}  // namespace ridge::tests
