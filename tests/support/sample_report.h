// One report that uses everything a report can hold, as `ridge roofline` might give it: for golden tests, benchmarks and the
// look of the renderings. The numbers are those of a 7B model on an H100 (989.4 TFLOP/s bf16, 3.352 TB/s).
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

namespace ridge::support {

inline report::Plot sample_roofline() {
  using report::Series;
  report::Plot plot;
  plot.name = "roofline";
  plot.title = "Roofline of h100-sxm5, bf16";
  plot.x = {"arithmetic intensity", "FLOP/B", true};
  plot.y = {"attainable rate", "FLOP/s", true};
  plot.series.push_back({"dense bf16 roof", Series::Style::kLine, {{0.25, 0.25 * 3.352e12}, {295.17, 989.4e12}, {4096, 989.4e12}}, {}});
  plot.series.push_back({"fp8 roof", Series::Style::kLine, {{0.25, 0.25 * 3.352e12}, {590.4, 1978.9e12}, {4096, 1978.9e12}}, {}});
  Series decode{"decode, batch 64", Series::Style::kPoints, {}, {}};
  for (const auto& [label, intensity] : std::vector<std::pair<std::string, double>>{
           {"qkv", 62.1}, {"attention", 4.0}, {"out", 61.8}, {"gate, up", 63.0}, {"down", 62.9}, {"head", 63.4}, {"norm", 0.75}}) {
    decode.points.emplace_back(intensity, intensity * 3.352e12);
    decode.labels.push_back(label);
  }
  Series prefill{"prefill, 4,096 tokens", Series::Style::kPoints, {}, {}};
  for (const auto& [label, intensity] :
       std::vector<std::pair<std::string, double>>{{"qkv", 1536}, {"attention", 1024}, {"out", 1365}, {"gate, up", 2058}, {"norm", 0.9}}) {
    prefill.points.emplace_back(intensity, std::min(intensity * 3.352e12, 989.4e12));
    prefill.labels.push_back(label);
  }
  plot.series.push_back(std::move(decode));
  plot.series.push_back(std::move(prefill));
  plot.note = "Points are bounds: what an operation could reach, not what it was seen to reach.";
  return plot;
}

inline report::Plot sample_bars() {
  using report::Series;
  report::Plot plot;
  plot.name = "memory";
  plot.title = "Where the memory goes";
  plot.x = {"component", "", false};
  plot.y = {"memory", "B", false};
  const std::vector<std::string> names{"weights", "KV cache, 64 requests at 4,096 tokens", "activations", "runtime"};
  plot.series.push_back({"batch 64", Series::Style::kBars, {{0, 14e9}, {1, 34359738368.0}, {2, 2.1e9}, {3, 1.2e9}}, names});
  plot.series.push_back({"batch 128", Series::Style::kBars, {{0, 14e9}, {1, 68719476736.0}, {2, 4.2e9}, {3, 1.2e9}}, names});
  return plot;
}

inline report::Plot sample_sweep() {
  using report::Series;
  report::Plot plot;
  plot.name = "sweep";
  plot.title = "Step time over batch";
  plot.x = {"batch", "1", false};
  plot.y = {"step time", "s", false};
  Series ideal{"bound", Series::Style::kLine, {}, {}}, predicted{"prediction", Series::Style::kLine, {}, {}};
  for (int batch = 0; batch <= 128; batch += 8) {
    const double bound = (14e9 + batch * 4096.0 * 131072) / 3.352e12;
    ideal.points.emplace_back(batch, bound);
    predicted.points.emplace_back(batch, bound / 0.82 + 0.0012);
  }
  plot.series = {std::move(ideal), std::move(predicted)};
  return plot;
}

inline report::Report sample_report() {
  using namespace report;
  Report r;
  r.command = "roofline";
  r.request = {{"model", std::string("params=7e9,layers=32,hidden=4096,heads=32,kv_heads=8")},
               {"gpu", std::string("h100-sxm5")},
               {"phase", std::string("decode")},
               {"batch", std::string("1,64,128")},
               {"context", 4096.0},
               {"ideal", std::string("true")}};
  r.verdict = {"Decode is memory-bound at every batch that fits: 14.43 ms a step at batch 64, and the KV cache fills the memory at batch 128.", false};
  r.add("weights.bf16", Bytes{14'000'000'000}, "weights, bf16");
  r.add("ridge_point", 295.17, "FLOP/B", "ridge point").basis = "dense, tensor, final, per chip";
  SourcedFigure bandwidth{{3.35e12, 3.352e12}, "B/s", "final, per chip", {"nvidia-h100-datasheet", "nvidia-h100-whitepaper"}, Provenance::kPublished};
  r.add("memory_bandwidth", bandwidth, "memory bandwidth");
  r.add("batch.64.step_time", 0.0144271, "s", "step time, batch 64");
  r.add("batch.64.tokens_per_second", 4436.1, "token/s", "decode rate, batch 64").provenance = Provenance::kDerived;
  Figure& share = r.add("batch.64.bandwidth_share", 0.9487, "1", "share of the step that reads KV");
  share.notation = Notation::kPercent;
  r.add("cost.per_million_tokens", 0.1565, "USD", "cost per million tokens");
  r.add_category("batch.64.bound", "memory", "what binds, batch 64");
  r.add("parameters", 7e9, "1");
  r.add("batch.64.memory", 48359738368.0, "B");

  Table steps{"batches",
              "Decode by batch",
              {{"batch", "1"},
               {"step time", "s"},
               {"decode rate", "token/s"},
               {"memory held", "B"},
               {"of it KV", "1", Notation::kPercent},
               {"bound by", ""},
               {"intensity of attention", "FLOP/B"},
               {"cost per million tokens", "USD"}},
              {},
              "Times are lower bounds (--ideal)."};
  steps.rows = {
      {1.0, 0.0043368, 230.58, 14536870912.0, 0.0369, std::string("memory bandwidth: the weights are read for one token"), 4.0, 3.011},
      {64.0, 0.0144271, 4436.1, 48359738368.0, 0.7105, std::string("memory bandwidth: the KV cache"), 4.0, 0.1565},
      {128.0, Interval{0.0246776, 0.0261}, 5186.9, 82719476736.0, 0.8307, std::string("memory capacity: 77.04 GiB held of 79.1 GiB usable"), 4.0, Cell{}}};
  r.tables.push_back(std::move(steps));
  Table compare{"parts", "Against its neighbours", {{"property", ""}, {"a100-sxm4-80gb", ""}, {"h100-sxm5", ""}, {"ratio", "1"}}, {}, ""};
  compare.rows = {{std::string("memory bandwidth"), 2.039e12, 3.352e12, 1.6439},
                  {std::string("dense bf16"), 312e12, 989.4e12, 3.1712},
                  {std::string("memory"), 85899345920.0, 85899345920.0, 1.0},
                  {std::string("fp8"), Cell{}, 1978.9e12, Cell{}}};
  compare.row_units = {"B/s", "FLOP/s", "B", "FLOP/s"};
  r.tables.push_back(std::move(compare));

  r.plots = {sample_roofline(), sample_bars(), sample_sweep()};

  r.find(Severity::kWarning, "kv-binds-first", "The KV cache fills the memory before arithmetic takes over.",
         "At batch 128 weights and KV hold 77.04 GiB of 79.1 GiB; arithmetic would take over at batch 295.",
         "Store the cache in fp8 (--kv-dtype fp8), shorten the context, or spread it over two GPUs (--tp 2).");
  r.find(Severity::kError, "does-not-fit", "Batch 256 does not fit.", "144.9 GiB are needed, 79.1 GiB are usable.", "");
  r.find(Severity::kInfo, "bound-not-prediction", "A bound is no prediction: achieved bandwidth in decode is 70 … 90 % of the peak.");

  r.derivation.push_back(
      {"weights.bf16", "parameters × bits / 8", {{"parameters", 7e9, "1", "params= of the request"}, {"bits", 16, "1", "bf16"}}, {14e9, 14e9}, "B", ""});
  r.derivation.push_back({"ridge_point",
                          "peak / bandwidth",
                          {{"peak", 989.4e12, "FLOP/s", "nvidia-h100-datasheet"}, {"bandwidth", 3.352e12, "B/s", "nvidia-h100-whitepaper"}},
                          {295.17, 295.17},
                          "FLOP/B",
                          "Williams, Waterman, Patterson: Roofline (CACM 52/4, 2009), section 3"});
  r.derivation.push_back({"batch.64.step_time",
                          "(weights + batch · context · KV per token) / bandwidth",
                          {{"weights.bf16", 14e9, "B", ""},
                           {"batch", 64, "1", "--batch"},
                           {"context", 4096, "1", "--context"},
                           {"KV per token", 131072, "B", "32 layers × 8 heads × 128 × 2 × 2 B"},
                           {"bandwidth", 3.352e12, "B/s", "nvidia-h100-whitepaper"}},
                          {0.0144271, 0.0144271},
                          "s",
                          ""});
  return r;
}

// Names as an attacker would choose them: markup, escape sequences, quotes, broken UTF-8.
inline report::Report hostile_report() {
  using namespace report;
  const std::string evil = "</title><script>alert('x')</script>\"'&\x1b[31m\x07|\n`*_[a](b)\xff\xc3(\xe2\x82 \xed\xa0\x80\xe2\x80\xae";
  Report r;
  r.command = evil;
  r.request = {{evil, evil}};
  r.verdict = {evil, true};
  r.add(evil, 1.0, evil, evil).basis = evil;
  r.figures.back().sources = {evil};
  r.add_category("category", evil, evil);
  r.tables.push_back({evil, evil, {{evil, evil}, {evil, ""}}, {{1.0, evil}}, evil});
  r.plots.push_back({evil, evil, {evil, evil, true}, {evil, evil, false}, {{evil, Series::Style::kPoints, {{1, 2}, {10, 20}}, {evil, evil}}}, evil});
  r.plots.push_back({evil + "2", evil, {evil, evil, false}, {evil, evil, false}, {{evil, Series::Style::kBars, {{1, 2}, {2, 3}}, {evil, evil}}}, evil});
  r.find(Severity::kError, evil, evil, evil, evil);
  r.derivation.push_back({evil, evil, {{evil, 1, evil, evil}}, {1, 2}, evil, evil});
  return r;
}

}  // namespace ridge::support
