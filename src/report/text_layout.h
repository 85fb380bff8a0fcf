// Text that came from outside, made fit to be shown, and the arithmetic of lines. Invariant: what clean() returned is valid
// UTF-8 on one line and holds nothing that a terminal or a browser would obey (control characters, direction overrides);
// the other functions expect such text. Width is counted in code points; East Asian wide characters are not told apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

// Takes the first code point off `rest` (not empty). Bytes that are no UTF-8 give U+FFFD, one for each maximal part of a
// sequence that could have become one (Unicode 15, section 3.9, "U+FFFD substitution of maximal subparts").
char32_t take_code_point(std::string_view& rest);
void append_code_point(std::string& text, char32_t code_point);

// Line breaks and tabs become spaces, everything else that is not to be shown becomes U+FFFD.
std::string clean(std::string_view text);

// The nearest ASCII spelling ("µs" → "us", "≥" → ">=", "10⁹" → "10^9"); "?" where there is none.
std::string to_ascii(std::string_view text);

std::size_t width(std::string_view text);
std::string pad_right(std::string text, std::size_t columns);
std::string pad_left(const std::string& text, std::size_t columns);
std::string repeat(std::string_view text, std::size_t count);

// At most `columns` wide, the middle left out: the ends of a path or of a name are what tells it apart.
std::string elide_middle(std::string_view text, std::size_t columns, std::string_view mark = "…");

// Lines of at most `columns`, broken at spaces; a word that is longer is cut. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

// For element content and quoted attributes of HTML and SVG; cleans first.
std::string escape_html(std::string_view text);

}  // namespace ridge::report
