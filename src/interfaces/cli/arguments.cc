#include "interfaces/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/fields.h"

namespace ridge::cli {
namespace {

using commands::Arguments;
using commands::Command;
using commands::FieldSpec;

void describe_common(commands::Fields<CommonOptions>& f) {
  f.section("Form of the answer");
  f.flag("json", &CommonOptions::json, "one JSON object (schema ridge.report/1)");
  f.flag("markdown", &CommonOptions::markdown, "Markdown, for an issue or a page");
  f.option("html", &CommonOptions::html, "FILE", "also write a self-contained page with plots; - is standard output").type("file");
  f.flag("explain", &CommonOptions::explain, "show formula, inputs and sources of each headline figure");
  f.flag("quiet", &CommonOptions::quiet, "the verdict only");
  f.option("color", &CommonOptions::color, "WHEN", "colour on the terminal").choices({"auto", "always", "never"});
  f.flag("check", &CommonOptions::check, "exit with status 1 where the answer is no");
  f.section("What it stands on");
  f.option("catalog", &CommonOptions::catalog, "FILE", "your own accelerators and instances (YAML) over the built-in ones").type("file");
  f.option("calibration", &CommonOptions::calibration, "FILE", "your own measured efficiencies").type("file");
  f.option("seed", &CommonOptions::seed, "N", "seed of everything random");
  f.flag("strict", &CommonOptions::strict, "lost or damaged records are failures");
  f.section("The program");
  f.flag("stats", &CommonOptions::stats, "the program's own time and memory, on standard error");
  f.flag("help", &CommonOptions::help, "this help");
  f.flag("version", &CommonOptions::version, "the program's version");
}

bool is_negative_number(std::string_view word) { return word.size() > 1 && word[0] == '-' && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9')); }

std::string quoted(std::string_view word) { return fmt::format("\"{}\"", word); }

tl::unexpected<Error> unknown_command(std::string_view word, CommandList known) {
  std::vector<std::string> names;
  for (const Command* command : known) {
    const std::string first = command->name.substr(0, command->name.find(' '));
    if (first != command->name && std::find(names.begin(), names.end(), first) == names.end()) names.push_back(first);
    names.push_back(command->name);
  }
  const std::string near = nearest_names(word, names);
  return fail("", "there is no command " + quoted(word), near.empty() ? "See ridge --help." : "Did you mean " + near + "?");
}

tl::unexpected<Error> unknown_member(const std::string& family, std::optional<std::string> word, CommandList known) {
  std::vector<std::string> members;
  std::string all;
  for (const Command* command : family_of(family, known)) {
    members.push_back(command->name.substr(family.size() + 1));
    all += (all.empty() ? "" : ", ") + members.back();
  }
  if (!word) return fail(family, "a second word is missing", "One of: " + all + ".");
  const std::string near = nearest_names(*word, members);
  return fail(family, "there is no command " + quoted(family + " " + *word), near.empty() ? "One of: " + all + "." : "Did you mean " + near + "?");
}

tl::unexpected<Error> unknown_option(const std::string& name, const Command& command) {
  std::vector<std::string> names;
  for (const FieldSpec& field : command.fields) {
    if (field.positional && field.name == name) return fail("--" + name, "there is no such option", field.placeholder + " is given by itself, without a name.");
    if (!field.positional) names.push_back(field.name);
  }
  for (const FieldSpec& field : common_fields()) names.push_back(field.name);
  const std::string near = nearest_names(name, names);
  if (near.empty()) return fail("--" + name, "there is no such option", fmt::format("See ridge {} --help.", command.name));
  std::string hyphened = "--" + near;
  for (std::size_t at = 0; (at = hyphened.find(", ", at)) != std::string::npos; at += 4) hyphened.insert(at + 2, "--");
  return fail("--" + name, "there is no such option", "Did you mean " + hyphened + "?");
}

tl::unexpected<Error> one_too_many(const std::string& word, const Command& command) {
  std::string takes;
  for (const FieldSpec& field : command.fields)
    if (field.positional) takes += (takes.empty() ? "" : " ") + field.placeholder;
  return fail("", quoted(word) + " is one argument too many",
              fmt::format("{} takes {}; options begin with --. See ridge {} --help.", command.name, takes.empty() ? "none" : takes, command.name));
}

bool asks_for_help(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

// One name once, with all of its texts in order.
void append(Arguments& arguments, const std::string& name, std::optional<std::string> text) {
  auto found = std::find_if(arguments.begin(), arguments.end(), [&name](const auto& argument) { return argument.first == name; });
  if (found == arguments.end()) found = arguments.insert(arguments.end(), {name, {}});
  if (text) found->second.push_back(std::move(*text));
}

// Sorts the words that are not the command's name.
class Sorter {
 public:
  Sorter(std::span<const std::string> words, const Command* command) : words_(words), command_(command) {
    if (command_ == nullptr) return;
    for (const FieldSpec& field : command_->fields)
      if (field.positional) positionals_.push_back(&field);
  }

  Result<void> sort(std::size_t name_begin, std::size_t name_end) {
    bool options_ended = false;
    for (at_ = 0; at_ < words_.size(); ++at_) {
      if (at_ >= name_begin && at_ < name_end) continue;
      const std::string& word = words_[at_];
      if (!options_ended && word == "--") {
        options_ended = true;
      } else if (!options_ended && looks_like_option(word)) {
        RIDGE_TRY_VOID(option(word));
      } else {
        RIDGE_TRY_VOID(positional(word));
      }
    }
    return {};
  }

  Arguments own, common;

 private:
  Result<void> option(const std::string& word) {
    if (!word.starts_with("--")) return fail(word, "there is no such option", "Options begin with two hyphens: --json.");
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const FieldSpec* spec = find_option(command_, name);
    if (spec == nullptr) {
      if (command_ != nullptr) return unknown_option(name, *command_);
      return fail("--" + name, "there is no such option", "See ridge --help.");
    }
    std::optional<std::string> value;
    if (spec->flag) {
      if (equals != std::string::npos) return fail("--" + name, "it takes no value", "Write --" + name + " alone.");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else {
      if (at_ + 1 >= words_.size()) return fail("--" + name, "a value is missing", fmt::format("Write --{} {}.", name, spec->placeholder));
      if (looks_like_option(words_[at_ + 1]))
        return fail("--" + name, fmt::format("a value is missing: {} is an option", words_[at_ + 1]), fmt::format("Write --{} {}.", name, spec->placeholder));
      value = words_[++at_];
    }
    const bool is_common =
        command_ == nullptr || std::none_of(command_->fields.begin(), command_->fields.end(), [spec](const FieldSpec& f) { return &f == spec; });
    append(is_common ? common : own, name, std::move(value));
    return {};
  }

  Result<void> positional(const std::string& word) {
    if (next_ >= positionals_.size()) {
      if (command_ == nullptr) return fail("", quoted(word) + " is no command", "See ridge --help.");
      return one_too_many(word, *command_);
    }
    const FieldSpec& spec = *positionals_[next_];
    append(own, spec.name, word);
    if (!spec.list) ++next_;
    return {};
  }

  std::span<const std::string> words_;
  const Command* command_;
  std::vector<const FieldSpec*> positionals_;
  std::size_t next_ = 0;  // of positionals_
  std::size_t at_ = 0;    // of words_
};

Result<void> refuse_conflicts(const CommonOptions& common) {
  if (common.json && common.markdown) return fail("--json", "it does not go with --markdown", "Choose one form of the answer.");
  if (common.html == "-" && (common.json || common.markdown))
    return fail("--html -", fmt::format("it does not go with {}", common.json ? "--json" : "--markdown"),
                "Both would be written to standard output; give a FILE.");
  if (common.quiet && (common.json || common.markdown || common.html == "-"))
    return fail("--quiet",
                fmt::format("it does not go with {}", common.json       ? "--json"
                                                      : common.markdown ? "--markdown"
                                                                        : "--html -"),
                "Its one line is for the terminal.");
  if (common.seed < 0) return fail("--seed", fmt::format("{} is below 0", common.seed), "Give a whole number from 0.");
  return {};
}

}  // namespace

const std::vector<FieldSpec>& common_fields() {
  static const std::vector<FieldSpec> fields = [] {
    commands::Fields<CommonOptions> f;
    describe_common(f);
    return f.take();
  }();
  return fields;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && !is_negative_number(word); }

const FieldSpec* find_option(const Command* command, std::string_view name) {
  const auto search = [name](const std::vector<FieldSpec>& fields) -> const FieldSpec* {
    for (const FieldSpec& field : fields)
      if (!field.positional && field.name == name) return &field;
    return nullptr;
  };
  if (command != nullptr)
    if (const FieldSpec* own = search(command->fields)) return own;
  return search(common_fields());
}

std::vector<const Command*> family_of(std::string_view word, CommandList known) {
  std::vector<const Command*> members;
  for (const Command* command : known)
    if (command->name.size() > word.size() && command->name.starts_with(word) && command->name[word.size()] == ' ') members.push_back(command);
  return members;
}

std::size_t skip_leading_options(std::span<const std::string> words) {
  std::size_t at = 0;
  while (at < words.size() && words[at] != "--" && looks_like_option(words[at])) {
    const FieldSpec* spec = words[at].starts_with("--") ? find_option(nullptr, words[at].substr(2)) : nullptr;
    at += spec != nullptr && !spec->flag ? 2 : 1;
  }
  return std::min(at, words.size());
}

NamedCommand command_at(std::span<const std::string> words, CommandList known) {
  for (std::size_t count = std::min<std::size_t>(words.size(), 2); count > 0; --count) {
    const std::string name = count == 2 ? words[0] + " " + words[1] : words[0];
    for (const Command* command : known)
      if (command->name == name) return {command, count};
  }
  return {};
}

Result<Invocation> read_arguments(std::span<const std::string> words, CommandList known) {
  const std::size_t begin = skip_leading_options(words);
  const bool named = begin < words.size() && words[begin] != "--";
  const NamedCommand found = named ? command_at(words.subspan(begin), known) : NamedCommand{};

  Invocation invocation;
  invocation.command = found.command;
  const bool help = asks_for_help(words);
  if (named && found.command == nullptr) {
    const std::string& word = words[begin];
    if (family_of(word, known).empty()) return unknown_command(word, known);
    const bool alone = begin + 1 >= words.size() || looks_like_option(words[begin + 1]);
    if (!alone) return unknown_member(word, words[begin + 1], known);
    if (!help) return unknown_member(word, std::nullopt, known);
    invocation.family = word;
  }
  if (help) {
    invocation.common.help = true;
    return invocation;
  }

  Sorter sorter(words, found.command);
  RIDGE_TRY_VOID(sorter.sort(begin, begin + found.words));
  RIDGE_TRY_VOID(commands::fill(common_fields(), sorter.common, &invocation.common));
  RIDGE_TRY_VOID(refuse_conflicts(invocation.common));
  invocation.arguments = std::move(sorter.own);
  return invocation;
}

}  // namespace ridge::cli
