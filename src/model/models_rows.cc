#include "model/models_rows.h"

#include <algorithm>

namespace ridge::model {

Result<void> check(const ModelRow& row, const formats::NodeRef& at) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (row.name.empty() || std::any_of(row.name.begin(), row.name.end(), capital))
    return at.error("a model's name is in lower case; other spellings are aliases");
  RIDGE_TRY(const formats::Node config, formats::read_json(row.config, at.where() + ": config"));
  if (config.find("model_type") == nullptr) return at.error("the config has no model_type");
  return {};
}

}  // namespace ridge::model
