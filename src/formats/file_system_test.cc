#include "formats/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace ridge::formats {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ridge-write-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const { return DiskFileSystem().read_all(at(name), 1000).value_or("(unreadable)"); }
  std::size_t entries() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

  fs::path folder_;
};

TEST_F(WriteFile, MakesAndReplacesAFileAndLeavesNothingElse) {
  ASSERT_TRUE(write_file(at("page.html"), "one"));
  ASSERT_TRUE(write_file(at("page.html"), "two"));
  EXPECT_EQ(content("page.html"), "two");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, KeepsTheModeOfTheFileThatItReplaces) {
  ASSERT_TRUE(write_file(at("page.html"), "one"));
  ASSERT_EQ(::chmod(at("page.html").c_str(), 0600), 0);
  ASSERT_TRUE(write_file(at("page.html"), "two"));
  EXPECT_EQ(fs::status(at("page.html")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, FollowsALinkAndKeepsIt) {
  ASSERT_TRUE(write_file(at("real.html"), "one"));
  fs::create_symlink("real.html", at("link.html"));
  ASSERT_TRUE(write_file(at("link.html"), "two"));
  EXPECT_TRUE(fs::is_symlink(at("link.html")));
  EXPECT_EQ(content("real.html"), "two");
}

TEST_F(WriteFile, WritesADeviceInPlace) {
  ASSERT_TRUE(write_file("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, SaysWhyItCannotWrite) {
  const auto error = [](const std::string& path) { return to_string(write_file(path, "x").error()); };
  EXPECT_EQ(error(at("absent/page.html")), at("absent/page.html") + ": it cannot be written: No such file or directory\n  Make its folder first.");
  EXPECT_EQ(error(folder_.string()), folder_.string() + ": this is a folder, a file is to be written");
  EXPECT_EQ(error("/dev/full"), "/dev/full: it cannot be written: No space left on device\n  Make room, or choose another place.");
  EXPECT_EQ(entries(), 0u);
}

}  // namespace
}  // namespace ridge::formats
