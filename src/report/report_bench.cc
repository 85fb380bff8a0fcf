// Each renderer on a report of the usual size (three tables' worth of figures, three plots), and a long table, which a plan over
// the whole catalogue prints.
#include <benchmark/benchmark.h>

#include "report/render.h"
#include "support/sample_report.h"

namespace ridge::report {
namespace {

Report long_table(std::int64_t rows) {
  Report report = support::sample_report();
  Table& table = report.tables.front();
  const std::vector<std::vector<Cell>> few = table.rows;
  table.rows.clear();
  for (std::int64_t i = 0; i < rows; ++i) table.rows.push_back(few[static_cast<std::size_t>(i) % few.size()]);
  return report;
}

void render_terminal_bench(benchmark::State& state) {
  const Report report = long_table(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(render_terminal(report, {.width = 120, .color = true, .explain = true}));
}
void render_json_bench(benchmark::State& state) {
  const Report report = long_table(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(render_json(report, "0.1.0"));
}
void render_markdown_bench(benchmark::State& state) {
  const Report report = long_table(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(render_markdown(report, true));
}
void render_html_bench(benchmark::State& state) {
  const Report report = long_table(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(render_html(report, "0.1.0"));
}
void render_svg_bench(benchmark::State& state) {
  const Plot plot = support::sample_roofline();
  for (auto _ : state) benchmark::DoNotOptimize(render_svg(plot));
}
void read_report_bench(benchmark::State& state) {
  const std::string json = render_json(long_table(state.range(0)), "0.1.0");
  for (auto _ : state) benchmark::DoNotOptimize(read_report(json, "r.json"));
}

BENCHMARK(render_terminal_bench)->Arg(3)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(render_json_bench)->Arg(3)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(render_markdown_bench)->Arg(3)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(render_html_bench)->Arg(3)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(render_svg_bench)->Unit(benchmark::kMicrosecond);
BENCHMARK(read_report_bench)->Arg(3)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ridge::report
