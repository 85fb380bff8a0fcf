// Quantisation: which tensors a checkpoint converts and how each lies on disk, from quantization_config,
// compression_config or hf_quant_config.json. After apply_quantisation() every tensor of the model has its storage, and
// layers that differ in storage are blocks of their own.
#pragma once

#include "model/architecture.h"
#include "model/config_fields.h"

namespace ridge::model {

// `top` is the whole config, `text` its text section (or the same). `beside`: hf_quant_config.json, or null. A method that
// is not known leaves the storage as it is, clears model.storage_known and adds a note.
Result<void> apply_quantisation(Model& model, const ConfigFields& top, const ConfigFields& text, const formats::NodeRef* beside);

}  // namespace ridge::model
