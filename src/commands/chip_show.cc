// ridge chip show: a die against the exposure field, dies per wafer, yield, and the cost of one that works.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/chip_fields.h"
#include "commands/registry.h"
#include "hardware/chips.h"

namespace ridge::commands {
namespace {

struct ChipShowRequest {
  std::string name;
  std::optional<SquareMetres> area;
  std::optional<Metres> width;
  std::optional<Metres> height;
  std::optional<PerSquareMetre> defect_density;
  std::string model;
  std::optional<double> alpha;
  std::optional<Usd> wafer_price;
  Metres wafer_diameter{0.3};
  Metres edge_exclusion{0};
  Metres scribe{0};
};

void describe(Fields<ChipShowRequest>& f) {
  f.positional("name", &ChipShowRequest::name, "NAME", "a die (gh100) or an accelerator whose die is known (h100-sxm5)").type("die");
  f.option("area", &ChipShowRequest::area, "AREA", "a die of this area instead of a named one: 814mm2");
  f.option("width", &ChipShowRequest::width, "LENGTH", "one side of the die: 26mm");
  f.option("height", &ChipShowRequest::height, "LENGTH", "the other side");
  f.option("defect-density", &ChipShowRequest::defect_density, "DENSITY", "killing defects per area: 0.1/cm2; none is assumed");
  f.option("model", &ChipShowRequest::model, "MODEL", "yield by one model alone").choices({"poisson", "murphy", "negative-binomial"});
  f.option("alpha", &ChipShowRequest::alpha, "N", "clustering parameter of the negative binomial model, above 0");
  f.option("wafer-price", &ChipShowRequest::wafer_price, "USD", "price of a processed wafer: 16000");
  f.option("wafer-diameter", &ChipShowRequest::wafer_diameter, "LENGTH", "diameter of the wafer").default_text("300mm");
  f.option("edge-exclusion", &ChipShowRequest::edge_exclusion, "LENGTH", "ring at the edge without dies").default_text("0mm");
  f.option("scribe", &ChipShowRequest::scribe, "LENGTH", "gap between dies").default_text("0mm");
}

using hardware::DieShape;
using report::Cell;
using report::Report;
using report::Severity;

// The die asked about: named, or given by its size.
struct Subject {
  std::string name;
  const hardware::DieRow* row = nullptr;
  std::optional<DieShape> shape;
  std::string basis;
  std::vector<std::string> sources;
};

Result<Subject> subject_of(const ChipShowRequest& request, const Environment& environment) {
  Subject subject;
  if (request.name.empty()) {
    if (!request.area && !request.width && !request.height)
      return fail("", "neither a die nor a size is given", "Give a NAME, --area, or --width and --height.");
    RIDGE_TRY(subject.shape, hardware::die_shape(request.area, request.width, request.height));
    subject.name = "a die of " + format_value(subject.shape->area.value, "m2");
    subject.basis = "as given";
    subject.sources = {"user"};
    return subject;
  }
  if (request.area) return fail("--area", fmt::format("given together with the die \"{}\"", request.name), "Give one of them.");
  RIDGE_TRY(subject.row, hardware::find_die(environment.catalog, request.name));
  subject.name = subject.row->name;
  subject.shape = hardware::die_shape(*subject.row);
  subject.basis = "published, per die";
  subject.sources = {std::string(subject.row->source)};
  if (request.width || request.height) {
    std::optional<SquareMetres> area;
    if (subject.shape) area = subject.shape->area;
    RIDGE_TRY(subject.shape, hardware::die_shape(area, request.width, request.height));
    if (!area) subject.basis = "as given", subject.sources = {"user"};
  }
  return subject;
}

Result<void> check_request(const ChipShowRequest& request) {
  if (request.alpha && !(*request.alpha > 0 && *request.alpha <= 1e6)) return fail("--alpha", fmt::format("{} is not between 0 and 1000000", *request.alpha));
  if (request.model == "negative-binomial" && !request.alpha)
    return fail("--model", "the negative binomial model needs --alpha",
                "Give the clustering parameter of the process: small where defects cluster; 1 is Seeds' model.");
  if (!request.model.empty() && !request.defect_density)
    return fail("--model", "a yield needs --defect-density", "Give it as in --defect-density 0.1/cm2; none is assumed.");
  if (request.defect_density && request.defect_density->value > 1e8) return fail("--defect-density", "more than 10000/cm2", "Check the unit.");
  if (!(request.wafer_diameter.value > 0) || request.wafer_diameter.value > 1)
    return fail("--wafer-diameter", "not between 0 and 1 m", "Wafers are 300mm or 200mm.");
  return {};
}

void add_field(Report& report, const DieShape& shape, const hardware::ExposureFieldRow& field, std::string_view area_source) {
  const hardware::FieldShare share = hardware::share_of_field(shape, field);
  const std::string id(field.id), name(field.name), source(field.source);
  const std::string sides = std::string(field.width) + " x " + std::string(field.height);
  report::Figure& area = report.add(id + ".area", share.field.value, "m2", name);
  area.basis = sides;
  area.sources = {source};
  report::Figure& part = report.add(id + ".share", share.share, "1", "die's share of the " + name);
  part.basis = "derived, area over area";
  part.provenance = Provenance::kDerived;
  report.add_category(id + ".fits", std::string(hardware::name_of(share.fits)), "fits the " + name).basis = share.why;
  const double width = hardware::length_of(field.width).value, height = hardware::length_of(field.height).value;
  report.derivation.push_back(
      {id + ".area", "width × height", {{"width", width, "m", source}, {"height", height, "m", source}}, {share.field.value, share.field.value}, "m2", source});
  report.derivation.push_back({id + ".share",
                               "die.area / " + id + ".area",
                               {{"die.area", shape.area.value, "m2", std::string(area_source)}, {id + ".area", share.field.value, "m2", ""}},
                               {share.share, share.share},
                               "1",
                               ""});
}

struct WaferCount {
  std::int64_t dies = 0;
  hardware::PlacedShape shape;
};

Result<WaferCount> add_wafer(Report& report, const ChipShowRequest& request, const DieShape& shape, const hardware::ExposureFieldRow& field) {
  const hardware::Wafer wafer{request.wafer_diameter, request.edge_exclusion, request.scribe};
  const hardware::PlacedShape placed = hardware::shape_to_place(shape, field);
  RIDGE_TRY(const hardware::DieGrid grid, hardware::place_dies(placed.width, placed.height, wafer));
  const double by_area = hardware::dies_by_area(placed.width, placed.height, wafer);
  const std::string sides = fmt::format("{} x {} mm", format_number(placed.width.value * 1e3), format_number(placed.height.value * 1e3));
  report::Figure& dies = report.add("wafer.dies", static_cast<double>(grid.dies), "1", "whole dies per wafer");
  dies.basis = fmt::format("placed on a grid, {}{}", sides, placed.assumed ? ", sides assumed" : "");
  dies.provenance = placed.assumed ? Provenance::kAssumed : Provenance::kDerived;
  report.add("wafer.dies_by_area", by_area, "1").basis = "formula by area";
  const std::vector<DerivationStep::Input> inputs{{"width", placed.width.value, "m", placed.assumed ? "assumed" : ""},
                                                  {"height", placed.height.value, "m", placed.assumed ? "assumed" : ""},
                                                  {"wafer.diameter", wafer.diameter.value, "m", "user"},
                                                  {"edge.exclusion", wafer.edge_exclusion.value, "m", "user"},
                                                  {"scribe", wafer.scribe.value, "m", "user"}};
  const double count = static_cast<double>(grid.dies);
  report.derivation.push_back(
      {"wafer.dies",
       fmt::format("whole dies of a grid inside the usable circle, the best of {} row offsets and every sideways one", grid.row_offsets),
       inputs,
       {count, count},
       "1",
       "counted, die by die"});
  report.derivation.push_back({"wafer.dies_by_area",
                               "pi (d/2)^2 / A - pi d / sqrt(2 A), d the usable diameter, A the die with its scribe lines",
                               inputs,
                               {by_area, by_area},
                               "1",
                               "de Vries, IEEE Trans. Semiconductor Manufacturing 18(1), 2005"});
  if (placed.assumed)
    report.find(Severity::kInfo, "shape-assumed",
                fmt::format("The sides of the die are not known; {} was placed, the squarest shape that the field holds.", sides),
                "published areas come without sides", "Give --width and --height.");
  if (request.edge_exclusion.value == 0 || request.scribe.value == 0)
    report.find(Severity::kInfo, "upper-bound",
                "The count is an upper bound: no ring at the wafer's edge and no gap between dies is taken off unless you give them.", "",
                "Give --edge-exclusion and --scribe of your process.");
  return WaferCount{grid.dies, placed};
}

struct Model {
  std::string key, label, formula, source;
  double yield = 0;
};

std::vector<Model> models(double defects, const ChipShowRequest& request) {
  std::vector<Model> all;
  const auto wanted = [&request](std::string_view name) { return request.model.empty() || request.model == name; };
  if (wanted("poisson")) all.push_back({"poisson", "Poisson", "exp(-defects)", "defects that fall independently", hardware::poisson_yield(defects)});
  if (wanted("murphy"))
    all.push_back({"murphy", "Murphy", "((1 - exp(-defects)) / defects)^2", "Murphy, Proceedings of the IEEE 52(12), 1964", hardware::murphy_yield(defects)});
  if (request.alpha && wanted("negative-binomial"))
    all.push_back({"negative_binomial", "negative binomial", "(1 + defects / alpha)^-alpha", "Stapper, Proceedings of the IEEE 71(4), 1983",
                   hardware::negative_binomial_yield(defects, *request.alpha)});
  return all;
}

// Yield, working dies and what one costs, at the user's own density.
void add_yield(Report& report, const ChipShowRequest& request, const DieShape& shape, const WaferCount& count) {
  const double defects = shape.area.value * request.defect_density->value;
  Interval yield{1, 0};
  for (const Model& model : models(defects, request)) {
    report.add("yield." + model.key, model.yield, "1", "yield, " + model.label).provenance = Provenance::kDerived;
    DerivationStep step{"yield." + model.key, model.formula, {{"defects", defects, "1", ""}}, {model.yield, model.yield}, "1", model.source};
    if (model.key == "negative_binomial") step.inputs.push_back({"alpha", *request.alpha, "1", "user"});
    report.derivation.push_back(std::move(step));
    yield = {std::min(yield.low, model.yield), std::max(yield.high, model.yield)};
  }
  report.derivation.insert(report.derivation.end() - static_cast<std::ptrdiff_t>(models(defects, request).size()),
                           {"defects",
                            "die.area × defect density",
                            {{"die.area", shape.area.value, "m2", ""}, {"defect.density", request.defect_density->value, "1/m2", "user"}},
                            {defects, defects},
                            "1",
                            ""});
  const double dies = static_cast<double>(count.dies);
  const Interval good{dies * yield.low, dies * yield.high};
  report.add("dies.good", good, "1", "working dies per wafer").provenance = Provenance::kDerived;
  report.derivation.push_back({"dies.good",
                               "wafer.dies × yield",
                               {{"wafer.dies", dies, "1", ""}, {"yield (lowest)", yield.low, "1", ""}, {"yield (highest)", yield.high, "1", ""}},
                               good,
                               "1",
                               ""});
  if (request.wafer_price && good.low > 0) {
    const Interval cost{request.wafer_price->value / good.high, request.wafer_price->value / good.low};
    report.add("cost.per_good_die", cost, "USD", "cost per working die").provenance = Provenance::kDerived;
    report.derivation.push_back(
        {"cost.per_good_die",
         "wafer price / dies.good",
         {{"wafer.price", request.wafer_price->value, "USD", "user"}, {"dies.good (lowest)", good.low, "1", ""}, {"dies.good (highest)", good.high, "1", ""}},
         cost,
         "USD",
         ""});
    report.find(Severity::kInfo, "wafer-only", "The cost is that of the silicon: test, package, memory and what is sold partly disabled are not in it.");
  }
}

// What published densities and a few others would give, so that none need be assumed.
report::Table yield_table(const ChipShowRequest& request, const DieShape& shape, const WaferCount& count, std::span<const hardware::DefectDensityRow> published,
                          std::string_view node) {
  report::Table table{
      "yield",
      "Yield by defect density",
      {{"defects", ""}, {"density", "1/m2"}, {"published for", ""}, {"defects per die", "1"}, {"Poisson", "1"}, {"Murphy", "1"}, {"working dies", "1"}},
      {},
      ""};
  if (request.alpha) table.columns.push_back({fmt::format("negative binomial, alpha {}", format_number(*request.alpha)), "1"});
  if (request.wafer_price) table.columns.push_back({"cost per working die", "USD"});
  struct Entry {
    double density;
    std::string why;
  };
  std::vector<Entry> entries;
  for (const hardware::DefectDensityRow& row : published)
    for (const std::string_view text : row.density) {
      std::string why = fmt::format("{}{}{}", row.node, row.node.empty() ? "" : ": ", row.when);
      if (row.below) why.insert(0, "less than this: ");
      if (!row.node.empty() && hardware::node_key(row.node) == hardware::node_key(node)) why += " (the die's node)";
      entries.push_back({hardware::density_of(text).value, why});
    }
  for (const double per_cm2 : {0.05, 0.2, 0.3}) entries.push_back({per_cm2 * 1e4, ""});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.density < b.density; });
  for (const Entry& entry : entries) {
    const double defects = entry.density * shape.area.value, dies = static_cast<double>(count.dies);
    const Interval yield{hardware::poisson_yield(defects), hardware::murphy_yield(defects)};
    std::vector<Cell> row{fmt::format("{:.3g}/cm2", entry.density / 1e4),
                          entry.density,
                          entry.why.empty() ? Cell{} : Cell{entry.why},
                          defects,
                          yield.low,
                          yield.high,
                          report::cell(Interval{dies * yield.low, dies * yield.high})};
    if (request.alpha) row.emplace_back(hardware::negative_binomial_yield(defects, *request.alpha));
    if (request.wafer_price)
      row.push_back(dies * yield.low > 0
                        ? report::cell(Interval{request.wafer_price->value / (dies * yield.high), request.wafer_price->value / (dies * yield.low)})
                        : Cell{});
    table.rows.push_back(std::move(row));
  }
  table.note = "Working dies and cost: from Poisson to Murphy.";
  return table;
}

// A package or a die without a published area: what can be said.
void say_unknown(Report& report, const Subject& subject, const hardware::ExposureFieldRow& field) {
  const hardware::DieRow& row = *subject.row;
  const double field_area = (hardware::length_of(field.width) * hardware::length_of(field.height)).value;
  report.verdict.text = row.package
                            ? fmt::format("The {} holds {} dies whose areas are not published.", row.name, row.dies ? std::to_string(*row.dies) : "several")
                            : fmt::format("The area of {} is not in the sources read.", row.name);
  if (row.dies) report.add("package.dies", *row.dies, "1", "dies in the package").sources = subject.sources;
  report.find(Severity::kInfo, "die-area-unknown",
              fmt::format("{} die printed in one exposure is at most {}; nothing narrower is known, and no near part's area is taken for it.",
                          row.package ? "Each" : "A", format_value(field_area, "m2")),
              std::string(row.note), "Give --area, or --width and --height.");
}

void say_verdict(Report& report, const Subject& subject) {
  const auto share = [&report](std::string_view id) { return std::get<double>(report.figure(fmt::format("{}.share", id))->value); };
  const auto fits = [&report](std::string_view id) { return std::get<std::string>(report.figure(fmt::format("{}.fits", id))->value); };
  const std::string area = format_value(subject.shape->area.value, "m2");
  const std::string who = subject.row != nullptr ? fmt::format("{}, {},", subject.name, area) : "A die of " + area;
  if (share("field") > 1 || fits("field") == "no") {
    report.verdict.text = fmt::format("{} is more than one exposure prints ({:.1f} % of the field's area).", who, share("field") * 100);
    report.find(Severity::kWarning, "exceeds-field", "One exposure cannot print it: it takes stitched exposures, or several dies in one package.",
                fmt::format("fits the exposure field: {}", fits("field")));
    return;
  }
  const std::string half = share("half_field") > 1 || fits("half_field") == "no" ? "does not fit" : fits("half_field") == "yes" ? "fits" : "may fit";
  report.verdict.text = fmt::format("{} takes {:.1f} % of the exposure field and {} the half field of high-NA scanners.", who, share("field") * 100, half);
}

Result<Report> run(const ChipShowRequest& request, const Environment& environment) {
  RIDGE_TRY_VOID(check_request(request));
  RIDGE_TRY(const Subject subject, subject_of(request, environment));
  const hardware::ChipTables tables = hardware::chips(environment.catalog);
  RIDGE_CHECK(!tables.fields.empty());
  const hardware::ExposureFieldRow& field = tables.fields.front();

  Report report;
  if (!subject.shape) {
    say_unknown(report, subject, field);
    return report;
  }
  const DieShape& shape = *subject.shape;
  report::Figure& area = report.add("die.area", shape.area.value, "m2", "die area");
  area.basis = subject.basis;
  area.sources = subject.sources;
  area.provenance = subject.row != nullptr && subject.basis != "as given" ? Provenance::kPublished : Provenance::kUser;
  report.derivation.push_back({"die.area", subject.basis, {}, {shape.area.value, shape.area.value}, "m2", subject.sources.front()});
  if (subject.row != nullptr && subject.row->transistors)
    report.add("die.transistors", *subject.row->transistors, "1", "transistors").sources = subject.sources;
  if (subject.row != nullptr && !subject.row->process.empty())
    report.add_category("die.process", std::string(subject.row->process), "process").sources = subject.sources;
  for (const hardware::ExposureFieldRow& one : tables.fields)  // a user's field may be named "die"
    if (report.figure(fmt::format("{}.area", one.id)) == nullptr) add_field(report, shape, one, subject.sources.front());
  RIDGE_TRY(const WaferCount count, add_wafer(report, request, shape, field));
  if (request.defect_density) {
    add_yield(report, request, shape, count);
  } else {
    report.find(Severity::kInfo, "no-defect-density",
                "No defect density is assumed: the table shows the published ones, each of one node at one time, and a few others.", "",
                "Give your own: --defect-density 0.1/cm2.");
  }
  report.tables.push_back(yield_table(request, shape, count, tables.densities, subject.row != nullptr ? subject.row->node : ""));
  say_verdict(report, subject);
  return report;
}

}  // namespace

Command chip_show_command() {
  return make_command<ChipShowRequest>(
      {"chip show",
       kGroupFigures,
       "A die against the exposure field: dies per wafer, yield",
       "Compares a die with what one exposure prints (26 x 33 mm, and the half field of high-NA scanners), places whole dies on a "
       "wafer, and gives the yield by Poisson, Murphy and, with --alpha, the negative binomial model. Areas are published ones; the "
       "sides of a die rarely are, and a fit is said only where they are known. Nothing is assumed of the process: without "
       "--defect-density a table shows what published densities would give.",
       {{"chip show gh100", "94.9 % of the exposure field"},
        {"chip show --area 600mm2 --defect-density 0.1/cm2 --wafer-price 16000", "yield and cost of a die of your own"}}},
      describe, run);
}

}  // namespace ridge::commands
