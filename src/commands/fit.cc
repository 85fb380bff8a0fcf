// ridge fit: does it fit, with what headroom, as components that add up.
#include "commands/fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/fields.h"
#include "commands/registry.h"
#include "cost/training_state.h"

namespace ridge::commands {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000;
constexpr std::int64_t kMostRequests = 100'000'000;

void describe(Fields<FitRequest>& f) {
  f.positional("model", &FitRequest::model, "MODEL", "a name, a config.json or its folder, a .gguf file, a parameter count (7e9), or params=7e9,layers=32,…")
      .required()
      .type("model");
  f.option("dtype", &FitRequest::dtype, "DTYPE,…", "formats of the weights; the first is the one that must fit").default_text("as the checkpoint stores them");
  f.option("gpu", &FitRequest::gpu, "GPU[:COUNT]", "an accelerator of the catalogue, or peak=…,bandwidth=…,memory=…").type("gpu");
  f.option("tp", &FitRequest::tp, "N", "tensor parallelism").default_text("the GPU's count over --pp");
  f.option("pp", &FitRequest::pp, "N", "pipeline stages").default_text("1");
  f.option("ep", &FitRequest::ep, "N", "expert parallelism, within the tensor ranks").default_text("1");
  f.section("Serving");
  f.option("context", &FitRequest::context, "TOKENS", "tokens of one request in the KV cache").default_text("no cache is counted");
  f.option("requests", &FitRequest::requests, "N", "requests in the cache at once");
  f.option("kv-dtype", &FitRequest::kv_dtype, "DTYPE", "format of the KV cache").default_text("the checkpoint's scheme, or 16 bits");
  f.option("block", &FitRequest::block, "TOKENS", "tokens of a KV block of the engine");
  f.option("prefill-tokens", &FitRequest::prefill_tokens, "TOKENS", "prompt tokens of one engine step, which size the activations");
  f.section("Training");
  f.flag("train", &FitRequest::train, "count training state instead of serving");
  std::vector<std::string> names;
  for (const cost::Optimizer& optimizer : cost::optimizers()) names.emplace_back(optimizer.name);
  f.option("optimizer", &FitRequest::optimizer, "NAME", "what keeps the state").choices(names);
  f.option("fsdp", &FitRequest::fsdp, "N", "ranks that the state is sharded over").default_text("the GPU's count over tp × pp");
  f.option("zero", &FitRequest::zero, "STAGE", "what is sharded: 1 optimizer state, 2 and gradients, 3 and weights (full shard)");
  f.option("micro-batch", &FitRequest::micro_batch, "N", "sequences of one pass");
  f.option("sequence", &FitRequest::sequence, "TOKENS", "tokens of a sequence, for the activations").default_text("activations are not counted");
  f.option("recompute", &FitRequest::recompute, "WHAT", "activations made again in the backward pass").choices({"none", "selective", "full"});
}

Result<void> in_range(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return fail(name, fmt::format("{} is outside {} to {}", value, low, high));
}

Result<void> check(const FitRequest& request) {
  if (request.context) RIDGE_TRY_VOID(in_range("--context", *request.context, 0, kMostTokens));
  RIDGE_TRY_VOID(in_range("--requests", request.requests, 1, kMostRequests));
  RIDGE_TRY_VOID(in_range("--block", request.block, 1, 65536));
  RIDGE_TRY_VOID(in_range("--prefill-tokens", request.prefill_tokens, 1, kMostTokens));
  if (request.fsdp) RIDGE_TRY_VOID(in_range("--fsdp", *request.fsdp, 1, 1'000'000));
  RIDGE_TRY_VOID(in_range("--zero", request.zero, 1, 3));
  RIDGE_TRY_VOID(in_range("--micro-batch", request.micro_batch, 1, kMostRequests));
  if (request.sequence) RIDGE_TRY_VOID(in_range("--sequence", *request.sequence, 1, kMostTokens));
  if (!request.train) {
    if (request.fsdp) return fail("--fsdp", "state is sharded in training only", "Add --train.");
    if (request.sequence) return fail("--sequence", "it sizes the activations of training", "Add --train, or give --context for serving.");
  } else if (request.context || request.kv_dtype) {
    return fail(request.context ? "--context" : "--kv-dtype", "training keeps no KV cache", "Leave it out, or leave --train out.");
  }
  return {};
}

Result<report::Report> run(const FitRequest& request, const Environment& environment) {
  RIDGE_TRY_VOID(check(request));
  RIDGE_TRY(model::Model model, model::load(request.model, environment.files));
  std::optional<hardware::GpuReference> gpu;
  if (!request.gpu.empty()) {
    RIDGE_TRY(gpu, environment.catalog.resolve(request.gpu));
  }
  const Ranks ranks{request.tp, request.pp, request.ep};
  const bool counted = gpu && gpu->count_given;
  // In training the accelerators that --tp and --pp leave are shards; in serving they are tensor ranks or replicas.
  RIDGE_TRY(const Spread spread, spread_of(ranks, gpu && !request.train ? gpu->count : 1, counted && !request.train));
  RIDGE_TRY_VOID(model::allows(model, spread.layout));
  std::int64_t shards = request.fsdp.value_or(counted && request.train ? std::max(1, gpu->count / spread.layout.ranks()) : 1);
  if (counted && request.train && shards * spread.layout.ranks() != gpu->count)
    return fail("--fsdp", fmt::format("{} shards of {} ranks are not the {} accelerators that --gpu names", shards, spread.layout.ranks(), gpu->count),
                "Give a count of fsdp × tp × pp, or leave it out.");
  const FitSubject subject{std::move(model), std::move(gpu), spread, static_cast<int>(shards), environment.catalog};
  return request.train ? fit_training(request, subject) : fit_serving(request, subject);
}

}  // namespace

const hardware::Device& FitSubject::device() const {
  RIDGE_CHECK(gpu && !gpu->profiles.empty());
  const auto least = [](const hardware::Device& a, const hardware::Device& b) {
    const std::int64_t left = a.usable_memory ? a.usable_memory->low.count : 0, right = b.usable_memory ? b.usable_memory->low.count : 0;
    return left < right;
  };
  return *std::min_element(gpu->profiles.begin(), gpu->profiles.end(), least);
}

std::string size_range(Bytes low, Bytes high) { return low == high ? format_bytes(low) : fmt::format("{} to {}", format_bytes(low), format_bytes(high)); }

void add_components(report::Report& report, std::string_view title, const std::vector<cost::Component>& components) {
  report::Table table{"components", std::string(title), {{"part", ""}, {"at least", "B"}, {"at most", "B"}, {"how", ""}}, {}};
  for (const cost::Component& c : components) table.rows.push_back({c.name, c.low.as_double(), c.high.as_double(), c.basis});
  table.rows.push_back({std::string("total"), cost::total_low(components).as_double(), cost::total_high(components).as_double(), std::string("the sum")});
  report.tables.push_back(std::move(table));
}

Result<Fitting> add_fitting(report::Report& report, const FitSubject& subject, Bytes need_low, Bytes need_high) {
  const hardware::Device& device = subject.device();
  RIDGE_TRY(const RankMemory memory, rank_memory(device));
  Fitting fitting{need_high <= memory.low, need_low <= memory.high, memory.low - need_high, memory.high - need_low};

  report::Figure& usable = report.add("usable_memory", Interval{memory.low.as_double(), memory.high.as_double()}, "B", "usable memory of a rank");
  usable.basis = memory.basis;
  usable.sources = memory.sources;
  report::Figure& headroom = report.add("headroom", Interval{fitting.headroom_low.as_double(), fitting.headroom_high.as_double()}, "B", "headroom");
  headroom.basis = "usable memory less the total, at worst and at best";
  report.derivation.push_back({"headroom",
                               "usable_memory − total",
                               {{"usable_memory.low", memory.low.as_double(), "B", memory.sources.empty() ? "" : memory.sources.front()},
                                {"usable_memory.high", memory.high.as_double(), "B", memory.sources.empty() ? "" : memory.sources.front()},
                                {"total.low", need_low.as_double(), "B", ""},
                                {"total.high", need_high.as_double(), "B", ""}},
                               {fitting.headroom_low.as_double(), fitting.headroom_high.as_double()},
                               "B",
                               ""});
  if (device.memory_label) {
    report::Figure& label = report.add("memory_label", *device.memory_label, "");
    label.basis = "as marketed, GB read as 10^9 B";
    report.find(report::Severity::kInfo, "usable-below-label",
                "What the driver gives is not what the label says: fitting is judged by the low end of the usable memory.",
                fmt::format("{}: label {}, usable {} ({})", device.id, format_bytes_decimal(Bytes::from_double(device.memory_label->low())),
                            size_range(memory.low, memory.high), memory.basis));
  }
  return fitting;
}

void add_host_link(report::Report& report, const FitSubject& subject, const Fitting& fitting) {
  const hardware::Device& device = subject.device();
  if (!device.host_link) return;
  const std::string name = device.host_link_name.empty() ? "the host link" : device.host_link_name;
  report.add("host_link", *device.host_link, "");
  if (fitting.headroom_low.count >= 0) return;
  const Bytes overflow = Bytes{} - fitting.headroom_low;
  const Seconds move = overflow / BytesPerSecond{device.host_link->low()};
  report.add("offload.time_per_step", move.value, "s", "moving the overflow in, per step").basis = "at the link's data-sheet rate, one direction";
  report.derivation.push_back({"offload.time_per_step",
                               "overflow / host_link",
                               {{"overflow", overflow.as_double(), "B", ""},
                                {"host_link", device.host_link->low(), "B/s", device.host_link->sources.empty() ? "" : device.host_link->sources.front()}},
                               {move.value, move.value},
                               "s",
                               ""});
  report.find(report::Severity::kInfo, "offload", fmt::format("What does not fit can stay in host memory and cross {} whenever a step needs it.", name),
              fmt::format("{} over {}: {} a step at least", format_bytes(overflow), format_value(device.host_link->low(), "B/s"), format_seconds(move)),
              "Offload what a step does not touch first; for weights read at every step the link sets the pace.");
}

void add_model_notes(report::Report& report, const model::Model& model) {
  for (const std::string& note : model.notes) report.find(report::Severity::kInfo, "model-note", note, model.name);
}

void add_gib_note(report::Report& report, Bytes example) {
  report.find(report::Severity::kInfo, "gib-is-not-gb", "Sizes are shown in GiB (2^30 B); data sheets count in GB (10^9 B), and the two differ by 7.4 %.",
              fmt::format("{} is {}", format_bytes(example), format_bytes_decimal(example)));
}

std::string fitting_verdict(const FitSubject& subject, const Fitting& fitting, std::string_view what, Bytes need_low, Bytes need_high) {
  const hardware::GpuReference& gpu = *subject.gpu;
  const int count = subject.accelerators();
  const std::string place = count > 1 ? fmt::format("each of {} {}", count, gpu.text) : "one " + gpu.text;
  if (fitting.fits)
    return fmt::format("{} fits {}: {} used, {} left at least.", what, place, size_range(need_low, need_high), format_bytes(fitting.headroom_low));
  if (fitting.may_fit)
    return fmt::format("{} does not fit {} for certain: {} needed, {} short at worst, {} left at best.", what, place, size_range(need_low, need_high),
                       format_bytes(Bytes{} - fitting.headroom_low), format_bytes(fitting.headroom_high));
  return fmt::format("{} does not fit {}: {} needed, {} short at the least.", what, place, size_range(need_low, need_high),
                     format_bytes(Bytes{} - fitting.headroom_high));
}

Command fit_command() {
  return make_command<FitRequest>(
      {"fit",
       kGroupFits,
       "Does it fit, with what headroom and how many requests",
       "Counts what one rank holds: weights in their format with scales, the KV cache in whole blocks, workspace and a stated range of runtime overhead; "
       "or training state by optimizer and shards. Fitting is judged by the high end of the need against the low end of the memory. It knows nothing of "
       "fragmentation, nor of other processes on the device.",
       {{"fit 7e9 --dtype fp32,bf16,int8", "what the weights of a 7B model take"},
        {"fit params=8e9,layers=32,hidden=4096,heads=32,kv_heads=8 --dtype bf16 --gpu l4 --context 8192",
         "whether it fits a 24 GB card, and how many requests"},
        {"fit 7e9 --train --optimizer adam --fsdp 8 --gpu a100-sxm4-80gb", "training state per rank"}}},
      describe, run);
}

}  // namespace ridge::commands
