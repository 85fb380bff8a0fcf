// The number format in which a checkpoint keeps most of its matrices: what "as stored" means in one word.
#pragma once

#include "model/architecture.h"

namespace ridge::model {

// By elements of the matrices of linear layers; the native format where no shapes are known.
Precision stored_format(const Model& model);

}  // namespace ridge::model
