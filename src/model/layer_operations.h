// Inside of operations(): what one layer of a kind does in a step. layer_operations.cc lists its matrices, mixer_operations.cc
// its attention and its states, operations.cc puts layers, collectives, embedding and head together.
#pragma once

#include <vector>

#include "model/kv_cache.h"
#include "model/operations.h"
#include "model/shard.h"

namespace ridge::model {

// The numbers of a step that every operation of it needs.
struct StepContext {
  StepContext(const Model& model, const Step& request);

  const Step& step;
  const Layout& layout;
  Precision native;
  std::int64_t hidden;
  std::int64_t tokens;  // batch × new_tokens
  Precision wide;       // in which layers hand on what they made: activations of 16 bits or more, else the model's own
  double wide_bytes;    // of one such element
  bool has_shapes;      // false for an inline description without its MLP: weights are one operation, activations unknown

  double token_count() const { return static_cast<double>(tokens); }
  // Rate at which a matrix stored in `format` multiplies: an engine widens the narrower side. Weight-only formats
  // multiply at the precision of the activations, an excluded bf16 layer of an fp8 model at bf16.
  Precision compute(Precision format) const;
  // Bytes of one input element of a matrix that multiplies at `compute`.
  static double input_bytes(Precision compute) { return element_bits(compute) / 8.0; }
};

// The list under construction. Operations that differ in their count alone become one.
class OperationList {
 public:
  OperationList() { operations_.reserve(48); }
  void add(const Operation& operation);
  std::vector<Operation> take() { return std::move(operations_); }

 private:
  std::vector<Operation> operations_;
};

// A matrix of rows × columns on this rank that multiplies m tokens.
Operation gemm(const StepContext& context, std::string_view name, double m, const Shard& shard, const Storage& storage);

// layer_operations.cc. `count` layers like `block`.
void add_layer(const StepContext& context, const Block& block, std::int64_t count, OperationList& list);

// mixer_operations.cc. `weights` are the vectors and small tables that the mixer reads beside its matrices.
void add_attention(const StepContext& context, const Block& block, std::int64_t count, Bytes weights, OperationList& list);
void add_linear_mixer(const StepContext& context, const LinearMixer& mixer, std::int64_t count, Bytes weights, OperationList& list);
// Whether MLA multiplies queries with the cached latents themselves (absorbed) instead of with keys and values made of them.
bool absorbs_latent(const StepContext& context, const Attention& attention);

}  // namespace ridge::model
