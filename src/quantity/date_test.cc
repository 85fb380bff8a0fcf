#include "quantity/date.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Date, ReadsADayAndWritesItBack) {
  const auto date = parse_date("2026-08-22");
  ASSERT_TRUE(date);
  EXPECT_EQ(*date, (Date{2026, 8, 22}));
  EXPECT_EQ(format_date(*date), "2026-08-22");
}

TEST(Date, RefusesADayThatTheMonthDoesNotHave) {
  EXPECT_EQ(to_string(parse_date("2026-02-29").error()), "\"2026-02-29\" has day 29, and that month has 28 days\n  Write a date as in 2026-08-22.");
  EXPECT_TRUE(parse_date("2024-02-29"));
  EXPECT_FALSE(parse_date("1900-02-29"));
  EXPECT_TRUE(parse_date("2000-02-29"));
}

TEST(Date, RefusesWhatIsNoDay) {
  for (const char* text : {"", "2026", "2026-08", "2026-8-22", "22.08.2026", "2026-08-22 ", "2026/08/22", "0000-01-01", "-026-01-01"})
    EXPECT_FALSE(parse_date(text)) << text;
  EXPECT_EQ(parse_date("2026-13-01").error().what, "\"2026-13-01\" has month 13");
}

TEST(Date, NumbersDaysFromTheEpoch) {
  EXPECT_EQ(day_number({1970, 1, 1}), 0);
  EXPECT_EQ(day_number({1970, 1, 2}), 1);
  EXPECT_EQ(day_number({1969, 12, 31}), -1);
  EXPECT_EQ(day_number({2000, 3, 1}), 11017);  // date -ud 2000-03-01 +%s / 86400
  EXPECT_EQ(day_number({2026, 12, 1}), 20788);
}

TEST(Date, CountsEveryDayOfFourCenturiesOnce) {
  std::int64_t expected = day_number({1800, 1, 1});
  for (int year = 1800; year < 2200; ++year)
    for (int month = 1; month <= 12; ++month)
      for (int day = 1; day <= 31; ++day) {
        Date date{year, month, day};
        if (!parse_date(format_date(date))) continue;
        ASSERT_EQ(day_number(date), expected++) << format_date(date);
      }
  EXPECT_EQ(expected - day_number({1800, 1, 1}), 146097);
}

TEST(DateSpan, CoversTheDaysThatAMonthOrAYearMayMean) {
  EXPECT_EQ(*parse_date_span("2026-02"), (DateSpan{{2026, 2, 1}, {2026, 2, 28}}));
  EXPECT_EQ(*parse_date_span("2024"), (DateSpan{{2024, 1, 1}, {2024, 12, 31}}));
  EXPECT_EQ(*parse_date_span("2026-06-30"), (DateSpan{{2026, 6, 30}, {2026, 6, 30}}));
  EXPECT_FALSE(parse_date_span("2026-0"));
  EXPECT_FALSE(parse_date_span("20260101"));
}

}  // namespace
}  // namespace ridge
