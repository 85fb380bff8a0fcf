// A Model from a GGUF file: dimensions from its metadata, weights from its tensor table. Invariant: the tensors of the model
// take exactly the bytes that the table says, so the file and the model cannot disagree about sizes.
#pragma once

#include <string>

#include "formats/gguf.h"
#include "model/architecture.h"
#include "model/tensor.h"

namespace ridge::model {

// Whichever part of a split file `path` names, all parts that are there are read; parts that are absent are an error.
Result<Model> read_gguf_model(const formats::FileSystem& files, const std::string& path);
Result<Model> model_of(const formats::GgufCheckpoint& checkpoint);

// How elements of a ggml type lie: whole bits per element, the rest of a block as its scale.
Storage storage_of(const formats::GgmlType& type);

}  // namespace ridge::model
