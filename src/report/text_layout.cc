#include "report/text_layout.h"

#include <algorithm>

namespace ridge::report {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// C0, DEL and C1 controls; line and paragraph separators; the characters that reorder the text around them
// (embeddings, overrides, isolates: UAX #9), with which a name could pose as another.
bool must_not_be_shown(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

// Byte offset of the code point with the index `count`, or the end.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  while (i < text.size() && count > 0) {
    ++i;
    while (i < text.size() && is_continuation(text[i])) ++i;
    --count;
  }
  return i;
}

}  // namespace

char32_t take_code_point(std::string_view& rest) {
  const unsigned lead = byte_at(rest, 0);
  const auto take = [&rest](std::size_t bytes, char32_t value) {
    rest.remove_prefix(bytes);
    return value;
  };
  if (lead < 0x80) return take(1, lead);
  std::size_t length = 0;
  // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF (Unicode 15, table 3-7).
  unsigned low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return take(1, kReplacement);
  }
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= rest.size() || byte_at(rest, i) < low || byte_at(rest, i) > high) return take(i, kReplacement);
    value = (value << 6) | (byte_at(rest, i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return take(length, value);
}

void append_code_point(std::string& text, char32_t c) {
  const auto put = [&text](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::string clean(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    if (c == '\n' || c == '\t' || c == 0x2028 || c == 0x2029)
      result += ' ';
    else if (c == '\r')
      result += text.starts_with('\n') ? "" : " ";
    else
      append_code_point(result, must_not_be_shown(c) ? kReplacement : c);
  }
  return result;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string pad_right(std::string text, std::size_t columns) {
  const std::size_t have = width(text);
  if (have < columns) text.append(columns - have, ' ');
  return text;
}

std::string pad_left(const std::string& text, std::size_t columns) {
  const std::size_t have = width(text);
  return have < columns ? std::string(columns - have, ' ') + text : text;
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string elide_middle(std::string_view text, std::size_t columns, std::string_view mark) {
  const std::size_t have = width(text), mark_width = width(mark);
  if (have <= columns) return std::string(text);
  if (columns <= mark_width) return std::string(text.substr(0, offset_of(text, columns)));
  const std::size_t kept = columns - mark_width, tail = kept / 2;
  std::string result(text.substr(0, offset_of(text, kept - tail)));
  result += mark;
  result += text.substr(offset_of(text, have - tail));
  return result;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    std::size_t wide = width(word);
    if (used > 0 && used + 1 + wide > columns) {
      lines.emplace_back();
      used = 0;
    }
    while (wide > columns) {  // only at the start of a line
      const std::size_t cut = offset_of(word, columns);
      lines.back() += word.substr(0, cut);
      lines.emplace_back();
      word.remove_prefix(cut);
      wide -= columns;
    }
    if (used > 0) lines.back() += ' ';
    lines.back() += word;
    used += (used > 0 ? 1 : 0) + wide;
  }
  return lines;
}

std::string escape_html(std::string_view text) {
  const std::string cleaned = clean(text);
  std::string result;
  result.reserve(cleaned.size());
  for (char c : cleaned) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace ridge::report
