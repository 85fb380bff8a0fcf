// Tensors of mixers with a state of fixed size.
#include "model/tensor_builder.h"

namespace ridge::model {
namespace {

constexpr Part kPart = Part::kLinearAttention;

// Gu, Dao, "Mamba" (2023), section 3.4, with Jamba's three inner norms (Lieber et al., 2024, section 2).
void add_mamba1(TensorList& list, const LinearMixer& m, std::int64_t hidden, const std::string& at) {
  const std::int64_t inner = m.inner();
  list.linear(at + "in_proj", 2 * inner, hidden, m.proj_bias, kPart, Split::kRows, inner);
  list.table(at + "conv1d.weight", inner, m.conv_kernel, kPart, Split::kRows, inner);
  if (m.conv_bias) list.vector(at + "conv1d.bias", inner, kPart, Split::kRows, inner);
  list.matrix(at + "x_proj.weight", m.dt_rank + 2 * m.key_dim, inner, kPart, Split::kColumns, inner);
  list.linear(at + "dt_proj", inner, m.dt_rank, true, kPart, Split::kRows, inner);
  list.table(at + "A_log", inner, m.key_dim, kPart, Split::kRows, inner);
  list.vector(at + "D", inner, kPart, Split::kRows, inner);
  list.linear(at + "out_proj", hidden, inner, m.proj_bias, kPart, Split::kColumns, inner);
  if (!m.inner_norms) return;
  list.norm(at + "dt_layernorm", m.dt_rank, false);
  list.norm(at + "b_layernorm", m.key_dim, false);
  list.norm(at + "c_layernorm", m.key_dim, false);
}

// Dao, Gu, "Transformers are SSMs" (2024), section 7: gate, x, B, C and Δ come from one projection.
void add_mamba2(TensorList& list, const LinearMixer& m, std::int64_t hidden, const std::string& at) {
  const std::int64_t inner = m.inner();
  list.linear(at + "in_proj", 2 * inner + 2 * m.key_heads * m.key_dim + m.heads, hidden, m.proj_bias, kPart, Split::kRows, m.heads);
  list.table(at + "conv1d.weight", m.conv_channels, m.conv_kernel, kPart, Split::kRows, m.heads);
  if (m.conv_bias) list.vector(at + "conv1d.bias", m.conv_channels, kPart, Split::kRows, m.heads);
  for (const char* name : {"A_log", "D", "dt_bias"}) list.vector(at + name, m.heads, kPart, Split::kRows, m.heads);
  list.vector(at + "norm.weight", inner, kPart, Split::kRows, m.heads);
  list.linear(at + "out_proj", hidden, inner, m.proj_bias, kPart, Split::kColumns, m.heads);
}

// Yang et al., "Gated Delta Networks" (2024), as Qwen3-Next lays it out: queries and keys of key_heads, values and the
// output gate of heads, and two scalars per value head.
void add_gated_delta(TensorList& list, const LinearMixer& m, std::int64_t hidden, const std::string& at, bool split_inputs) {
  const std::int64_t keys = m.key_heads * m.key_dim;
  const std::int64_t values = m.inner();
  if (split_inputs) {
    list.matrix(at + "in_proj_qkv.weight", 2 * keys + values, hidden, kPart, Split::kRows, m.key_heads);
    list.matrix(at + "in_proj_z.weight", values, hidden, kPart, Split::kRows, m.heads);
    list.matrix(at + "in_proj_b.weight", m.heads, hidden, kPart, Split::kRows, m.heads);
    list.matrix(at + "in_proj_a.weight", m.heads, hidden, kPart, Split::kRows, m.heads);
  } else {
    list.matrix(at + "in_proj_qkvz.weight", 2 * keys + 2 * values, hidden, kPart, Split::kRows, m.key_heads);
    list.matrix(at + "in_proj_ba.weight", 2 * m.heads, hidden, kPart, Split::kRows, m.heads);
  }
  list.table(at + "conv1d.weight", m.conv_channels, m.conv_kernel, kPart, Split::kRows, m.key_heads);
  list.vector(at + "dt_bias", m.heads, kPart, Split::kRows, m.heads);
  list.vector(at + "A_log", m.heads, kPart, Split::kRows, m.heads);
  list.vector(at + "norm.weight", m.value_dim, kPart);
  list.matrix(at + "out_proj.weight", hidden, values, kPart, Split::kColumns, m.heads);
}

// MiniMax-01 report (arXiv 2501.08313), section 2.2: lightning attention with a gated, normed output.
void add_lightning(TensorList& list, const LinearMixer& m, std::int64_t hidden, const std::string& at) {
  list.matrix(at + "qkv_proj.weight", 2 * m.key_heads * m.key_dim + m.inner(), hidden, kPart, Split::kRows, m.heads);
  list.matrix(at + "output_gate.weight", m.inner(), hidden, kPart, Split::kRows, m.heads);
  list.vector(at + "norm.weight", m.inner(), kPart, Split::kRows, m.heads);
  list.matrix(at + "out_proj.weight", hidden, m.inner(), kPart, Split::kColumns, m.heads);
}

}  // namespace

void add_linear_mixer(TensorList& list, const LinearMixer& mixer, std::int64_t hidden, const TensorNames& names) {
  switch (mixer.kind) {
    case LinearKind::kMamba1:
      return add_mamba1(list, mixer, hidden, names.linear);
    case LinearKind::kMamba2:
      return add_mamba2(list, mixer, hidden, names.linear);
    case LinearKind::kGatedDelta:
      return add_gated_delta(list, mixer, hidden, names.linear, names.split_delta_inputs);
    case LinearKind::kLightning:
      return add_lightning(list, mixer, hidden, names.linear);
    case LinearKind::kLinear:
      list.matrix(names.linear + "linear_attn.weight", hidden, hidden, kPart, Split::kRows, hidden);
      return;
  }
}

}  // namespace ridge::model
