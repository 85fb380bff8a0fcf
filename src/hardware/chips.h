// Chips: how large a die is against what one exposure can print, and what a process node is claimed to gain over which other.
// A die whose area no source gives has none here, and a claim keeps its baseline and whether its gains hold together.
// Placement, yield and cost are in wafer.h.
#pragma once

#include "hardware/catalog.h"
#include "hardware/chips_rows.h"
#include "hardware/wafer.h"

namespace ridge::hardware {

struct ChipTables {
  std::span<const DieRow> dies;
  std::span<const ExposureFieldRow> fields;
  std::span<const WaferRow> wafers;
  std::span<const DefectDensityRow> densities;
  std::span<const ProcessClaimRow> claims;
  std::span<const ProcessRemarkRow> remarks;
};
ChipTables chips(const Catalog& catalog);

// A die by its own name ("GH100"), or by the accelerator that carries it ("h100-sxm5", an alias of it, a slice of it). Errors
// list near names; a part whose die no source names is an error that says so.
Result<const DieRow*> find_die(const Catalog& catalog, std::string_view name);

// What is known of a die's shape. The area is there always; the sides only where they are published or given.
struct DieShape {
  SquareMetres area{0};
  std::optional<Metres> width;
  std::optional<Metres> height;
};
// From the two sides, or from the area; where both are given they must agree within 1 %.
Result<DieShape> die_shape(std::optional<SquareMetres> area, std::optional<Metres> width, std::optional<Metres> height);
// Of a row with an area; absent where it has none.
std::optional<DieShape> die_shape(const DieRow& row);

enum class Fits { kYes, kNo, kUnknown };
std::string_view name_of(Fits fits);  // "yes", "no", "unknown"

struct FieldShare {
  SquareMetres field{0};
  double share = 0;  // area of the die over that of the field
  Fits fits = Fits::kUnknown;
  std::string why;
};
// By the sides where they are known (either way round); by the area alone only "no" can be said.
FieldShare share_of_field(const DieShape& die, const ExposureFieldRow& field);

// Sides to place a die whose sides are unknown: the squarest rectangle of its area that the field holds, or the square where
// none does. `assumed` says that it is not a known shape.
struct PlacedShape {
  Metres width{0};
  Metres height{0};
  bool assumed = false;
};
PlacedShape shape_to_place(const DieShape& die, const ExposureFieldRow& field);

Metres length_of(std::string_view text);           // of a checked row
PerSquareMetre density_of(std::string_view text);  // of a checked row

// One comparison (node over baseline) with all its claims, newest first: the first is the one in force.
struct NodeComparison {
  std::string node;      // as the rows spell it
  std::string baseline;  // "" where nothing public names one
  std::vector<const ProcessClaimRow*> claims;
};
// Of one node, by any spelling; of all nodes where `node` is empty. In the order of the table. Unknown nodes list the near ones.
Result<std::vector<NodeComparison>> node_comparisons(const ChipTables& tables, std::string_view node);
// Claims of other nodes over this one.
std::vector<NodeComparison> comparisons_over(const ChipTables& tables, std::string_view node);

// Whether a claim covers a wished speed gain and power saving (fractions, both positive: 0.18, 0.36), together where both are asked.
enum class ClaimAnswer {
  kClaimed,
  kNotTogether,    // each is claimed, but as alternatives
  kUnstated,       // each is claimed, and nothing says that they hold together
  kBeyond,         // more than is claimed
  kNothingClaimed  // the claim has no such gain
};
ClaimAnswer answer_claim(const ProcessClaimRow& claim, std::optional<double> speed, std::optional<double> power);

}  // namespace ridge::hardware
