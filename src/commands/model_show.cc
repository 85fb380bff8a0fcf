// ridge model show: what a network is made of, and what a token of it costs.
#include <fmt/format.h>

#include <algorithm>

#include "commands/fields.h"
#include "commands/registry.h"
#include "model/kv_cache.h"
#include "model/model.h"
#include "model/token_cost.h"

namespace ridge::commands {
namespace {

struct ModelShowRequest {
  std::string model;
  std::optional<std::int64_t> context;
  std::int64_t batch = 1;
  std::optional<Precision> dtype;
  std::optional<Precision> kv_dtype;
};

void describe(Fields<ModelShowRequest>& f) {
  f.positional("model", &ModelShowRequest::model, "MODEL", "a name, a config.json or its folder, a .gguf file, a count (7b), or layers=…,hidden=…,heads=…")
      .required()
      .type("model");
  f.option("context", &ModelShowRequest::context, "TOKENS", "tokens in the cache for the costs of a token; by default 4096, or what the model can hold");
  f.option("batch", &ModelShowRequest::batch, "N", "sequences of a decode step, which share the reading of weights");
  f.option("dtype", &ModelShowRequest::dtype, "FORMAT", "format of the weights; by default as the checkpoint stores them");
  f.option("kv-dtype", &ModelShowRequest::kv_dtype, "FORMAT", "format of the cache; by default as the checkpoint says, else that of the model");
}

using model::Model;
using model::Parameters;
using report::Cell;
using report::Report;
using report::Severity;

constexpr std::int64_t kUsualContext = 4096;

// "8.03 B", "671 B": parameters as people say them.
std::string spoken(double count) {
  struct Scale {
    double unit;
    const char* suffix;
  };
  for (const Scale scale : {Scale{1e12, "T"}, Scale{1e9, "B"}, Scale{1e6, "M"}})
    if (count >= scale.unit) return fmt::format("{} {}", format_number(count / scale.unit, 3), scale.suffix);
  return format_number(count);
}

struct Conditions {
  std::int64_t context = kUsualContext;
  Precision cache = Precision::kBf16;
  std::optional<Precision> weights;
  std::int64_t batch = 1;
};

Result<Conditions> conditions_of(const ModelShowRequest& request, const Model& model, Report& report) {
  Conditions c;
  const std::int64_t most = model.max_context.value_or(kUsualContext);
  c.context = request.context.value_or(std::min(kUsualContext, most));
  if (c.context < 0) return fail("--context", "a negative number of tokens");
  if (request.batch < 1) return fail("--batch", fmt::format("{} sequences in a step", request.batch), "At least 1.");
  if (model.max_context && c.context > *model.max_context)
    report.find(Severity::kWarning, "context-beyond-model",
                fmt::format("{} tokens are more than the {} that the model was made for.", format_integer(c.context), format_integer(*model.max_context)),
                "max_position_embeddings of the config", "Costs are counted as if it took them.");
  c.cache = request.kv_dtype.value_or(model.kv_cache.value_or(element_bits(model.native) < 16 ? Precision::kBf16 : model.native));
  c.weights = request.dtype;
  c.batch = request.batch;
  return c;
}

// ---- parameters

struct PartRow {
  const char* name;
  const char* label;
  model::Part part;
  std::int64_t Parameters::* member;
};
constexpr PartRow kParts[] = {
    {"embedding", "embedding", model::Part::kEmbedding, &Parameters::embedding},
    {"attention", "attention", model::Part::kAttention, &Parameters::attention},
    {"linear_attention", "linear attention", model::Part::kLinearAttention, &Parameters::linear_attention},
    {"dense_mlp", "dense MLP", model::Part::kDenseMlp, &Parameters::dense_mlp},
    {"routed_experts", "routed experts", model::Part::kRoutedExperts, &Parameters::routed_experts},
    {"shared_experts", "shared experts", model::Part::kSharedExperts, &Parameters::shared_experts},
    {"router", "router", model::Part::kRouter, &Parameters::router},
    {"norms", "norms", model::Part::kNorms, &Parameters::norms},
    {"head", "head", model::Part::kHead, &Parameters::head},
    {"encoder", "encoder", model::Part::kEncoder, &Parameters::encoder},
    {"vision", "vision tower", model::Part::kVision, &Parameters::vision},
    {"other", "other", model::Part::kOther, &Parameters::other},
    {"mtp", "MTP modules", model::Part::kMtp, &Parameters::mtp},
};

Bytes stored_of(const Model& model, model::Part part) {
  Bytes bytes;
  const auto add = [&](const model::Stack& stack) {
    for (std::size_t i = 0; i < stack.blocks.size(); ++i)
      for (const model::Tensor& tensor : stack.blocks[i].tensors)
        if (tensor.part == part) bytes += tensor.stored() * stack.count_of(i);
    for (const model::Tensor& tensor : stack.tensors)
      if (tensor.part == part) bytes += tensor.stored();
  };
  add(model.text);
  for (const std::optional<model::Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) add(**stack);
  return bytes;
}

report::Table parameters_table(const Model& model, const Parameters& p) {
  report::Table table{
      "parameters", "Parameters by part", {{"part", ""}, {"parameters", "1"}, {"share", "1", report::Notation::kPercent}, {"stored", "B"}, {"bits", "1"}}, {}};
  for (const PartRow& row : kParts) {
    const std::int64_t count = p.*row.member;
    if (count == 0) continue;
    const bool apart = row.part == model::Part::kMtp;
    const bool known = model.shapes_known() && model.storage_known;
    const double bytes = stored_of(model, row.part).as_double();
    table.rows.push_back({std::string(row.label), static_cast<double>(count), apart ? Cell{} : Cell{static_cast<double>(count) / static_cast<double>(p.total)},
                          known ? Cell{bytes} : Cell{}, known ? Cell{8 * bytes / static_cast<double>(count)} : Cell{}});
  }
  table.note = "bits: of one parameter on disk, scales and zero points included";
  if (p.mtp > 0) table.note += "; multi-token-prediction modules stand apart from the total: they are loaded to speculate";
  return table;
}

void add_parameters(Report& report, const Model& model, const Parameters& p) {
  report.add("parameters.total", static_cast<double>(p.total), "1", "parameters").basis = model.shapes_known() ? "sum of tensor shapes" : "as given";
  std::vector<DerivationStep::Input> inputs;
  for (const PartRow& row : kParts) {
    if (p.*row.member == 0) continue;
    report.add(fmt::format("parameters.{}", row.name), static_cast<double>(p.*row.member), "1");
    if (row.part != model::Part::kMtp) inputs.push_back({row.label, static_cast<double>(p.*row.member), "1", ""});
  }
  const std::string from = fmt::format("{}", fmt::join(model.sources, "; "));
  const auto total = static_cast<double>(p.total);
  report.derivation.push_back({"parameters.total",
                               model.shapes_known() ? "sum over all tensors of rows x columns x copies, here by part" : "as given",
                               std::move(inputs),
                               {total, total},
                               "1",
                               from.empty() ? "the description itself" : from});
  if (!model.is_mixture_of_experts && !model.given_active) return;
  const auto active = static_cast<double>(p.active);
  report.add("parameters.active", active, "1", "active per token").basis = "experts that a token picks, and all else but the input embedding";
  report.derivation.push_back({"parameters.active",
                               "total - experts that a token does not pick - tables that are only looked up",
                               {{"total", total, "1", ""},
                                {"routed experts", static_cast<double>(p.routed_experts), "1", ""},
                                {"embedding", static_cast<double>(p.embedding), "1", ""}},
                               {active, active},
                               "1",
                               "as the model cards of gpt-oss, DeepSeek-V3 and Kimi K2 count"});
}

// ---- layers

std::string mlp_text(const model::Mlp& mlp) {
  const char* shape = mlp.gated ? "gated" : "plain";
  switch (mlp.kind) {
    case model::Mlp::Kind::kNone:
      return "none";
    case model::Mlp::Kind::kUnknown:
      return "not given";
    case model::Mlp::Kind::kLinear:
      return "one matrix";
    case model::Mlp::Kind::kDense:
      return fmt::format("{} {}", shape, format_integer(mlp.intermediate));
    case model::Mlp::Kind::kMoe:
      break;
  }
  std::string text = fmt::format("{} of {} experts, {} {}", mlp.top_k, format_integer(mlp.experts), shape, format_integer(mlp.intermediate));
  if (mlp.latent > 0) text += fmt::format(" in a latent of {}", format_integer(mlp.latent));
  if (mlp.shared_intermediate > 0) text += fmt::format(", shared {}", format_integer(mlp.shared_intermediate));
  return text;
}

struct LayerKind {
  std::string mixer, heads, mlp;
  Cell window;
  std::int64_t layers = 0;
  double parameters = 0;  // of one layer
};

LayerKind kind_of(const model::Block& block) {
  LayerKind kind;
  kind.mixer = block.mixer_name();
  kind.mlp = mlp_text(block.mlp);
  const std::optional<model::Attention>& a = block.attention ? block.attention : block.cross;
  if (a && a->kind == model::AttentionKind::kLatent)
    kind.heads = fmt::format("{} x {}, latent {} + {}", a->heads, a->head_dim, a->kv_lora_rank, a->rope_dim);
  else if (a)
    kind.heads = fmt::format("{} x {}, KV {}", a->heads, a->head_dim, a->kv_heads);
  else if (block.linear && block.linear->heads > 0)
    kind.heads = fmt::format("{} x {}, state {}", format_integer(block.linear->heads), block.linear->value_dim, block.linear->key_dim);
  if (a && a->compress_ratio > 0) kind.heads += fmt::format(", 1 entry per {} tokens", a->compress_ratio);
  if (a && a->window > 0) kind.window = static_cast<double>(a->window);
  for (const model::Tensor& tensor : block.tensors) kind.parameters += static_cast<double>(tensor.elements());
  return kind;
}

std::vector<LayerKind> layer_kinds(const Model& model) {
  std::vector<LayerKind> kinds;
  for (std::size_t i = 0; i < model.text.blocks.size(); ++i) {
    LayerKind kind = kind_of(model.text.blocks[i]);
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& k) {
      return k.mixer == kind.mixer && k.heads == kind.heads && k.mlp == kind.mlp && k.window == kind.window && k.parameters == kind.parameters;
    });
    LayerKind& place = same != kinds.end() ? *same : kinds.emplace_back(std::move(kind));
    place.layers += model.text.count_of(i);
  }
  return kinds;
}

report::Table layers_table(const Model& model) {
  report::Table table{"layers", "Layers", {{"layers", "1"}, {"attention", ""}, {"heads", ""}, {"window", "token"}, {"MLP", ""}, {"parameters each", "1"}}, {}};
  for (const LayerKind& kind : layer_kinds(model)) {
    if (kind.layers == 0) continue;
    table.rows.push_back({static_cast<double>(kind.layers), kind.mixer, kind.heads.empty() ? Cell{} : Cell{kind.heads}, kind.window, kind.mlp,
                          kind.parameters > 0 ? Cell{kind.parameters} : Cell{}});
  }
  return table;
}

// ---- cache

// Bytes by which the cache of one layer grows with every further token, once windows are full.
double growth_of(const model::LayerCache& layer) {
  if (layer.compress_ratio > 0) return (layer.per_token + layer.index_per_token).as_double() / static_cast<double>(layer.compress_ratio);
  return layer.window > 0 ? 0 : (layer.per_token + layer.index_per_token).as_double();
}

std::string key_of(std::string_view mixer) {
  std::string key;
  for (char c : mixer)
    if (c != ',') key += c == ' ' ? '_' : c;
  return key;
}

void add_cache(Report& report, const Model& model, const Conditions& c) {
  const auto kinds = model::cache_by_kind(model, c.cache, c.context, model::Layout{});
  const auto whole = model::kv_bytes(model, c.cache, c.context, model::Layout{});
  if (!kinds || !whole) return;
  report::Table table{
      "kv_cache",
      fmt::format("Cache of one sequence, {}", name_of(c.cache)),
      {{"attention", ""}, {"layers", "1"}, {"per token", "B"}, {"window", "token"}, {"fixed", "B"}, {"growth", "B"}, {fmt::format("at {}", c.context), "B"}},
      {}};
  double growth = 0;
  std::vector<DerivationStep::Input> grown, held;
  for (const model::CacheKind& kind : *kinds) {
    const auto layers = static_cast<double>(kind.layers);
    const double per_token = (kind.layer.per_token + kind.layer.index_per_token).as_double() * layers;
    const double state = kind.layer.state.as_double() * layers;
    const double more = growth_of(kind.layer) * layers;
    if (per_token == 0 && state == 0) continue;
    growth += more;
    table.rows.push_back({std::string(kind.mixer), layers, per_token > 0 ? Cell{per_token} : Cell{},
                          kind.layer.window > 0 ? Cell{static_cast<double>(kind.layer.window)} : Cell{}, state > 0 ? Cell{state} : Cell{}, more,
                          kind.bytes.as_double()});
    const std::string key = "kv_cache." + key_of(kind.mixer);
    // Kinds of one name may differ in width; the table tells them apart, the figures are of the first.
    if (per_token > 0 && report.figure(key + ".per_token") == nullptr) report.add(key + ".per_token", per_token, "B");
    if (state > 0 && report.figure(key + ".state") == nullptr) report.add(key + ".state", state, "B");
    grown.push_back({fmt::format("{} ({} layers)", kind.mixer, kind.layers), more, "B", ""});
    held.push_back({fmt::format("{} ({} layers)", kind.mixer, kind.layers), kind.bytes.as_double(), "B", ""});
  }
  if (table.rows.empty()) return;
  table.note = "per token: of all these layers while the window is not full; growth: with every further token beyond all windows";
  report.tables.push_back(std::move(table));
  report.add("kv_cache.per_token", growth, "B", "cache growth per token").basis = fmt::format("{}, one sequence, long contexts", name_of(c.cache));
  report.derivation.push_back({"kv_cache.per_token",
                               "sum over layers of what one more token adds: 2 x KV heads x head size x bytes where all is kept, the latent for MLA, nothing "
                               "behind a window or in a state",
                               std::move(grown),
                               {growth, growth},
                               "B",
                               "DeepSeek-V2, arXiv 2405.04434, section 2.1, for the latent"});
  report.add("kv_cache.at_context", *whole, fmt::format("cache at {} tokens", format_integer(c.context))).basis =
      fmt::format("{}, one sequence", name_of(c.cache));
  report.derivation.push_back({"kv_cache.at_context",
                               "sum over layers, windows cut off",
                               std::move(held),
                               {whole->as_double(), whole->as_double()},
                               "B",
                               "the layers and the format of the cache"});
}

// ---- a token

void add_token(Report& report, const Model& model, const Conditions& c) {
  report::Table table{"tokens",
                      fmt::format("One token, {} in the cache", format_integer(c.context)),
                      {{"phase", ""}, {"arithmetic", "FLOP"}, {"weights", "B"}, {"cache", "B"}, {"activations", "B"}, {"intensity", "FLOP/B"}},
                      {}};
  for (const model::Phase phase : {model::Phase::kPrefill, model::Phase::kDecode}) {
    const bool decode = phase == model::Phase::kDecode;
    model::Step step;
    step.phase = phase;
    step.batch = decode ? c.batch : 1;
    step.new_tokens = decode ? 1 : std::max<std::int64_t>(c.context, 1);
    step.context = decode ? c.context : 0;
    step.weights = c.weights;
    step.activations = element_bits(model.native) < 16 ? Precision::kBf16 : model.native;
    step.kv_cache = c.cache;
    const auto cost = model::token_cost(model, step);
    if (!cost)
      return report.find(Severity::kInfo, "costs-unknown", "What a token costs cannot be said: " + cost.error().what + ".", "", cost.error().advice), void();
    const std::string name = decode ? "decode" : "prefill";
    const std::string basis =
        decode ? fmt::format("step of {} sequence{}", c.batch, c.batch == 1 ? "" : "s") : fmt::format("prompt of {} tokens", format_integer(step.new_tokens));
    table.rows.push_back({name, cost->flops.value, cost->weight_bytes, cost->cache_bytes, cost->activation_bytes, cost->flops.value / cost->bytes()});
    report.add(name + ".flops_per_token", cost->flops.value, "FLOP", name + ", arithmetic per token").basis = basis;
    report.add(name + ".bytes_per_token", cost->bytes(), "B", name + ", memory traffic per token").basis = basis;
    const auto step_of = [&](const char* figure, double value, const char* unit, std::vector<DerivationStep::Input> inputs, const char* formula) {
      report.derivation.push_back({name + figure, formula, std::move(inputs), {value, value}, unit, "the operations of one rank, 2 FLOP per multiply-add"});
    };
    step_of(".flops_per_token", cost->flops.value, "FLOP", {{"tokens of the step", static_cast<double>(step.batch * step.new_tokens), "1", ""}},
            "sum over the operations of a step of FLOP / tokens of the step");
    step_of(".bytes_per_token", cost->bytes(), "B",
            {{"weights", cost->weight_bytes, "B", ""}, {"cache", cost->cache_bytes, "B", ""}, {"activations", cost->activation_bytes, "B", ""}},
            "(weights read + cache read + activations read and written in a step) / tokens of the step");
  }
  table.note = fmt::format("prefill: a prompt of {} tokens, its weights read once; decode: a step of {} sequence{}", format_integer(c.context), c.batch,
                           c.batch == 1 ? "" : "s");
  report.tables.push_back(std::move(table));
}

// ---- the whole

void add_storage(Report& report, const Model& model, const Parameters& p, const Conditions& c) {
  const Result<Bytes> stored = model::checkpoint_bytes(model);
  if (stored) {
    report.add("checkpoint.bytes", *stored, "checkpoint, as stored").basis =
        model.quantisation_name.empty() ? std::string(name_of(model.native)) : model.quantisation_name;
    std::vector<DerivationStep::Input> inputs;
    for (const PartRow& row : kParts)
      if (const double bytes = stored_of(model, row.part).as_double(); bytes > 0) inputs.push_back({row.label, bytes, "B", ""});
    report.derivation.push_back({"checkpoint.bytes",
                                 "sum over all tensors of elements x bits / 8, scales, zero points and what stands beside them",
                                 std::move(inputs),
                                 {stored->as_double(), stored->as_double()},
                                 "B",
                                 "the formats that the config describes"});
  }
  const Result<Bytes> loaded = model::weight_bytes(model, c.weights, model::Layout{});
  if (loaded) {
    const std::string format = c.weights ? std::string(name_of(*c.weights)) : (stored ? "as stored" : std::string(name_of(model.native)));
    report.add("weights.bytes", *loaded, fmt::format("weights on one rank, {}", format)).basis = model.mtp ? "without MTP modules" : "";
    std::vector<DerivationStep::Input> inputs{{"parameters", static_cast<double>(p.total), "1", ""}};
    if (!c.weights && stored)
      inputs = {{"checkpoint", stored->as_double(), "B", ""}, {"MTP modules", stored_of(model, model::Part::kMtp).as_double(), "B", ""}};
    const char* formula =
        c.weights ? "matrices in the format asked for, with its scales; norms, router, embedding and head as stored" : "checkpoint - MTP modules";
    if (model.given_parameters) formula = "parameters x bits / 8";
    report.derivation.push_back(
        {"weights.bytes", formula, std::move(inputs), {loaded->as_double(), loaded->as_double()}, "B", "shapes and formats of the tensors"});
  } else if (stored) {
    report.find(Severity::kInfo, "weights-unknown", loaded.error().what + ".", "", loaded.error().advice);
  }
}

std::string verdict_text(const Model& model, const Parameters& p) {
  std::string text = fmt::format("{} has {} parameters", model.name, spoken(static_cast<double>(p.total)));
  if (model.is_mixture_of_experts || model.given_active) text += fmt::format(", {} of them active per token,", spoken(static_cast<double>(p.active)));
  if (model.layers) text += fmt::format(" in {} layers", *model.layers);
  if (text.ends_with(',')) text.pop_back();
  if (const Result<Bytes> stored = model::checkpoint_bytes(model))
    text += fmt::format("; its checkpoint takes {} ({})", format_bytes(*stored), format_bytes_decimal(*stored));
  return text + ".";
}

void add_categories(Report& report, const Model& model) {
  const auto add = [&report](const char* name, const std::string& value, const char* label) {
    if (!value.empty()) report.add_category(name, value, label);
  };
  add("model", model.name, "");
  add("origin", model.origin, "");
  add("family", model.family, "family");
  add("dtype", std::string(name_of(model.native)), "stored in");
  add("quantisation", model.quantisation_name, "quantisation");
  if (model.max_context) report.add("max_context", static_cast<double>(*model.max_context), "token", "longest context");
  if (model.layers) report.add("layers", static_cast<double>(*model.layers), "1");
  if (model.vocabulary) report.add("vocabulary", static_cast<double>(*model.vocabulary), "1");
}

Result<Report> run(const ModelShowRequest& request, const Environment& environment) {
  RIDGE_TRY(const Model model, model::load(request.model, environment.files));
  Report report;
  RIDGE_TRY(const Conditions conditions, conditions_of(request, model, report));
  const Result<Parameters> p = model::parameters(model);
  add_categories(report, model);
  if (p) {
    report.verdict.text = verdict_text(model, *p);
    add_parameters(report, model, *p);
    add_storage(report, model, *p, conditions);
  } else {
    report.verdict.text = fmt::format("{} describes {} but not the number of parameters.", model.name, model.layers ? "the layers" : "a part of the model");
    report.find(Severity::kInfo, "description-incomplete", p.error().what + ".", "", p.error().advice);
  }
  if (!model.text.sequence.empty()) report.tables.push_back(layers_table(model));
  if (p) report.tables.push_back(parameters_table(model, *p));
  if (!model.text.sequence.empty()) {
    add_cache(report, model, conditions);
    add_token(report, model, conditions);
  } else {
    report.find(Severity::kInfo, "layers-unknown", "A count says nothing of layers: cache and costs of a token are left out.", "",
                "Describe the model: params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
  }
  for (const std::string& note : model.notes) report.find(Severity::kInfo, "model-note", note + ".", fmt::format("{}", fmt::join(model.sources, "; ")));
  return report;
}

}  // namespace

Command model_show_command() {
  return make_command<ModelShowRequest>(
      {"model show",
       kGroupFits,
       "What a model is made of, and what one token of it costs",
       "Reads a model and counts it: layers and kinds of attention, parameters by part as exact sums of tensor shapes, bytes as the checkpoint stores them, "
       "the cache that a token leaves, and the arithmetic and memory traffic of a token in prefill and decode, on one rank and without any machine's "
       "efficiency. Multi-token-prediction modules are kept apart. What the description lacks is left out and named.",
       {{"model show llama-3.1-8b", "parameters, cache and costs of a dense model"},
        {"model show deepseek-v3 --context 32768 --batch 64", "a mixture of experts with a latent cache, in a batch"}}},
      describe, run);
}

}  // namespace ridge::commands
