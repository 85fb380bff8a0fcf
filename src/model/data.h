// The compiled-in models, as the build wrote them from data/models.yaml. Constant initialised: there is nothing to load.
#pragma once

#include "model/data_rows.h"

namespace ridge::model::data {

extern const std::span<const formats::SourceRow> sources;
extern const std::span<const ModelRow> models;

}  // namespace ridge::model::data
