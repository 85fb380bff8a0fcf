#include "interfaces/cli/reference.h"

#include <fmt/format.h>

#include "interfaces/cli/help.h"

namespace ridge::cli {
namespace {

using commands::Command;
using commands::FieldSpec;

// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string safe;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string cell(std::string_view text) { return escaped(text, "|<>*_"); }
std::string roff(std::string_view text) { return escaped(text, "\\*_"); }

// GitHub's anchor of a heading of lower-case words.
std::string anchor(std::string name) {
  for (char& c : name)
    if (c == ' ') c = '-';
  return name;
}

std::string help_and_choices(const FieldSpec& field) {
  FieldSpec without_default = field;
  without_default.default_text.clear();
  return field_text(without_default);
}

void append_table(std::string& out, std::span<const FieldSpec> fields) {
  for (const Section& section : sections(fields)) {
    out += fmt::format("\n| {} | | Default |\n|---|---|---|\n", section.title);
    for (const FieldSpec* field : section.fields) {
      const std::string fallback = field->default_text.empty() ? "" : "`" + field->default_text + "`";
      out += fmt::format("| `{}` | {} | {} |\n", option_form(*field), cell(help_and_choices(*field)), fallback);
    }
  }
}

void append_command(std::string& out, const Command& command) {
  out += fmt::format("\n### {}\n\n{}.\n\n```\n{}\n```\n\n{}\n", command.name, command.summary, usage(command), command.description);
  append_table(out, command.fields);
  out += "\nExamples:\n\n";
  for (const commands::Example& example : command.examples) out += fmt::format("- `ridge {}`: {}\n", example.arguments, example.shows);
}

void append_manual_fields(std::string& out, std::span<const FieldSpec> fields) {
  for (const FieldSpec& field : fields) {
    std::string form = field.positional ? "_" + roff(option_form(field)) + "_" : "*--" + roff(field.name) + "*";
    if (!field.positional && !field.flag) form += fmt::format(" _{}_", roff(field.placeholder + (field.list ? ",..." : "")));
    out += fmt::format("{}\n\t{}\n\n", form, roff(field_text(field)));
  }
}

constexpr std::string_view kSubjects = R"(*MODEL* is a name of the catalogue (llama-3.1-8b), a Hugging Face config.json or its folder, a .gguf file, a number of
parameters (7e9, 7b), or a description (params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8) that may be incomplete.

*GPU* is a name of the catalogue (*ridge gpu list*) with an optional count (h100-sxm5:8), or a description
(peak=500TFLOP/s,bandwidth=2TB/s,memory=80GB).

Quantities carry their unit: 500ms, 80GiB, 80GB, 3.35TB/s, 5/s. A single - is standard input where a file is asked for.
)";

constexpr std::string_view kManualEnd = R"(# EXIT STATUS

*0*	answered

*1*	answered, and the answer is no, where *--check* was given

*2*	the input or the request was wrong

*3*	a fault of the program

*130*	interrupted

# ENVIRONMENT

*NO_COLOR*
	No colour under *--color auto*.

*COLUMNS*
	Width of the output; else that of the terminal, else 80.

*LC_ALL*, *LC_CTYPE*, *LANG*
	Where the locale is not UTF-8, the output on a terminal is ASCII.

*SOURCE_DATE_EPOCH*
	Stands in for the clock where output must be reproducible.
)";

}  // namespace

std::string reference_markdown(CommandList known) {
  std::string out = "# Commands\n\nWritten by the program from the descriptions of its commands (`ridge COMMAND --help` shows the same); not edited by hand.\n";
  std::string group;
  for (const Command* command : known) {
    if (command->group != group) out += fmt::format("\n{}\n\n", command->group);
    group = command->group;
    out += fmt::format("- [{}](#{}): {}\n", command->name, anchor(command->name), command->summary);
  }
  group.clear();
  for (const Command* command : known) {
    if (command->group != group) out += fmt::format("\n## {}\n", command->group);
    group = command->group;
    append_command(out, *command);
  }
  out += "\n## Options that every command takes\n";
  append_table(out, common_fields());
  return out;
}

std::string manual_source(CommandList known) {
  std::string out = "ridge(1)\n\n# NAME\n\nridge - answers questions about GPU systems, with no GPU\n\n# SYNOPSIS\n\n*ridge* _COMMAND_ _SUBJECT_ [OPTIONS]\n\n";
  out += "# DESCRIPTION\n\n";
  out += std::string(kSubjects) + "\n# COMMANDS\n\n";
  for (const Command* command : known) {
    out += fmt::format("## {}\n\n{}.\n\n*{}*\n\n{}\n\n", command->name, roff(command->summary), roff(usage(*command)), roff(command->description));
    append_manual_fields(out, command->fields);
    for (const commands::Example& example : command->examples) out += fmt::format("Example: *ridge {}* ({})\n\n", roff(example.arguments), roff(example.shows));
  }
  out += "# COMMON OPTIONS\n\n";
  append_manual_fields(out, common_fields());
  return out + std::string(kManualEnd);
}

}  // namespace ridge::cli
