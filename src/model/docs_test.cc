// docs/models.md names files of this room; they must be there.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "formats/file_system.h"

namespace ridge::model {
namespace {

TEST(ModelsPage, NamesFilesThatExist) {
  const std::string root = RIDGE_SOURCE_DIR;
  const auto page = formats::DiskFileSystem().read_all(root + "/docs/models.md", 1 << 20);
  ASSERT_TRUE(page);
  const std::regex path("`((?:src|data|tests)/[^`]+)`");
  int seen = 0;
  for (auto match = std::sregex_iterator(page->begin(), page->end(), path); match != std::sregex_iterator(); ++match, ++seen)
    EXPECT_TRUE(std::filesystem::exists(root + "/" + (*match)[1].str())) << (*match)[1];
  EXPECT_GE(seen, 6);
}

}  // namespace
}  // namespace ridge::model
