#include "model/stored_format.h"

#include <algorithm>
#include <map>

namespace ridge::model {

Precision stored_format(const Model& model) {
  std::map<Precision, std::int64_t> elements;
  for (std::size_t i = 0; i < model.text.blocks.size(); ++i)
    for (const Tensor& tensor : model.text.blocks[i].tensors)
      if (tensor.quantisable) elements[tensor.storage.format] += tensor.elements() * model.text.count_of(i);
  const auto most = std::max_element(elements.begin(), elements.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == elements.end() ? model.native : most->first;
}

}  // namespace ridge::model
