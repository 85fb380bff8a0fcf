// What the program prints, whole: each folder under tests/golden/cli is a case. `cmd` is a line of /bin/sh that calls
// `ridge`, run in that folder; expected.out and expected.err are its outputs (absent: empty) and expected.status its exit
// status (absent: 0). UPDATE_GOLDEN=1 rewrites them; the change is then reviewed as a diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(RIDGE_SOURCE_DIR) / "tests/golden/cli";

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_or(const fs::path& path, const std::string& absent) { return fs::exists(path) ? read_text(path.string()) : absent; }

void write_unless(const fs::path& path, const std::string& text, const std::string& absent) {
  if (text == absent) {
    fs::remove(path);
    return;
  }
  std::ofstream(path, std::ios::binary) << text;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatIsExpected) {
  const fs::path folder = kFolder / GetParam();
  const Ran ran = run_shell(read_text((folder / "cmd").string()), folder.string());
  const std::string status = std::to_string(ran.status) + "\n";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    write_unless(folder / "expected.out", ran.out, "");
    write_unless(folder / "expected.err", ran.err, "");
    write_unless(folder / "expected.status", status, "0\n");
    return;
  }
  EXPECT_EQ(ran.out, text_or(folder / "expected.out", ""));
  EXPECT_EQ(ran.err, text_or(folder / "expected.err", ""));
  EXPECT_EQ(status, text_or(folder / "expected.status", "0\n"));
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cli, Golden, ::testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace ridge::tests
