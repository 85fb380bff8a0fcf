// Any bytes as a config.json: no crash, and a model that is accepted can be counted, sized and stepped.
#include <cstdint>
#include <string>

#include "model/config.h"
#include "model/kv_cache.h"
#include "model/operations.h"

using namespace ridge;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Result<formats::Node> node = formats::read_python_json(text, "config.json");
  if (!node) return 0;
  const Result<model::Model> read = model::read_config(formats::NodeRef(*node, "config.json"));
  if (!read) {
    if (read.error().what.empty()) __builtin_trap();
    return 0;
  }
  const Result<model::Parameters> p = model::parameters(*read);
  if (!p || p->total < 0 || p->active < 0 || p->active > p->total) __builtin_trap();
  const Result<Bytes> stored = model::checkpoint_bytes(*read);
  if (read->storage_known && (!stored || stored->count < 0)) __builtin_trap();
  for (const model::Layout layout : {model::Layout{}, model::Layout{.tensor = 2}, model::Layout{.tensor = 4, .pipeline = 2, .expert = 2}}) {
    const Result<Bytes> weights = model::weight_bytes(*read, Precision::kFp8, layout);
    if (weights && weights->count < 0) __builtin_trap();
    (void)model::kv_bytes(*read, Precision::kFp8, 1000, layout, 16);
    model::Step step;
    step.layout = layout;
    step.context = 1000;
    (void)model::operations(*read, step);
  }
  return 0;
}
