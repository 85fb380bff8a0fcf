#include <gtest/gtest.h>

#include <set>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

TEST(Table, NamesEachCommandOnceAndFindsIt) {
  std::set<std::string> names;
  for (const Command& command : all_commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name << " is listed twice";
    EXPECT_EQ(find_command(command.name), &command);
  }
  EXPECT_EQ(find_command("no such command"), nullptr);
  EXPECT_EQ(find_command(""), nullptr);
}

TEST(Table, KeepsEachGroupTogether) {
  std::set<std::string> closed;
  std::string open;
  for (const Command& command : all_commands()) {
    if (command.group == open) continue;
    EXPECT_FALSE(closed.contains(command.group)) << command.name << " stands apart from its group";
    closed.insert(open);
    open = command.group;
  }
}

// What every door to the commands relies on.
TEST(Table, DescribesEachCommandInFull) {
  const std::set<std::string> groups{kGroupFits, kGroupDeploy, kGroupFigures, kGroupProgram};
  for (const Command& command : all_commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_TRUE(groups.contains(command.group)) << "unknown group: " << command.group;
    EXPECT_FALSE(command.summary.empty());
    EXPECT_LE(command.summary.size(), 58u) << "ridge --help has one line of 80 columns for it";
    EXPECT_FALSE(command.summary.ends_with('.')) << "a summary has no full stop";
    EXPECT_FALSE(command.description.empty());
    EXPECT_GE(command.examples.size(), 2u);
    for (const Example& example : command.examples) {
      EXPECT_TRUE(example.arguments == command.name || example.arguments.starts_with(command.name + " ")) << example.arguments;
      EXPECT_FALSE(example.shows.empty());
    }
    std::set<std::string> names;
    bool optional_positional = false, list_positional = false;
    for (const FieldSpec& field : command.fields) {
      SCOPED_TRACE(field.name);
      EXPECT_TRUE(names.insert(field.name).second) << "described twice";
      EXPECT_EQ(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << "names are lower case with hyphens";
      EXPECT_FALSE(field.help.empty());
      EXPECT_TRUE(field.flag || !field.placeholder.empty());
      if (!field.positional) continue;
      EXPECT_FALSE(list_positional) << "nothing can follow a positional that takes all the rest";
      EXPECT_FALSE(optional_positional && field.required) << "a required positional cannot follow an optional one";
      optional_positional = optional_positional || !field.required;
      list_positional = field.list;
    }
  }
}

}  // namespace
}  // namespace ridge::commands
