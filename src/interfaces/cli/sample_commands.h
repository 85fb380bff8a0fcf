// Commands for the tests of this room: the shapes that real ones have, and answers that need no data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/fields.h"

namespace ridge::cli {

struct SampleRequest {
  std::string model;
  std::vector<std::string> gpu;
  std::vector<std::int64_t> batch{1};
  std::string phase = "decode";
  std::optional<Seconds> ttft;
  std::string prices;
  bool ideal = false;
};

inline Result<report::Report> run_sample(const SampleRequest& request, const commands::Environment& environment) {
  report::Report answer;
  if (request.model == "wrong") return fail("model", "it is wrong", "Give another.");
  answer.verdict.text = request.model + " on " + environment.today;
  if (request.model == "fits") answer.verdict.ok = true;
  if (request.model == "does-not-fit") answer.verdict.ok = false;
  answer.add("batch", static_cast<double>(request.batch.front()), "1", "batch");
  return answer;
}

inline void describe_sample(commands::Fields<SampleRequest>& f) {
  f.positional("model", &SampleRequest::model, "MODEL", "the network").required().type("model");
  f.option("gpu", &SampleRequest::gpu, "GPU[:COUNT]", "accelerators to try").type("gpu");
  f.option("batch", &SampleRequest::batch, "N", "requests in a step");
  f.option("phase", &SampleRequest::phase, "PHASE", "which step").choices({"decode", "prefill"});
  f.section("Promise");
  f.option("ttft", &SampleRequest::ttft, "TIME", "longest time to the first token");
  f.option("prices", &SampleRequest::prices, "FILE", "your own prices").type("file");
  f.flag("ideal", &SampleRequest::ideal, "the bound alone");
}

struct ListRequest {
  std::vector<std::string> names;
};
inline void describe_list(commands::Fields<ListRequest>& f) { f.positional("names", &ListRequest::names, "GPU", "parts to compare").required().type("gpu"); }
inline Result<report::Report> run_list(const ListRequest& request, const commands::Environment&) {
  report::Report answer;
  for (const std::string& name : request.names) answer.verdict.text += name + ";";
  return answer;
}

struct NoRequest {};
inline void describe_none(commands::Fields<NoRequest>&) {}
inline Result<report::Report> run_none(const NoRequest&, const commands::Environment&) {
  report::Report answer;
  answer.verdict.text = "none";
  return answer;
}

inline const std::vector<commands::Command>& sample_commands() {
  static const std::vector<commands::Command> commands = [] {
    const std::string fits = "What fits?", figures = "What does a figure mean?";
    std::vector<commands::Command> made;
    made.push_back(commands::make_command<SampleRequest>(
        {"fit", fits, "what a model holds in memory", "Adds up weights and cache.", {{"fit 7e9", "a bare count"}, {"fit 7e9 --batch 8", "a batch"}}},
        describe_sample, run_sample));
    made.push_back(commands::make_command<ListRequest>(
        {"gpu compare", figures, "parts side by side", "Ratios of like basis.", {{"gpu compare a b", "two"}, {"gpu compare a b c", "three"}}}, describe_list,
        run_list));
    made.push_back(commands::make_command<NoRequest>(
        {"gpu list", figures, "all parts", "The catalogue.", {{"gpu list", "all"}, {"gpu list --json", "all, as JSON"}}}, describe_none, run_none));
    return made;
  }();
  return commands;
}

inline std::vector<const commands::Command*> sample_list() {
  std::vector<const commands::Command*> list;
  for (const commands::Command& command : sample_commands()) list.push_back(&command);
  return list;
}

}  // namespace ridge::cli
