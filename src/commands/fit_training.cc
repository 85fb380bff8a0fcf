// ridge fit --train: training state by optimizer and shards, activations by recomputation.
#include <fmt/format.h>

#include <algorithm>

#include "commands/fit.h"
#include "cost/capacity.h"
#include "cost/training_state.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Severity;

Result<double> parameters_of(const model::Model& model) {
  if (model.given_parameters) return *model.given_parameters;
  RIDGE_TRY(const model::Parameters parameters, model::parameters(model));
  return static_cast<double>(parameters.total);
}

cost::Recompute recompute_of(const std::string& word) {
  if (word == "none") return cost::Recompute::kNone;
  return word == "full" ? cost::Recompute::kFull : cost::Recompute::kSelective;
}

void add_state(Report& report, const cost::TrainingState& state, double parameters, const cost::TrainingRecipe& recipe) {
  const std::string basis = fmt::format("{} B a parameter, {}", format_number(state.bytes_per_parameter), recipe.optimizer);
  report.add("training_state", state.total, "training state, whole model").basis = basis;
  DerivationStep whole{"training_state",
                       "parameters × bytes a parameter",
                       {{"parameters", parameters, "1", "model"}},
                       {state.total.as_double(), state.total.as_double()},
                       "B",
                       ""};
  for (const cost::Component& c : state.components) whole.inputs.push_back({c.name + " per parameter", c.high.as_double() / parameters, "B", c.basis});
  report.derivation.push_back(std::move(whole));

  report.add("training_state.per_rank", state.per_rank, "training state, per rank").basis = fmt::format("{} ranks, ZeRO stage {}", recipe.fsdp, recipe.stage);
  DerivationStep rank{"training_state.per_rank",
                      "sum over parts of part / shards, for the parts that the stage shards",
                      {{"shards", static_cast<double>(recipe.fsdp), "1", "request"}, {"stage", static_cast<double>(recipe.stage), "1", "request"}},
                      {state.per_rank.as_double(), state.per_rank.as_double()},
                      "B",
                      "Rajbhandari et al., ZeRO, SC20, section 5"};
  for (const cost::Component& c : state.per_rank_components) rank.inputs.push_back({c.name, c.high.as_double(), "B", ""});
  report.derivation.push_back(std::move(rank));
}

void add_optimizers(Report& report, double parameters, const cost::TrainingRecipe& recipe) {
  report::Table table{"optimizers",
                      "Training state by optimizer",
                      {{"optimizer", ""}, {"a parameter", "B"}, {"whole model", "B"}, {"per rank", "B"}, {"what it keeps", ""}},
                      {}};
  for (const cost::Optimizer& optimizer : cost::optimizers()) {
    cost::TrainingRecipe other = recipe;
    other.optimizer = optimizer.name;
    if (const auto state = cost::training_state(parameters, other))
      table.rows.push_back(
          {std::string(optimizer.name), state->bytes_per_parameter, state->total.as_double(), state->per_rank.as_double(), std::string(optimizer.about)});
  }
  report.tables.push_back(std::move(table));
}

void add_training_findings(Report& report, const FitSubject& subject, const cost::TrainingState& state, bool activations_counted) {
  report.find(
      Severity::kInfo, "what-shrinks-what",
      "Sharding (FSDP, ZeRO), offload and 8-bit states shrink the training state; recomputation shrinks activations only.",
      fmt::format("state {} on a rank{}", format_bytes(state.per_rank), activations_counted ? "" : "; activations come on top and are not counted here"),
      subject.shards > 1 ? "More ranks, --optimizer adam-8bit, or offload of the optimizer state."
                         : "--fsdp N, --optimizer adam-8bit, or offload of the optimizer state.");
  report.find(
      Severity::kInfo, "precision-of-training",
      "Mixed precision keeps an fp32 master copy of the weights and accumulates in fp32; fp16 needs loss scaling, bf16 keeps the range and loses precision.");
}

void add_fewest(Report& report, const FitSubject& subject, double parameters, const cost::TrainingRecipe& recipe, Bytes others) {
  report::Table table{
      "layouts", "Fewest ranks whose share would fit", {{"accelerator", ""}, {"optimizer", ""}, {"ranks", "1"}, {"rank holds", "B"}, {"usable", "B"}}, {}};
  const hardware::Device& device = subject.device();
  const auto memory = rank_memory(device);
  if (!memory) return;
  std::vector<std::string> optimizers{recipe.optimizer};
  if (recipe.optimizer != "adam-8bit") optimizers.emplace_back("adam-8bit");
  for (const std::string& optimizer : optimizers) {
    cost::TrainingRecipe tried = recipe;
    tried.optimizer = optimizer;
    tried.stage = 3;
    const auto ranks = cost::fewest_shards(parameters, tried, others, memory->low);
    if (!ranks) continue;
    tried.fsdp = *ranks;
    if (const auto state = cost::training_state(parameters, tried))
      table.rows.push_back({device.id, optimizer, static_cast<double>(*ranks), (state->per_rank + others).as_double(), memory->low.as_double()});
  }
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

}  // namespace

Result<Report> fit_training(const FitRequest& request, const FitSubject& subject) {
  RIDGE_TRY(const double parameters, parameters_of(subject.model));
  const cost::TrainingRecipe recipe{request.optimizer, subject.shards, static_cast<int>(request.zero)};
  RIDGE_TRY(cost::TrainingState state, cost::training_state(parameters, recipe));
  // Tensor ranks and stages split the parameters before the shards do.
  RIDGE_TRY(const cost::TrainingState rank, cost::training_state(parameters / subject.spread.layout.ranks(), recipe));
  state.per_rank = rank.per_rank;
  state.per_rank_components = rank.per_rank_components;
  Report report;
  add_state(report, state, parameters, recipe);

  std::vector<cost::Component> components = state.per_rank_components;
  if (request.sequence) {
    const cost::TrainingShape shape{request.micro_batch, *request.sequence, recompute_of(request.recompute), subject.spread.layout.tensor};
    RIDGE_TRY(cost::Component activations, cost::training_activations(subject.model, shape));
    report.add("activations", activations.high, "activations of a micro-batch").basis = activations.basis;
    report.derivation.push_back(
        {"activations",
         activations.basis,
         {{"sequence", static_cast<double>(shape.sequence), "1", "request"}, {"micro-batch", static_cast<double>(shape.micro_batch), "1", "request"}},
         {activations.high.as_double(), activations.high.as_double()},
         "B",
         "Korthikanti et al., arXiv 2205.05198"});
    components.push_back(std::move(activations));
  }
  if (auto gathered = cost::gathered_layers(parameters, subject.model, recipe)) components.push_back(*std::move(gathered));
  if (subject.gpu) components.push_back(cost::runtime_overhead(recipe.fsdp * subject.spread.layout.ranks()));
  const Bytes low = cost::total_low(components), high = cost::total_high(components);
  report.add("total.low", low, "total of a rank, at least").basis = "sum of the components";
  report.add("total.high", high, "total of a rank, at most").basis = "sum of the components";
  add_components(report, recipe.fsdp > 1 ? "What a rank holds" : "What it holds", components);

  if (subject.gpu) {
    RIDGE_TRY(const Fitting fitting, add_fitting(report, subject, low, high));
    const std::string what = fmt::format("Training {} with {}", subject.model.name, recipe.optimizer);
    report.verdict = {fitting_verdict(subject, fitting, what, low, high), fitting.fits};
    add_host_link(report, subject, fitting);
    add_fewest(report, subject, parameters, recipe, high - state.per_rank);
  } else {
    report.verdict.text = fmt::format("Training {} with {} keeps {} of state{}.", subject.model.name, recipe.optimizer, format_bytes(state.total),
                                      recipe.fsdp > 1 ? fmt::format(", {} on each of {} ranks", format_bytes(state.per_rank), recipe.fsdp) : "");
  }
  add_optimizers(report, parameters, recipe);
  add_training_findings(report, subject, state, request.sequence.has_value());
  if (!request.sequence)
    report.find(Severity::kInfo, "not-counted", "Activations are not counted: they depend on the sequence and the micro-batch.", "",
                "Give --sequence and --micro-batch.");
  add_gib_note(report, state.total);
  add_model_notes(report, subject.model);
  return report;
}

}  // namespace ridge::commands
