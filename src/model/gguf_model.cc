#include "model/gguf_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "model/gguf_layer.h"
#include "model/limits.h"

namespace ridge::model {
namespace {

using formats::GgufCheckpoint;
using formats::GgufTensor;
using formats::GgufValue;

// Which layers slide where the file does not say: all but each n-th (llama.cpp, set_swa_pattern of each architecture).
struct WindowHabit {
  std::string_view architecture;
  std::int64_t period;
  std::int64_t window;  // where the file gives none; 0: none then
  AttentionKind kind = AttentionKind::kSliding;
};
constexpr std::array kWindowHabits{
    WindowHabit{"gemma2", 2, 4096},  WindowHabit{"gemma3", 6, 0},  WindowHabit{"gemma3n", 5, 0}, WindowHabit{"cohere2", 4, 0},
    WindowHabit{"gpt-oss", 2, 0},    WindowHabit{"exaone4", 4, 0}, WindowHabit{"olmo2", 4, 0},   WindowHabit{"llama4", 4, 8192, AttentionKind::kChunked},
    WindowHabit{"exaone-moe", 4, 0}, WindowHabit{"afmoe", 4, 0},
};

// Of general.file_type (docs/gguf.md and LlamaFileType of gguf-py).
std::string file_type_name(std::int64_t number) {
  struct Row {
    std::int64_t number;
    std::string_view name;
  };
  constexpr std::array kRows{
      Row{2, "Q4_0"},    Row{3, "Q4_1"},    Row{7, "Q8_0"},     Row{8, "Q5_0"},    Row{9, "Q5_1"},    Row{10, "Q2_K"},  Row{11, "Q3_K_S"},  Row{12, "Q3_K_M"},
      Row{13, "Q3_K_L"}, Row{14, "Q4_K_S"}, Row{15, "Q4_K_M"},  Row{16, "Q5_K_S"}, Row{17, "Q5_K_M"}, Row{18, "Q6_K"},  Row{19, "IQ2_XXS"}, Row{20, "IQ2_XS"},
      Row{21, "Q2_K_S"}, Row{22, "IQ3_XS"}, Row{23, "IQ3_XXS"}, Row{24, "IQ1_S"},  Row{25, "IQ4_NL"}, Row{26, "IQ3_S"}, Row{27, "IQ3_M"},   Row{28, "IQ2_S"},
      Row{29, "IQ2_M"},  Row{30, "IQ4_XS"}, Row{31, "IQ1_M"},   Row{36, "TQ1_0"},  Row{37, "TQ2_0"},  Row{38, "MXFP4"}, Row{39, "NVFP4"},   Row{40, "Q1_0"},
  };
  const auto row = std::ranges::find(kRows, number, &Row::number);
  return row == kRows.end() ? std::string() : std::string(row->name);
}

std::vector<const GgufTensor*> all_tensors(const GgufCheckpoint& checkpoint) {
  std::vector<const GgufTensor*> tensors;
  const auto add = [&tensors](const formats::GgufFile& file) {
    for (const GgufTensor& tensor : file.tensors) tensors.push_back(&tensor);
  };
  add(checkpoint.first);
  for (const formats::GgufFile& file : checkpoint.others) add(file);
  return tensors;
}

// "blk.12.attn_q.weight" → 12 and "attn_q.weight".
std::optional<std::pair<std::int64_t, std::string_view>> split_layer(std::string_view name) {
  if (!name.starts_with("blk.")) return std::nullopt;
  std::int64_t layer = 0;
  const char* const end = name.data() + name.size();
  const auto [next, problem] = std::from_chars(name.data() + 4, end, layer);
  if (problem != std::errc() || next == end || *next != '.' || layer < 0) return std::nullopt;
  return std::pair(layer, std::string_view(next + 1, static_cast<std::size_t>(end - next - 1)));
}

// "ffn_up.7.weight", as converters of 2023 wrote experts, → "ffn_up_exps.weight".
std::string stacked_name(std::string_view name) {
  for (const std::string_view base : {"ffn_gate.", "ffn_up.", "ffn_down."}) {
    if (!name.starts_with(base)) continue;
    const std::string_view rest = name.substr(base.size());
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || rest[digits] != '.') break;
    return std::string(base.substr(0, base.size() - 1)) + "_exps" + std::string(rest.substr(digits));
  }
  return std::string(name);
}

class ModelReader {
 public:
  ModelReader(const GgufCheckpoint& checkpoint, std::string architecture) : checkpoint_(checkpoint), keys_(checkpoint.first, std::move(architecture)) {}

  Result<Model> read() {
    RIDGE_TRY_VOID(read_dimensions());
    RIDGE_TRY_VOID(sort_tensors());
    for (std::int64_t layer = 0; layer < layers_; ++layer) RIDGE_TRY_VOID(read_layer(layer));
    set_summary();
    return std::move(model_);
  }

 private:
  Result<void> read_dimensions() {
    RIDGE_TRY(layers_, keys_.size("block_count", kMaxLayers));
    RIDGE_TRY(hidden_, keys_.size("embedding_length", kMaxHidden));
    RIDGE_TRY(const std::int64_t predictors, keys_.count_or("nextn_predict_layers", kMaxLayers, 0));
    if (predictors >= layers_) return keys_.error("nextn_predict_layers", fmt::format("{} of {} layers", predictors, layers_));
    text_layers_ = layers_ - predictors;
    RIDGE_TRY(const std::int64_t context, keys_.count_or("context_length", kMaxContext, 0));
    if (context > 0) model_.max_context = context;
    model_.text.hidden = hidden_;
    model_.text.layer_prefix = "blk.";
    return {};
  }

  Result<void> sort_tensors() {
    layer_.resize(static_cast<std::size_t>(layers_));
    const std::vector<const GgufTensor*> tensors = all_tensors(checkpoint_);
    model_.tied_embeddings = std::ranges::none_of(tensors, [](const GgufTensor* tensor) { return tensor->name == "output.weight"; });
    std::uint64_t bytes = 0, elements = 0;
    for (const GgufTensor* tensor : tensors) {
      constexpr auto kMost = static_cast<std::uint64_t>(kMaxParameters);
      if (tensor->elements > kMost - elements)
        return fail(place(*tensor), fmt::format("with this tensor the model has more than {:g} parameters", kMaxParameters));
      elements += tensor->elements;
      if (tensor->elements == 0) return fail(place(*tensor), "a size of 0");
      bytes += tensor->bytes;
      const auto split = split_layer(tensor->name);
      if (!split) {
        model_.text.tensors.push_back(gguf_outer_tensor(*tensor, model_.tied_embeddings));
        continue;
      }
      if (split->first >= layers_) return fail(place(*tensor), fmt::format("the metadata say that there are {} layers", layers_));
      RIDGE_TRY_VOID(add_to_layer(layer_[static_cast<std::size_t>(split->first)], *tensor, split->second));
    }
    model_.checkpoint_bytes = Bytes{static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(Bytes::max().count)))};
    if (tensors.empty()) return fail(checkpoint_.first.path, "the file holds no tensors", "It may be a vocabulary or a part of a model.");
    return {};
  }

  Result<void> add_to_layer(GgufLayer& layer, const GgufTensor& tensor, std::string_view name) const {
    const std::string key = stacked_name(name);
    const auto [entry, added] = layer.tensors.emplace(key, &tensor);
    ++layer.copies[key];
    if (!added && (entry->second->sizes != tensor.sizes || entry->second->type != tensor.type))
      return fail(place(tensor), "experts of one layer that differ in shape or type are not read");
    return {};
  }

  std::string place(const GgufTensor& tensor) const { return fmt::format("{}: tensor {}", checkpoint_.first.path, tensor.name); }

  Result<void> read_layer(std::int64_t index) {
    const GgufLayer& layer = layer_[static_cast<std::size_t>(index)];
    if (layer.tensors.empty()) return fail(checkpoint_.first.path, fmt::format("layer {} of {} has no tensors", index, layers_));
    if (layer.has("time_mix_w1.weight") || layer.has("time_mix_key.weight"))
      return fail(checkpoint_.first.path, fmt::format("the time mixing of {} is not known here", keys_.architecture()),
                  "Attention, Mamba and the gated delta rule are.");
    Block block;
    RIDGE_TRY_VOID(read_linear(layer, block));
    RIDGE_TRY_VOID(read_attention(layer, index, block));
    RIDGE_TRY_VOID(read_mlp(layer, block));
    block.norms = 0;
    for (const auto& [name, tensor] : layer.tensors) {
      Result<Tensor> read = gguf_tensor(*tensor, name, layer.copies.find(name)->second, block);
      if (!read) return fail(place(*tensor), read.error().what);
      if (read->part == Part::kNorms && read->columns == 1 && read->rows == hidden_ && name.ends_with(".weight")) ++block.norms;
      block.tensors.push_back(*std::move(read));
    }
    if (index < text_layers_) return append(model_.text, std::move(block));
    if (!model_.mtp) {
      model_.mtp.emplace();
      model_.mtp->hidden = hidden_;
      model_.mtp->layer_prefix = "blk.";
    }
    for (Tensor& tensor : block.tensors) tensor.part = Part::kMtp;
    return append(*model_.mtp, std::move(block));
  }

  // Equal layers are kept once.
  Result<void> append(Stack& stack, Block block) const {
    const auto same_tensor = [](const Tensor& a, const Tensor& b) {
      return a.name == b.name && a.rows == b.rows && a.columns == b.columns && a.copies == b.copies && a.storage == b.storage;
    };
    const auto same = std::ranges::find_if(stack.blocks, [&](const Block& other) {
      return other.attention == block.attention && other.linear == block.linear && other.mlp == block.mlp && other.norms == block.norms &&
             std::ranges::equal(other.tensors, block.tensors, same_tensor);
    });
    stack.sequence.push_back(static_cast<std::int32_t>(same - stack.blocks.begin()));
    if (same != stack.blocks.end()) return {};
    if (static_cast<std::int64_t>(stack.blocks.size()) >= kMaxLayerKinds)
      return fail(checkpoint_.first.path, fmt::format("more than {} kinds of layers", kMaxLayerKinds));
    stack.blocks.push_back(std::move(block));
    return {};
  }

  Result<void> read_attention(const GgufLayer& layer, std::int64_t index, Block& block) {
    const bool latent = layer.has("attn_kv_a_mqa.weight");
    if (!latent && !layer.has("attn_qkv.weight") && !layer.has("attn_q.weight")) return {};
    if (block.linear && !layer.has("attn_output.weight")) return {};  // the fused input of a gated delta rule
    Attention a;
    RIDGE_TRY(a.heads, keys_.count_or("attention.head_count", kMaxHeads, 0, index));
    if (a.heads < 1) return keys_.error("attention.head_count", fmt::format("layer {} attends, but has no heads", index));
    RIDGE_TRY(a.kv_heads, keys_.count_or("attention.head_count_kv", kMaxHeads, a.heads, index));
    if (a.kv_heads < 1 || a.heads % a.kv_heads != 0)
      return keys_.error("attention.head_count_kv",
                         fmt::format("layer {}: {} query heads are not a multiple of {} key-value heads", index, a.heads, a.kv_heads));
    if (!keys_.has("attention.key_length") && hidden_ % a.heads != 0)
      return keys_.error("attention.head_count", fmt::format("{} does not divide an embedding of {}, and attention.key_length is missing", a.heads, hidden_));
    RIDGE_TRY(a.head_dim, keys_.count_or("attention.key_length", kMaxHidden, hidden_ / a.heads));
    RIDGE_TRY(a.v_head_dim, keys_.count_or("attention.value_length", kMaxHidden, a.head_dim));
    if (latent) RIDGE_TRY_VOID(read_latent(a));
    if (!latent) RIDGE_TRY_VOID(read_window(index, a));
    a.qkv_bias = layer.has("attn_q.bias") || layer.has("attn_qkv.bias");
    a.o_bias = layer.has("attn_output.bias");
    a.sinks = layer.has("attn_sinks.weight");
    if (layer.has("attn_q_norm.weight")) a.qk_norm = layer.columns("attn_q_norm.weight") == a.head_dim ? QkNorm::kHead : QkNorm::kAllHeads;
    a.output_gate = layer.rows("attn_q.weight") == 2 * a.q_width() || (!block.linear && layer.has("attn_gate.weight"));
    block.attention = a;
    if (!latent && layer.has("attn_k.weight") && layer.rows("attn_k.weight") != a.k_width())
      note(fmt::format("attn_k of layer {} has {} rows where the metadata make {}", index, layer.rows("attn_k.weight"), a.k_width()));
    return {};
  }

  // key_length_mla and value_length_mla are the heads' own widths; files from before 2025-04 have them as key_length and value_length.
  Result<void> read_latent(Attention& a) const {
    a.kind = AttentionKind::kLatent;
    a.kv_heads = a.heads;
    RIDGE_TRY(a.kv_lora_rank, keys_.size("attention.kv_lora_rank", kMaxHidden));
    RIDGE_TRY(a.q_lora_rank, keys_.count_or("attention.q_lora_rank", kMaxHidden, 0));
    RIDGE_TRY(a.rope_dim, keys_.size("rope.dimension_count", kMaxHidden));
    RIDGE_TRY(a.head_dim, keys_.count_or("attention.key_length_mla", kMaxHidden, a.head_dim));
    RIDGE_TRY(a.v_head_dim, keys_.count_or("attention.value_length_mla", kMaxHidden, a.v_head_dim));
    if (a.rope_dim >= a.head_dim) return keys_.error("rope.dimension_count", fmt::format("{} of {} elements of a key", a.rope_dim, a.head_dim));
    a.nope_dim = a.head_dim - a.rope_dim;
    if (!keys_.has("attention.indexer.top_k")) return {};
    Indexer indexer;
    RIDGE_TRY(indexer.heads, keys_.size("attention.indexer.head_count", kMaxHeads));
    RIDGE_TRY(indexer.head_dim, keys_.size("attention.indexer.key_length", kMaxHidden));
    RIDGE_TRY(indexer.top_k, keys_.size("attention.indexer.top_k", kMaxContext));
    a.indexer = indexer;
    return {};
  }

  Result<void> read_window(std::int64_t index, Attention& a) {
    const auto habit = std::ranges::find(kWindowHabits, keys_.architecture(), &WindowHabit::architecture);
    const bool known = habit != kWindowHabits.end();
    RIDGE_TRY(const std::int64_t window, keys_.count_or("attention.sliding_window", kMaxContext, known ? habit->window : 0));
    if (window == 0) return {};
    RIDGE_TRY(const std::optional<bool> slides, keys_.slides(index, known ? habit->period : 0));
    if (!slides) {
      if (index == 0) note(fmt::format("a window of {} is given, but not which layers have it: all layers are taken as full", window));
      return {};
    }
    if (!*slides) return {};
    a.kind = known ? habit->kind : AttentionKind::kSliding;
    a.window = window;
    RIDGE_TRY(a.head_dim, keys_.count_or("attention.key_length_swa", kMaxHidden, a.head_dim));
    RIDGE_TRY(a.v_head_dim, keys_.count_or("attention.value_length_swa", kMaxHidden, a.v_head_dim));
    return {};
  }

  // ssm.* mean other things in each mixer: inner_size is the width of values, time_step_rank their heads (Mamba-1: the rank
  // of Δ), group_count the heads of keys, state_size the width of a key.
  Result<void> read_linear(const GgufLayer& layer, Block& block) {
    if (layer.has("shortconv.in_proj.weight")) {
      block.linear = LinearMixer{.kind = LinearKind::kLinear};
      note("the short convolutions' state, a few tokens wide, is not counted");
      return {};
    }
    const bool delta = layer.has("ssm_ba.weight") || layer.has("ssm_beta.weight");
    if (!delta && !layer.has("ssm_in.weight")) return {};
    LinearMixer m;
    RIDGE_TRY(const std::int64_t inner, keys_.size("ssm.inner_size", kMaxIntermediate));
    RIDGE_TRY(m.key_dim, keys_.size("ssm.state_size", kMaxHidden));
    RIDGE_TRY(m.conv_kernel, keys_.size("ssm.conv_kernel", kMaxKernel));
    RIDGE_TRY(const std::int64_t rank, keys_.size("ssm.time_step_rank", kMaxHidden));
    RIDGE_TRY(const std::int64_t groups, keys_.count_or("ssm.group_count", kMaxHeads, 1));
    m.conv_bias = layer.has("ssm_conv1d.bias");
    if (layer.has("ssm_x.weight")) {
      m.kind = LinearKind::kMamba1;
      m.heads = inner;
      m.value_dim = 1;
      m.dt_rank = rank;
      m.conv_channels = inner;
    } else {
      m.kind = delta ? LinearKind::kGatedDelta : LinearKind::kMamba2;
      m.heads = rank;
      m.key_heads = std::max<std::int64_t>(1, groups);
      if (inner % rank != 0) return keys_.error("ssm.inner_size", fmt::format("{} is not a multiple of {} heads", inner, rank));
      m.value_dim = inner / rank;
      m.conv_channels = inner + 2 * m.key_heads * m.key_dim;
    }
    block.linear = m;
    return {};
  }

  Result<void> read_mlp(const GgufLayer& layer, Block& block) {
    Mlp& mlp = block.mlp;
    mlp.gated = layer.has("ffn_gate.weight") || layer.has("ffn_gate_exps.weight") || layer.has("ffn_gate_up_exps.weight");
    if (layer.has("ffn_down_exps.weight")) {
      mlp.kind = Mlp::Kind::kMoe;
      model_.is_mixture_of_experts = true;
      RIDGE_TRY(mlp.experts, keys_.size("expert_count", kMaxExperts));
      RIDGE_TRY(mlp.top_k, keys_.size("expert_used_count", kMaxExperts));
      if (mlp.top_k > mlp.experts) return keys_.error("expert_used_count", fmt::format("{} of {} experts", mlp.top_k, mlp.experts));
      mlp.intermediate = layer.columns("ffn_down_exps.weight");
      mlp.shared_intermediate = layer.columns("ffn_down_shexp.weight");
      mlp.shared_gate = layer.has("ffn_gate_inp_shexp.weight");
      mlp.correction_bias = layer.has("exp_probs_b.bias");
      mlp.router_bias = layer.has("ffn_gate_inp.bias");
      mlp.bias = layer.has("ffn_down_exps.bias");
      if (layer.has("ffn_latent_down.weight")) mlp.latent = layer.rows("ffn_latent_down.weight");
      mlp.parallel_intermediate = layer.columns("ffn_down.weight");
      return {};
    }
    if (!layer.has("ffn_down.weight")) {
      mlp.kind = Mlp::Kind::kNone;
      return {};
    }
    mlp.kind = Mlp::Kind::kDense;
    mlp.intermediate = layer.columns("ffn_down.weight");
    mlp.gated = mlp.gated || layer.rows("ffn_up.weight") == 2 * mlp.intermediate;  // gate and up in one
    mlp.bias = layer.has("ffn_down.bias");
    return {};
  }

  void note(std::string text) {
    if (std::ranges::find(model_.notes, text) == model_.notes.end() && model_.notes.size() < 20) model_.notes.push_back(std::move(text));
  }

  void set_summary() {
    const formats::GgufFile& file = checkpoint_.first;
    model_.name = file.path;
    model_.family = keys_.architecture();
    model_.origin = "gguf";
    model_.sources.push_back(file.path);
    model_.layers = text_layers_;
    model_.hidden = hidden_;
    const Attention* widest = nullptr;
    for (const Block& block : model_.text.blocks)
      if (block.attention && (widest == nullptr || block.attention->q_width() > widest->q_width())) widest = &*block.attention;
    if (widest != nullptr) {
      model_.heads = widest->heads;
      model_.kv_heads = widest->kv_heads;
      model_.head_dim = widest->head_dim;
    }
    for (const Tensor& tensor : model_.text.tensors)
      if (tensor.name == "token_embd.weight") model_.vocabulary = tensor.rows;
    if (const GgufValue* tokens = file.find("tokenizer.ggml.tokens");
        tokens != nullptr && model_.vocabulary && tokens->count > static_cast<std::uint64_t>(*model_.vocabulary))
      note(fmt::format("the vocabulary lists {} words, the embedding has {} rows", tokens->count, *model_.vocabulary));
    set_precision();
  }

  // The type that most bytes are in names the quantisation; what is neither quantised nor fp32 says how the rest is stored.
  void set_precision() {
    std::map<std::string_view, std::uint64_t> bytes;
    for (const GgufTensor* tensor : all_tensors(checkpoint_)) bytes[tensor->type->name] += tensor->bytes;
    model_.native = bytes["BF16"] > bytes["F16"] ? Precision::kBf16 : Precision::kFp16;
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& entry) { return entry.second; });
    const std::string_view name = most->first;
    if (name == "F16" || name == "BF16") return;
    if (name == "F32") {
      model_.native = Precision::kFp32;
      return;
    }
    const GgufValue* type = checkpoint_.first.find("general.file_type");
    if (type != nullptr && type->is_whole()) model_.quantisation_name = file_type_name(type->integer);
    if (model_.quantisation_name.empty()) model_.quantisation_name = std::string(name);
  }

  const GgufCheckpoint& checkpoint_;
  GgufKeys keys_;
  Model model_;
  std::vector<GgufLayer> layer_;
  std::int64_t layers_ = 0, text_layers_ = 0, hidden_ = 0;
};

}  // namespace

Result<Model> model_of(const GgufCheckpoint& checkpoint) {
  const formats::GgufFile& file = checkpoint.first;
  if (!checkpoint.absent.empty())
    return fail(checkpoint.absent.front(),
                fmt::format("there is no such file; {} of {} parts of the model are absent", checkpoint.absent.size(),
                            checkpoint.absent.size() + checkpoint.others.size() + 1),
                "Fetch all parts into one folder.");
  const GgufValue* architecture = file.find("general.architecture");
  if (architecture == nullptr) return file.error("general.architecture", "the key is missing");
  if (architecture->type != GgufValue::Type::kText || architecture->text.empty()) return file.error("general.architecture", "text is expected");
  if (architecture->text == "clip")
    return file.error("general.architecture", "this is the vision part of a model (mmproj), not its language model", "Give the other .gguf file.");
  return ModelReader(checkpoint, architecture->text).read();
}

Result<Model> read_gguf_model(const formats::FileSystem& files, const std::string& path) {
  RIDGE_TRY(const GgufCheckpoint checkpoint, formats::read_gguf_checkpoint(files, path));
  return model_of(checkpoint);
}

}  // namespace ridge::model
