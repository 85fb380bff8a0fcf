// Multi-token-prediction modules: a layer like those of the model behind a projection of the last hidden state and the
// next token's embedding (DeepSeek-V3 report, section 2.2). They are counted apart: an engine loads them only to speculate.
#include <fmt/format.h>

#include "model/config_reading.h"

namespace ridge::model {
namespace {

void add_projection(TensorList& list, Predictor kind, std::int64_t hidden, std::int64_t vocabulary) {
  switch (kind) {
    case Predictor::kNone:
    case Predictor::kNotShipped:
      return;
    case Predictor::kDeepSeek:  // with copies of embedding and head (README_WEIGHTS of DeepSeek-V3)
      list.table("embed_tokens.weight", vocabulary, hidden, Part::kMtp, Split::kRows, vocabulary).active_copies = 0;
      list.table("shared_head.head.weight", vocabulary, hidden, Part::kMtp, Split::kRows, vocabulary);
      [[fallthrough]];
    case Predictor::kGlm:
      list.norm("enorm", hidden, false);
      list.norm("hnorm", hidden, false);
      list.table("eh_proj.weight", hidden, 2 * hidden, Part::kMtp);
      list.norm("shared_head.norm", hidden, false);
      return;
    case Predictor::kMimo:
      list.matrix("input_proj.weight", hidden, 2 * hidden, Part::kMtp);
      for (const char* name : {"token_layernorm", "hidden_layernorm", "final_layernorm"}) list.norm(name, hidden, false);
      return;
    case Predictor::kDeepSeekV4:
      list.matrix("e_proj.weight", hidden, hidden, Part::kMtp);
      list.matrix("h_proj.weight", hidden, hidden, Part::kMtp);
      for (const char* name : {"enorm", "hnorm", "norm"}) list.norm(name, hidden, false);
      return;
    case Predictor::kQwen:
      return;  // outside the layers, see below
  }
}

std::string prefix_of(Predictor kind, const TensorNames& names) {
  switch (kind) {
    case Predictor::kQwen:
      return "mtp.layers.";
    case Predictor::kDeepSeekV4:
      return "mtp.";
    case Predictor::kMimo:
      return "model.mtp_layers.";
    default:
      return names.layers;
  }
}

}  // namespace

void add_predictor(Reading& reading, const Traits& traits, std::int64_t count, const Block& block, const Dimensions& d) {
  const Predictor kind = traits.predictor;
  if (kind == Predictor::kNone || kind == Predictor::kNotShipped) {
    reading.model.notes.push_back(kind == Predictor::kNone
                                      ? "the config names multi-token-prediction layers, whose tensors are not known for this family: they are not counted"
                                      : "the config names multi-token-prediction modules; the published checkpoints hold none, so they are not counted");
    return;
  }
  Stack mtp;
  mtp.hidden = d.hidden;
  mtp.layer_prefix = prefix_of(kind, reading.names);
  const bool continues = kind == Predictor::kDeepSeek || kind == Predictor::kGlm;
  mtp.first_layer = continues ? d.layers : 0;
  Block module = block;
  module.tensors = layer_tensors(module, d.hidden, reading.model.native, reading.names);
  TensorList list(reading.model.native);
  add_projection(list, kind, d.hidden, d.vocabulary);
  if (kind == Predictor::kDeepSeekV4 && block.residual_streams > 1) {
    const std::int64_t n = block.residual_streams;
    list.table("hc_head_fn", n, n * d.hidden, Part::kMtp).storage = plain_storage(Precision::kFp32);
    list.vector("hc_head_base", n, Part::kMtp).storage = plain_storage(Precision::kFp32);
    list.vector("hc_head_scale", 1, Part::kMtp).storage = plain_storage(Precision::kFp32);
  }
  for (Tensor& tensor : list.take()) module.tensors.push_back(std::move(tensor));
  if (kind == Predictor::kQwen) {
    TensorList outside(reading.model.native);
    outside.matrix("mtp.fc.weight", d.hidden, 2 * d.hidden, Part::kMtp);
    for (const char* name : {"mtp.norm", "mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden"}) outside.norm(name, d.hidden, false);
    mtp.tensors = outside.take();
  }
  mtp.blocks.push_back(std::move(module));
  mtp.sequence.assign(static_cast<std::size_t>(count), 0);
  set_predictor(reading.model, std::move(mtp));
}

void set_predictor(Model& model, Stack mtp) {
  for (Block& block : mtp.blocks)
    for (Tensor& tensor : block.tensors) tensor.part = Part::kMtp;
  for (Tensor& tensor : mtp.tensors) tensor.part = Part::kMtp;
  model.mtp = std::move(mtp);
}

}  // namespace ridge::model
