#include "interfaces/cli/cli.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "interfaces/cli/process.h"
#include "interfaces/cli/sample_commands.h"
#include "interfaces/cli/words.h"

namespace ridge::cli {
namespace {

struct Written {
  std::string path, text;
};

class Answer : public ::testing::Test {
 protected:
  Outcome ask(const std::string& line) { return answer(split_words(line), known_, outside()); }
  Outside outside() {
    return {files_,
            [this](const std::string& path, std::string_view text) -> Result<void> {
              if (path == "full.html") return fail(path, "it cannot be written");
              written_.push_back({path, std::string(text)});
              return {};
            },
            "2026-12-01",
            80,
            color_,
            unicode_};
  }

  formats::MemoryFileSystem files_;
  std::vector<const commands::Command*> known_ = sample_list();
  std::vector<Written> written_;
  bool color_ = false;
  bool unicode_ = true;
};

TEST_F(Answer, GivesTheCommandItsEnvironment) {
  const Outcome outcome = ask("fit 7e9");
  EXPECT_EQ(outcome.status, kAnswered);
  EXPECT_TRUE(outcome.out.starts_with("7e9 on 2026-12-01")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Answer, ComesInTheFormThatWasAskedFor) {
  EXPECT_TRUE(ask("fit 7e9 --json").out.starts_with("{"));
  EXPECT_NE(ask("fit 7e9 --html -").out.find("<html"), std::string::npos);
  EXPECT_EQ(ask("fit 7e9 --quiet").out, "7e9 on 2026-12-01\n");
  EXPECT_TRUE(written_.empty());
}

TEST_F(Answer, WritesAPageBesideIt) {
  const Outcome outcome = ask("fit 7e9 --html page.html");
  EXPECT_EQ(outcome.out, ask("fit 7e9").out);
  ASSERT_EQ(written_.size(), 1u);
  EXPECT_EQ(written_[0].path, "page.html");
  EXPECT_EQ(written_[0].text, ask("fit 7e9 --html -").out);
}

TEST_F(Answer, IsAnErrorWhereThePageCannotBeWritten) {
  const Outcome outcome = ask("fit 7e9 --html full.html");
  EXPECT_EQ(outcome.status, kWrongRequest);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "ridge: --html: full.html: it cannot be written\n");
}

TEST_F(Answer, IsCheckedOnlyWhereAsked) {
  EXPECT_EQ(ask("fit does-not-fit").status, kAnswered);
  EXPECT_EQ(ask("fit does-not-fit --check").status, kAnswerIsNo);
  EXPECT_EQ(ask("fit fits --check").status, kAnswered);
  const Outcome neither = ask("fit 7e9 --check");
  EXPECT_EQ(neither.status, kWrongRequest);
  EXPECT_EQ(neither.out, "");
}

TEST_F(Answer, PassesTheErrorOfTheCommandOn) {
  const Outcome outcome = ask("fit wrong --stats");
  EXPECT_EQ(outcome.status, kWrongRequest);
  EXPECT_EQ(outcome.err, "ridge: model: it is wrong\n  Give another.\n");
  EXPECT_TRUE(outcome.stats);
}

TEST_F(Answer, ReadsTheUsersCatalogue) {
  EXPECT_EQ(ask("fit 7e9 --catalog own.yaml").err, "ridge: --catalog: own.yaml: there is no such file\n  Check the path.\n");
  files_.files["own.yaml"] = "no: such\nkey: here\n";
  EXPECT_EQ(ask("fit 7e9 --catalog own.yaml").status, kWrongRequest);
}

TEST_F(Answer, OfAnInnerFaultSaysThatItIsOne) {
  const auto with_run = [](auto run) {
    commands::Command command = sample_commands()[2];
    command.run = [run](const commands::Arguments&, const commands::Environment&) -> Result<report::Report> { return run(); };
    return command;
  };
  const commands::Command throws = with_run([]() -> Result<report::Report> { throw std::logic_error("out of range"); });
  const commands::Command exhausts = with_run([]() -> Result<report::Report> { throw std::bad_alloc(); });
  known_ = {&throws};
  EXPECT_EQ(ask("gpu list").status, kFault);
  EXPECT_EQ(ask("gpu list").err, "ridge: internal fault: out of range\n  This is a defect of ridge; please report it with the command.\n");
  known_ = {&exhausts};
  EXPECT_EQ(ask("gpu list").err, "ridge: internal fault: memory ran out\n  This is a defect of ridge; please report it with the command.\n");
}

TEST_F(Answer, ShowsNoControlCharactersInItsErrors) {
  EXPECT_EQ(ask("\x1b[31m").err, "ridge: there is no command \"\uFFFD[31m\"\n  See ridge --help.\n");
  unicode_ = false;
  EXPECT_EQ(ask("caf\u00e9").err, "ridge: there is no command \"cafe\"\n  See ridge --help.\n");
}

TEST_F(Answer, HelpsWithoutAQuestion) {
  EXPECT_EQ(ask("").out, program_help(known_, 80));
  EXPECT_EQ(ask("--help").out, program_help(known_, 80));
  EXPECT_EQ(ask("fit --help").out, command_help(*known_[0], 80));
  EXPECT_EQ(ask("gpu --help").out, family_help("gpu", known_, 80));
  EXPECT_EQ(ask("--version").out, "ridge " + std::string(version()) + "\n");
}

TEST(Locale, IsUtf8WhereTheFirstThatIsSetSaysSo) {
  EXPECT_TRUE(is_utf8_locale("", "", "en_US.UTF-8"));
  EXPECT_TRUE(is_utf8_locale("C.utf8", "", ""));
  EXPECT_FALSE(is_utf8_locale("C", "", "en_US.UTF-8"));
  EXPECT_FALSE(is_utf8_locale("", "POSIX", "en_US.UTF-8"));
  EXPECT_FALSE(is_utf8_locale("", "", ""));
}

TEST(OutputWidth, IsThatOfColumnsThenOfTheTerminal) {
  EXPECT_EQ(output_width("120", 80), 120);
  EXPECT_EQ(output_width("", 132), 132);
  EXPECT_EQ(output_width("", 0), 80);
  EXPECT_EQ(output_width("wide", 0), 80);
  EXPECT_EQ(output_width("-5", 100), 100);
  EXPECT_EQ(output_width("3", 0), 40);
  EXPECT_EQ(output_width("100000", 0), 400);
}

TEST(Date, IsThatOfUtc) {
  EXPECT_EQ(date_of(0), "1970-01-01");
  EXPECT_EQ(date_of(1796083200), "2026-12-01");
  EXPECT_EQ(date_of(1796083199), "2026-11-30");
}

}  // namespace
}  // namespace ridge::cli
