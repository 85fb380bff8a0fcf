#include "commands/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hardware/accelerators.h"

namespace ridge::commands {
namespace {

using ::testing::Contains;
using ::testing::Not;

std::vector<std::string> names(std::string_view type) { return names_of_type(type, hardware::Catalog::builtin()); }

TEST(Names, AreThoseThatTheProgramTakes) {
  EXPECT_THAT(names("gpu"), Contains("h100-sxm5"));
  EXPECT_THAT(names("model"), Contains("llama-3.1-8b"));
  EXPECT_THAT(names("precision"), Contains("bf16"));
  EXPECT_THAT(names("instance"), Contains("p5.48xlarge"));
  EXPECT_THAT(names("engine"), Contains("vllm"));
  EXPECT_THAT(names("die"), Contains("gh100"));
  EXPECT_THAT(names("node"), Contains("N2P"));
  EXPECT_TRUE(names("text").empty());
}

TEST(Names, StandOnceEach) {
  for (const char* type : {"gpu", "model", "precision", "instance", "provider", "engine", "die", "node"}) {
    const std::vector<std::string> all = names(type);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size()) << type;
  }
}

// A part about which sources disagree as a whole is one name to a user.
TEST(Names, OfAPartStandForItsProfiles) {
  EXPECT_THAT(names("gpu"), Contains("rubin-gpu"));
  EXPECT_THAT(names("gpu"), Not(Contains("rubin-gpu-us-page")));
}

// What completion offers is understood; a rack or a superchip is a name too, though none can be deployed on as one GPU.
TEST(Names, OfAcceleratorsAreKnown) {
  for (const std::string& gpu : names("gpu")) EXPECT_TRUE(hardware::find_records(hardware::Catalog::builtin(), gpu)) << gpu;
}

}  // namespace
}  // namespace ridge::commands
