#include <algorithm>
#include <initializer_list>

#include "commands/registry.h"

namespace ridge::commands {
namespace {

using Maker = Command (*)();

// The order is that of `ridge --help`; a group's rows stand together.
const std::initializer_list<Maker> kMakers = {
    // What fits, and what bounds it?
    fit_command,
    roofline_command,
    model_show_command,

    // What should be deployed?
    plan_command,
    instance_list_command,
    instance_show_command,
    instance_compare_command,

    // What does a spec figure mean?
    gpu_list_command,
    gpu_show_command,
    gpu_compare_command,
    gpu_check_command,
    gpu_identify_command,
    gpu_lint_command,
    chip_show_command,
    chip_claims_command,

    // Reports and the program itself
    diff_command,
    backtest_command,
};

}  // namespace

std::span<const Command> all_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> made;
    made.reserve(kMakers.size());
    for (const Maker make : kMakers) made.push_back(make());
    return made;
  }();
  return commands;
}

const Command* find_command(std::string_view name) {
  const std::span<const Command> commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(), [name](const Command& command) { return command.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace ridge::commands
