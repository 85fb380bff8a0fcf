// Any bytes: no crash, and a model that comes out of them answers questions without overflow.
#include <cstdint>

#include "formats/gguf.h"
#include "model/gguf_model.h"
#include "model/kv_cache.h"
#include "model/model.h"
#include "model/operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  const std::string bytes(data, data + size);
  formats::GgufCheckpoint checkpoint;
  // The table may promise more than these bytes: the end is not checked, so that small inputs reach the model.
  auto file = formats::parse_gguf(bytes, std::nullopt, "fuzz");
  if (!file) return 0;
  checkpoint.first = std::move(*file);
  const auto model = model::model_of(checkpoint);
  if (!model) return 0;
  for (const model::Layout& layout : {model::Layout{}, model::Layout{.tensor = 2, .pipeline = 2}}) {
    (void)model::parameters(*model);
    (void)model::weight_bytes(*model, std::nullopt, layout);
    (void)model::weight_bytes(*model, Precision::kNvFp4, layout);
    (void)model::cache_by_kind(*model, Precision::kFp8, 100'000, layout, 16);
    (void)model::operations(*model, {.batch = 7, .context = 1000, .layout = layout});
    (void)model::operations(*model, {.phase = model::Phase::kPrefill, .new_tokens = 1000, .context = 1000, .layout = layout});
  }
  return 0;
}
