#include "cost/training_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "quantity/text.h"

namespace ridge::cost {
namespace {

constexpr std::string_view kZero = "Rajbhandari et al., ZeRO, SC20, section 3.1";
// One fp32 maximum per block of 256 values, bitsandbytes' block size since 0.44 (Dettmers et al., 8-bit Optimizers via
// Block-wise Quantization, ICLR 2022, section 2.1, used 2,048).
constexpr double kEightBit = 1 + 4.0 / 256;

constexpr Optimizer kOptimizers[] = {
    {"adam", "mixed precision: 16-bit weights and gradients, fp32 master weights and moments; AdamW takes the same", 2, 2, 4, 4, 4, 4, kZero},
    {"adam-fp32", "everything in fp32, no master copy", 4, 4, 0, 4, 4, 4, "Kingma and Ba, Adam, ICLR 2015: two moments"},
    {"adam-bf16", "everything in bf16, no master copy", 2, 2, 0, 2, 2, 2, "Kingma and Ba, Adam, ICLR 2015: two moments"},
    {"adam-8bit", "fp32 master weights, moments in 8 bits with block scales", 2, 2, 4, kEightBit, kEightBit, kEightBit,
     "Dettmers et al., 8-bit Optimizers via Block-wise Quantization, ICLR 2022"},
    {"sgd", "fp32 master weights, no moment", 2, 2, 4, 0, 0, 0, kZero},
    {"sgd-momentum", "fp32 master weights and momentum", 2, 2, 4, 4, 0, 0, kZero},
    {"lion", "fp32 master weights and one moment", 2, 2, 4, 4, 0, 0, "Chen et al., Symbolic Discovery of Optimization Algorithms, 2023"},
    {"lion-8bit", "fp32 master weights, one moment in 8 bits", 2, 2, 4, kEightBit, 0, 0, "Chen et al., 2023, with the block scales of Dettmers et al., 2022"},
    {"muon", "fp32 master weights and one momentum, matrices throughout", 2, 2, 4, 4, 0, 0, "Jordan et al., Muon, 2024: one momentum for hidden matrices"},
    // A row and a column sum per matrix: at most 2/1024 values a parameter from 1,024 × 1,024 up, in fp32.
    {"adafactor", "fp32 master weights, second moment as row and column sums", 2, 2, 4, 0, 0, 4 * 2.0 / 1024,
     "Shazeer and Stern, Adafactor, ICML 2018, section 3"},
};

Bytes shard(Bytes bytes, int ways) { return {bytes.count / ways + (bytes.count % ways != 0 ? 1 : 0)}; }

}  // namespace

Bytes total_low(std::span<const Component> components) {
  Bytes sum;
  for (const Component& c : components) sum += c.low;
  return sum;
}

Bytes total_high(std::span<const Component> components) {
  Bytes sum;
  for (const Component& c : components) sum += c.high;
  return sum;
}

std::span<const Optimizer> optimizers() { return kOptimizers; }

Result<Optimizer> find_optimizer(std::string_view name) {
  if (name == "adamw") name = "adam";
  if (name == "adamw-8bit") name = "adam-8bit";
  std::vector<std::string> known;
  for (const Optimizer& o : kOptimizers) {
    if (o.name == name) return o;
    known.emplace_back(o.name);
  }
  return fail("", fmt::format("no optimizer is called \"{}\"", name),
              fmt::format("did you mean {}? Known: {}", nearest_names(name, known), fmt::join(known, ", ")));
}

Result<TrainingState> training_state(double parameters, const TrainingRecipe& recipe) {
  if (!(parameters > 0) || !std::isfinite(parameters)) return fail("", "the number of parameters must be above zero");
  if (recipe.fsdp < 1) return fail("--fsdp", fmt::format("at least 1 is expected, found {}", recipe.fsdp));
  if (recipe.stage < 1 || recipe.stage > 3) return fail("--zero", fmt::format("1, 2 or 3 is expected, found {}", recipe.stage));
  RIDGE_TRY(const Optimizer optimizer, find_optimizer(recipe.optimizer));

  TrainingState state;
  const auto add = [&](const char* name, double low, double high, int sharded_from) {
    if (high == 0) return;
    const std::string each = low == high ? format_number(low) : fmt::format("{} to {}", format_number(low), format_number(high));
    Component whole{name, Bytes::from_double(parameters * low), Bytes::from_double(parameters * high),
                    fmt::format("{} B a parameter; {}", each, optimizer.source)};
    Component rank = whole;
    if (recipe.stage >= sharded_from) {
      rank.low = shard(whole.low, recipe.fsdp);
      rank.high = shard(whole.high, recipe.fsdp);
    }
    state.components.push_back(std::move(whole));
    state.per_rank_components.push_back(std::move(rank));
    state.bytes_per_parameter += high;
  };
  add("weights", optimizer.weights, optimizer.weights, 3);
  add("gradients", optimizer.gradients, optimizer.gradients, 2);
  add("master_weights", optimizer.master, optimizer.master, 1);
  add("first_moment", optimizer.first_moment, optimizer.first_moment, 1);
  add("second_moment", optimizer.second_moment, optimizer.second_moment_high, 1);
  state.total = total_high(state.components);
  state.per_rank = total_high(state.per_rank_components);
  return state;
}

Result<Component> training_activations(const model::Model& model, const TrainingShape& shape) {
  if (shape.sequence < 1 || shape.micro_batch < 1) return fail("--sequence", "activations need at least one sequence of one token");
  if (shape.tensor < 1) return fail("--tp", fmt::format("at least 1 is expected, found {}", shape.tensor));
  if (!model.layers) return fail(model.name, "activations need the number of layers", "name a model, or add layers= to the description");
  if (!model.hidden) return fail(model.name, "activations need the hidden size", "name a model, or add hidden= to the description");
  if (shape.recompute == Recompute::kNone && !model.heads)
    return fail(model.name, "the score matrix needs the number of heads", "add heads= to the description");

  const double s = static_cast<double>(shape.sequence), b = static_cast<double>(shape.micro_batch), t = shape.tensor;
  const double h = static_cast<double>(*model.hidden), layers = static_cast<double>(*model.layers);
  const double linear = s * b * h * (10 + 24 / t);
  const double scores = model.heads ? 5 * static_cast<double>(*model.heads) * s * s * b / t : 0;
  const auto [kept, formula] = [&]() -> std::pair<double, const char*> {
    switch (shape.recompute) {
      case Recompute::kSelective:
        return {layers * linear, "layers · s b h (10 + 24/t)"};
      case Recompute::kFull:
        return {layers * 2 * s * b * h + linear, "layers · 2 s b h + one layer's s b h (10 + 24/t)"};
      case Recompute::kNone:
        break;
    }
    return {layers * (linear + scores), "layers · s b h (10 + 24/t + 5 a s / (h t))"};
  }();
  const double bytes = kept + (model.vocabulary ? 4 * s * b * static_cast<double>(*model.vocabulary) / t : 0);
  const Bytes size = Bytes::from_double(bytes);
  return Component{"activations", size, size,
                   fmt::format("{}{}; Korthikanti et al., arXiv 2205.05198", formula, model.vocabulary ? " + logits 4 s b v / t" : "")};
}

std::optional<Component> gathered_layers(double parameters, const model::Model& model, const TrainingRecipe& recipe) {
  if (recipe.fsdp < 2 || recipe.stage < 3 || !model.layers || *model.layers < 1) return std::nullopt;
  const double layers = static_cast<double>(*model.layers);
  const Bytes size = Bytes::from_double(std::min(2.0, layers) * 2 * parameters / layers);
  return Component{"gathered_layers", size, size, "two layers' 16-bit weights, at work and being fetched; Zhao et al., PyTorch FSDP, VLDB 2023"};
}

}  // namespace ridge::cost
