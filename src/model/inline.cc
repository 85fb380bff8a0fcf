#include "model/inline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/limits.h"
#include "model/tensor_builder.h"
#include "quantity/text.h"

namespace ridge::model {
namespace {

struct Description {
  std::optional<double> params, active;
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, head_dim, intermediate, vocabulary, context;
  std::optional<std::int64_t> experts, top_k, expert_intermediate, shared_intermediate, window;
  std::optional<Precision> dtype;
  bool tied = false, gated = true;
};

struct IntegerKey {
  std::string_view name;
  std::optional<std::int64_t> Description::* member;
  std::int64_t most;
};
constexpr std::array kIntegers{
    IntegerKey{"layers", &Description::layers, kMaxLayers},
    IntegerKey{"hidden", &Description::hidden, kMaxHidden},
    IntegerKey{"heads", &Description::heads, kMaxHeads},
    IntegerKey{"kv_heads", &Description::kv_heads, kMaxHeads},
    IntegerKey{"head_dim", &Description::head_dim, kMaxHidden},
    IntegerKey{"intermediate", &Description::intermediate, kMaxIntermediate},
    IntegerKey{"vocab", &Description::vocabulary, kMaxVocabulary},
    IntegerKey{"context", &Description::context, kMaxContext},
    IntegerKey{"experts", &Description::experts, kMaxExperts},
    IntegerKey{"top_k", &Description::top_k, kMaxExperts},
    IntegerKey{"expert_intermediate", &Description::expert_intermediate, kMaxIntermediate},
    IntegerKey{"shared_intermediate", &Description::shared_intermediate, kMaxIntermediate},
    IntegerKey{"window", &Description::window, kMaxContext},
};

// params, active: a count as people write it.
Result<double> read_parameters(const std::string& where, std::string_view text) {
  Result<double> count = parse_count(text);
  if (!count) return fail(where, count.error().what, count.error().advice);
  if (*count < 1 || *count > kMaxParameters) return fail(where, fmt::format("{} is outside 1 to {:g}", text, kMaxParameters));
  return *count;
}

Result<bool> read_flag(const std::string& where, std::string_view text) {
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  return fail(where, fmt::format("\"{}\" is neither true nor false", text));
}

Result<void> read_pair(Description& d, std::string_view name, std::string_view text) {
  const std::string where = fmt::format("model description: {}", name);
  for (const IntegerKey& key : kIntegers) {
    if (key.name != name) continue;
    const Result<std::int64_t> value = parse_integer(text);
    if (!value) return fail(where, value.error().what, value.error().advice);
    if (*value < 1 || *value > key.most) return fail(where, fmt::format("{} is outside 1 to {}", *value, key.most));
    d.*key.member = *value;
    return {};
  }
  if (name == "params" || name == "active") {
    RIDGE_TRY((name == "params" ? d.params : d.active), read_parameters(where, text));
    return {};
  }
  if (name == "dtype") {
    const Result<Precision> value = parse_precision(text);
    if (!value) return fail(where, value.error().what, value.error().advice);
    d.dtype = *value;
    return {};
  }
  if (name == "tied" || name == "gated") {
    RIDGE_TRY((name == "tied" ? d.tied : d.gated), read_flag(where, text));
    return {};
  }
  const std::string near = nearest_names(name, inline_keys());
  std::string all;
  for (const std::string& key : inline_keys()) all += (all.empty() ? "" : ", ") + key;
  return fail("model description", fmt::format("the key \"{}\" is unknown", name), near.empty() ? "Known keys: " + all + "." : "Did you mean " + near + "?");
}

Result<Description> parse(std::string_view text) {
  Description d;
  std::vector<std::string_view> seen;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view pair = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size())
      return fail("model description", fmt::format("\"{}\" is no key=value", pair), "Write for example params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8.");
    const std::string_view name = pair.substr(0, equals);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return fail("model description", fmt::format("the key \"{}\" stands twice", name));
    seen.push_back(name);
    RIDGE_TRY_VOID(read_pair(d, name, pair.substr(equals + 1)));
  }
  return d;
}

Result<void> check(const Description& d) {
  const auto at = [](std::string_view key) { return fmt::format("model description: {}", key); };
  if (d.heads && d.kv_heads && *d.heads % *d.kv_heads != 0)
    return fail(at("kv_heads"), fmt::format("{} query heads are not a multiple of {} key-value heads", *d.heads, *d.kv_heads));
  if (d.kv_heads && !d.heads) return fail(at("kv_heads"), "given without heads");
  if (d.hidden && d.heads && !d.head_dim && *d.hidden % *d.heads != 0)
    return fail(at("hidden"), fmt::format("{} is not a multiple of {} heads, and head_dim is not given", *d.hidden, *d.heads));
  if (d.experts.has_value() != d.top_k.has_value()) return fail(at(d.experts ? "experts" : "top_k"), "experts and top_k belong together");
  if (d.top_k && *d.top_k > *d.experts) return fail(at("top_k"), fmt::format("{} is more than {} experts", *d.top_k, *d.experts));
  if (d.active && !d.params) return fail(at("active"), "given without params");
  if (d.active && *d.active > *d.params) return fail(at("active"), "more than params");
  return {};
}

Mlp mlp_of(const Description& d) {
  Mlp mlp;
  mlp.gated = d.gated;
  const std::optional<std::int64_t> width = d.experts && d.expert_intermediate ? d.expert_intermediate : d.intermediate;
  mlp.kind = !width ? Mlp::Kind::kUnknown : (d.experts ? Mlp::Kind::kMoe : Mlp::Kind::kDense);
  mlp.intermediate = width.value_or(0);
  mlp.experts = d.experts.value_or(0);
  mlp.top_k = d.top_k.value_or(0);
  mlp.shared_intermediate = d.shared_intermediate.value_or(0);
  return mlp;
}

Block block_of(const Description& d) {
  Attention a;
  a.heads = *d.heads;
  a.kv_heads = d.kv_heads.value_or(*d.heads);
  a.head_dim = a.v_head_dim = d.head_dim.value_or(*d.hidden / *d.heads);
  if (d.window) {
    a.kind = AttentionKind::kSliding;
    a.window = *d.window;
  }
  Block block;
  block.attention = a;
  block.mlp = mlp_of(d);
  return block;
}

// Everything is given: shapes as Llama has them.
Result<void> add_tensors(Model& model, const Description& d) {
  const TensorNames names;
  Block& block = model.text.blocks[0];
  block.tensors = layer_tensors(block, *d.hidden, model.native, names);
  TensorList outside(model.native);
  outside.table(names.embedding + ".weight", *d.vocabulary, *d.hidden, Part::kEmbedding, Split::kRows, *d.vocabulary).active_copies = d.tied ? 1 : 0;
  outside.norm(names.final_norm, *d.hidden, false);
  if (!d.tied) outside.matrix(names.head + ".weight", *d.vocabulary, *d.hidden, Part::kHead, Split::kRows, *d.vocabulary);
  model.text.tensors = outside.take();
  model.text.layer_prefix = names.layers;
  double total = 0;
  const auto add = [&total](const Tensor& t, double times) {
    total += static_cast<double>(t.rows) * static_cast<double>(t.columns) * static_cast<double>(t.copies) * times;
  };
  for (const Tensor& tensor : block.tensors) add(tensor, static_cast<double>(*d.layers));
  for (const Tensor& tensor : model.text.tensors) add(tensor, 1);
  if (total > kMaxParameters)
    return fail("model description", fmt::format("the shapes add up to {:.3g} parameters, more than the limit of {:g}", total, kMaxParameters));
  return {};
}

void list_missing(Model& model, const Description& d) {
  const auto need = [&](bool there, const char* name) {
    if (!there) model.missing.emplace_back(name);
  };
  need(d.layers.has_value(), "layers");
  need(d.hidden.has_value(), "hidden");
  need(d.heads.has_value(), "heads");
  need(d.intermediate || (d.experts && d.expert_intermediate), "intermediate");
  need(d.vocabulary.has_value(), "vocab");
}

}  // namespace

std::vector<std::string> inline_keys() {
  std::vector<std::string> keys{"params", "active"};
  for (const IntegerKey& key : kIntegers) keys.emplace_back(key.name);
  for (const char* name : {"dtype", "tied", "gated"}) keys.emplace_back(name);
  return keys;
}

std::optional<Model> read_count(std::string_view text) {
  const Result<double> count = parse_count(text);
  if (!count || *count < 1 || *count > kMaxParameters) return std::nullopt;
  Model model;
  model.name = text;
  model.origin = "count";
  model.given_parameters = std::round(*count);
  model.missing = {"layers", "hidden", "heads", "intermediate", "vocab"};
  return model;
}

Result<Model> read_inline(std::string_view text) {
  RIDGE_TRY(const Description d, parse(text));
  RIDGE_TRY_VOID(check(d));
  Model model;
  model.name = text;
  model.origin = "inline";
  model.given_parameters = d.params;
  model.given_active = d.active;
  model.layers = d.layers;
  model.hidden = d.hidden;
  model.heads = d.heads;
  model.kv_heads = d.kv_heads ? d.kv_heads : d.heads;
  model.head_dim = d.head_dim;
  if (!model.head_dim && d.hidden && d.heads) model.head_dim = *d.hidden / *d.heads;
  model.vocabulary = d.vocabulary;
  model.max_context = d.context;
  model.native = d.dtype.value_or(Precision::kBf16);
  model.is_mixture_of_experts = d.experts.has_value();
  model.tied_embeddings = d.tied;
  list_missing(model, d);
  if (d.layers && d.hidden && d.heads) {
    model.text.hidden = *d.hidden;
    model.text.blocks.push_back(block_of(d));
    model.text.sequence.assign(static_cast<std::size_t>(*d.layers), 0);
    if (model.missing.empty()) RIDGE_TRY_VOID(add_tensors(model, d));
  }
  return model;
}

}  // namespace ridge::model
