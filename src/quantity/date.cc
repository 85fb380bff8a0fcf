#include "quantity/date.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace ridge {
namespace {

constexpr const char* kForm = "Write a date as in 2026-08-22.";

int days_in(int year, int month) {
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// Exactly `digits` decimal digits at `position`.
bool take(std::string_view text, std::size_t position, std::size_t digits, int& value) {
  if (text.size() < position + digits) return false;
  const char* begin = text.data() + position;
  for (std::size_t i = 0; i < digits; ++i)
    if (begin[i] < '0' || begin[i] > '9') return false;
  return std::from_chars(begin, begin + digits, value).ec == std::errc{};
}

}  // namespace

Result<DateSpan> parse_date_span(std::string_view text) {
  const auto wrong = [text] {
    return fail("", fmt::format("\"{}\" is not a date", text), "Write a day, a month or a year, as in 2026-08-22, 2026-08 or 2026.");
  };
  int year = 0, month = 0, day = 0;
  const bool has_month = text.size() > 4, has_day = text.size() > 7;
  if (text.size() != (has_day ? 10U : has_month ? 7U : 4U) || !take(text, 0, 4, year) || year < 1) return wrong();
  if (has_month && (text[4] != '-' || !take(text, 5, 2, month))) return wrong();
  if (has_day && (text[7] != '-' || !take(text, 8, 2, day))) return wrong();
  if (has_month && (month < 1 || month > 12)) return fail("", fmt::format("\"{}\" has month {}", text, month), kForm);
  if (has_day && (day < 1 || day > days_in(year, month)))
    return fail("", fmt::format("\"{}\" has day {}, and that month has {} days", text, day, days_in(year, month)), kForm);
  if (has_day) return DateSpan{{year, month, day}, {year, month, day}};
  if (has_month) return DateSpan{{year, month, 1}, {year, month, days_in(year, month)}};
  return DateSpan{{year, 1, 1}, {year, 12, 31}};
}

Result<Date> parse_date(std::string_view text) {
  if (text.size() != 10) return fail("", fmt::format("\"{}\" is not a date", text), kForm);
  RIDGE_TRY(DateSpan span, parse_date_span(text));
  return span.first;
}

std::string format_date(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

std::int64_t day_number(const Date& date) {
  // Years begin in March, so that the leap day is the last one; eras of 400 years have 146,097 days.
  const std::int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace ridge
