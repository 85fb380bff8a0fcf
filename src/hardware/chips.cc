#include "hardware/chips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "hardware/accelerators.h"
#include "hardware/tables.h"

namespace ridge::hardware {
namespace {

constexpr double kShapeTolerance = 0.01;  // published areas are rounded to the square millimetre

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<NodeComparison> group(std::span<const ProcessClaimRow> claims) {
  std::vector<NodeComparison> groups;
  for (const ProcessClaimRow& claim : claims) {
    auto place = std::find_if(groups.begin(), groups.end(), [&claim](const NodeComparison& g) {
      return node_key(g.node) == node_key(claim.node) && node_key(g.baseline) == node_key(claim.baseline);
    });
    if (place == groups.end()) {
      groups.push_back({std::string(claim.node), std::string(claim.baseline), {}});
      place = std::prev(groups.end());
    }
    place->claims.push_back(&claim);
  }
  // "2025" is newer than "2024-05": compared by the last day that each may mean; an undated claim is the oldest.
  const auto last_day = [](const ProcessClaimRow* claim) {
    const auto span = parse_date_span(claim->date);
    return span ? day_number(span->last) : std::int64_t{-1'000'000'000};
  };
  for (NodeComparison& g : groups)
    std::stable_sort(g.claims.begin(), g.claims.end(), [&last_day](const auto* a, const auto* b) { return last_day(a) > last_day(b); });
  return groups;
}

// The end of a claimed range that is certain: the smaller gain.
double sure_gain(std::span<const double> gain) {
  double smallest = std::abs(gain.front());
  for (const double value : gain) smallest = std::min(smallest, std::abs(value));
  return smallest;
}

}  // namespace

ChipTables chips(const Catalog& catalog) {
  const Data& data = catalog.tables().data;
  return {data.dies, data.exposure_fields, data.wafers, data.defect_densities, data.process_claims, data.process_remarks};
}

Result<const DieRow*> find_die(const Catalog& catalog, std::string_view name) {
  const std::span<const DieRow> dies = chips(catalog).dies;
  const std::string wanted = lower(name);
  std::vector<std::string> names;
  for (const DieRow& die : dies) {
    if (lower(die.id) == wanted || lower(die.name) == wanted) return &die;
    names.emplace_back(die.id);
  }
  for (const AcceleratorRow& record : accelerators(catalog)) names.emplace_back(record.id);
  // A MIG slice lies on the die of its part.
  const auto records = find_records(catalog, name.substr(0, name.find('/')));
  if (records) {
    const AcceleratorRow& part = *records->front();
    for (const DieRow& die : dies) {
      const bool carries = std::find(die.accelerators.begin(), die.accelerators.end(), part.id) != die.accelerators.end();
      if (carries || (!part.die.empty() && part.die == die.name)) return &die;
    }
    return fail(std::string(name), "no source names the die of this part", "Give the die's size: --area MM2, or --width and --height.");
  }
  const std::string near = nearest_names(name, names);
  std::string advice = near.empty() ? "" : "Did you mean " + near + "? ";
  return fail(std::string(name), "there is no die and no accelerator of that name",
              advice + "`ridge gpu list` has the accelerators, and --area MM2 takes any size.");
}

Metres length_of(std::string_view text) { return parse_length(text).value_or(Metres{0}); }
PerSquareMetre density_of(std::string_view text) { return parse_per_area(text).value_or(PerSquareMetre{0}); }

Result<DieShape> die_shape(std::optional<SquareMetres> area, std::optional<Metres> width, std::optional<Metres> height) {
  if (width.has_value() != height.has_value())
    return fail("", fmt::format("the {} is given without the {}", width ? "width" : "height", width ? "height" : "width"), "Give both sides, or neither.");
  if (!area && !width) return fail("", "neither the area nor the sides of the die are known", "Give --area MM2, or --width and --height.");
  DieShape shape;
  shape.width = width;
  shape.height = height;
  shape.area = area ? *area : SquareMetres{*width * *height};
  const double sides = width ? (*width * *height).value : shape.area.value;
  if (!(shape.area.value > 0) || !(sides > 0)) return fail("", "a die of no area", "Give an area above zero, as in 814mm2.");
  if (std::abs(sides - shape.area.value) > kShapeTolerance * shape.area.value)
    return fail("", fmt::format("the sides make {}, and the area is {}", format_value(sides, "m2"), format_value(shape.area.value, "m2")),
                "They may differ by 1 %; leave one of them out.");
  return shape;
}

std::optional<DieShape> die_shape(const DieRow& row) {
  if (row.area.empty() && row.width.empty()) return std::nullopt;
  std::optional<SquareMetres> area;
  std::optional<Metres> width, height;
  if (!row.area.empty()) area = parse_area(row.area).value_or(SquareMetres{0});
  if (!row.width.empty()) width = length_of(row.width), height = length_of(row.height);
  auto shape = die_shape(area, width, height);
  return shape ? std::optional<DieShape>(*shape) : std::nullopt;
}

std::string_view name_of(Fits fits) {
  switch (fits) {
    case Fits::kYes:
      return "yes";
    case Fits::kNo:
      return "no";
    case Fits::kUnknown:
      return "unknown";
  }
  return "unknown";
}

FieldShare share_of_field(const DieShape& die, const ExposureFieldRow& field) {
  const Metres width = length_of(field.width), height = length_of(field.height);
  FieldShare result;
  result.field = width * height;
  result.share = die.area / result.field;
  if (die.width) {
    const auto within = [&](Metres a, Metres b) { return a <= width && b <= height; };
    result.fits = within(*die.width, *die.height) || within(*die.height, *die.width) ? Fits::kYes : Fits::kNo;
    result.why = "by its sides";
  } else if (result.share > 1) {
    result.fits = Fits::kNo;
    result.why = "its area is larger than the field's";
  } else {
    result.why = "its area is within the field's, and its sides are not known";
  }
  return result;
}

PlacedShape shape_to_place(const DieShape& die, const ExposureFieldRow& field) {
  if (die.width) return {*die.width, *die.height, false};
  const double square = std::sqrt(die.area.value);
  const double narrow = std::min(length_of(field.width).value, length_of(field.height).value);
  const double wide = std::max(length_of(field.width).value, length_of(field.height).value);
  if (square <= narrow || die.area.value > narrow * wide) return {Metres{square}, Metres{square}, true};
  return {Metres{narrow}, Metres{die.area.value / narrow}, true};
}

Result<std::vector<NodeComparison>> node_comparisons(const ChipTables& tables, std::string_view node) {
  std::vector<NodeComparison> all = group(tables.claims);
  if (node.empty()) return all;
  const std::string wanted = node_key(node);
  std::vector<NodeComparison> found;
  std::vector<std::string> names;
  bool is_baseline = false;
  for (NodeComparison& g : all) {
    if (std::find(names.begin(), names.end(), g.node) == names.end()) names.push_back(g.node);
    if (!g.baseline.empty() && node_key(g.baseline) == wanted) is_baseline = true;
    if (node_key(g.node) == wanted) found.push_back(std::move(g));
  }
  if (!found.empty() || is_baseline) return found;
  const std::string near = nearest_names(wanted, names);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return fail(std::string(node), "no claim about this node is in the catalogue",
              near.empty() ? "Known: " + known + "." : "Did you mean " + near + "? Known: " + known + ".");
}

std::vector<NodeComparison> comparisons_over(const ChipTables& tables, std::string_view node) {
  std::vector<NodeComparison> all = group(tables.claims);
  std::erase_if(all, [wanted = node_key(node)](const NodeComparison& g) { return g.baseline.empty() || node_key(g.baseline) != wanted; });
  return all;
}

ClaimAnswer answer_claim(const ProcessClaimRow& claim, std::optional<double> speed, std::optional<double> power) {
  // Claims are printed to the per cent; a wish of exactly the claim is within it.
  constexpr double kRounding = 1e-9;
  const auto covers = [](std::span<const double> gain, double wished) { return wished <= sure_gain(gain) + kRounding; };
  if ((speed && claim.speed.empty()) || (power && claim.power.empty())) return ClaimAnswer::kNothingClaimed;
  if ((speed && !covers(claim.speed, *speed)) || (power && !covers(claim.power, *power))) return ClaimAnswer::kBeyond;
  if (speed && power) {
    if (claim.relation == ClaimRelation::kEitherOr) return ClaimAnswer::kNotTogether;
    if (claim.relation != ClaimRelation::kJoint) return ClaimAnswer::kUnstated;
  }
  return ClaimAnswer::kClaimed;
}

}  // namespace ridge::hardware
