// The rooms of src/ and who may include whom: the drawing in docs/design.md as a table. An include that runs upwards or
// sideways fails here with its line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>>& rooms() {
  static const std::map<std::string, std::set<std::string>> table{
      {"quantity", {}},
      {"formats", {"quantity"}},
      {"hardware", {"quantity", "formats"}},
      {"model", {"quantity", "formats"}},
      {"cost", {"quantity", "formats", "hardware", "model"}},
      {"report", {"quantity", "formats"}},
      {"plan", {"quantity", "formats", "hardware", "model", "cost"}},
      {"commands", {"quantity", "formats", "hardware", "model", "cost", "report", "plan"}},
      {"interfaces", {"quantity", "formats", "hardware", "report", "commands"}},
  };
  return table;
}

// Tests and benchmarks may use tests/support/; the program itself may not.
bool is_beside_the_code(const fs::path& path) {
  const std::string stem = path.stem().string();
  return stem.ends_with("_test") || stem.ends_with("_bench");
}

TEST(Includes, RunDownwardsOnly) {
  const fs::path source = fs::path(RIDGE_SOURCE_DIR) / "src";
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    const std::string room = fs::relative(entry.path(), source).begin()->string();
    ASSERT_TRUE(rooms().contains(room)) << room << " is no room of the drawing";
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      if (!line.starts_with("#include \"")) continue;
      ++seen;
      const std::string target = line.substr(10, line.find('"', 10) - 10);
      const std::string other = target.substr(0, target.find('/'));
      if (other == "support" && is_beside_the_code(entry.path())) continue;
      EXPECT_TRUE(other == room || rooms().at(room).contains(other))
          << fs::relative(entry.path(), source).string() << ":" << number << " includes " << target << ": " << room << "/ may not reach " << other << "/";
    }
  }
  EXPECT_GT(seen, 50) << "the walk over src/ found next to nothing";
}

TEST(Headers, AreNamedAfterTheirRoom) {
  const fs::path source = fs::path(RIDGE_SOURCE_DIR) / "src";
  for (const auto& [room, below] : rooms()) {
    if (room == "interfaces") continue;
    EXPECT_TRUE(fs::exists(source / room / (room + ".h"))) << room << "/ has no header that a stranger can read first";
  }
}

TEST(Headers, HoldNoHeavyLibrary) {
  const fs::path source = fs::path(RIDGE_SOURCE_DIR) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::string line;
    while (std::getline(file, line))
      for (const char* heavy : {"<nlohmann/", "<yaml-cpp/", "<zlib"}) EXPECT_EQ(line.find(heavy), std::string::npos) << entry.path() << " includes " << heavy;
  }
}

}  // namespace
