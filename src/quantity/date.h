// Days of the civil (proleptic Gregorian) calendar, and spans of them: a price is dated to a day, a month or a year, and
// its age is known as exactly as that. No clock is read here: today is an argument.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "quantity/result.h"

namespace ridge {

struct Date {
  int year = 1970;
  int month = 1;  // 1 to 12
  int day = 1;    // 1 to the length of the month

  friend constexpr auto operator<=>(const Date&, const Date&) = default;
};

// "2026-08-22"; a day that the month does not have is an error.
Result<Date> parse_date(std::string_view text);
std::string format_date(const Date& date);

// Days since 1970-01-01, negative before it (Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil).
std::int64_t day_number(const Date& date);

// The days that a text may mean: all of 2026 for "2026", the month for "2026-08", one day for "2026-08-22".
struct DateSpan {
  Date first;
  Date last;

  friend constexpr bool operator==(const DateSpan&, const DateSpan&) = default;
};
Result<DateSpan> parse_date_span(std::string_view text);

}  // namespace ridge
