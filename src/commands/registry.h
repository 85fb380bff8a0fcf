// The commands of the program, one declaration each; table.cc lists them. To add one: write src/commands/<name>.cc with its
// request, describe() and run(), declare its maker here, and add its row to table.cc, each in the block of its group.
#pragma once

#include "commands/command.h"

namespace ridge::commands {

// Headings of `ridge --help`, in the order of the table.
inline constexpr const char* kGroupFits = "What fits, and what bounds it?";
inline constexpr const char* kGroupDeploy = "What should be deployed?";
inline constexpr const char* kGroupFigures = "What does a spec figure mean?";
inline constexpr const char* kGroupProgram = "Reports and the program itself";

// What fits, and what bounds it?
Command fit_command();
Command roofline_command();
Command model_show_command();

// What should be deployed?
Command plan_command();
Command instance_list_command();
Command instance_show_command();
Command instance_compare_command();

// What does a spec figure mean?
Command gpu_list_command();
Command gpu_show_command();
Command gpu_compare_command();
Command gpu_check_command();
Command gpu_identify_command();
Command gpu_lint_command();
Command chip_show_command();
Command chip_claims_command();

// Reports and the program itself
Command diff_command();
Command backtest_command();

}  // namespace ridge::commands
