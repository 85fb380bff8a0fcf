#include "interfaces/cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text_layout.h"

namespace ridge::cli {
namespace {

using commands::Command;
using commands::FieldSpec;

constexpr int kLongestLeft = 26;  // a longer left column puts its text on the next line

// Appends `text` in lines of at most `width` columns, each after the first indented by `indent`, where the first one begins.
void append_wrapped(std::string& out, std::string_view text, int indent, int width) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  bool first = true;
  for (const std::string& line : report::wrap(text, static_cast<std::size_t>(std::max(width - indent, 10)))) {
    if (!first) out += margin;
    out += line + "\n";
    first = false;
  }
}

int columns(std::string_view text) { return static_cast<int>(report::width(text)); }

void append_row(std::string& out, const std::string& left, std::string_view right, int left_width, int width) {
  out += "  " + left;
  const int indent = left_width + 4;
  int used = columns(left) + 2;
  if (columns(left) > left_width) {
    out += '\n';
    used = 0;
  }
  out += std::string(static_cast<std::size_t>(indent - used), ' ');
  append_wrapped(out, right, indent, width);
}

int left_width_of(const std::vector<std::string>& lefts) {
  int widest = 0;
  for (const std::string& left : lefts)
    if (columns(left) <= kLongestLeft) widest = std::max(widest, columns(left));
  return widest;
}

void append_sections(std::string& out, std::span<const FieldSpec> fields, int width) {
  std::vector<std::string> forms;
  for (const FieldSpec& field : fields) forms.push_back(option_form(field));
  const int left_width = left_width_of(forms);
  for (const Section& section : sections(fields)) {
    out += "\n" + section.title + ":\n";
    for (const FieldSpec* field : section.fields) append_row(out, option_form(*field), field_text(*field), left_width, width);
  }
}

void append_examples(std::string& out, const Command& command, int width) {
  out += "\nExamples:\n";
  for (const commands::Example& example : command.examples) {
    out += "  ridge " + example.arguments + "\n      ";
    append_wrapped(out, example.shows, 6, width);
  }
}

std::string names_of_common_options() {
  std::string names;
  for (const FieldSpec& field : common_fields()) names += (names.empty() ? "" : ", ") + option_form(field);
  return names;
}

}  // namespace

std::string usage(const Command& command) {
  std::string text = "ridge " + command.name;
  for (const FieldSpec& field : command.fields) {
    if (!field.positional) continue;
    const std::string form = field.placeholder + (field.list ? "..." : "");
    text += field.required ? " " + form : " [" + form + "]";
  }
  for (const FieldSpec& field : command.fields)
    if (!field.positional && field.required) text += " " + option_form(field);
  return text + " [OPTIONS]";
}

std::string option_form(const FieldSpec& field) {
  if (field.positional) return field.placeholder + (field.list ? "..." : "");
  if (field.flag) return "--" + field.name;
  return fmt::format("--{} {}{}", field.name, field.placeholder, field.list ? ",..." : "");
}

std::string field_text(const FieldSpec& field) {
  std::string text = field.help;
  if (!field.choices.empty()) {
    text += " (";
    for (std::size_t i = 0; i < field.choices.size(); ++i) text += (i == 0 ? "" : i + 1 == field.choices.size() ? " or " : ", ") + field.choices[i];
    text += ")";
  }
  if (!field.default_text.empty()) text += " [default: " + field.default_text + "]";
  return text;
}

std::vector<Section> sections(std::span<const FieldSpec> fields) {
  std::vector<Section> found;
  for (const FieldSpec& field : fields) {
    const std::string title = field.positional ? "Arguments" : field.section.empty() ? "Options" : field.section;
    auto section = std::find_if(found.begin(), found.end(), [&title](const Section& s) { return s.title == title; });
    if (section == found.end()) section = found.insert(found.end(), {title, {}});
    section->fields.push_back(&field);
  }
  return found;
}

std::string program_help(CommandList known, int width) {
  std::string out = "ridge answers questions about GPU systems, with no GPU.\n\nUsage: ridge COMMAND SUBJECT [OPTIONS]\n";
  std::vector<std::string> names;
  for (const Command* command : known) names.push_back(command->name);
  const int left_width = left_width_of(names);
  std::string group;
  for (const Command* command : known) {
    if (command->group != group) out += "\n" + command->group + "\n";
    group = command->group;
    append_row(out, command->name, command->summary, left_width, width);
  }
  out += '\n';
  append_wrapped(out, "ridge COMMAND --help shows a command's options and two examples; ridge help options those that all commands take.", 0, width);
  return out;
}

std::string family_help(std::string_view family, CommandList known, int width) {
  std::string out = fmt::format("Usage: ridge {} COMMAND [OPTIONS]\n\n", family);
  std::vector<std::string> names;
  for (const Command* command : family_of(family, known)) names.push_back(command->name);
  for (const Command* command : family_of(family, known)) append_row(out, command->name, command->summary, left_width_of(names), width);
  out += fmt::format("\nridge {} COMMAND --help shows a command's options and two examples.\n", family);
  return out;
}

std::string command_help(const Command& command, int width) {
  std::string out = command.summary + "\n\nUsage: " + usage(command) + "\n\n";
  append_wrapped(out, command.description, 0, width);
  append_sections(out, command.fields, width);
  if (command.run) out += '\n';
  if (command.run) {
    out += "Common: ";
    append_wrapped(out, names_of_common_options() + " (see ridge help options).", 8, width);
  }
  append_examples(out, command, width);
  return out;
}

std::string common_options_help(int width) {
  std::string out = "Options that every command takes.\n";
  append_sections(out, common_fields(), width);
  return out;
}

}  // namespace ridge::cli
