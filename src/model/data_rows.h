// Every table of the room, as one document sees them: a file of data/ holds some of these keys.
#pragma once

#include "model/models_rows.h"

namespace ridge::model {

struct Data {
  std::span<const formats::SourceRow> sources;
  std::span<const ModelRow> models;
};
template <class V>
void describe(V& v, Data& data) {
  v.optional("sources", data.sources);
  v.optional("models", data.models);
}

}  // namespace ridge::model
