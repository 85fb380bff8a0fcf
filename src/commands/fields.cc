#include "commands/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ridge::commands {
namespace detail {

std::vector<std::string> split_list(std::span<const std::string> texts) {
  std::vector<std::string> values;
  for (const std::string& text : texts) {
    bool inside = false;  // an inline description
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      const bool pair = part.find('=') != std::string::npos;
      if (inside && pair)
        values.back() += "," + part;
      else
        values.push_back(part);
      inside = pair;
      begin = end + 1;
    }
  }
  return values;
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

std::string typed_text(const report::Cell& cell, std::string_view unit) {
  if (const std::string* word = std::get_if<std::string>(&cell)) return *word;
  const double* number = std::get_if<double>(&cell);
  if (number == nullptr) return {};

  struct Scale {
    std::string_view unit, written;
    double factor;
  };
  // The first that leaves a whole number, else the last of the unit.
  static constexpr std::array kScales{
      Scale{"B", "TiB", 1024.0 * kGiB},
      Scale{"B", "GiB", kGiB},
      Scale{"B", "MiB", kMiB},
      Scale{"B", "TB", 1e12},
      Scale{"B", "GB", 1e9},
      Scale{"B", "MB", 1e6},
      Scale{"B", "KiB", kKiB},
      Scale{"B", "B", 1},
      Scale{"s", "h", 3600},
      Scale{"s", "min", 60},
      Scale{"s", "s", 1},
      Scale{"s", "ms", 1e-3},
      Scale{"s", "us", 1e-6},
      Scale{"1/s", "/s", 1},
      Scale{"B/s", "TB/s", 1e12},
      Scale{"B/s", "GB/s", 1e9},
      Scale{"FLOP/s", "PFLOP/s", 1e15},
      Scale{"FLOP/s", "TFLOP/s", 1e12},
      Scale{"W", "kW", 1e3},
      Scale{"W", "W", 1},
      Scale{"m2", "mm2", 1e-6},
      Scale{"USD/h", "USD/h", 1},
  };
  std::string text;
  for (const Scale& scale : kScales) {
    if (scale.unit != unit) continue;
    // 0.05 s is 50 ms: a factor that no double holds exactly must not turn it into 50.00000000000001.
    const double scaled = *number / scale.factor;
    const double whole = std::round(scaled);
    const bool is_whole = whole != 0 && std::abs(scaled - whole) <= 1e-12 * whole;
    text = fmt::format("{}{}", is_whole ? whole : scaled, scale.written);
    if (is_whole) break;
  }
  return text.empty() ? fmt::format("{}", *number) : text;
}

Error field_error(const FieldSpec& spec, Error error) { return with_context(std::move(error), (spec.positional ? "" : "--") + spec.name); }

}  // namespace detail

Result<void> fill(std::span<const FieldSpec> fields, const Arguments& arguments, void* request) {
  for (const auto& argument : arguments) {
    const auto& [name, texts] = argument;
    const auto spec = std::find_if(fields.begin(), fields.end(), [&name = name](const FieldSpec& field) { return field.name == name; });
    if (spec == fields.end()) {
      std::vector<std::string> known;
      for (const FieldSpec& field : fields) known.push_back(field.name);
      const std::string near = nearest_names(name, known);
      return fail("--" + name, "there is no such option", near.empty() ? "See --help." : "Did you mean --" + near + "?");
    }
    if (texts.empty() && !spec->flag) return tl::unexpected<Error>(detail::field_error(*spec, Error{"", "a value is missing", "See --help."}));
    if (std::any_of(arguments.data(), &argument, [&name = name](const auto& earlier) { return earlier.first == name; }) || (!spec->list && texts.size() > 1))
      return tl::unexpected<Error>(detail::field_error(*spec, Error{"", "given twice", "Give it once."}));
    const bool split = spec->list && !spec->positional && spec->type != "text" && spec->type != "file";
    const std::vector<std::string> values = split ? detail::split_list(texts) : texts;
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
