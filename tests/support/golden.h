// Golden files: what a program wrote, kept under tests/golden/ and reviewed as a diff. A test says
//   EXPECT_TRUE(ridge::support::matches_golden("report/rich.txt", text));
// and with UPDATE_GOLDEN=1 in the environment the file is (re)written instead. Bytes are compared, not lines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace ridge::support {

inline std::string line_of(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).rfind('\n');
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

// `name` is a path below tests/golden/. A failure shows the first line that differs.
inline ::testing::AssertionResult matches_golden(const std::string& name, std::string_view actual) {
  const std::filesystem::path path = std::filesystem::path(RIDGE_SOURCE_DIR) / "tests" / "golden" / name;
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update != nullptr && std::string_view(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return ::testing::AssertionSuccess();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return ::testing::AssertionFailure() << "there is no tests/golden/" << name << "; UPDATE_GOLDEN=1 writes it";
  const std::string expected((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (expected == actual) return ::testing::AssertionSuccess();
  const std::size_t shorter = std::min(expected.size(), actual.size());
  const auto at = static_cast<std::size_t>(std::mismatch(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(shorter), actual.begin()).first -
                                           expected.begin());
  return ::testing::AssertionFailure() << "tests/golden/" << name << ":"
                                       << 1 + std::count(actual.begin(), actual.begin() + static_cast<std::ptrdiff_t>(at), '\n')
                                       << " differs\n  expected: " << line_of(expected, at) << "\n  actual:   " << line_of(actual, at)
                                       << "\n  UPDATE_GOLDEN=1 rewrites it; review the diff.";
}

}  // namespace ridge::support
