// ridge backtest: what the step model says of published measurements, and how far it is off.
#include "cost/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "commands/deployment.h"
#include "commands/fields.h"
#include "commands/registry.h"

namespace ridge::commands {
namespace {

using report::Report;
using report::Severity;

struct BacktestRequest {
  std::string subject = "serving-step";
  std::string by;
  std::int64_t worst = 15;
};

void describe(Fields<BacktestRequest>& f) {
  f.positional("subject", &BacktestRequest::subject, "SUBJECT", "what is predicted").choices({"serving-step"});
  f.option("by", &BacktestRequest::by, "WHAT", "errors by this alone; without it by all of them")
      .choices({"gpu", "model", "engine", "precision", "batch", "source"});
  f.option("worst", &BacktestRequest::worst, "N", "rows that are furthest off, to show");
}

// Finds the models and devices that rows name, each once.
class Subjects {
 public:
  explicit Subjects(const Environment& environment) : environment_(environment) {}

  Result<cost::Subject> find(const cost::MeasurementRow& row) {
    auto [model, new_model] = models_.try_emplace(row.model);
    if (new_model) model->second = load(row.model);
    if (!model->second) return tl::unexpected<Error>(model->second.error());
    auto [device, new_device] = devices_.try_emplace(row.gpu);
    if (new_device) device->second = resolve(row.gpu);
    if (!device->second) return tl::unexpected<Error>(device->second.error());
    return cost::Subject{&**model->second, &**device->second};
  }

 private:
  template <class T>
  using Held = Result<std::unique_ptr<T>>;

  Held<model::Model> load(std::string_view name) {
    RIDGE_TRY(model::Model model, model::load(name, environment_.files));
    return std::make_unique<model::Model>(std::move(model));
  }
  Held<hardware::Device> resolve(std::string_view name) {
    RIDGE_TRY(hardware::GpuReference reference, environment_.catalog.resolve(name));
    return std::make_unique<hardware::Device>(std::move(reference.profiles.front()));
  }

  const Environment& environment_;
  std::map<std::string_view, Held<model::Model>> models_;
  std::map<std::string_view, Held<hardware::Device>> devices_;
};

std::string batch_range(int batch) {
  int low = 1;
  while (low * 4 <= batch) low *= 4;
  return fmt::format("{} to {}", low, low * 4 - 1);
}

std::string key_of(const cost::MeasurementRow& row, std::string_view by) {
  if (by == "gpu") return std::string(row.gpu);
  if (by == "model") return std::string(row.model);
  if (by == "engine") return std::string(row.engine);
  if (by == "source") return std::string(row.source);
  if (by == "batch") return batch_range(row.batch);
  return fmt::format("{}, activations {}", row.weights ? name_of(*row.weights) : "as stored", name_of(row.activations));
}

std::string group_title(std::string_view by) { return by == "precision" ? "By precision of the weights" : fmt::format("By {}", by); }

void add_summary_row(report::Table& table, const cost::ErrorSummary& s) {
  table.rows.push_back({s.group, static_cast<double>(s.rows), s.median_error, s.mean_error, s.bias, s.p10, s.p90});
}

report::Table summary_table(std::string name, std::string title, std::string first) {
  using report::Notation;
  return {std::move(name),
          std::move(title),
          {{std::move(first), ""},
           {"rows", "1"},
           {"median error", "1", Notation::kPercent},
           {"mean error", "1", Notation::kPercent},
           {"bias", "1", Notation::kPercentChange},
           {"P10", "1", Notation::kPercentChange},
           {"P90", "1", Notation::kPercentChange}},
          {},
          "Errors are predicted over measured, less one; bias is their median."};
}

void add_groups(Report& report, const std::vector<cost::BacktestRow>& rows, const std::string& by) {
  std::map<std::string, std::vector<const cost::BacktestRow*>> groups;
  for (const cost::BacktestRow& row : rows) groups[key_of(*row.row, by)].push_back(&row);
  report::Table table = summary_table("by_" + by, group_title(by), by);
  for (const auto& [name, members] : groups)
    if (const auto summary = cost::summarise(name, members)) add_summary_row(table, *summary);
  report.tables.push_back(std::move(table));
}

void add_kinds(Report& report, const std::vector<cost::BacktestRow>& rows) {
  std::map<std::string, std::vector<const cost::BacktestRow*>> kinds;
  for (const cost::BacktestRow& row : rows) kinds[std::string(formats::word_of(row.row->measured))].push_back(&row);
  report::Table table = summary_table("by_kind", "By what was measured", "measured");
  for (const auto& [name, members] : kinds)
    if (const auto summary = cost::summarise(name, members)) add_summary_row(table, *summary);
  report.tables.push_back(std::move(table));
}

void add_bands(Report& report, Subjects& subjects, const cost::PricingOptions& options) {
  using report::Notation;
  report::Table table{"bands",
                      "Bands that reports print: where the middle 80 % of measurements lie against the prediction",
                      {{"prediction", ""},
                       {"rows", "1"},
                       {"median error", "1", Notation::kPercent},
                       {"from", "1", Notation::kPercentChange},
                       {"to", "1", Notation::kPercentChange}},
                      {},
                      "\"relative\" and \"assumed\": measured parts priced by the efficiencies of a sibling, or of the default, as an unmeasured part would "
                      "be; the band of the latter is doubled, since all of "
                      "them are of one vendor."};
  const auto resolve = [&subjects](const cost::MeasurementRow& row) { return subjects.find(row); };
  for (const cost::ErrorSummary& band : cost::bands(cost::measurements(), resolve, options))
    table.rows.push_back({band.group, static_cast<double>(band.rows), band.median_error, band.band_low, band.band_high});
  report.tables.push_back(std::move(table));
}

void add_worst(Report& report, const std::vector<cost::BacktestRow>& rows, std::int64_t most) {
  std::vector<const cost::BacktestRow*> order;
  for (const cost::BacktestRow& row : rows)
    if (row.excluded.empty()) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return std::abs(a->error) > std::abs(b->error); });
  if (static_cast<std::int64_t>(order.size()) > most) order.resize(static_cast<std::size_t>(most));
  report::Table table{"worst",
                      "Furthest off",
                      {{"gpu", ""},
                       {"model", ""},
                       {"engine", ""},
                       {"tp", "1"},
                       {"batch", "1"},
                       {"input", "1"},
                       {"output", "1"},
                       {"measured", "s"},
                       {"predicted", "s"},
                       {"error", "1", report::Notation::kPercentChange},
                       {"source", ""}},
                      {}};
  for (const cost::BacktestRow* r : order) {
    const cost::MeasurementRow& row = *r->row;
    table.rows.push_back({std::string(row.gpu), std::string(row.model), std::string(row.engine), static_cast<double>(row.tensor),
                          static_cast<double>(row.batch), static_cast<double>(row.input), static_cast<double>(row.output), row.seconds, r->predicted.value,
                          r->error, std::string(row.source)});
  }
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

void add_excluded(Report& report, const std::vector<cost::BacktestRow>& rows) {
  std::map<std::string, double> reasons;
  for (const cost::BacktestRow& row : rows)
    if (!row.excluded.empty()) ++reasons[row.excluded];
  report::Table table{"excluded", "Left out", {{"reason", ""}, {"rows", "1"}}, {}};
  for (const auto& [reason, count] : reasons) table.rows.push_back({reason, count});
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

void add_figures(Report& report, const cost::ErrorSummary& all, std::size_t total) {
  const auto add = [&](const char* name, double value, const char* label, const char* formula, report::Notation notation) {
    report::Figure& figure = report.add(name, value, "1", label);
    figure.notation = notation;
    report.derivation.push_back({name, formula, {{"rows", static_cast<double>(all.rows), "1", "data/serving_steps.yaml"}}, {value, value}, "1", ""});
  };
  using report::Notation;
  add("rows.used", all.rows, "measurements predicted", "rows that are not left out", Notation::kPlain);
  report.add("rows.all", static_cast<double>(total), "1");
  add("error.median", all.median_error, "median error", "median of |predicted / measured − 1|", Notation::kPercent);
  add("error.mean", all.mean_error, "mean error (MAPE)", "mean of |predicted / measured − 1|", Notation::kPercent);
  add("error.bias", all.bias, "bias", "median of predicted / measured − 1", Notation::kPercentChange);
  add("error.p10", all.p10, "10th percentile", "of predicted / measured − 1", Notation::kPercentChange);
  add("error.p90", all.p90, "90th percentile", "of predicted / measured − 1", Notation::kPercentChange);
}

Result<Report> run(const BacktestRequest& request, const Environment& environment) {
  if (request.worst < 0 || request.worst > 100'000) return fail("--worst", fmt::format("{} rows; 0 to 100000 can be shown", request.worst));
  RIDGE_TRY(const auto tables, efficiencies(environment));
  cost::PricingOptions options;
  options.tables = tables.get();
  Subjects subjects(environment);
  const std::vector<cost::BacktestRow> rows =
      cost::backtest(cost::measurements(), [&subjects](const cost::MeasurementRow& row) { return subjects.find(row); }, options);
  std::vector<const cost::BacktestRow*> every;
  for (const cost::BacktestRow& row : rows) every.push_back(&row);
  const auto all = cost::summarise("all", every);
  if (!all) return fail("backtest", "no measurement could be predicted");

  Report report;
  report.verdict.text = fmt::format("The step model is {:.1f} % off at the median over {} published measurements, with a bias of {:+.1f} %.",
                                    100 * all->median_error, all->rows, 100 * all->bias);
  add_figures(report, *all, rows.size());
  add_kinds(report, rows);
  for (const char* by : {"gpu", "model", "engine", "precision", "batch", "source"})
    if (request.by.empty() || request.by == by) add_groups(report, rows, by);
  add_bands(report, subjects, options);
  add_worst(report, rows, request.worst);
  add_excluded(report, rows);
  report.find(Severity::kInfo, "nothing-tuned", "Nothing was tuned on these rows: the efficiencies come from kernel times alone (docs/efficiency.md).", "",
              "A --calibration file of your own is tested in the same way.");
  report.find(Severity::kInfo, "closed-loop-form",
              "Closed loops are predicted as T = D(C, input + output/2) + P(input) · C/(output − 1): every user's prompt passes through the engine while "
              "others decode.",
              "prompts of the start, which fall into the time to first token, make it too long where answers are short and users many");
  report.find(Severity::kInfo, "rows-as-published",
              "Measurements are as published: engines, versions and formats of the cache differ, and some runs cannot be what their source says.",
              fmt::format("{} of {} rows are left out, with reasons", rows.size() - static_cast<std::size_t>(all->rows), rows.size()));
  return report;
}

}  // namespace

Command backtest_command() {
  return make_command<BacktestRequest>(
      {"backtest",
       kGroupProgram,
       "How far the predictions are off published measurements",
       "Predicts every published measurement that the program carries, and reports the error overall and by group, the bands that other reports "
       "print, the worst rows and those left out. No row took part in fitting the efficiencies.",
       {{"backtest", "the errors, by everything"}, {"backtest serving-step --by gpu --worst 5", "the errors by accelerator, and the five worst rows"}}},
      describe, run);
}

}  // namespace ridge::commands
