#include "interfaces/cli/cli.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <optional>

#include "commands/names.h"
#include "hardware/catalog.h"
#include "interfaces/cli/builtins.h"
#include "report/render.h"

namespace ridge::cli {
namespace {

using commands::Command;

constexpr std::uint64_t kLargestCatalogue = std::uint64_t{16} << 20;

// Control characters of a name that came from outside must not reach a terminal as such; line ends are ours.
std::string printable(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7F)
      safe += fmt::format("\\x{:02x}", byte);
    else
      safe += c;
  }
  return safe;
}

Outcome refused(const Error& error) { return {kWrongRequest, "", "ridge: " + printable(to_string(error)) + "\n", false}; }

Outcome fault(std::string_view what) {
  return {kFault, "", fmt::format("ridge: internal fault: {}\n  This is a defect of ridge; please report it with the command.\n", printable(what)), false};
}

Outcome say(std::string text) { return {kAnswered, std::move(text), "", false}; }

std::string rendered(const report::Report& answer, const CommonOptions& common, const Outside& outside) {
  if (common.json) return report::render_json(answer, version());
  if (common.markdown) return report::render_markdown(answer, common.explain);
  if (common.html == "-") return report::render_html(answer, version());
  report::TerminalOptions options;
  options.width = outside.width;
  options.color = common.color == "always" || (common.color == "auto" && outside.color);
  options.unicode = outside.unicode;
  options.explain = common.explain;
  options.quiet = common.quiet;
  return report::render_terminal(answer, options);
}

Result<Outcome> run(const Command& command, const Invocation& invocation, const Outside& outside) {
  const CommonOptions& common = invocation.common;
  std::optional<hardware::Catalog> own;
  if (!common.catalog.empty()) {
    const Result<std::string> text = outside.files.read_all(common.catalog, kLargestCatalogue);
    if (!text) return tl::unexpected<Error>(with_context(text.error(), "--catalog"));
    RIDGE_TRY(own, hardware::Catalog::with_overlay(*text, common.catalog));
  }
  const commands::Environment environment{
      outside.files, own ? *own : hardware::Catalog::builtin(), outside.today, static_cast<std::uint64_t>(common.seed), common.strict, common.calibration};

  RIDGE_TRY(const report::Report answer, command.run(invocation.arguments, environment));
  if (common.check && !answer.verdict.ok) return fail("--check", command.name + " gave an answer that is neither yes nor no", "Ask without --check.");
  if (!common.html.empty() && common.html != "-")
    if (auto written = outside.write_file(common.html, report::render_html(answer, version())); !written)
      return tl::unexpected<Error>(with_context(written.error(), "--html"));

  Outcome outcome = say(rendered(answer, common, outside));
  if (common.check && !*answer.verdict.ok) outcome.status = kAnswerIsNo;
  return outcome;
}

Result<Outcome> dispatch(const Invocation& invocation, CommandList known, const Outside& outside) {
  const Command* command = invocation.command;
  if (invocation.common.version && command == nullptr) return say(fmt::format("ridge {}\n", version()));
  if (!invocation.family.empty()) return say(family_help(invocation.family, known, outside.width));
  if (command == nullptr) return say(program_help(known, outside.width));
  if (invocation.common.help) return say(command_help(*command, outside.width));
  if (command->run) return run(*command, invocation, outside);
  RIDGE_TRY(std::string text, run_builtin(invocation, known, outside.width));
  return say(std::move(text));
}

Outcome answer_words(std::span<const std::string> words, CommandList known, const Outside& outside) {
  if (!words.empty() && words.front() == kCompletionWord) {
    const auto names = [](std::string_view type) { return commands::names_of_type(type, hardware::Catalog::builtin()); };
    return say(completion_lines(complete(words.subspan(1), known, names)));
  }
  const Result<Invocation> invocation = read_arguments(words, known);
  if (!invocation) return refused(invocation.error());
  Result<Outcome> outcome = dispatch(*invocation, known, outside);
  Outcome told = outcome ? *std::move(outcome) : refused(outcome.error());
  told.stats = invocation->common.stats;
  return told;
}

}  // namespace

std::string_view version() { return RIDGE_VERSION; }

CommandList known_commands() {
  static const std::vector<const Command*> all = [] {
    std::vector<const Command*> list;
    for (const Command& command : commands::all_commands()) list.push_back(&command);
    for (const Command& command : builtin_commands()) list.push_back(&command);
    return list;
  }();
  return all;
}

Outcome answer(std::span<const std::string> words, CommandList known, const Outside& outside) {
  try {
    return answer_words(words, known, outside);
  } catch (const std::bad_alloc&) {
    return fault("memory ran out");
  } catch (const std::exception& exception) {
    return fault(exception.what());
  }
}

}  // namespace ridge::cli
