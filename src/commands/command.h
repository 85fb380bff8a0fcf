// How a command is described, once. A command is a request struct, a description of its fields, and a function from the
// request to a Report; the command line, HTTP, Python, completions and the reference page all read the same description.
// Nothing here knows of argv, of a terminal or of a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/file_system.h"
#include "hardware/catalog.h"
#include "quantity/quantity.h"
#include "report/report.h"

namespace ridge::commands {

// What a command may ask of the outside. All of it is given, so the same request gives the same bytes.
struct Environment {
  const formats::FileSystem& files;
  const hardware::Catalog& catalog;  // with the user's overlay
  std::string today;                 // "2026-12-01"
  std::uint64_t seed = 1;
  bool strict = false;
  std::string calibration;  // path of --calibration, or ""
};

struct FieldSpec {
  std::string name;          // "max-gpus": --max-gpus on the command line, "max-gpus" in JSON
  std::string type;          // "bytes", "seconds", "rate", "integer", "text", "flag", … : names the parser
  std::string unit;          // base unit of the value, "" for text
  std::string placeholder;   // "N", "GPU[:COUNT]"
  std::string default_text;  // as it would be typed; "" where there is none
  std::string help;
  std::string section;               // heading of --help that lists it ("Latency promise"); "": the general one
  std::vector<std::string> choices;  // closed set; empty: open
  bool positional = false;
  bool required = false;
  bool list = false;  // comma-separated, or given several times
  bool flag = false;
  // Parses `texts` into the request. Errors name the field.
  std::function<Result<void>(void* request, std::span<const std::string> texts)> assign;
  std::function<report::Cell(const void* request)> echo;  // the effective value, for Report::request
};

struct Example {
  std::string arguments;  // "fit 7e9 --dtype bf16", as typed after `ridge`
  std::string shows;      // what the reader learns
};

// One field as it was given: name and its texts. Positionals come under their names too.
using Arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct Command {
  std::string name;         // "fit", "gpu show"
  std::string group;        // the question it answers: one of the headings of `ridge --help`
  std::string summary;      // one line
  std::string description;  // a paragraph: what it assumes, what it does not know
  std::vector<FieldSpec> fields;
  std::vector<Example> examples;  // at least two; tests run them
  std::function<Result<report::Report>(const Arguments& arguments, const Environment& environment)> run;
};

// All commands, in the order of `ridge --help`. One row each in commands/table.cc.
std::span<const Command> all_commands();
const Command* find_command(std::string_view name);

}  // namespace ridge::commands
