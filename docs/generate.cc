// Writes what is generated: the reference and the manual page from the commands' descriptions, the answers to
// docs/questions.yaml, NOTICE from the sources of data/, and in README.md and docs/ the output under every `$ ./ridge …`.
// With --check nothing is written and a page that is not current is named; a test does that.
//
//   ridge_docs FOLDER [--check]      FOLDER is the checkout
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/file_system.h"
#include "formats/tree.h"
#include "interfaces/cli/cli.h"
#include "interfaces/cli/reference.h"
#include "interfaces/cli/words.h"
#include "report/render.h"

namespace {

using ridge::Result;
using ridge::formats::NodeRef;

constexpr std::uint64_t kLargestPage = 1 << 20;
constexpr const char* kToday = "2026-12-01";  // so that the pages do not change from day to day
constexpr int kWidth = 100;

using Pages = std::vector<std::pair<std::string, std::string>>;

const ridge::formats::DiskFileSystem& disk() {
  static const ridge::formats::DiskFileSystem files;
  return files;
}

Result<std::string> output_of(std::string_view command) {
  const ridge::cli::Outside outside{disk(), ridge::formats::write_file, kToday, kWidth, false, true};
  const std::vector<std::string> words = ridge::cli::split_words(command);
  const ridge::cli::Outcome outcome = ridge::cli::answer(words, ridge::cli::known_commands(), outside);
  if (outcome.status > ridge::cli::kAnswerIsNo) return ridge::fail(fmt::format("ridge {}", command), outcome.err);
  return outcome.out;
}

std::string first_lines(const std::string& text, int count) {
  std::size_t end = 0;
  for (int line = 0; line < count && end < text.size(); ++line) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end) + (end < text.size() ? "…\n" : "");
}

// Replaces what follows `$ ./ridge COMMAND` up to the end of its code block by the program's output. The block's opening
// line may say how many lines are kept: ```console head=20
Result<std::string> with_outputs(const std::string& page) {
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size() - 1) + 1;
    const std::string line = page.substr(at, end - at);
    out += line;
    at = end;
    if (!line.starts_with("```console")) continue;
    int kept = 1000;
    if (const std::size_t head = line.find("head="); head != std::string::npos) kept = std::stoi(line.substr(head + 5));
    const std::size_t close = page.find("```", at);
    if (close == std::string::npos || !page.substr(at).starts_with("$ ./ridge ")) continue;
    const std::size_t command_end = page.find('\n', at);
    RIDGE_TRY(const std::string output, output_of(page.substr(at + 10, command_end - at - 10)));
    out += page.substr(at, command_end + 1 - at) + first_lines(output, kept);
    at = close;
  }
  return out;
}

// The answer to one question: what is said, the figures and tables, and the caveats that must come with it. A caveat that
// the program does not give is an error.
Result<std::string> answered(const NodeRef& entry) {
  RIDGE_TRY_VOID(entry.only({"question", "command", "caveats"}));
  RIDGE_TRY(const NodeRef question_node, entry.require("question"));
  RIDGE_TRY(const std::string question, question_node.as_text());
  RIDGE_TRY(const NodeRef command_node, entry.require("command"));
  RIDGE_TRY(const std::string command, command_node.as_text());

  RIDGE_TRY(const std::string shown, output_of(command));
  RIDGE_TRY(const std::string json, output_of(command + " --json"));
  RIDGE_TRY(const ridge::report::Report report, ridge::report::read_report(json, command));
  std::string out = fmt::format("\n### {}\n\n```console\n$ ./ridge {}\n{}```\n", question, command, shown);

  RIDGE_TRY(const NodeRef caveats, entry.require("caveats"));
  std::string kinds;
  for (std::size_t i = 0; i < caveats.size(); ++i) {
    RIDGE_TRY(const std::string kind, caveats.at(i).as_text());
    const auto same = [&kind](const ridge::report::Finding& finding) { return finding.kind == kind; };
    if (std::none_of(report.findings.begin(), report.findings.end(), same)) {
      std::string given;
      for (const auto& finding : report.findings) given += (given.empty() ? "" : ", ") + finding.kind;
      return caveats.at(i).error("the answer has no such finding", given.empty() ? "It has none." : "It has: " + given + ".");
    }
    kinds += (kinds.empty() ? "" : ", ") + kind;
  }
  if (!kinds.empty()) out += "\nCaveats that must be among the findings: " + kinds + ".\n";
  return out;
}

Result<std::string> questions_page(const std::string& file) {
  RIDGE_TRY(const std::string text, disk().read_all(file, kLargestPage));
  RIDGE_TRY(const ridge::formats::Node root, ridge::formats::read_yaml(text, file));
  std::string out =
      "# Questions\n\nWritten by the program (docs/questions.yaml lists the questions); not edited by hand. `--explain` adds formula, inputs and sources of "
      "each headline figure.\n";
  const NodeRef sections(root, file);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    RIDGE_TRY_VOID(sections.at(i).only({"section", "questions"}));
    RIDGE_TRY(const NodeRef title, sections.at(i).require("section"));
    RIDGE_TRY(const std::string heading, title.as_text());
    out += "\n## " + heading + "\n";
    RIDGE_TRY(const NodeRef questions, sections.at(i).require("questions"));
    for (std::size_t j = 0; j < questions.size(); ++j) {
      RIDGE_TRY(const std::string answer, answered(questions.at(j)));
      out += answer;
    }
  }
  return out;
}

std::string text_of(const NodeRef& map, const char* key) {
  const std::optional<NodeRef> value = map.get(key);
  return value ? value->as_text().value_or("") : "";
}

// One line a source: what it is, whose, which version, where.
Result<std::string> notice() {
  std::string out =
      "Ridgeline\nCopyright 2026 The Ridgeline authors\n\nLicensed under the Apache License, Version 2.0; see LICENSE.\n\n"
      "SOURCES OF DATA\n\nThe files in data/ carry numbers and names as facts, each with the source that gives it. No text, no code and no file of a source\n"
      "is part of this project. Trademarks belong to their owners; nothing here is endorsed by them.\n";
  RIDGE_TRY(const std::vector<std::string> names, disk().list("data"));
  for (const std::string& name : names) {
    if (!name.ends_with("sources.yaml")) continue;
    const std::string file = "data/" + name;
    RIDGE_TRY(const std::string text, disk().read_all(file, kLargestPage));
    RIDGE_TRY(const ridge::formats::Node root, ridge::formats::read_yaml(text, file));
    RIDGE_TRY(const NodeRef sources, NodeRef(root, file).require("sources"));
    out += "\n" + file + "\n\n";
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const NodeRef source = sources.at(i);
      const std::string url = text_of(source, "url");
      out += fmt::format("- {}. {}, {}.{}\n", text_of(source, "title"), text_of(source, "publisher"), text_of(source, "version"), url.empty() ? "" : " " + url);
    }
  }
  return out;
}

Result<Pages> pages() {
  Pages all;
  RIDGE_TRY(std::string sources, notice());
  all.emplace_back("NOTICE", std::move(sources));
  all.emplace_back("docs/commands.md", ridge::cli::reference_markdown(ridge::cli::known_commands()));
  all.emplace_back("docs/ridge.1.scd", ridge::cli::manual_source(ridge::cli::known_commands()));
  RIDGE_TRY(std::string questions, questions_page("docs/questions.yaml"));
  all.emplace_back("docs/questions.md", std::move(questions));
  RIDGE_TRY(std::vector<std::string> names, disk().list("docs"));
  std::vector<std::string> written{"README.md"};
  for (const std::string& name : names)
    if (name.ends_with(".md") && name != "commands.md" && name != "questions.md") written.push_back("docs/" + name);
  for (const std::string& name : written) {
    RIDGE_TRY(const std::string page, disk().read_all(name, kLargestPage));
    RIDGE_TRY(std::string current, with_outputs(page));
    all.emplace_back(name, std::move(current));
  }
  return all;
}

int fail_with(const ridge::Error& error) {
  fmt::print(stderr, "ridge_docs: {}\n", to_string(error));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[2]) == "--check";
  if ((argc != 2 && !check) || ::chdir(argv[1]) != 0) return fail_with({"", "usage: ridge_docs FOLDER [--check]", ""});
  const Result<Pages> all = pages();
  if (!all) return fail_with(all.error());
  int stale = 0;
  for (const auto& [name, text] : *all) {
    const Result<std::string> present = disk().read_all(name, kLargestPage);
    if (present && *present == text) continue;
    ++stale;
    if (check) {
      fmt::print(stderr, "{} is not current: build the target docs and look at the difference\n", name);
    } else if (const auto written = ridge::formats::write_file(name, text); !written) {
      return fail_with(written.error());
    } else {
      fmt::print("{} written\n", name);
    }
  }
  return check && stale > 0 ? 1 : 0;
}
