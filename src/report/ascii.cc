// The spelling of text for a terminal that has ASCII only.
#include <algorithm>
#include <iterator>
#include <utility>

#include "report/text_layout.h"

namespace ridge::report {
namespace {

struct Spelling {
  char32_t code_point;
  std::string_view ascii;
};

// Sorted by code point. Signs that reports use, Latin letters of names, Greek letters of formulas.
constexpr Spelling kSpellings[] = {
    {0xA0, " "},        {0xA3, "GBP"},     {0xA5, "JPY"},     {0xA7, "section "}, {0xA9, "(c)"},     {0xAB, "\""},     {0xAC, "not "},    {0xAD, ""},
    {0xAE, "(R)"},      {0xB0, "deg"},     {0xB1, "+/-"},     {0xB4, "'"},        {0xB5, "u"},       {0xB7, "*"},      {0xBB, "\""},      {0xBC, "1/4"},
    {0xBD, "1/2"},      {0xBE, "3/4"},     {0xC6, "AE"},      {0xD7, "x"},        {0xD8, "O"},       {0xDF, "ss"},     {0xE6, "ae"},      {0xF0, "d"},
    {0xF7, "/"},        {0xF8, "o"},       {0x131, "i"},      {0x141, "L"},       {0x142, "l"},      {0x152, "OE"},    {0x153, "oe"},     {0x394, "Delta"},
    {0x398, "Theta"},   {0x39B, "Lambda"}, {0x3A0, "Pi"},     {0x3A3, "sum"},     {0x3A6, "Phi"},    {0x3A8, "Psi"},   {0x3A9, "Ohm"},    {0x3B1, "alpha"},
    {0x3B2, "beta"},    {0x3B3, "gamma"},  {0x3B4, "delta"},  {0x3B5, "epsilon"}, {0x3B6, "zeta"},   {0x3B7, "eta"},   {0x3B8, "theta"},  {0x3BA, "kappa"},
    {0x3BB, "lambda"},  {0x3BC, "u"},      {0x3BD, "nu"},     {0x3BE, "xi"},      {0x3C0, "pi"},     {0x3C1, "rho"},   {0x3C3, "sigma"},  {0x3C4, "tau"},
    {0x3C6, "phi"},     {0x3C7, "chi"},    {0x3C8, "psi"},    {0x3C9, "omega"},   {0x2009, " "},     {0x2010, "-"},    {0x2011, "-"},     {0x2012, "-"},
    {0x2013, "-"},      {0x2014, "-"},     {0x2015, "-"},     {0x2018, "'"},      {0x2019, "'"},     {0x201C, "\""},   {0x201D, "\""},    {0x2022, "*"},
    {0x2026, "..."},    {0x202F, " "},     {0x2030, "/1000"}, {0x2032, "'"},      {0x2033, "\""},    {0x20AC, "EUR"},  {0x2122, "(TM)"},  {0x2190, "<-"},
    {0x2192, "->"},     {0x2194, "<->"},   {0x21D2, "=>"},    {0x2202, "d"},      {0x2206, "Delta"}, {0x220F, "prod"}, {0x2211, "sum"},   {0x2212, "-"},
    {0x2215, "/"},      {0x2217, "*"},     {0x2219, "*"},     {0x221A, "sqrt"},   {0x221D, "~"},     {0x221E, "inf"},  {0x2248, "~"},     {0x2260, "!="},
    {0x2261, "=="},     {0x2264, "<="},    {0x2265, ">="},    {0x226A, "<<"},     {0x226B, ">>"},    {0x22C5, "*"},    {0x2308, "ceil("}, {0x2309, ")"},
    {0x230A, "floor("}, {0x230B, ")"},     {0x2500, "-"},     {0x2502, "|"},      {0x2588, "#"},     {0x25CF, "*"},    {0x2713, "yes"},   {0x2717, "no"},
};

constexpr bool in_order() {
  for (std::size_t i = 1; i < std::size(kSpellings); ++i)
    if (kSpellings[i - 1].code_point >= kSpellings[i].code_point) return false;
  return true;
}
static_assert(in_order());

// U+00C0 … U+017F without their accents, one letter each; '?' is in the table above.
constexpr std::string_view kLatin =
    "AAAAAA?CEEEEIIIIDNOOOOO??UUUUYTsaaaaaa?ceeeeiiii?nooooo??uuuuyty"   // U+00C0 …
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiI?JjJjKkkLlLlLlL"   // U+0100 …
    "l??NnNnNnnNnOoOoOo??RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";  // U+0140 …
static_assert(kLatin.size() == 0x180 - 0xC0);

// The digit or sign that is raised or lowered, or 0.
char superscript(char32_t c) {
  if (c == 0xB9) return '1';
  if (c == 0xB2 || c == 0xB3) return static_cast<char>('2' + (c - 0xB2));
  if (c == 0x2070 || (c >= 0x2074 && c <= 0x2079)) return static_cast<char>('0' + (c - 0x2070));
  if (c == 0x207A) return '+';
  if (c == 0x207B) return '-';
  return 0;
}

std::string_view spelling_of(char32_t c) {
  const auto* found = std::lower_bound(std::begin(kSpellings), std::end(kSpellings), c, [](const Spelling& s, char32_t value) { return s.code_point < value; });
  if (found != std::end(kSpellings) && found->code_point == c) return found->ascii;
  if (c >= 0xC0 && c < 0x180) return kLatin.substr(c - 0xC0, 1);
  return "?";
}

}  // namespace

std::string to_ascii(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool raised = false;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    const char digit = superscript(c);
    if (digit != 0) {
      // 10⁹ is 10^9, but mm² stays mm2, as the unit is written everywhere.
      if (!raised && !result.empty() && ((result.back() >= '0' && result.back() <= '9') || result.back() == ')' || digit == '-')) result += '^';
      result += digit;
    } else if (c < 0x80) {
      result += static_cast<char>(c);
    } else if (c >= 0x2080 && c <= 0x2089) {
      result += static_cast<char>('0' + (c - 0x2080));
    } else {
      result += spelling_of(c);
    }
    raised = digit != 0;
  }
  return result;
}

}  // namespace ridge::report
