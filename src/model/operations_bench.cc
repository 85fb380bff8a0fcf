// How long it takes to list a step: plan/ lists and prices hundreds of thousands of them.
#include <benchmark/benchmark.h>

#include "model/kv_cache.h"
#include "model/operations_fixture.h"

namespace ridge::model {
namespace {

void list_step(benchmark::State& state, const Model& model, const Step& step) {
  for (auto _ : state) {
    auto list = operations(model, step);
    benchmark::DoNotOptimize(list);
  }
}

void DenseDecode(benchmark::State& state) { list_step(state, dense_model(), {.batch = 64, .context = 4096}); }
void LargeMoeDecode(benchmark::State& state) { list_step(state, latent_model(), {.batch = 64, .context = 4096, .layout = {.tensor = 8, .expert = 8}}); }
void LargeMoePrefill(benchmark::State& state) { list_step(state, latent_model(), {.phase = Phase::kPrefill, .new_tokens = 2048, .context = 2048}); }
void HybridDecode(benchmark::State& state) { list_step(state, hybrid_model(), {.batch = 64, .context = 4096}); }

// Nemotron-NAS: nearly every layer is of its own kind.
void ManyKindsDecode(benchmark::State& state) { list_step(state, *load("nemotron-super-49b", formats::MemoryFileSystem{}), {.batch = 64, .context = 4096}); }
void QuantisedMoeDecode(benchmark::State& state) {
  list_step(state, *load("deepseek-v3.2", formats::MemoryFileSystem{}), {.batch = 64, .context = 4096, .layout = {.tensor = 8}});
}

void CacheOfARequest(benchmark::State& state) {
  const Model model = latent_model();
  for (auto _ : state) {
    auto bytes = kv_bytes(model, Precision::kFp8, 4096, {.tensor = 8, .pipeline = 2}, 16);
    benchmark::DoNotOptimize(bytes);
  }
}

BENCHMARK(DenseDecode);
BENCHMARK(LargeMoeDecode);
BENCHMARK(LargeMoePrefill);
BENCHMARK(HybridDecode);
BENCHMARK(ManyKindsDecode);
BENCHMARK(QuantisedMoeDecode);
BENCHMARK(CacheOfARequest);

}  // namespace
}  // namespace ridge::model
