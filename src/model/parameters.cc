#include <fmt/format.h>

#include <functional>

#include "model/model.h"

namespace ridge::model {
namespace {

// Sums over one stack: `times` is the number of layers that hold the tensor, 1 outside of them.
void for_each_tensor(const Stack& stack, const std::function<void(const Tensor&, std::int64_t times)>& visit) {
  for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
    const std::int64_t times = stack.count_of(i);
    for (const Tensor& tensor : stack.blocks[i].tensors) visit(tensor, times);
  }
  for (const Tensor& tensor : stack.tensors) visit(tensor, 1);
}

std::int64_t& slot(Parameters& p, Part part) {
  switch (part) {
    case Part::kEmbedding:
      return p.embedding;
    case Part::kHead:
      return p.head;
    case Part::kAttention:
      return p.attention;
    case Part::kLinearAttention:
      return p.linear_attention;
    case Part::kDenseMlp:
      return p.dense_mlp;
    case Part::kRoutedExperts:
      return p.routed_experts;
    case Part::kSharedExperts:
      return p.shared_experts;
    case Part::kRouter:
      return p.router;
    case Part::kNorms:
      return p.norms;
    case Part::kEncoder:
      return p.encoder;
    case Part::kVision:
      return p.vision;
    case Part::kMtp:
      return p.mtp;
    case Part::kOther:
      return p.other;
  }
  return p.other;
}

}  // namespace

Result<Parameters> parameters(const Model& model) {
  Parameters p;
  if (!model.shapes_known()) {
    if (!model.given_parameters) return missing_fields(model, "the number of parameters");
    p.total = static_cast<std::int64_t>(*model.given_parameters);
    p.active = static_cast<std::int64_t>(model.given_active.value_or(*model.given_parameters));
    p.other = p.total;
    return p;
  }
  std::int64_t multiplied = 0;
  const auto add = [&](const Tensor& tensor, std::int64_t times) {
    slot(p, tensor.part) += tensor.elements() * times;
    if (tensor.part == Part::kMtp) return;
    p.total += tensor.elements() * times;
    multiplied += tensor.active_elements() * times;
  };
  for_each_tensor(model.text, add);
  for (const std::optional<Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) for_each_tensor(**stack, add);
  p.active = model.is_mixture_of_experts ? multiplied : p.total;
  if (model.given_parameters) {
    // What the reader was told outranks the sum; the difference has no part of its own.
    const auto given = static_cast<std::int64_t>(*model.given_parameters);
    p.other += given - p.total;
    if (!model.is_mixture_of_experts) p.active = given;
    p.total = given;
  }
  if (model.given_active) p.active = static_cast<std::int64_t>(*model.given_active);
  return p;
}

tl::unexpected<Error> missing_fields(const Model& model, std::string_view question) {
  std::string names;
  for (const std::string& name : model.missing) names += (names.empty() ? "" : ", ") + name;
  return fail(model.name, fmt::format("{} needs what the description lacks: {}", question, names),
              fmt::format("Add {} to it, as in \"layers=32,hidden=4096,heads=32\".", names));
}

Result<Bytes> checkpoint_bytes(const Model& model) {
  if (!model.shapes_known()) return missing_fields(model, "the size of the checkpoint");
  if (!model.storage_known)
    return fail(model.name, fmt::format("the storage of its quantisation \"{}\" is not known", model.quantisation_name),
                "Give the format of the weights, for example --dtype int4.");
  Bytes bytes;
  const auto add = [&](const Tensor& tensor, std::int64_t times) { bytes += tensor.stored() * times; };
  for_each_tensor(model.text, add);
  for (const std::optional<Stack>* stack : {&model.encoder, &model.vision, &model.mtp})
    if (*stack) for_each_tensor(**stack, add);
  return bytes;
}

}  // namespace ridge::model
