// Versions of drivers, toolkits and engines, and compute capabilities, compared part by part: 550.54.14 is before 550.90.07, and
// 1.3.0rc24 before 1.3.0. Header only, so that the build's own data checks can use it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "quantity/result.h"

namespace ridge::hardware {

struct Version {
  static constexpr int kFinal = 1'000'000'000;  // prerelease of a release itself: after every candidate

  std::array<std::int32_t, 4> parts{};
  int count = 0;            // parts that were written
  int prerelease = kFinal;  // 24 of 1.3.0rc24
  friend constexpr auto operator<=>(const Version& a, const Version& b) {
    if (const auto order = a.parts <=> b.parts; order != 0) return order;
    return a.prerelease <=> b.prerelease;
  }
  // 12.4 and 12.4.0 are the same version; how many parts were written does not count.
  friend constexpr bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
  int major() const { return parts[0]; }
  int minor() const { return parts[1]; }
};

// "550.54.14", "13.0", "1.3.0rc24", "v0.11.0", "2.9.1+cu128" (what follows '+' is the build, not the version). One to four parts of up to
// six digits.
inline Result<Version> parse_version(std::string_view text) {
  const std::string whole(text);
  const auto wrong = [&whole] { return fail("", "\"" + whole + "\" is not a version", "Write numbers with dots, as in 550.54.14."); };
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  text = text.substr(0, text.find('+'));
  Version version;
  const auto number = [&text](int& value) {
    std::size_t digits = 0;
    value = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      if (digits == 6) return false;
      value = value * 10 + (text[digits] - '0');
      ++digits;
    }
    text.remove_prefix(digits);
    return digits > 0;
  };
  while (true) {
    if (version.count == 4) return wrong();
    int value = 0;
    if (!number(value)) return wrong();
    version.parts[static_cast<std::size_t>(version.count++)] = value;
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  if (text.empty()) return version;
  for (const std::string_view mark : {"rc", ".rc", "a", "b"}) {
    if (!text.starts_with(mark)) continue;
    text.remove_prefix(mark.size());
    if (number(version.prerelease) && text.empty()) return version;
    break;
  }
  return wrong();
}

}  // namespace ridge::hardware
