// From the description of a layer to its tensors: names as the family's checkpoints write them, shapes, how ranks share
// them. Every count and size of the room is a sum over what these functions list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/architecture.h"

namespace ridge::model {

// How the checkpoints of a family name things, relative to a layer unless said otherwise. A fused name ("" where there is
// none) stands for several matrices stacked in one tensor.
struct TensorNames {
  std::string root;  // before everything: "language_model."
  std::string embedding = "model.embed_tokens";
  std::string final_norm = "model.norm";
  std::string head = "lm_head";
  std::string layers = "model.layers.";

  std::string attention = "self_attn.";
  std::string q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  std::string qkv;
  std::string q_norm = "q_norm", k_norm = "k_norm";
  std::string sinks = "sinks";
  std::string cross = "encoder_attn.";

  std::string mlp = "mlp.";
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
  std::string gate_up;

  std::string moe = "mlp.";
  std::string router = "gate";
  std::string correction = "gate.e_score_correction_bias";
  std::string experts = "experts.*.";
  std::string expert_gate = "gate_proj", expert_up = "up_proj", expert_down = "down_proj";
  bool experts_stacked = false;  // one 3-D parameter for all experts: "experts.gate_up_proj", without ".weight"
  std::string shared = "shared_experts.";
  std::string shared_gate = "shared_expert_gate";

  std::string linear = "linear_attn.";
  bool split_delta_inputs = false;  // Qwen3.5: in_proj_qkv, _z, _b, _a; Qwen3-Next: in_proj_qkvz, _ba
  std::vector<std::string> norms = {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"};
};

// The list under construction: `native` is the storage of what no one says otherwise.
class TensorList {
 public:
  explicit TensorList(Precision native) : native_(native) {}
  // rows × columns of a linear layer: weights that methods of quantisation may convert.
  Tensor& matrix(std::string name, std::int64_t rows, std::int64_t columns, Part part, Split split = Split::kReplicated, std::int64_t units = 1);
  Tensor& vector(std::string name, std::int64_t size, Part part, Split split = Split::kReplicated, std::int64_t units = 1);
  // A matrix that is no linear layer: embeddings, convolutions, gates kept in full precision.
  Tensor& table(std::string name, std::int64_t rows, std::int64_t columns, Part part, Split split = Split::kReplicated, std::int64_t units = 1);
  // weight, and bias where there is one.
  Tensor& linear(const std::string& module, std::int64_t rows, std::int64_t columns, bool bias, Part part, Split split = Split::kReplicated,
                 std::int64_t units = 1);
  void norm(const std::string& module, std::int64_t size, bool bias, Part part = Part::kNorms);
  std::vector<Tensor> take() { return std::move(tensors_); }
  std::vector<Tensor>& tensors() { return tensors_; }

 private:
  Precision native_;
  std::vector<Tensor> tensors_;
};

// The tensors of one layer, in the order attention, linear mixer, cross-attention, MLP, norms.
std::vector<Tensor> layer_tensors(const Block& block, std::int64_t hidden, Precision native, const TensorNames& names);

// The parts of it, for layers that are put together by hand.
void add_attention(TensorList& list, const Attention& attention, std::int64_t hidden, const TensorNames& names);
void add_linear_mixer(TensorList& list, const LinearMixer& mixer, std::int64_t hidden, const TensorNames& names);
void add_mlp(TensorList& list, const Mlp& mlp, std::int64_t hidden, const TensorNames& names);
void add_norms(TensorList& list, const Block& block, std::int64_t hidden, const TensorNames& names);

}  // namespace ridge::model
