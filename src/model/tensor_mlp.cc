// Tensors of the second half of a layer: a dense MLP, or experts with their router.
#include "model/tensor_builder.h"

namespace ridge::model {
namespace {

struct MlpNames {
  std::string module;
  const std::string& gate;
  const std::string& up;
  const std::string& down;
  const std::string& gate_up;
};

void add_dense(TensorList& list, const MlpNames& names, std::int64_t hidden, std::int64_t intermediate, bool gated, bool bias, Part part) {
  const bool fused = gated && !names.gate_up.empty();
  const auto add_rows = [&](const std::string& name, bool slice) {
    list.linear(names.module + name, intermediate, hidden, bias, part, Split::kRows, intermediate).slice = slice;
    if (bias && slice) (list.tensors().end() - 2)->slice = true;
  };
  if (gated) add_rows(fused ? names.gate_up : names.gate, false);
  add_rows(fused ? names.gate_up : names.up, fused);
  list.linear(names.module + names.down, hidden, intermediate, bias, part, Split::kColumns, intermediate);
}

// The tensors just listed, from `first` on, stand for all experts of the layer.
void spread_over_experts(TensorList& list, std::size_t first, const Mlp& mlp, bool stacked) {
  for (std::size_t i = first; i < list.tensors().size(); ++i) {
    Tensor& tensor = list.tensors()[i];
    tensor.copies = mlp.experts;
    tensor.active_copies = mlp.top_k;
    tensor.by_expert = true;
    if (stacked && tensor.name.ends_with(".weight")) tensor.name.resize(tensor.name.size() - 7);
    if (stacked && tensor.name.ends_with(".bias")) tensor.name.replace(tensor.name.size() - 5, 5, "_bias");
  }
}

void add_router(TensorList& list, const Mlp& mlp, std::int64_t hidden, const TensorNames& names) {
  Tensor& router = list.table(names.moe + names.router + ".weight", mlp.experts, hidden, Part::kRouter);
  if (mlp.router_fp32) router.storage = plain_storage(Precision::kFp32);
  if (mlp.router_bias) list.vector(names.moe + names.router + ".bias", mlp.experts, Part::kRouter);
  if (mlp.correction_bias) list.vector(names.moe + names.correction, mlp.experts, Part::kRouter).storage = plain_storage(Precision::kFp32);
  if (mlp.hash_routed_vocabulary > 0) {
    // One int32 per word and chosen expert.
    Tensor& table = list.table(names.moe + names.router + ".tid2eid", mlp.hash_routed_vocabulary, mlp.top_k, Part::kRouter);
    table.storage = plain_storage(Precision::kFp32);
    table.active_copies = 0;
  }
}

void add_moe(TensorList& list, const Mlp& mlp, std::int64_t hidden, const TensorNames& names) {
  add_router(list, mlp, hidden, names);
  const std::int64_t width = mlp.latent > 0 ? mlp.latent : hidden;
  if (mlp.latent > 0) {
    list.matrix(names.moe + "fc1_latent_proj.weight", mlp.latent, hidden, Part::kRoutedExperts);
    list.matrix(names.moe + "fc2_latent_proj.weight", hidden, mlp.latent, Part::kRoutedExperts);
  }
  const std::size_t first = list.tensors().size();
  static const std::string kStackedGateUp = "gate_up_proj";
  static const std::string kNone;
  const std::string experts = names.moe + (names.experts_stacked ? "experts." : names.experts);
  const MlpNames expert{experts, names.expert_gate, names.expert_up, names.expert_down, names.experts_stacked ? kStackedGateUp : kNone};
  add_dense(list, expert, width, mlp.intermediate, mlp.gated, mlp.bias, Part::kRoutedExperts);
  spread_over_experts(list, first, mlp, names.experts_stacked);
  if (mlp.shared_intermediate > 0) {
    const MlpNames shared{names.moe + names.shared, names.gate, names.up, names.down, names.gate_up};
    add_dense(list, shared, hidden, mlp.shared_intermediate, mlp.gated, mlp.shared_bias, Part::kSharedExperts);
    if (mlp.shared_gate) list.table(names.moe + names.shared_gate + ".weight", 1, hidden, Part::kSharedExperts);
  }
  if (mlp.parallel_intermediate > 0) {
    const MlpNames dense{names.mlp, names.gate, names.up, names.down, names.gate_up};
    add_dense(list, dense, hidden, mlp.parallel_intermediate, true, false, Part::kDenseMlp);
  }
}

}  // namespace

void add_mlp(TensorList& list, const Mlp& mlp, std::int64_t hidden, const TensorNames& names) {
  switch (mlp.kind) {
    case Mlp::Kind::kNone:
    case Mlp::Kind::kUnknown:
      return;
    case Mlp::Kind::kDense:
      return add_dense(list, {names.mlp, names.gate, names.up, names.down, names.gate_up}, hidden, mlp.intermediate, mlp.gated, mlp.bias, Part::kDenseMlp);
    case Mlp::Kind::kLinear:
      list.matrix(names.mlp + "linear_mlp.weight", hidden, hidden, Part::kDenseMlp, Split::kRows, hidden);
      return;
    case Mlp::Kind::kMoe:
      return add_moe(list, mlp, hidden, names);
  }
}

}  // namespace ridge::model
