#include "interfaces/cli/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "commands/fields.h"
#include "commands/registry.h"
#include "interfaces/cli/complete.h"
#include "interfaces/cli/help.h"

namespace ridge::cli {
namespace {

using commands::Command;

struct HelpRequest {
  std::vector<std::string> topic;
};
void describe_help(commands::Fields<HelpRequest>& f) {
  f.positional("topic", &HelpRequest::topic, "COMMAND", "a command, its first word, or \"options\"").type("command");
}

struct CompletionsRequest {
  std::string shell;
};
void describe_completions(commands::Fields<CompletionsRequest>& f) {
  f.positional("shell", &CompletionsRequest::shell, "SHELL", "the shell").required().choices({"bash", "zsh", "fish"});
}

template <class R>
Command described(commands::CommandInfo info, void (*describe)(commands::Fields<R>&)) {
  commands::Fields<R> fields;
  describe(fields);
  return {std::move(info.name), std::move(info.group), std::move(info.summary), std::move(info.description), fields.take(), std::move(info.examples), {}};
}

Result<std::string> help(const HelpRequest& request, CommandList known, int width) {
  if (request.topic.empty()) return program_help(known, width);
  if (request.topic == std::vector<std::string>{"options"}) return common_options_help(width);
  // What `ridge TOPIC --help` says, its errors included.
  std::vector<std::string> words = request.topic;
  words.push_back("--help");
  RIDGE_TRY(const Invocation asked, read_arguments(words, known));
  if (!asked.family.empty()) return family_help(asked.family, known, width);
  return command_help(*asked.command, width);
}

Result<void> refuse_report_options(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  const char* given = common.json                   ? "--json"
                      : common.markdown             ? "--markdown"
                      : !common.html.empty()        ? "--html"
                      : common.explain              ? "--explain"
                      : common.check                ? "--check"
                      : common.quiet                ? "--quiet"
                      : !common.catalog.empty()     ? "--catalog"
                      : !common.calibration.empty() ? "--calibration"
                      : common.strict               ? "--strict"
                                                    : nullptr;
  if (given == nullptr) return {};
  return fail(given, invocation.command->name + " prints plain text, which this option does not change", "Leave it out.");
}

}  // namespace

std::span<const Command> builtin_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> made;
    made.push_back(described<HelpRequest>({"help",
                                           commands::kGroupProgram,
                                           "What a command does and takes",
                                           "The same text as COMMAND --help. \"ridge help options\" lists the options that every command takes.",
                                           {{"help plan", "everything that plan takes"}, {"help options", "the options common to all commands"}}},
                                          describe_help));
    made.push_back(described<CompletionsRequest>(
        {"completions",
         commands::kGroupProgram,
         "Completion script for bash, zsh or fish",
         "The script asks the program for the words that fit, so it stays true when the program changes. Its first line says where the shell looks for it.",
         {{"completions bash", "the script, to be saved or sourced"}, {"completions fish", "the same for fish"}}},
        describe_completions));
    return made;
  }();
  return commands;
}

Result<std::string> run_builtin(const Invocation& invocation, CommandList known, int width) {
  RIDGE_TRY_VOID(refuse_report_options(invocation));
  if (invocation.command->name == "help") {
    HelpRequest request;
    RIDGE_TRY_VOID(commands::fill(invocation.command->fields, invocation.arguments, &request));
    return help(request, known, width);
  }
  CompletionsRequest request;
  RIDGE_TRY_VOID(commands::fill(invocation.command->fields, invocation.arguments, &request));
  return completion_script(request.shell);
}

}  // namespace ridge::cli
