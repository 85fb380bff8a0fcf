// config.json → Model. One table of families (config_table.cc) names the reader and the habits of each model_type; an
// unknown model_type whose fields are complete is read as the decoder that they describe, and the model's notes say so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/tree.h"
#include "model/architecture.h"
#include "quantity/result.h"

namespace ridge::model {

// `quantisation`: the content of hf_quant_config.json beside it, or null. Errors name the file and the key path.
Result<Model> read_config(const formats::NodeRef& config, const formats::NodeRef* quantisation = nullptr);

// The model_types that have a reader, in the order of the table.
std::vector<std::string> known_model_types();

}  // namespace ridge::model
