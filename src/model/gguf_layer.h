// Inside of the GGUF reader: metadata by name and layer (gguf_keys.cc), and the tensors of one layer (gguf_tensors.cc).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf.h"
#include "model/architecture.h"

namespace ridge::model {

// "llama.attention.head_count" and its like: one number, or one per layer. Every number is within the limit asked for.
class GgufKeys {
 public:
  GgufKeys(const formats::GgufFile& file, std::string architecture) : file_(file), architecture_(std::move(architecture)) {}

  const formats::GgufFile& file() const { return file_; }
  const std::string& architecture() const { return architecture_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // 1 to `most`; absent is an error that names the key.
  Result<std::int64_t> size(std::string_view name, std::int64_t most) const;
  // 0 to `most`; absent: `fallback`. Of an array, the element of `layer`.
  Result<std::int64_t> count_or(std::string_view name, std::int64_t most, std::int64_t fallback, std::int64_t layer = 0) const;
  // Whether layer `layer` slides, from attention.sliding_window_pattern: a period, or one yes or no per layer.
  Result<std::optional<bool>> slides(std::int64_t layer, std::int64_t period) const;
  tl::unexpected<Error> error(std::string_view name, std::string what, std::string advice = {}) const;

 private:
  const formats::GgufValue* find(std::string_view name) const;

  const formats::GgufFile& file_;
  std::string architecture_;
};

// The tensors of one layer by name without "blk.N."; of experts written one by one, all under the name of the first.
struct GgufLayer {
  std::map<std::string, const formats::GgufTensor*, std::less<>> tensors;
  std::map<std::string, std::int64_t, std::less<>> copies;  // of a name: experts that were written one by one
  const formats::GgufTensor* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::int64_t rows(std::string_view name) const;     // 0 where absent
  std::int64_t columns(std::string_view name) const;  // 0 where absent
};

// One tensor of a layer (or outside of the layers) as the model counts it.
Result<Tensor> gguf_tensor(const formats::GgufTensor& tensor, std::string_view name, std::int64_t copies, const Block& block);
Tensor gguf_outer_tensor(const formats::GgufTensor& tensor, bool tied);

}  // namespace ridge::model
