#include "interfaces/cli/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interfaces/cli/sample_commands.h"

namespace ridge::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> names(std::string_view type) {
  if (type == "gpu") return {"a100", "a10g", "h100"};
  if (type == "model") return {"llama-8b"};
  return {};
}

Completion after(std::vector<std::string> words) { return complete(words, sample_list(), names); }

std::vector<std::string> texts(std::vector<std::string> words) {
  std::vector<std::string> all;
  for (const Candidate& candidate : after(std::move(words)).candidates) all.push_back(candidate.text);
  return all;
}

TEST(Completion, OffersCommandsAndTheirSecondWords) {
  EXPECT_THAT(texts({""}), ElementsAre("fit", "gpu"));
  EXPECT_THAT(texts({}), ElementsAre("fit", "gpu"));
  EXPECT_THAT(texts({"g"}), ElementsAre("gpu"));
  EXPECT_THAT(texts({"gpu", ""}), ElementsAre("compare", "list"));
  EXPECT_THAT(texts({"gpu", "l"}), ElementsAre("list"));
  EXPECT_THAT(texts({"--json", "f"}), ElementsAre("fit"));
  EXPECT_THAT(texts({"bogus", ""}), IsEmpty());
}

TEST(Completion, OffersOptionsNotYetGiven) {
  EXPECT_THAT(texts({"fit", "--p"}), ElementsAre("--phase", "--prices"));
  EXPECT_THAT(texts({"fit", "--phase", "decode", "--p"}), ElementsAre("--prices"));
  EXPECT_THAT(texts({"fit", "--batch", "1", "--b"}), ElementsAre("--batch")) << "a list option may come again";
  EXPECT_THAT(texts({"fit", "7e9", "-"}), Contains("--json"));
  EXPECT_THAT(texts({"--co"}), ElementsAre("--color"));
}

TEST(Completion, OffersValues) {
  EXPECT_THAT(texts({"fit", "--phase", ""}), ElementsAre("decode", "prefill"));
  EXPECT_THAT(texts({"fit", "--phase", "p"}), ElementsAre("prefill"));
  EXPECT_THAT(texts({"fit", "--phase=p"}), ElementsAre("--phase=prefill"));
  EXPECT_THAT(texts({"fit", "--gpu", "a1"}), ElementsAre("a100", "a10g"));
  EXPECT_THAT(texts({"fit", "--gpu", "h100,a100"}), ElementsAre("h100,a100"));
  EXPECT_THAT(texts({"fit", "--gpu=h100,"}), ElementsAre("--gpu=h100,a100", "--gpu=h100,a10g", "--gpu=h100,h100"));
  EXPECT_THAT(texts({"--color", "n"}), ElementsAre("never"));
  EXPECT_THAT(texts({"fit", "--ideal", ""}), ElementsAre("llama-8b")) << "a flag takes no value";
}

TEST(Completion, OffersPositionals) {
  EXPECT_THAT(texts({"fit", ""}), ElementsAre("llama-8b"));
  EXPECT_THAT(texts({"fit", "7e9", ""}), IsEmpty());
  EXPECT_THAT(texts({"gpu", "compare", "a100", "h"}), ElementsAre("h100")) << "a list goes on";
  EXPECT_THAT(texts({"fit", "--", "-"}), IsEmpty());
}

TEST(Completion, SaysWhereFilesFit) {
  EXPECT_TRUE(after({"fit", ""}).files) << "a model may be a file";
  EXPECT_TRUE(after({"fit", "7e9", "--prices", ""}).files);
  EXPECT_TRUE(after({"fit", "7e9", "--html", ""}).files);
  EXPECT_FALSE(after({"fit", "7e9", "--gpu", ""}).files);
}

TEST(Completion, PrintsOneCandidateALine) {
  EXPECT_EQ(completion_lines(after({"fit", "--id"})), "--ideal\tthe bound alone\n");
  EXPECT_EQ(completion_lines(after({"fit", "l"})), "llama-8b\t\n:files\n");
}

TEST(Completion, OffersOnlyWhatTheProgramTakes) {
  for (const Candidate& candidate : after({"fit", "--"}).candidates)
    EXPECT_NE(find_option(&sample_commands()[0], candidate.text.substr(2)), nullptr) << candidate.text;
  EXPECT_THAT(texts({"fit", "--"}), Not(Contains("--model")));
}

}  // namespace
}  // namespace ridge::cli
