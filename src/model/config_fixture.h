// For the tests of the config readers: a small complete config of a family, with fields laid over it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/config.h"
#include "model/model.h"

namespace ridge::model {

inline Result<Model> read_text(const std::string& json, const std::string& beside = {}) {
  const Result<formats::Node> node = formats::read_python_json(json, "config.json");
  if (!node) return tl::unexpected<Error>(node.error());
  if (beside.empty()) return read_config(formats::NodeRef(*node, "config.json"));
  const Result<formats::Node> other = formats::read_python_json(beside, "hf_quant_config.json");
  if (!other) return tl::unexpected<Error>(other.error());
  const formats::NodeRef reference(*other, "hf_quant_config.json");
  return read_config(formats::NodeRef(*node, "config.json"), &reference);
}

// {"model_type": TYPE, <a decoder of 4 layers>, FIELDS}: a field that stands in FIELDS replaces the usual one.
inline std::string small_config(const std::string& type, const std::string& fields = {}) {
  std::string json = "{\"model_type\": \"" + type + "\"";
  const std::pair<const char*, const char*> usual[] = {{"num_hidden_layers", "4"},     {"hidden_size", "64"},        {"num_attention_heads", "8"},
                                                       {"num_key_value_heads", "2"},   {"intermediate_size", "128"}, {"vocab_size", "100"},
                                                       {"torch_dtype", "\"bfloat16\""}};
  for (const auto& [name, value] : usual)
    if (fields.find("\"" + std::string(name) + "\"") == std::string::npos) json += ", \"" + std::string(name) + "\": " + value;
  return json + (fields.empty() ? "" : ", " + fields) + "}";
}

inline Model model_of(const std::string& json, const std::string& beside = {}) {
  Result<Model> model = read_text(json, beside);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? *std::move(model) : Model{};
}

inline std::string error_of(const std::string& json) {
  const Result<Model> model = read_text(json);
  EXPECT_FALSE(model) << json;
  return model ? "" : to_string(model.error());
}

inline Block layer(const Model& model, std::size_t i) { return model.text.blocks[static_cast<std::size_t>(model.text.sequence[i])]; }

// Kinds of attention of all layers, a letter each: F full, S sliding, C chunked, L latent, D linear (delta rule, Mamba), X cross, - none.
inline std::string mixers(const Model& model) {
  std::string letters;
  for (std::size_t i = 0; i < model.text.sequence.size(); ++i) {
    const Block& block = layer(model, i);
    if (block.attention)
      letters += std::string("-FSCLPDX")[static_cast<std::size_t>(block.attention->kind)];
    else
      letters += block.linear ? 'D' : (block.cross ? 'X' : '-');
  }
  return letters;
}

// A copy, or null: it outlives the model it was found in.
inline std::shared_ptr<const Tensor> find_tensor(const std::vector<Tensor>& tensors, std::string_view name) {
  for (const Tensor& tensor : tensors)
    if (tensor.name == name) return std::make_shared<const Tensor>(tensor);
  return nullptr;
}

}  // namespace ridge::model
