#include "commands/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::commands {
namespace detail {

std::vector<std::string> split_list(std::span<const std::string> texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) {
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = text.find(',', begin);
      parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
      if (end == std::string::npos) break;
      begin = end + 1;
    }
  }
  return parts;
}

Result<void> check_choice(const FieldSpec& spec, std::string_view text) {
  if (spec.choices.empty() || std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return {};
  std::string all;
  for (const std::string& choice : spec.choices) all += (all.empty() ? "" : ", ") + choice;
  return fail("", fmt::format("\"{}\" is not one of its values", text), "Use one of: " + all + ".");
}

std::string echo_list(const std::vector<report::Cell>& cells) {
  std::string text;
  for (const report::Cell& cell : cells) {
    if (!text.empty()) text += ",";
    if (const double* number = std::get_if<double>(&cell))
      text += fmt::format("{}", *number);
    else if (const std::string* word = std::get_if<std::string>(&cell))
      text += *word;
  }
  return text;
}

Error field_error(const FieldSpec& spec, Error error) { return with_context(std::move(error), (spec.positional ? "" : "--") + spec.name); }

}  // namespace detail

Result<void> fill(std::span<const FieldSpec> fields, const Arguments& arguments, void* request) {
  for (const auto& [name, texts] : arguments) {
    const auto spec = std::find_if(fields.begin(), fields.end(), [&name = name](const FieldSpec& field) { return field.name == name; });
    if (spec == fields.end()) {
      std::vector<std::string> known;
      for (const FieldSpec& field : fields) known.push_back(field.name);
      const std::string near = nearest_names(name, known);
      return fail("--" + name, "there is no such option", near.empty() ? "See --help." : "Did you mean --" + near + "?");
    }
    if (texts.empty() && !spec->flag) return tl::unexpected<Error>(detail::field_error(*spec, Error{"", "a value is missing", "See --help."}));
    if (!spec->list && texts.size() > 1) return tl::unexpected<Error>(detail::field_error(*spec, Error{"", "given twice", "Give it once."}));
    // A free text or a model may hold commas ("params=7e9,layers=32"): only lists are split.
    const std::vector<std::string> values = spec->list && spec->type != "text" ? detail::split_list(texts) : texts;
    for (const std::string& value : values)
      if (auto checked = detail::check_choice(*spec, value); !checked) return tl::unexpected<Error>(detail::field_error(*spec, checked.error()));
    if (auto assigned = spec->assign(request, values); !assigned) return tl::unexpected<Error>(detail::field_error(*spec, assigned.error()));
  }
  for (const FieldSpec& field : fields) {
    const bool given = std::any_of(arguments.begin(), arguments.end(), [&field](const auto& argument) { return argument.first == field.name; });
    if (field.required && !given)
      return fail("", fmt::format("{} is missing: {}", field.positional ? field.placeholder : "--" + field.name, field.help), "See --help for examples.");
  }
  return {};
}

std::vector<std::pair<std::string, report::Cell>> echo(std::span<const FieldSpec> fields, const void* request) {
  std::vector<std::pair<std::string, report::Cell>> values;
  for (const FieldSpec& field : fields) {
    report::Cell value = field.echo(request);
    if (!std::holds_alternative<std::monostate>(value)) values.emplace_back(field.name, std::move(value));
  }
  return values;
}

}  // namespace ridge::commands
