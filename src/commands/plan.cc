#include <fmt/format.h>

#include <cmath>

#include "commands/fields.h"
#include "commands/fleets.h"
#include "commands/plan_report.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

constexpr std::uint64_t kMostFileBytes = 16ull << 20;

struct PlanRequest {
  std::string model;
  std::optional<PerSecond> rate;
  std::int64_t input = 1024;
  std::int64_t output = 256;
  std::optional<Seconds> ttft;
  std::optional<Seconds> tpot;
  Fraction percentile{0.99};
  std::vector<std::string> gpu;
  std::vector<std::string> provider;
  std::string inventory;
  std::vector<Precision> dtype;
  std::optional<Precision> kv_dtype;
  std::optional<std::int64_t> tp, pp, ep;
  std::int64_t max_gpus = 64;
  std::int64_t spare = 0;
  std::int64_t top = 10;
  std::string engine = "vllm";
  std::int64_t max_sequences = 256;
  std::int64_t max_batched_tokens = 2048;
  Fraction max_utilisation{0.85};
  std::string prices;
  std::string commitment;
  std::string region;
  std::optional<Seconds> max_price_age;
  std::string as_of;
  bool ideal = false;
};

void describe(Fields<PlanRequest>& f) {
  f.positional("model", &PlanRequest::model, "MODEL", "the model: a name, a config.json or its folder, a .gguf, a count, or params=…,layers=…")
      .required()
      .type("model");
  f.option("rate", &PlanRequest::rate, "RATE", "requests that arrive: 5/s, 300/min").required();
  f.option("input", &PlanRequest::input, "TOKENS", "tokens of a prompt");
  f.option("output", &PlanRequest::output, "TOKENS", "tokens of an answer");
  f.option("ttft", &PlanRequest::ttft, "TIME", "promise: time to first token, for --percentile of the requests");
  f.option("tpot", &PlanRequest::tpot, "TIME", "promise: mean time per output token after the first");
  f.option("percentile", &PlanRequest::percentile, "SHARE", "share of the requests that the first-token promise covers");
  f.option("gpu", &PlanRequest::gpu, "GPU[:COUNT]", "only these accelerators; COUNT is the most to use").type("gpu");
  f.option("provider", &PlanRequest::provider, "NAME", "only what these providers sell");
  f.option("inventory", &PlanRequest::inventory, "FILE", "only GPUs that you have: CSV or YAML with accelerator and count").type("file");
  f.option("dtype", &PlanRequest::dtype, "FORMATS", "weights in these formats only; otherwise as stored and every other that the engine runs");
  f.option("kv-dtype", &PlanRequest::kv_dtype, "FORMAT", "format of the KV cache; otherwise the checkpoint's, or bf16");
  f.option("tp", &PlanRequest::tp, "N", "tensor parallelism, fixed");
  f.option("pp", &PlanRequest::pp, "N", "pipeline stages, fixed");
  f.option("ep", &PlanRequest::ep, "N", "expert parallelism within the tensor ranks, fixed");
  f.option("max-gpus", &PlanRequest::max_gpus, "N", "most GPUs of a deployment, spares included");
  f.option("spare", &PlanRequest::spare, "N", "replicas beyond those that the load needs");
  f.option("top", &PlanRequest::top, "K", "rows of the ranking");
  f.option("engine", &PlanRequest::engine, "NAME",
           "serving engine, for what it runs where: vllm, sglang, tensorrt-llm, with ==VERSION; any: what the hardware itself runs");
  f.option("max-sequences", &PlanRequest::max_sequences, "N", "most sequences that a replica runs at once");
  f.option("max-batched-tokens", &PlanRequest::max_batched_tokens, "N", "prompt tokens that a step takes");
  f.option("max-utilisation", &PlanRequest::max_utilisation, "SHARE", "of a replica's saturation rate that the load may use");
  f.option("prices", &PlanRequest::prices, "FILE", "your own prices, in place of the catalogue's").type("file");
  f.option("commitment", &PlanRequest::commitment, "KIND", "only offers of this kind").choices({"on-demand", "spot", "reserved"});
  f.option("region", &PlanRequest::region, "NAME", "only offers of this region");
  f.option("max-price-age", &PlanRequest::max_price_age, "TIME", "flag prices that are older: 180d");
  f.option("as-of", &PlanRequest::as_of, "DATE", "the day from which ages of prices count; otherwise today");
  f.flag("ideal", &PlanRequest::ideal, "bounds instead of predictions: every efficiency 1, no launch or host time");
}

Result<void> within(std::string_view name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return fail(fmt::format("--{}", name), fmt::format("{} is outside {} to {}", value, low, high));
}

// Bounds that keep every product of this command far from overflow and every search short.
Result<void> check(const PlanRequest& r) {
  if (!(r.rate->value > 0)) return fail("--rate", "no request arrives", "Write a rate above 0, as in 5/s.");
  if (r.rate->value > 1e9) return fail("--rate", fmt::format("{} requests/s are more than this plan can mean", format_number(r.rate->value)));
  if (!(r.percentile.value > 0 && r.percentile.value < 1)) return fail("--percentile", "a share strictly between 0 and 1 is expected", "Write 99% or 0.99.");
  if (!(r.max_utilisation.value > 0)) return fail("--max-utilisation", "a share above 0 is expected", "Write 85% or 0.85.");
  RIDGE_TRY_VOID(within("input", r.input, 1, 100'000'000));
  RIDGE_TRY_VOID(within("output", r.output, 1, 100'000'000));
  RIDGE_TRY_VOID(within("max-gpus", r.max_gpus, 1, 100'000));
  RIDGE_TRY_VOID(within("spare", r.spare, 0, 10'000));
  RIDGE_TRY_VOID(within("top", r.top, 1, 10'000));
  RIDGE_TRY_VOID(within("max-sequences", r.max_sequences, 1, 65'536));
  RIDGE_TRY_VOID(within("max-batched-tokens", r.max_batched_tokens, 1, 10'000'000));
  for (const auto& [name, value] : {std::pair{"tp", r.tp}, std::pair{"pp", r.pp}, std::pair{"ep", r.ep}}) {
    if (!value) continue;
    RIDGE_TRY_VOID(within(name, *value, 1, 1024));
    if ((*value & (*value - 1)) != 0) return fail(fmt::format("--{}", name), fmt::format("{} is no power of two", *value), "Use 1, 2, 4, 8, …");
  }
  if (!r.inventory.empty() && (!r.gpu.empty() || !r.provider.empty()))
    return fail("--inventory", "an inventory says which GPUs there are: --gpu and --provider do not go with it", "Leave them out.");
  return {};
}

plan::Demand demand_of(const PlanRequest& r) {
  plan::Demand demand;
  demand.rate = *r.rate;
  demand.input = r.input;
  demand.output = r.output;
  demand.first_token = r.ttft;
  demand.per_token = r.tpot;
  demand.quantile = r.percentile.value;
  return demand;
}

plan::Options options_of(const PlanRequest& r, const model::Model& model) {
  plan::Options options;
  options.max_gpus = r.max_gpus;
  options.spare = r.spare;
  options.max_sequences = r.max_sequences;
  options.token_budget = r.max_batched_tokens;
  options.max_utilisation = r.max_utilisation.value;
  options.kv_cache = r.kv_dtype ? r.kv_dtype : model.kv_cache;
  options.tensor = r.tp;
  options.pipeline = r.pp;
  options.expert = r.ep;
  options.ideal = r.ideal;
  return options;
}

Result<FleetRequest> fleet_request(const PlanRequest& r, const Environment& environment) {
  FleetRequest request;
  request.gpus = r.gpu;
  request.providers = r.provider;
  request.precisions = r.dtype;
  if (r.engine != "any") request.engine = r.engine;
  request.region = r.region;
  for (const auto& kind : hardware::kCommitments)
    if (kind.name == r.commitment) request.commitment = kind.value;
  if (auto date = parse_date(r.as_of.empty() ? environment.today : r.as_of))
    request.as_of = *date;
  else
    return tl::unexpected<Error>(with_context(date.error(), "--as-of"));
  if (r.max_price_age) request.max_price_age_days = static_cast<std::int64_t>(r.max_price_age->value / 86400);
  if (!r.inventory.empty()) {
    RIDGE_TRY(const std::string text, environment.files.read_all(r.inventory, kMostFileBytes));
    RIDGE_TRY(request.inventory, plan::read_inventory(text, r.inventory));
  }
  if (!r.prices.empty()) {
    RIDGE_TRY(const std::string text, environment.files.read_all(r.prices, kMostFileBytes));
    RIDGE_TRY(request.prices, hardware::read_prices(text, r.prices, environment.catalog));
  }
  return request;
}

Result<report::Report> run(const PlanRequest& r, const Environment& environment) {
  RIDGE_TRY_VOID(check(r));
  RIDGE_TRY(const model::Model model, model::load(r.model, environment.files));
  if (model.max_context && r.input + r.output > *model.max_context)
    return fail("--input, --output",
                fmt::format("requests of {} tokens are longer than the context of {}, {} tokens", r.input + r.output, model.name, *model.max_context),
                "Shorten the requests or choose another model.");
  const plan::Demand demand = demand_of(r);
  plan::Options options = options_of(r, model);
  std::optional<cost::EfficiencyTables> calibrated;
  if (!environment.calibration.empty()) {
    RIDGE_TRY(const std::string text, environment.files.read_all(environment.calibration, kMostFileBytes));
    RIDGE_TRY(calibrated, cost::EfficiencyTables::with_calibration(text, environment.calibration));
    options.tables = &*calibrated;
  }
  RIDGE_TRY(const FleetRequest request, fleet_request(r, environment));
  RIDGE_TRY(const Fleets fleets, make_fleets(environment.catalog, model, request));
  RIDGE_TRY(const plan::Plan plan, plan::search(model, fleets.fleets, demand, options));
  const PlanContext context{model, fleets.fleets, demand, options, r.top, fleets.unsupported, fleets.stale_prices};
  return plan_report(plan, context, software_needs(environment.catalog, plan, fleets.fleets, r.engine));
}

}  // namespace

Command plan_command() {
  return make_command<PlanRequest>(
      {.name = "plan",
       .group = kGroupDeploy,
       .summary = "Which GPUs carry a load: how fast, bound by what, the cost",
       .description =
           "Searches every accelerator, count, tensor, pipeline and expert layout, number of replicas and precision that the engine runs; ranks what "
           "carries the load by cost and says why the rest fell out. Times are means of the step model under Poisson arrivals of equal requests, "
           "memory is reserved for whole requests, and weights in another format than the checkpoint's are listed but not chosen.",
       .examples = {{"plan llama-3.1-8b --rate 5/s --input 1024 --output 256", "the cheapest deployment, and the ranking"},
                    {"plan llama-3.1-70b --rate 2/s --input 2000 --output 300 --ttft 1s --tpot 50ms --provider aws --spare 1",
                     "under a promise, on one provider, with a spare replica"}}},
      describe, run);
}

}  // namespace ridge::commands
