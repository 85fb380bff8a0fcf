// The program in a pipe and on a terminal: colour, width, characters, standard input, files, signals, completion.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "program.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kQuestion{"fit", "7e9", "--dtype", "bf16"};

bool has_escape(const std::string& text) { return text.find('\x1b') != std::string::npos; }
bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

Ran ask(int columns, std::vector<std::pair<std::string, std::string>> environment = {}, std::vector<std::string> more = {}) {
  Call call;
  call.arguments = kQuestion;
  call.arguments.insert(call.arguments.end(), more.begin(), more.end());
  call.environment = std::move(environment);
  call.terminal_columns = columns;
  return run_ridge(call);
}

TEST(Colour, IsForTerminalsOnly) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_TRUE(has_escape(ask(80).out));
  EXPECT_FALSE(has_escape(ask(0).out));
}

TEST(Colour, IsGivenUpForNoColorAndDumbTerminals) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_FALSE(has_escape(ask(80, {{"NO_COLOR", "1"}}).out));
  EXPECT_FALSE(has_escape(ask(80, {{"TERM", "dumb"}}).out));
  EXPECT_TRUE(has_escape(ask(80, {{"NO_COLOR", ""}}).out)) << "an empty NO_COLOR is none (no-color.org)";
}

TEST(Colour, FollowsItsOption) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_TRUE(has_escape(ask(0, {}, {"--color", "always"}).out));
  EXPECT_TRUE(has_escape(ask(0, {{"NO_COLOR", "1"}}, {"--color", "always"}).out)) << "the command line is nearer than the environment";
  EXPECT_FALSE(has_escape(ask(80, {}, {"--color", "never"}).out));
  EXPECT_FALSE(has_escape(ask(80, {}, {"--json"}).out));
  EXPECT_FALSE(has_escape(ask(80, {}, {"--markdown"}).out));
}

// Columns that a line takes in a terminal that shows every character in one column.
std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\x1b') {
        i = line.find('m', i);
        continue;
      }
      if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) ++columns;
    }
    most = std::max(most, columns);
  }
  return most;
}

TEST(Width, FollowsTheTerminal) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  for (const int columns : {60, 80, 132}) EXPECT_LE(widest(ask(columns).out), static_cast<std::size_t>(columns));
  EXPECT_GT(widest(ask(132).out), 60u);
}

TEST(Width, FollowsColumnsInAPipe) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_LE(widest(ask(0, {{"COLUMNS", "60"}}).out), 60u);
}

TEST(Characters, AreAsciiWhereTheLocaleIs) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_TRUE(is_ascii(ask(80, {{"LC_ALL", "C"}}).out));
  EXPECT_TRUE(is_ascii(ask(80, {{"LC_ALL", ""}, {"LANG", ""}}).out)) << "no locale at all is the C locale";
  Call help;
  help.arguments = {"--help"};
  help.environment = {{"LC_ALL", "C"}};
  EXPECT_TRUE(is_ascii(run_ridge(help).out));
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ridge-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    return names;
  }
  fs::path folder_;
};

TEST_F(Files, AHtmlPageIsWrittenBesideTheAnswer) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  const std::string page = (folder_ / "page.html").string();
  const Ran ran = ask(0, {}, {"--html", page});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, ask(0).out);
  EXPECT_TRUE(read_text(page).starts_with("<!doctype html>") || read_text(page).starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(entries(), std::vector<std::string>{"page.html"});
  EXPECT_EQ(ask(0, {}, {"--html", "-"}).out, read_text(page));
}

TEST_F(Files, NothingIsWrittenWhereTheRequestIsWrong) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  Call call;
  call.arguments = {"fit", "no-such-model", "--html", (folder_ / "page.html").string()};
  const Ran ran = run_ridge(call);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(entries().empty());
}

TEST_F(Files, AFullDiskIsAnError) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  const Ran ran = run_shell("ridge fit 7e9 --dtype bf16 > /dev/full", folder_.string());
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "ridge: standard output: No space left on device\n");
}

TEST(Interrupt, EndsWithStatus130) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  // Writing to the pipe waits until the program has opened it, so the signal meets it at work.
  const Ran ran = run_shell(
      "exec bash -c 'set -m; folder=$(mktemp -d); mkfifo $folder/own.yaml; ridge fit 7e9 --catalog $folder/own.yaml & exec 3>$folder/own.yaml; kill -INT $!; "
      "wait $!; status=$?; rm -r $folder; exit $status'",
      "/");
  EXPECT_EQ(ran.status, 130) << ran.err;
}

TEST(Statistics, GoToStandardError) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  const Ran ran = ask(0, {}, {"--stats"});
  EXPECT_EQ(ran.out, ask(0).out);
  EXPECT_TRUE(ran.err.starts_with("ridge: ")) << ran.err;
  for (const char* word : {" wall, ", " CPU, ", " peak memory\n"}) EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
}

// The line as a user would type it, completed by the script in a real bash.
std::string completed_in_bash(const std::string& line) {
  const Ran ran = run_shell(
      "exec bash -c 'source <(ridge completions bash); COMP_LINE=$0; COMP_POINT=${#0}; COMPREPLY=(); _ridge ridge; echo \"${COMPREPLY[*]}\"' \"" + line + "\"",
      "/");
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

TEST(Completion, WorksInBash) {
  if (!has_command("fit")) GTEST_SKIP() << "the program has no fit yet";
  EXPECT_EQ(completed_in_bash("ridge completions "), "bash zsh fish\n");
  EXPECT_EQ(completed_in_bash("ridge --color=al"), "always\n");
  EXPECT_EQ(completed_in_bash("ridge fit 7e9 --gpu h100-sx"), "h100-sxm5\n");
  EXPECT_EQ(completed_in_bash("ridge fit llama-3.1-8"), "llama-3.1-8b\n");
  EXPECT_EQ(completed_in_bash("ridge gpu sho"), "show\n");
}

TEST(Completion, ScriptsAreReadByTheirShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    if (run_shell("command -v " + shell, "/").status != 0) continue;
    const Ran ran = run_shell("ridge completions " + shell + " | " + shell + " -n", "/");
    EXPECT_EQ(ran.status, 0) << shell << ": " << ran.err;
  }
}

}  // namespace
}  // namespace ridge::tests
