#include "model/quantisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/limits.h"
#include "model/module_pattern.h"

namespace ridge::model {
namespace {

using formats::Node;
using formats::NodeRef;

constexpr std::size_t kMaxRules = 100;

// What a config says of the storage of one module.
struct Rule {
  ModulePatterns modules;
  Storage storage;
};

struct Plan {
  std::string name;
  std::vector<Rule> rules;          // first match decides, before the exclusions
  std::optional<Storage> ordinary;  // of every linear layer that is not excluded
  ModulePatterns excluded;
  bool experts_only = false;
  bool head_excluded = false;             // unless a rule names it
  std::optional<Storage> routed_experts;  // DeepSeek-V4's expert_dtype
  bool known = true;
};

Storage scaled(Precision format, int bits, int scale_bits, std::int64_t tile_rows, std::int64_t tile_columns) {
  Storage storage = plain_storage(format);
  storage.bits = bits;
  storage.scale_bits = scale_bits;
  storage.tile_rows = tile_rows;
  storage.tile_columns = tile_columns;
  return storage;
}

Precision integer_format(std::int64_t bits) { return bits == 8 ? Precision::kInt8 : Precision::kInt4; }

Result<std::int64_t> read_bits(const ConfigFields& config, std::string_view name, std::int64_t fallback) {
  RIDGE_TRY(const std::int64_t bits, config.size_or(name, 16, fallback));
  if (bits == 2 || bits == 3 || bits == 4 || bits == 8) return bits;
  return config.error_at(Aliases(&name, 1), fmt::format("{} bits; 2, 3, 4 and 8 are known", bits));
}

// −1 (and absence) is the whole row.
Result<std::int64_t> read_group(const ConfigFields& config, std::int64_t fallback) {
  const std::optional<NodeRef> node = config.node().get("group_size");
  if (!node) return fallback;
  RIDGE_TRY(const std::int64_t group, node->as_integer(-1, kMaxHidden));
  return std::max<std::int64_t>(group, 0);
}

Result<void> add_patterns(ModulePatterns& patterns, const ConfigFields& config, std::string_view name) {
  RIDGE_TRY(const std::vector<std::string> texts, config.texts(name));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Result<void> added = patterns.add(texts[i]);
    if (!added) return config.node().get(name)->at(i).error(added.error().what);
  }
  return {};
}

// ---- fp8 as the transformers library writes it: blocks of weight_block_size, or one scale per tensor

Result<Storage> fp8_storage(const ConfigFields& config) {
  RIDGE_TRY(const std::vector<std::int64_t> block, config.integers("weight_block_size", 1, kMaxHidden));
  if (block.empty()) {
    Storage storage = scaled(Precision::kFp8, 8, 32, 0, 0);
    RIDGE_TRY(const std::string activations, config.text_or("activation_scheme", "dynamic"));
    if (activations == "static") storage.tensor_bits = 32;  // input_scale
    return storage;
  }
  if (block.size() != 2) return config.node().get("weight_block_size")->error(fmt::format("two sides are expected, found {}", block.size()));
  return scaled(Precision::kFp8, 8, 32, block[0], block[1]);
}

struct Algorithm {
  std::string_view name;
  Storage storage;
};

Storage nvfp4(int tensor_bits) {
  Storage storage = scaled(Precision::kNvFp4, 4, 8, 1, 16);
  storage.tensor_bits = tensor_bits;  // weight_scale_2 and, where activations are quantised too, input_scale
  return storage;
}

Storage with_tensor_bits(Storage storage, int bits) {
  storage.tensor_bits = bits;
  return storage;
}

// TensorRT Model Optimizer's quant_algo.
Result<Storage> modelopt_storage(const NodeRef& node, std::int64_t group) {
  RIDGE_TRY(const std::string text, node.as_text());
  const std::int64_t columns = group > 0 ? group : 128;
  const std::array algorithms{
      Algorithm{"FP8", with_tensor_bits(scaled(Precision::kFp8, 8, 32, 0, 0), 32)},
      Algorithm{"FP8_PER_CHANNEL_PER_TOKEN", scaled(Precision::kFp8, 8, 32, 1, 0)},
      Algorithm{"FP8_PB_WO", scaled(Precision::kFp8, 8, 32, 128, 128)},
      Algorithm{"FP8_PB_REAL", scaled(Precision::kFp8, 8, 32, 128, 128)},
      Algorithm{"NVFP4", nvfp4(64)},
      Algorithm{"NVFP4_AWQ", nvfp4(64)},
      Algorithm{"W4A16_NVFP4", nvfp4(32)},
      Algorithm{"W4A8_NVFP4_FP8", nvfp4(64)},
      Algorithm{"MXFP8", scaled(Precision::kMxFp8, 8, 8, 1, 32)},
      Algorithm{"MXFP4", scaled(Precision::kMxFp4, 4, 8, 1, 32)},
      Algorithm{"W4A8_MXFP4_FP8", scaled(Precision::kMxFp4, 4, 8, 1, 32)},
      Algorithm{"W4A16_AWQ", scaled(Precision::kInt4, 4, 16, 1, columns)},
      Algorithm{"INT4_AWQ", scaled(Precision::kInt4, 4, 16, 1, columns)},
      Algorithm{"W4A8_AWQ", scaled(Precision::kInt4, 4, 16, 1, columns)},
      Algorithm{"W8A16", scaled(Precision::kInt8, 8, 16, 1, 0)},
      Algorithm{"W8A8_SQ_PER_CHANNEL", scaled(Precision::kInt8, 8, 32, 1, 0)},
  };
  std::string known;
  for (const Algorithm& algorithm : algorithms) {
    if (algorithm.name == text) return algorithm.storage;
    known += (known.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  return node.error(fmt::format("\"{}\" is no quantisation algorithm that is known", text), "Known: " + known + ", MIXED_PRECISION.");
}

// quantized_layers: {"model.layers.0.mlp.up_proj": {"quant_algo": "NVFP4", "group_size": 16}, …}
Result<void> add_layer_rules(Plan& plan, const ConfigFields& config) {
  const std::optional<NodeRef> layers = config.node().get("quantized_layers");
  if (!layers) return {};
  if (layers->kind() != Node::Kind::kMap) return layers->error(fmt::format("a map is expected, found {}", name_of(layers->kind())));
  for (std::size_t i = 0; i < layers->size(); ++i) {
    const auto [module, node] = layers->entry(i);
    const ConfigFields layer(node);
    RIDGE_TRY(const NodeRef algorithm, node.require("quant_algo"));
    RIDGE_TRY(const std::int64_t group, read_group(layer, 0));
    RIDGE_TRY(const Storage storage, modelopt_storage(algorithm, group));
    auto rule = std::find_if(plan.rules.begin(), plan.rules.end(), [&](const Rule& r) { return r.storage == storage; });
    if (rule == plan.rules.end()) {
      if (plan.rules.size() >= kMaxRules) return node.error(fmt::format("more than {} different kinds of storage", kMaxRules));
      rule = plan.rules.insert(plan.rules.end(), Rule{{}, storage});
    }
    const Result<void> added = rule->modules.add(module);
    if (!added) return node.error(added.error().what);
  }
  return {};
}

std::string names_of_rules(const Plan& plan) {
  std::string names;
  for (const Rule& rule : plan.rules) {
    const std::string name(name_of(rule.storage.format));
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " + ") + name;
  }
  return names;
}

Result<Plan> plan_fp8(const ConfigFields& config) {
  Plan plan;
  RIDGE_TRY(plan.ordinary, fp8_storage(config));
  plan.name = plan.ordinary->tile_rows > 0 ? fmt::format("fp8 {}x{}", plan.ordinary->tile_rows, plan.ordinary->tile_columns) : "fp8";
  plan.head_excluded = true;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "modules_to_not_convert"));
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "ignored_layers"));
  RIDGE_TRY_VOID(add_layer_rules(plan, config));
  if (!plan.rules.empty()) plan.name += " + " + names_of_rules(plan);
  return plan;
}

Result<Plan> plan_fbgemm(const ConfigFields& config) {
  Plan plan;
  plan.name = "fp8 per channel";
  plan.ordinary = scaled(Precision::kFp8, 8, 32, 1, 0);
  plan.head_excluded = true;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "modules_to_not_convert"));
  return plan;
}

// GPTQ and AWQ: packed integers, one fp16 scale and one packed zero point per group, symmetric or not; GPTQ keeps the
// group of every input feature as an int32.
Result<Plan> plan_packed(const ConfigFields& config, std::string_view method) {
  Plan plan;
  RIDGE_TRY(const std::int64_t bits, read_bits(config, config.has("w_bit") ? "w_bit" : "bits", 4));
  RIDGE_TRY(std::int64_t group, read_group(config, 128));
  if (config.has("q_group_size")) {
    RIDGE_TRY(group, config.size("q_group_size", kMaxHidden));
  }
  Storage storage = scaled(integer_format(bits), static_cast<int>(bits), 16, 1, group);
  storage.zero_bits = static_cast<int>(bits);
  if (method == "gptq") storage.column_bits = 32;
  plan.ordinary = storage;
  plan.name = group > 0 ? fmt::format("{} int{} g{}", method, bits, group) : fmt::format("{} int{} per channel", method, bits);
  RIDGE_TRY(const bool head, config.flag_or("lm_head", false));
  plan.head_excluded = !head;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "modules_to_not_convert"));
  return plan;
}

// gpt-oss: the experts' matrices, 32 elements to an 8-bit scale (OCP Microscaling Formats v1.0).
Result<Plan> plan_mxfp4(const ConfigFields& config) {
  Plan plan;
  plan.name = "mxfp4";
  plan.ordinary = scaled(Precision::kMxFp4, 4, 8, 1, 32);
  plan.experts_only = true;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "modules_to_not_convert"));
  return plan;
}

// bitsandbytes: blocks of 64 elements; double quantisation keeps their scales in 8 bits with one fp32 per 256 of them. The
// code tables stand beside every tensor; its quant_state text of about a hundred bytes is not counted.
Result<Plan> plan_bitsandbytes(const ConfigFields& config) {
  Plan plan;
  RIDGE_TRY(const bool eight, config.flag_or("load_in_8bit", false));
  plan.head_excluded = true;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "llm_int8_skip_modules"));
  if (eight) {
    plan.name = "bitsandbytes int8";
    plan.ordinary = with_tensor_bits(scaled(Precision::kInt8, 8, 32, 1, 0), 8);
    return plan;
  }
  RIDGE_TRY(const std::string type, config.text_or("bnb_4bit_quant_type", "fp4"));
  RIDGE_TRY(const bool nested, config.flag_or("bnb_4bit_use_double_quant", false));
  constexpr int kCode = 16 * 32;
  constexpr int kNestedCode = 256 * 32;
  Storage storage = scaled(Precision::kInt4, 4, nested ? 8 : 32, 1, 64);
  storage.tensor_bits = kCode + (nested ? kNestedCode : 0);
  if (nested) {
    storage.nested_scale_bits = 32;
    storage.nested_tiles = 256;
  }
  plan.name = "bitsandbytes " + type;
  plan.ordinary = storage;
  return plan;
}

// ---- compressed-tensors and Model Optimizer: groups of targets

bool static_activations(const ConfigFields& group) {
  const std::optional<ConfigFields> inputs = group.section("input_activations");
  if (!inputs) return false;
  const Result<bool> dynamic = inputs->flag_or("dynamic", false);
  return dynamic && !*dynamic;
}

Result<Storage> group_storage(const ConfigFields& group, std::string_view format, Precision native) {
  const std::optional<ConfigFields> weights = group.section("weights");
  if (!weights) return group.error("a map with the key weights is expected");
  RIDGE_TRY(const std::int64_t bits, read_bits(*weights, "num_bits", 8));
  RIDGE_TRY(const std::string type, weights->text_or("type", "int"));
  RIDGE_TRY(const std::int64_t columns, read_group(*weights, 0));
  RIDGE_TRY(const bool symmetric, weights->flag_or("symmetric", true));
  RIDGE_TRY(const std::string strategy, weights->text_or("strategy", columns > 0 ? "group" : (format == "modelopt" ? "tensor" : "channel")));
  const bool inputs = static_activations(group);
  if (type == "float" && bits == 4)
    return columns == 32 || format.starts_with("mxfp4") ? scaled(Precision::kMxFp4, 4, 8, 1, 32) : nvfp4(group.has("input_activations") ? 64 : 32);
  const bool optimizer = format == "modelopt";
  const int scale = optimizer ? 32 : element_bits(native);
  Storage storage = scaled(type == "float" ? Precision::kFp8 : integer_format(bits), static_cast<int>(bits), scale, strategy == "tensor" ? 0 : 1, columns);
  if (strategy == "block") {
    RIDGE_TRY(const std::vector<std::int64_t> block, weights->integers("block_structure", 1, kMaxHidden));
    storage.tile_rows = block.size() == 2 ? block[0] : 128;
    storage.tile_columns = block.size() == 2 ? block[1] : 128;
  }
  if (!symmetric) storage.zero_bits = static_cast<int>(bits);
  if (format.starts_with("pack")) storage.tensor_bits = 128;  // weight_shape: two int64
  if (inputs) storage.tensor_bits += scale;
  RIDGE_TRY(const std::string order, weights->text_or("actorder", ""));
  if (order == "group") storage.column_bits = 32;
  return storage;
}

// Targets that name a class stand for every linear layer.
bool names_a_class(std::string_view target) { return target == "Linear" || (target.ends_with("Linear") && target.find('.') == std::string_view::npos); }

Result<void> add_groups(Plan& plan, const ConfigFields& config, std::string_view format, Precision native) {
  const std::optional<NodeRef> groups = config.node().get("config_groups");
  if (!groups) return {};
  if (groups->kind() != Node::Kind::kMap) return groups->error(fmt::format("a map is expected, found {}", name_of(groups->kind())));
  for (std::size_t i = 0; i < groups->size(); ++i) {
    const ConfigFields group(groups->entry(i).second);
    RIDGE_TRY(const Storage storage, group_storage(group, format, native));
    RIDGE_TRY(const std::vector<std::string> targets, group.texts("targets"));
    Rule rule{{}, storage};
    bool ordinary = targets.empty();
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (names_a_class(targets[t])) {
        ordinary = true;
        continue;
      }
      const Result<void> added = rule.modules.add(targets[t]);
      if (!added) return group.node().get("targets")->at(t).error(added.error().what);
    }
    if (ordinary && !plan.ordinary) plan.ordinary = storage;
    if (rule.modules.empty()) continue;
    if (plan.rules.size() >= kMaxRules) return groups->error(fmt::format("more than {} groups", kMaxRules));
    plan.rules.push_back(std::move(rule));
  }
  return {};
}

Result<Plan> plan_compressed(const ConfigFields& config, Precision native) {
  Plan plan;
  RIDGE_TRY(const std::string format, config.text_or("format", "dense"));
  RIDGE_TRY_VOID(add_groups(plan, config, format, native));
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "ignore"));
  if (!plan.ordinary && plan.rules.empty()) return config.error("a field is missing: config_groups");
  const Storage& shown = plan.ordinary ? *plan.ordinary : plan.rules.front().storage;
  const bool grouped = shown.tile_columns > 0 && shown.bits < 16 && bits_with_scales(shown.format) == element_bits(shown.format);
  plan.name = fmt::format("compressed-tensors {}{}", name_of(shown.format), grouped ? fmt::format(" g{}", shown.tile_columns) : "");
  return plan;
}

Result<Plan> plan_modelopt(const ConfigFields& config, Precision native) {
  Plan plan;
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "ignore"));
  RIDGE_TRY_VOID(add_patterns(plan.excluded, config, "exclude_modules"));
  RIDGE_TRY_VOID(add_layer_rules(plan, config));
  const std::optional<NodeRef> algorithm = config.node().get("quant_algo");
  if (algorithm && algorithm->node().text != "MIXED_PRECISION") {
    RIDGE_TRY(const std::int64_t group, read_group(config, 0));
    RIDGE_TRY(plan.ordinary, modelopt_storage(*algorithm, group));
  } else if (plan.rules.empty()) {
    RIDGE_TRY_VOID(add_groups(plan, config, "modelopt", native));
  }
  if (!plan.ordinary && plan.rules.empty()) return config.error("fields are missing: quant_algo, or quantized_layers of a mixed precision");
  plan.name = plan.ordinary ? std::string(name_of(plan.ordinary->format)) : names_of_rules(plan);
  return plan;
}

Result<Plan> read_plan(const ConfigFields& config, Precision native) {
  RIDGE_TRY(std::string method, config.text_or("quant_method", ""));
  if (method.empty()) {
    if (config.has("quant_algo") || config.has("quantized_layers"))
      method = "modelopt";
    else if (config.has("config_groups"))
      method = "compressed-tensors";
    else if (config.has("load_in_4bit") || config.has("load_in_8bit"))
      method = "bitsandbytes";
    else
      return config.error("a field is missing: quant_method");
  }
  if (method == "fp8") return plan_fp8(config);
  if (method == "fbgemm_fp8") return plan_fbgemm(config);
  if (method == "gptq" || method == "awq") return plan_packed(config, method);
  if (method == "mxfp4") return plan_mxfp4(config);
  if (method == "bitsandbytes") return plan_bitsandbytes(config);
  if (method == "compressed-tensors") return plan_compressed(config, native);
  if (method == "modelopt" || method == "modelopt_fp4" || method == "modelopt_mixed") return plan_modelopt(config, native);
  Plan plan;
  plan.name = method;
  plan.known = false;
  return plan;
}

Result<std::optional<Precision>> read_cache_scheme(const ConfigFields& config) {
  for (std::string_view name : {"kv_cache_scheme", "kv_cache_quant_algo"}) {
    const std::optional<NodeRef> node = config.node().get(name);
    if (!node) continue;
    if (node->kind() == Node::Kind::kText) {
      const std::string& text = node->node().text;
      if (text == "NONE" || text.empty()) continue;
      Result<Precision> precision = parse_precision(text);
      if (!precision) return node->error(precision.error().what, precision.error().advice);
      return *precision;
    }
    const ConfigFields scheme(*node);
    RIDGE_TRY(const std::int64_t bits, read_bits(scheme, "num_bits", 8));
    RIDGE_TRY(const std::string type, scheme.text_or("type", "float"));
    if (bits == 8) return type == "float" ? Precision::kFp8 : Precision::kInt8;
    if (bits == 4) return type == "float" ? Precision::kNvFp4 : Precision::kInt4;
  }
  return std::nullopt;
}

// ---- from the plan to tensors

class Assigner {
 public:
  explicit Assigner(const Plan& plan) : plan_(plan) {}

  Result<void> assign(std::vector<Tensor>& tensors, const std::string& prefix) {
    for (Tensor& tensor : tensors) RIDGE_TRY_VOID(assign(tensor, prefix));
    return {};
  }

  Result<void> assign(Stack& stack) {
    std::vector<Block> blocks;
    std::vector<std::vector<std::size_t>> variants(stack.blocks.size());  // of each block, among the new ones
    for (std::size_t i = 0; i < stack.sequence.size(); ++i) {
      const auto old = static_cast<std::size_t>(stack.sequence[i]);
      std::vector<Tensor> tensors = stack.blocks[old].tensors;
      RIDGE_TRY_VOID(assign(tensors, fmt::format("{}{}.", stack.layer_prefix, stack.first_layer + static_cast<std::int64_t>(i))));
      std::size_t found = blocks.size();
      for (std::size_t candidate : variants[old])
        if (same_storage(blocks[candidate].tensors, tensors)) found = candidate;
      if (found == blocks.size()) {
        if (static_cast<std::int64_t>(blocks.size()) >= kMaxLayerKinds) return fail("", fmt::format("more than {} different kinds of layer", kMaxLayerKinds));
        variants[old].push_back(found);
        blocks.push_back(stack.blocks[old]);
        blocks.back().tensors = std::move(tensors);
      }
      stack.sequence[i] = static_cast<std::int32_t>(found);
    }
    stack.blocks = std::move(blocks);
    return assign(stack.tensors, "");
  }

 private:
  static bool same_storage(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) { return x.storage == y.storage; });
  }

  Result<void> assign(Tensor& tensor, const std::string& prefix) {
    if (!tensor.quantisable) return {};
    std::string module = prefix + tensor.name;
    if (module.ends_with(".weight")) module.resize(module.size() - 7);
    // Experts are stored alike: the first stands for all.
    if (const std::size_t star = module.find(".*."); star != std::string::npos) module[star + 1] = '0';
    RIDGE_TRY(const std::optional<Storage> storage, storage_of(module, tensor));
    if (!storage) return {};
    tensor.storage = *storage;
    if (tensor.slice) {  // what stands once per tensor stands with its first slice
      tensor.storage.tensor_bits = tensor.storage.column_bits = 0;
      if (tensor.storage.tile_rows == 0 && tensor.storage.tile_columns == 0) tensor.storage.scale_bits = 0;
    }
    return {};
  }

  Result<std::optional<Storage>> storage_of(const std::string& module, const Tensor& tensor) {
    for (const Rule& rule : plan_.rules) {
      RIDGE_TRY(const bool matched, rule.modules.matches(module, steps_));
      if (matched) return std::optional(rule.storage);
    }
    if (!plan_.ordinary) return std::nullopt;
    if (plan_.experts_only && tensor.part != Part::kRoutedExperts) return std::nullopt;
    if (plan_.head_excluded && tensor.part == Part::kHead) return std::nullopt;
    RIDGE_TRY(const bool excluded, plan_.excluded.matches(module, steps_));
    if (excluded) return std::nullopt;
    if (plan_.routed_experts && tensor.by_expert) return plan_.routed_experts;
    return plan_.ordinary;
  }

  const Plan& plan_;
  std::int64_t steps_ = kMatchSteps;
};

}  // namespace

Result<void> apply_quantisation(Model& model, const ConfigFields& top, const ConfigFields& text, const NodeRef* beside) {
  std::optional<ConfigFields> config = top.section("quantization_config");
  if (!config) config = top.section("compression_config");
  bool text_only = false;
  if (!config && beside != nullptr) config = ConfigFields(*beside).section("quantization");
  if (!config) {
    config = text.section("quantization_config");
    text_only = config.has_value();
  }
  if (!config) return {};
  RIDGE_TRY(Plan plan, read_plan(*config, model.native));
  RIDGE_TRY(model.kv_cache, read_cache_scheme(*config));
  model.quantisation_name = plan.name;
  model.storage_known = plan.known;
  if (!plan.known) {
    model.notes.push_back(fmt::format("the storage of the quantisation method \"{}\" is not known", plan.name));
    return {};
  }
  // DeepSeek-V4 keeps scales as powers of two in one byte, and its routed experts in four bits with one such scale per 32.
  RIDGE_TRY(const std::string scales, config->text_or("scale_fmt", ""));
  const bool v4 = !model.text.blocks.empty() && model.text.blocks[0].attention && model.text.blocks[0].attention->kind == AttentionKind::kCompressed;
  if (scales == "ue8m0" && v4 && plan.ordinary) plan.ordinary->scale_bits = 8;
  RIDGE_TRY(const std::string experts, text.text_or("expert_dtype", ""));
  if (experts == "fp4") {
    plan.routed_experts = scaled(Precision::kMxFp4, 4, 8, 1, 32);
    model.quantisation_name += " + mxfp4";
  }
  Assigner assigner(plan);
  const auto place = [&](const Result<void>& result) -> Result<void> {
    if (result) return {};
    return config->error(result.error().what, result.error().advice);
  };
  RIDGE_TRY_VOID(place(assigner.assign(model.text)));
  if (model.mtp) RIDGE_TRY_VOID(place(assigner.assign(*model.mtp)));
  if (model.encoder) RIDGE_TRY_VOID(place(assigner.assign(*model.encoder)));
  if (model.vision && !text_only) RIDGE_TRY_VOID(place(assigner.assign(*model.vision)));
  return {};
}

}  // namespace ridge::model
