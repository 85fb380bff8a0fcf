// What a command pays before it begins: the catalogue, a name, all devices. Compare as ratios.
#include <benchmark/benchmark.h>

#include "hardware/accelerators.h"
#include "hardware/lint.h"

namespace ridge::hardware {
namespace {

void load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Catalog::with_overlay("{}", "empty"));
}
BENCHMARK(load);
void resolve(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Catalog::builtin().resolve("h100-sxm5:8"));
}
BENCHMARK(resolve);
void all_devices(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Catalog::builtin().devices());
}
BENCHMARK(all_devices);
void judge_a_claim(benchmark::State& state) {
  const Linter linter(Catalog::builtin());
  const auto table = read_claims("accelerator,metric,precision,claimed,unit\nmi300x,peak,fp16,1336,TFLOP/s\n", "bench");
  for (auto _ : state) benchmark::DoNotOptimize(linter.judge(table->claims.front()));
}
BENCHMARK(judge_a_claim);

}  // namespace
}  // namespace ridge::hardware
