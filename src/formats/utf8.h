// Whether bytes are UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <string_view>

namespace ridge::formats {

bool is_utf8(std::string_view bytes);

}  // namespace ridge::formats
