#include "hardware/choose.h"

#include <gtest/gtest.h>

namespace ridge::hardware {
namespace {

Candidate number(double printed, double factor = 1e9) {
  Candidate candidate;
  candidate.printed = printed;
  candidate.value = printed * factor;
  candidate.authority = 1;
  candidate.sources = {"page"};
  return candidate;
}
Candidate with(Candidate candidate, auto&& change) {
  change(candidate);
  return candidate;
}

TEST(Choose, TakesTheOnlyFigure) {
  const auto choice = choose({number(3352)});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->value, (Interval{3352e9, 3352e9}));
}
TEST(Choose, MakesARangeWhereFinalSourcesOfOneClassDisagree) {
  const auto choice = choose({number(320), with(number(300), [](Candidate& c) { c.sources = {"sheet"}; })});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->value, (Interval{300e9, 320e9}));
  ASSERT_EQ(choice->used.size(), 2u);
  EXPECT_EQ(choice->used[0].sources[0], "sheet");
}
TEST(Choose, NeverUsesAPreliminaryFigureWhereAFinalOneExists) {
  const auto choice = choose({with(number(3000), [](Candidate& c) { c.status = Status::kPreliminary; }), number(3352)});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->value, (Interval{3352e9, 3352e9}));
  EXPECT_EQ(choice->passed_over[0].passed_over, PassedOver::kPreliminary);
}
TEST(Choose, FallsBackToAPreliminaryFigureAndSaysSo) {
  const auto choice = choose({with(number(3000), [](Candidate& c) { c.status = Status::kPreliminary; })});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->status, Status::kPreliminary);
}
TEST(Choose, NeverUsesMeasuredDisputedOrEstimatedFigures) {
  for (Status status : {Status::kMeasured, Status::kDisputed, Status::kPressEstimate})
    EXPECT_FALSE(choose({with(number(5), [&](Candidate& c) { c.status = status; })}));
}
TEST(Choose, LetsNoRoundedFigureOrUpperBoundWidenARange) {
  const auto choice =
      choose({number(7750), with(number(8000), [](Candidate& c) { c.up_to = true; }), with(number(7000), [](Candidate& c) { c.rounded = true; })});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->value, (Interval{7750e9, 7750e9}));
}
TEST(Choose, LetsNoThirdPartyContradictTheMaker) {
  const auto choice = choose({number(180), with(number(192), [](Candidate& c) { c.authority = 3; })});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->value, (Interval{180e9, 180e9}));
  EXPECT_EQ(choice->passed_over[0].passed_over, PassedOver::kLessAuthority);
}
TEST(Choose, ReadsACoarserPrintOfOneNumberAsThatNumber) {
  EXPECT_EQ(choose({number(3.7, 1e12), number(3675)})->value, (Interval{3675e9, 3675e9}));
  const auto half = choose({with(number(756.5), [](Candidate& c) { c.derived = true; }), number(756)});
  EXPECT_EQ(half->value, (Interval{756e9, 756e9})) << "1513 / 2 is what 756 was printed from; the printed one stands";
}
TEST(Choose, KeepsNumbersApartThatDigitsCannotExplain) {
  EXPECT_FALSE(choose({number(14000), number(13500)})->value.is_point());
  EXPECT_FALSE(choose({number(190), number(191)})->value.is_point());
  // 64 TB/s / 8 is 8.0, not a coarse print of 7.7.
  EXPECT_FALSE(choose({with(number(8, 1e12), [](Candidate& c) { c.derived = true; }), number(7.7, 1e12)})->value.is_point());
}
TEST(Choose, JoinsTheSourcesOfOneNumber) {
  const auto choice = choose({number(8000), with(number(8, 1e12), [](Candidate& c) { c.sources = {"rack"}; })});
  ASSERT_EQ(choice->used.size(), 1u);
  EXPECT_EQ(choice->used[0].sources, (std::vector<std::string>{"page", "rack"}));
}
TEST(Choose, RanksAThirdPartyThatNamesTheMakersDocumentWithCopiesOfIt) {
  EXPECT_EQ(authority(formats::Tier::kSecondary, true), authority(formats::Tier::kOfficialCopy, false));
  EXPECT_LT(authority(formats::Tier::kOfficial, false), authority(formats::Tier::kOfficialCopy, false));
  EXPECT_LT(authority(formats::Tier::kSubmitter, false), authority(formats::Tier::kSecondary, false));
}
TEST(SignificantDigits, CountWhatIsPrinted) {
  EXPECT_EQ(significant_digits(3.35), 3);
  EXPECT_EQ(significant_digits(756.5), 4);
  EXPECT_EQ(significant_digits(14000), 5);
  EXPECT_EQ(significant_digits(0.8), 1);
}

}  // namespace
}  // namespace ridge::hardware
