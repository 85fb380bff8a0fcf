#include "interfaces/cli/complete.h"

#include <algorithm>

namespace ridge::cli {
namespace {

using commands::Command;
using commands::FieldSpec;

void add(Completion& completion, std::string_view typed, std::string text, std::string description) {
  if (!text.starts_with(typed)) return;
  const auto same = [&text](const Candidate& candidate) { return candidate.text == text; };
  if (std::none_of(completion.candidates.begin(), completion.candidates.end(), same))
    completion.candidates.push_back({std::move(text), std::move(description)});
}

// First words of all commands; of a family the word alone stands for all of them.
void add_commands(Completion& completion, std::string_view typed, CommandList known) {
  for (const Command* command : known) {
    const std::size_t space = command->name.find(' ');
    add(completion, typed, command->name.substr(0, space), space == std::string::npos ? command->summary : "");
  }
}

void add_members(Completion& completion, std::string_view typed, std::string_view family, CommandList known) {
  for (const Command* command : family_of(family, known)) add(completion, typed, command->name.substr(family.size() + 1), command->summary);
}

void add_options(Completion& completion, std::string_view typed, const Command* command, std::span<const std::string> given) {
  const auto offer = [&](const std::vector<FieldSpec>& fields) {
    for (const FieldSpec& field : fields) {
      const std::string option = "--" + field.name;
      if (field.positional || (!field.list && std::find(given.begin(), given.end(), option) != given.end())) continue;
      add(completion, typed, option, field.help);
    }
  };
  if (command != nullptr) offer(command->fields);
  offer(common_fields());
}

// Values of a field. `typed` may begin with values before a comma, where the field is a list option, and `before` stands in
// front of all ("--dtype=").
void add_values(Completion& completion, std::string_view typed, const std::string& before, const FieldSpec& field, const NamesOfType& names) {
  std::string head = before;
  if (field.list && !field.positional) {
    const std::size_t comma = typed.rfind(',');
    if (comma != std::string_view::npos) {
      head += typed.substr(0, comma + 1);
      typed.remove_prefix(comma + 1);
    }
  }
  for (const std::string& name : field.choices.empty() ? names(field.type) : field.choices)
    if (name.starts_with(typed)) add(completion, head, head + name, "");
  completion.files = completion.files || field.type == "file" || field.type == "model";
}

struct Position {
  const FieldSpec* value_of = nullptr;    // the option whose value is being typed
  const FieldSpec* positional = nullptr;  // else the positional
  bool options_ended = false;
};

Position position_after(std::span<const std::string> words, const Command* command) {
  Position position;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!position.options_ended && words[i] == "--") {
      position.options_ended = true;
    } else if (!position.options_ended && looks_like_option(words[i])) {
      const FieldSpec* spec = words[i].starts_with("--") ? find_option(command, words[i].substr(2)) : nullptr;
      if (spec == nullptr || spec->flag) continue;
      if (++i == words.size()) position.value_of = spec;
    } else {
      ++taken;
    }
  }
  if (command == nullptr) return position;
  for (const FieldSpec& field : command->fields) {
    if (!field.positional) continue;
    position.positional = &field;
    if (field.list || taken == 0) return position;
    --taken;
  }
  position.positional = nullptr;
  return position;
}

}  // namespace

Completion complete(std::span<const std::string> words, CommandList known, const NamesOfType& names) {
  Completion completion;
  const std::string current = words.empty() ? "" : words.back();
  const std::span<const std::string> before = words.empty() ? words : words.first(words.size() - 1);

  const std::size_t begin = skip_leading_options(before);
  const NamedCommand named = command_at(before.subspan(begin), known);
  const bool in_family = named.command == nullptr && begin < before.size();
  if (in_family) {
    if (before.size() == begin + 1) add_members(completion, current, before[begin], known);
    return completion;
  }

  const Position position = position_after(before.subspan(named.command != nullptr ? begin + named.words : 0), named.command);
  if (position.value_of != nullptr) {
    add_values(completion, current, "", *position.value_of, names);
  } else if (!position.options_ended && current.starts_with("--") && current.find('=') != std::string::npos) {
    const std::size_t equals = current.find('=');
    const FieldSpec* spec = find_option(named.command, current.substr(2, equals - 2));
    if (spec != nullptr && !spec->flag) add_values(completion, std::string_view(current).substr(equals + 1), current.substr(0, equals + 1), *spec, names);
  } else if (!position.options_ended && current.starts_with("-")) {
    add_options(completion, current, named.command, before);
  } else if (named.command == nullptr) {
    add_commands(completion, current, known);
  } else if (position.positional != nullptr) {
    add_values(completion, current, "", *position.positional, names);
  }
  return completion;
}

std::string completion_lines(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) text += candidate.text + "\t" + candidate.description + "\n";
  if (completion.files) text += ":files\n";
  return text;
}

std::string completion_script(std::string_view shell) {
  // bash replaces what follows the last of its word breaks only, so the part before it is taken off the candidates.
  if (shell == "bash")
    return R"sh(# bash completion of ridge: ridge completions bash > ~/.local/share/bash-completion/completions/ridge
_ridge() {
  local line="${COMP_LINE:0:COMP_POINT}" current="" kept="" text files="" words=()
  read -ra words <<< "$line"
  if [[ $line == *[[:space:]] ]]; then words+=(""); fi
  if (( ${#words[@]} < 2 )); then return; fi
  current="${words[-1]}"
  if [[ $COMP_WORDBREAKS == *[:=]* ]]; then kept="${current%"${current##*[:=]}"}"; fi
  COMPREPLY=()
  while IFS=$'\t' read -r text _; do
    if [[ $text == :files ]]; then files=1; else COMPREPLY+=("${text#"$kept"}"); fi
  done < <("$1" __complete "${words[@]:1}" 2>/dev/null)
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "${current#"$kept"}")
  fi
}
complete -F _ridge ridge
)sh";
  if (shell == "zsh")
    return R"sh(#compdef ridge
# zsh completion of ridge: ridge completions zsh > "${fpath[1]}/_ridge"
_ridge() {
  local -a lines found
  local line files=
  lines=("${(@f)$(${words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#found )) && _describe -V 'ridge' found
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _ridge ]]; then _ridge "$@"; else compdef _ridge ridge; fi
)sh";
  return R"sh(# fish completion of ridge: ridge completions fish > ~/.config/fish/completions/ridge.fish
function __ridge_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c ridge -f -a '(__ridge_complete)'
)sh";
}

}  // namespace ridge::cli
