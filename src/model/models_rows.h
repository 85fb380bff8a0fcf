// Rows of data/models.yaml: a published model by the fields of its configuration that decide its shapes.
#pragma once

#include <span>
#include <string_view>

#include "formats/rows.h"
#include "formats/sources.h"

namespace ridge::model {

struct ModelRow {
  static constexpr std::string_view kTypeName = "ridge::model::ModelRow";
  std::string_view name;                      // "llama-3.1-8b"
  std::span<const std::string_view> aliases;  // "meta-llama/Llama-3.1-8B", "llama3.1-8b"
  std::string_view source;
  std::string_view note;    // what a reader of a result must know; "" mostly
  std::string_view config;  // a JSON object: the fields that the reader of config.json needs
};
template <class V>
void describe(V& v, ModelRow& row) {
  v.key("name", row.name, "models");
  v.optional("aliases", row.aliases);
  v.reference("source", row.source, "sources");
  v.optional("note", row.note);
  v.required("config", row.config);
}
// Names are lower case and no name or alias stands for two models; the config is read when its model is asked for, and
// all of them by a test.
Result<void> check(const ModelRow& row, const formats::NodeRef& at);

}  // namespace ridge::model
