#include "interfaces/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

#include "commands/names.h"
#include "hardware/catalog.h"
#include "interfaces/cli/builtins.h"
#include "report/render.h"
#include "report/text_layout.h"

namespace ridge::cli {
namespace {

using commands::Command;

constexpr std::uint64_t kLargestCatalogue = std::uint64_t{16} << 20;

// What came from outside must not reach a terminal as control characters. Line ends are ours.
std::string shown(std::string_view text, const Outside& outside) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) lines += '\n';
    const std::string line = report::clean(text.substr(at, end - at));
    lines += outside.unicode ? line : report::to_ascii(line);
    at = end + 1;
  }
  return lines;
}

Outcome refused(const Error& error, const Outside& outside) { return {kWrongRequest, "", "ridge: " + shown(to_string(error), outside) + "\n", false}; }

Outcome fault(std::string_view what, const Outside& outside) {
  const std::string text = fmt::format("internal fault: {}\n  This is a defect of ridge; please report it with the command.", what);
  return {kFault, "", "ridge: " + shown(text, outside) + "\n", false};
}

Outcome say(std::string text) { return {kAnswered, std::move(text), "", false}; }

Outcome explain(const std::string& text, const Outside& outside) { return say(outside.unicode ? text : report::to_ascii(text)); }

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
  if (!invocation.family.empty()) return explain(family_help(invocation.family, known, outside.width), outside);
  if (command == nullptr) return explain(program_help(known, outside.width), outside);
  if (invocation.common.help) return explain(command_help(*command, outside.width), outside);
  if (command->run) return run(*command, invocation, outside);
  RIDGE_TRY(const std::string text, run_builtin(invocation, known, outside.width));
  return explain(text, outside);
}

Outcome answer_words(std::span<const std::string> words, CommandList known, const Outside& outside) {
  if (!words.empty() && words.front() == kCompletionWord) {
    const auto names = [](std::string_view type) { return commands::names_of_type(type, hardware::Catalog::builtin()); };
    return say(completion_lines(complete(words.subspan(1), known, names)));
  }
  const Result<Invocation> invocation = read_arguments(words, known);
  if (!invocation) return refused(invocation.error(), outside);
  Result<Outcome> outcome = dispatch(*invocation, known, outside);
  Outcome told = outcome ? *std::move(outcome) : refused(outcome.error(), outside);
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
    return fault("memory ran out", outside);
  } catch (const std::exception& exception) {
    return fault(exception.what(), outside);
  }
}

}  // namespace ridge::cli
