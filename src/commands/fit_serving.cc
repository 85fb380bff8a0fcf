// ridge fit for serving: weights, cache, workspace; how many requests fit; the smallest spreads that would hold it.
#include <fmt/format.h>

#include <algorithm>

#include "commands/fit.h"
#include "cost/capacity.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Severity;

constexpr int kMostAlternatives = 6;

std::optional<Precision> first_format(const FitRequest& request) {
  return request.dtype.empty() ? std::nullopt : std::optional<Precision>(request.dtype.front());
}

cost::ServingShape shape_of(const FitRequest& request, const FitSubject& subject) {
  cost::ServingShape shape;
  shape.weights = first_format(request);
  shape.kv_cache = cache_precision(subject.model, request.kv_dtype);
  shape.context = request.context.value_or(0);
  shape.requests = request.requests;
  shape.block = request.block;
  shape.prefill_tokens = request.prefill_tokens;
  shape.layout = subject.spread.layout;
  return shape;
}

bool is_quantised(Precision format) { return element_bits(format) < 16; }

// weights.<format> of the whole model, one figure per format asked for.
Result<void> add_weights(Report& report, const FitRequest& request, const FitSubject& subject) {
  std::vector<std::optional<Precision>> formats(request.dtype.begin(), request.dtype.end());
  if (formats.empty()) formats.emplace_back(std::nullopt);
  bool quantised = false;
  for (const std::optional<Precision>& format : formats) {
    RIDGE_TRY(const Bytes bytes, model::weight_bytes(subject.model, format, model::Layout{}));
    const std::string name = "weights." + format_name(subject.model, format);
    if (report.figure(name) != nullptr) continue;  // asked for twice
    const bool counted = !subject.model.shapes_known();
    report::Figure& figure = report.add(name, bytes, "weights, " + format_label(subject.model, format));
    figure.basis = counted ? "parameters × bits / 8" : "sum over tensors in their formats, scales included";
    figure.sources = subject.model.sources;
    figure.provenance = Provenance::kDerived;
    DerivationStep step{name, figure.basis, {}, {bytes.as_double(), bytes.as_double()}, "B", ""};
    if (counted && subject.model.given_parameters) {
      step.inputs.push_back({"parameters", *subject.model.given_parameters, "1", "user"});
      step.inputs.push_back({"bits", bits_with_scales(format.value_or(subject.model.native)), "1", "the format's definition"});
    } else if (const auto parameters = model::parameters(subject.model)) {
      step.inputs.push_back({"parameters", static_cast<double>(parameters->total), "1", subject.model.name});
    }
    report.derivation.push_back(std::move(step));
    quantised = quantised || (format && is_quantised(*format)) || (!format && !subject.model.quantisation_name.empty());
  }
  if (quantised)
    report.find(Severity::kInfo, "scales",
                subject.model.shapes_known()
                    ? "Quantised formats keep scales (and zero points) beside the elements; they are counted."
                    : "Quantised formats add scales (and zero points) to the elements; for a bare count only those that the format itself defines are "
                      "counted, and embeddings, head and norms usually stay in 16 bits.",
                "one fp32 scale per 128 × 128 block adds 0.02 %, int4 with a 16-bit scale per 128 adds 3 %, mxfp4 6 %, nvfp4 12.5 %",
                subject.model.shapes_known() ? "" : "Name the model or its config.json for exact sizes.");
  return {};
}

void add_kv_finding(Report& report, const FitSubject& subject, const cost::ServingMemory& memory, const cost::ServingShape& shape) {
  const model::Model& model = subject.model;
  const Bytes cache = memory.kv_per_request * shape.requests;
  const Bytes weights = memory.components.empty() || memory.components.front().name != "weights" ? Bytes{} : memory.components.front().low;
  std::string evidence = fmt::format("{} a request of {} tokens", format_bytes(memory.kv_per_request), shape.context);
  if (weights.count > 0 && memory.kv_per_request.count > 0)
    evidence += fmt::format("; {} such requests take as much as the weights", format_number(weights.as_double() / memory.kv_per_request.as_double()));
  if (model.heads && model.kv_heads && *model.kv_heads > 0 && *model.heads > *model.kv_heads)
    evidence +=
        fmt::format("; {} query heads share {} key heads, which made it {} times smaller", *model.heads, *model.kv_heads, *model.heads / *model.kv_heads);
  report.find(cache > weights && weights.count > 0 ? Severity::kWarning : Severity::kInfo, "kv-can-dominate",
              "The KV cache grows with requests and tokens and can come to dominate the capacity; it cannot be shared between different requests.", evidence,
              "Grouped key heads, a latent (MLA), sliding windows or fixed states shrink it by design; an fp8 cache halves a 16-bit one.");
}

// kv_cache.per_request and .total, of the whole model where it is not spread.
void add_cache(Report& report, const FitSubject& subject, const cost::ServingMemory& memory, const cost::ServingShape& shape) {
  if (shape.context <= 0) {
    report.find(Severity::kInfo, "no-context", "No KV cache is counted.", "", "Give --context and --requests to count it.");
    return;
  }
  const std::string rank = shape.layout.ranks() > 1 ? ", on a rank" : "";
  const double each = memory.kv_per_request.as_double();
  const std::string basis = fmt::format("{} tokens in {}, blocks of {} tokens", shape.context, name_of(shape.kv_cache), shape.block);
  report.add("kv_cache.per_request", memory.kv_per_request, fmt::format("KV cache of a request{}", rank)).basis = basis;
  const Bytes all = memory.kv_per_request * shape.requests;
  report.add("kv_cache.total", all, fmt::format("KV cache of {} requests{}", shape.requests, rank)).basis = basis;
  std::vector<DerivationStep::Input> inputs{{"tokens", static_cast<double>(shape.context), "1", "request"},
                                            {"bytes per element", element_bits(shape.kv_cache) / 8.0, "B", std::string(name_of(shape.kv_cache))}};
  if (subject.model.layers) inputs.push_back({"layers", static_cast<double>(*subject.model.layers), "1", subject.model.name});
  if (subject.model.kv_heads) inputs.push_back({"kv_heads", static_cast<double>(*subject.model.kv_heads), "1", subject.model.name});
  if (subject.model.head_dim) inputs.push_back({"head_dim", static_cast<double>(*subject.model.head_dim), "1", subject.model.name});
  report.derivation.push_back({"kv_cache.per_request",
                               "sum over layers of tokens × what the layer keeps per token (keys and values: 2 × kv_heads × head_dim × bytes), in whole blocks",
                               inputs,
                               {each, each},
                               "B",
                               ""});
  report.derivation.push_back({"kv_cache.total",
                               "requests × kv_cache.per_request",
                               {{"requests", static_cast<double>(shape.requests), "1", "request"}, {"kv_cache.per_request", each, "B", ""}},
                               {all.as_double(), all.as_double()},
                               "B",
                               ""});
  add_kv_finding(report, subject, memory, shape);
}

void add_totals(Report& report, const cost::ServingMemory& memory) {
  const double low = memory.total_low().as_double(), high = memory.total_high().as_double();
  report.add("total.low", low, "B", "total of a rank, at least").basis = "sum of the components";
  report.add("total.high", high, "B", "total of a rank, at most").basis = "sum of the components";
  for (const bool top : {false, true}) {
    DerivationStep step{top ? "total.high" : "total.low", "sum of the components", {}, {top ? high : low, top ? high : low}, "B", ""};
    for (const cost::Component& c : memory.components) step.inputs.push_back({c.name, (top ? c.high : c.low).as_double(), "B", c.basis});
    report.derivation.push_back(std::move(step));
  }
  if (!memory.uncounted.empty())
    report.find(Severity::kWarning, "not-counted", "A part could not be counted, so the total is short of it.",
                fmt::format("{}", fmt::join(memory.uncounted, "; ")), "Name the model or its config.json, or add the field.");
}

void add_requests(Report& report, const FitSubject& subject, const cost::ServingShape& shape, Bytes usable) {
  if (shape.context <= 0) return;
  const auto fit = cost::requests_that_fit(subject.model, shape, usable);
  if (!fit || *fit == Bytes::max().count) return;
  report.add("requests_that_fit", static_cast<double>(*fit), "1", fmt::format("requests of {} tokens that fit", shape.context)).basis =
      "beside the weights and the high end of the rest, on the low end of the memory";
  report.derivation.push_back({"requests_that_fit",
                               "floor((usable_memory.low − weights − activations − runtime.high) / (kv_cache.per_request + logits of a request))",
                               {{"usable_memory.low", usable.as_double(), "B", ""}},
                               {static_cast<double>(*fit), static_cast<double>(*fit)},
                               "1",
                               ""});
}

std::string layout_text(const model::Layout& layout) {
  std::string text = fmt::format("tp{}", layout.tensor);
  if (layout.pipeline > 1) text += fmt::format(" pp{}", layout.pipeline);
  if (layout.expert > 1) text += fmt::format(" ep{}", layout.expert);
  return text;
}

// Smallest spreads that would hold it: of the GPU asked for in this format and in narrower ones, then of other accelerators, least
// accelerators and then least memory first.
void add_layouts(Report& report, const FitRequest& request, const FitSubject& subject, const cost::ServingShape& shape) {
  report::Table table{"layouts",
                      "Smallest spreads that would hold it, by memory alone",
                      {{"accelerator", ""}, {"format", ""}, {"count", "1"}, {"layout", ""}, {"rank holds", "B"}, {"usable", "B"}},
                      {}};
  const auto row = [&](const hardware::Device& device, const cost::ServingShape& s, const cost::LayoutFit& fit, Bytes usable) {
    const int ranks = fit.layout.ranks(), each = device.software_devices;
    const int units = (ranks + each - 1) / each;
    table.rows.push_back({device.id, format_label(subject.model, s.weights), static_cast<double>(units), layout_text(fit.layout),
                          Interval{fit.need_low.as_double(), fit.need_high.as_double()}, usable.as_double()});
  };
  if (subject.gpu) {
    const hardware::Device& device = subject.device();
    std::vector<std::optional<Precision>> formats{shape.weights};
    for (const Precision narrow : {Precision::kFp8, Precision::kInt4})
      if (bits_with_scales(narrow) < (shape.weights ? bits_with_scales(*shape.weights) : subject.model.quantisation_name.empty() ? 16.0 : 0.0))
        formats.emplace_back(narrow);
    if (const auto memory = rank_memory(device))
      for (const auto& format : formats) {
        cost::ServingShape tried = shape;
        tried.weights = format;
        if (const auto fit = cost::smallest_layout(subject.model, tried, memory->low)) row(device, tried, *fit, memory->low);
      }
  }
  struct Other {
    hardware::Device device;
    cost::LayoutFit fit;
    Bytes usable;
  };
  std::vector<Other> others;
  for (hardware::Device& device : subject.catalog.devices()) {
    const auto memory = rank_memory(device);
    if (!memory || (subject.gpu && device.id == subject.device().id)) continue;
    if (const auto fit = cost::smallest_layout(subject.model, shape, memory->low, 8)) others.push_back({std::move(device), *fit, memory->low});
  }
  std::stable_sort(others.begin(), others.end(), [](const Other& a, const Other& b) {
    return std::pair(a.fit.layout.ranks(), a.usable.count) < std::pair(b.fit.layout.ranks(), b.usable.count);
  });
  for (std::size_t i = 0; i < others.size() && i < kMostAlternatives; ++i) row(others[i].device, shape, others[i].fit, others[i].usable);
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
  (void)request;
}

// The question of a description that has no weights: the cache alone.
Result<Report> cache_only(const FitRequest& request, const FitSubject& subject, const cost::ServingShape& shape, const Error& why) {
  if (shape.context <= 0) return tl::unexpected<Error>(why);
  if (subject.gpu) return tl::unexpected<Error>(why);
  (void)request;
  Report report;
  cost::ServingMemory memory;
  RIDGE_TRY(memory.kv_per_request, model::kv_bytes(subject.model, shape.kv_cache, shape.context, shape.layout, shape.block));
  add_cache(report, subject, memory, shape);
  report.find(Severity::kWarning, "not-counted", "The weights could not be counted.", to_string(why), "Add params= to the description to count them.");
  add_gib_note(report, memory.kv_per_request);
  report.verdict.text =
      fmt::format("One request of {} tokens keeps {} of KV cache in {}.", shape.context, format_bytes(memory.kv_per_request), name_of(shape.kv_cache));
  return report;
}

std::string weights_verdict(const FitRequest& request, const FitSubject& subject, const Report& report, const cost::ServingShape& shape) {
  std::string list;
  std::vector<std::optional<Precision>> formats(request.dtype.begin(), request.dtype.end());
  if (formats.empty()) formats.emplace_back(std::nullopt);
  for (const auto& format : formats) {
    const double bytes = std::get<double>(report.figure("weights." + format_name(subject.model, format))->value);
    list += fmt::format("{}{} in {}", list.empty() ? "" : ", ", format_bytes(Bytes::from_double(bytes)), format_label(subject.model, format));
  }
  std::string text = fmt::format("The weights of {} take {}", subject.model.name, list);
  if (const report::Figure* cache = report.figure("kv_cache.total"))
    text += fmt::format("; the KV cache of {} requests {}", shape.requests, format_bytes(Bytes::from_double(std::get<double>(cache->value))));
  return text + ".";
}

}  // namespace

Result<Report> fit_serving(const FitRequest& request, const FitSubject& subject) {
  const cost::ServingShape shape = shape_of(request, subject);
  Report report;
  if (const Result<void> weights = add_weights(report, request, subject); !weights) return cache_only(request, subject, shape, weights.error());
  RIDGE_TRY(const cost::ServingMemory memory, cost::serving_memory(subject.model, shape));
  add_cache(report, subject, memory, shape);
  add_totals(report, memory);
  add_components(
      report, fmt::format("{} in {}", shape.layout.ranks() > 1 ? "What the fullest rank holds" : "What it holds", format_label(subject.model, shape.weights)),
      memory.components);
  if (subject.gpu) {
    RIDGE_TRY(const Fitting fitting, add_fitting(report, subject, memory.total_low(), memory.total_high()));
    RIDGE_TRY(const RankMemory usable, rank_memory(subject.device()));
    add_requests(report, subject, shape, usable.low);
    add_host_link(report, subject, fitting);
    const std::string what = fmt::format("{} in {}", subject.model.name, format_label(subject.model, shape.weights));
    report.verdict = {fitting_verdict(subject, fitting, what, memory.total_low(), memory.total_high()), fitting.fits};
    if (!fitting.fits)
      report.find(Severity::kWarning, "short", "The nearest miss: what is missing at best and at worst.",
                  fmt::format("{} short at worst{}", format_bytes(Bytes{} - fitting.headroom_low),
                              fitting.may_fit ? "" : fmt::format(", {} at best", format_bytes(Bytes{} - fitting.headroom_high))),
                  "See the table of smallest spreads: more ranks, a narrower format, fewer or shorter requests, or another part.");
  } else {
    report.verdict.text = weights_verdict(request, subject, report, shape);
  }
  add_layouts(report, request, subject, shape);
  add_gib_note(report, memory.components.front().low);
  add_model_notes(report, subject.model);
  return report;
}

}  // namespace ridge::commands
