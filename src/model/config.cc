#include "model/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/config_reading.h"
#include "model/limits.h"
#include "model/quantisation.h"
#include "quantity/text.h"

namespace ridge::model {
namespace {

using formats::NodeRef;

bool same_layer(const Block& a, const Block& b) {
  return a.attention == b.attention && a.cross == b.cross && a.linear == b.linear && a.mlp == b.mlp && a.norms == b.norms && a.norm_bias == b.norm_bias &&
         a.scalar_gates == b.scalar_gates && a.residual_streams == b.residual_streams;
}

// torch_dtype of the text model, else of the whole; what the family publishes in where neither says it.
Result<Precision> read_native(Reading& reading, const Traits& traits) {
  for (const ConfigFields* fields : {&reading.config, &reading.top}) {
    const std::optional<NodeRef> node = fields->find(key::kDtype);
    if (!node) continue;
    RIDGE_TRY(const std::string text, node->as_text());
    if (text == "auto") continue;
    Result<Precision> precision = parse_precision(text);
    if (!precision) return node->error(precision.error().what, precision.error().advice);
    return *precision;
  }
  if (traits.native) return *traits.native;
  reading.model.notes.push_back("the config does not say in which format the weights are stored: bf16 is assumed");
  return Precision::kBf16;
}

Result<bool> read_tied(const Reading& reading, const Traits& traits) {
  if (reading.tied) return *reading.tied;
  if (reading.top.has("tie_word_embeddings")) return reading.top.flag_or("tie_word_embeddings", false);
  return reading.config.flag_or("tie_word_embeddings", traits.tied);
}

// Embedding, positions, final norm and head around the layers.
Result<void> add_outside(Reading& reading, const Traits& traits) {
  const Model& model = reading.model;
  const TensorNames& names = reading.names;
  const std::int64_t hidden = *model.hidden;
  const std::int64_t width = reading.embedding_width > 0 ? reading.embedding_width : hidden;
  const std::int64_t words = *model.vocabulary;
  RIDGE_TRY(const bool tied, read_tied(reading, traits));
  const bool head_stored = !tied || traits.tied_copy;
  TensorList list(model.native);
  // A tied embedding is multiplied once per token, as the head; one of its own is only looked up.
  list.table(names.embedding + ".weight", words, width, Part::kEmbedding, Split::kRows, words).active_copies = head_stored ? 0 : 1;
  if (!traits.positions.empty()) {
    if (!model.max_context) RIDGE_TRY_VOID(reading.config.size(key::kContext, kMaxContext));
    if (*model.max_context > kMaxVocabulary) return reading.config.error_at(key::kContext, fmt::format("a table of {} learned positions", *model.max_context));
    list.table(std::string(traits.positions) + ".weight", *model.max_context + traits.position_offset, hidden, Part::kEmbedding).active_copies = 0;
  }
  if (!traits.embedding_norm.empty()) list.norm(std::string(traits.embedding_norm), hidden, true);
  for (Tensor& tensor : reading.extra) list.tensors().push_back(std::move(tensor));
  RIDGE_TRY(const bool usual_bias, read_switch(reading.config, traits.norm_bias));
  const bool norm_bias = reading.norm_bias.value_or(usual_bias);
  if (traits.final_norm && reading.final_norm) list.norm(names.final_norm, hidden, norm_bias);
  if (head_stored) {
    list.matrix(names.head + ".weight", words, width, Part::kHead, Split::kRows, words);
    RIDGE_TRY(const bool head_bias, read_switch(reading.config, traits.head_bias));
    if (head_bias) list.vector(names.head + ".bias", words, Part::kHead, Split::kRows, words);
  }
  if (tied && traits.tied_copy) reading.model.notes.push_back("the head is tied to the embedding, but the checkpoint stores a copy of it, which is counted");
  reading.text.stack().tensors = list.take();
  reading.model.tied_embeddings = tied;
  return {};
}

double elements_of(const std::vector<Tensor>& tensors) {
  double sum = 0;
  for (const Tensor& t : tensors) sum += static_cast<double>(t.rows) * static_cast<double>(t.columns) * static_cast<double>(t.copies);
  return sum;
}

double elements_of(const Stack& stack) {
  double sum = elements_of(stack.tensors);
  std::vector<double> of_block;
  for (const Block& block : stack.blocks) of_block.push_back(elements_of(block.tensors));
  for (std::int32_t index : stack.sequence) sum += of_block[static_cast<std::size_t>(index)];
  return sum;
}

Result<void> check_total(const Model& model, const NodeRef& config) {
  double total = elements_of(model.text);
  for (const std::optional<Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) total += elements_of(**stack);
  if (total <= kMaxParameters) return {};
  return config.error(fmt::format("the shapes add up to {:.3g} parameters, more than the limit of {:.0g}", total, kMaxParameters),
                      "Look for a dimension that is too large by a factor.");
}

}  // namespace

bool StackBuilder::add(Block block) {
  // Neighbours are mostly alike, or alike in turns: look from the back.
  for (std::size_t i = stack_.blocks.size(); i-- > 0;) {
    if (!same_layer(stack_.blocks[i], block)) continue;
    stack_.sequence.push_back(static_cast<std::int32_t>(i));
    return true;
  }
  if (static_cast<std::int64_t>(stack_.blocks.size()) >= kMaxLayerKinds) return false;
  stack_.sequence.push_back(static_cast<std::int32_t>(stack_.blocks.size()));
  stack_.blocks.push_back(std::move(block));
  return true;
}

void set_root(TensorNames& names, const std::string& body, const std::string& head) {
  names.layers = body + "layers.";
  names.embedding = body + "embed_tokens";
  names.final_norm = body + "norm";
  names.head = head;
}

Result<void> read_text(Reading& reading, std::string_view model_type) {
  const Traits* traits = find_traits(model_type);
  Traits unknown;
  unknown.model_type = model_type;
  if (traits != nullptr && traits->read == read_wrapper)
    return reading.config.error(fmt::format("the text section is itself of the wrapper type \"{}\"", model_type));
  if (traits == nullptr) traits = &unknown;
  reading.names = traits->names != nullptr ? traits->names() : TensorNames{};
  if (!reading.body.empty()) set_root(reading.names, reading.body, reading.head);
  RIDGE_TRY(reading.model.native, read_native(reading, *traits));
  RIDGE_TRY_VOID(traits->read != nullptr ? traits->read(reading, *traits) : read_unknown(reading, *traits));
  Stack& stack = reading.text.stack();
  stack.hidden = *reading.model.hidden;
  stack.layer_prefix = reading.names.layers;
  for (Block& block : stack.blocks) {
    block.tensors = layer_tensors(block, stack.hidden, reading.model.native, reading.names);
    if (block.mlp.kind == Mlp::Kind::kMoe) reading.model.is_mixture_of_experts = true;
  }
  return add_outside(reading, *traits);
}

Result<Model> read_config(const NodeRef& config, const NodeRef* quantisation) {
  if (config.kind() != formats::Node::Kind::kMap) return config.error(fmt::format("a map of the model's fields is expected, found {}", name_of(config.kind())));
  Reading reading{ConfigFields(config), ConfigFields(config)};
  RIDGE_TRY(const std::string type, reading.top.text_or("model_type", ""));
  const Traits* traits = find_traits(type);
  const bool wrapped = traits != nullptr ? traits->read == read_wrapper : reading.top.section("text_config").has_value() && !reading.top.has(key::kHidden);
  Traits unknown_wrapper;
  unknown_wrapper.model_type = type;
  RIDGE_TRY_VOID(wrapped ? read_wrapper(reading, traits != nullptr ? *traits : unknown_wrapper) : read_text(reading, type));
  reading.model.family = type;
  reading.model.origin = "config.json";
  reading.model.text = std::move(reading.text.stack());
  RIDGE_TRY_VOID(check_total(reading.model, config));
  RIDGE_TRY_VOID(apply_quantisation(reading.model, reading.top, reading.config, quantisation));
  return std::move(reading.model);
}

}  // namespace ridge::model
