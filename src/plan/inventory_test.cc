#include "plan/inventory.h"

#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

std::string error_of(const std::string& text) {
  const auto items = read_inventory(text, "inv");
  return items ? "no error" : to_string(items.error());
}

TEST(ReadInventory, ReadsACsv) {
  const auto items = read_inventory("accelerator,count,gpus_per_node,price_per_hour\nl4,6,2,\nh100-sxm5,16,,2.5\n", "inv");
  ASSERT_TRUE(items) << to_string(items.error());
  EXPECT_EQ((*items)[0].gpus_per_node, 2);
  EXPECT_FALSE((*items)[0].price);
  EXPECT_EQ((*items)[1].count, 16);
  EXPECT_EQ((*items)[1].gpus_per_node, 8);
  EXPECT_DOUBLE_EQ((*items)[1].price->value, 2.5);
}

TEST(ReadInventory, ReadsYaml) {
  const auto items = read_inventory("inventory:\n- {accelerator: a10g, count: 4, price_per_hour: 1.2, name: lab}\n", "inv");
  ASSERT_TRUE(items) << to_string(items.error());
  EXPECT_EQ((*items)[0].name, "lab");
  EXPECT_EQ((*items)[0].gpus_per_node, 4);
}

TEST(ReadInventory, NamesThePlaceOfAnError) {
  EXPECT_EQ(error_of("accelerator,count\nl4,0\n"), "inv:2: count: 0 is outside 1 to 1000000");
  EXPECT_EQ(error_of("accelerator,count\nl4,many\n"), "inv:2: count: \"many\" is not a whole number\n  Write digits, as in 4096 or 4k.");
  EXPECT_EQ(error_of("accelerator,count\n,4\n"), "inv:2: the accelerator is missing");
  EXPECT_EQ(error_of("accelerator,number\nl4,1\n"),
            "inv: the column \"number\" is unknown\n  Known columns: accelerator, count, gpus_per_node, price_per_hour, name.");
  EXPECT_EQ(error_of("accelerator,count,gpus_per_node\nl4,2,4\n"), "inv:2: 4 GPUs per node are more than the 2 there are");
  EXPECT_EQ(error_of("accelerator,count\n"), "inv: the inventory holds no GPUs");
  EXPECT_EQ(error_of("inventory: []\n"), "inv:1: inventory: a list with at least one accelerator is expected");
  EXPECT_EQ(error_of("inventory:\n- {accelerator: l4, cuont: 4}\n"), "inv:2: inventory[0].cuont: the key \"cuont\" is unknown\n  Did you mean count?");
  EXPECT_EQ(error_of("inventory:\n- {accelerator: l4, count: -4}\n"), "inv:2: inventory[0].count: -4 is outside 1 to 1000000");
  EXPECT_NE(error_of(""), "no error");
}

}  // namespace
}  // namespace ridge::plan
