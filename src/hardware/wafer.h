// Dies on a wafer: how many whole ones a grid places, which share works at a defect density, what a working one costs.
// Pure geometry and statistics; nothing is assumed of a process. Lengths are in metres, areas in m2, densities in 1/m2.
#pragma once

#include <cstdint>

#include "quantity/quantity.h"

namespace ridge::hardware {

// A round wafer. `edge_exclusion` is the ring at its edge on which no die may lie; `scribe` the gap between neighbours.
struct Wafer {
  Metres diameter{0.3};
  Metres edge_exclusion{0};
  Metres scribe{0};
};

// Dies of width × height that lie whole within the usable circle, on one rectangular grid (as a stepper prints them).
// The grid's place is chosen so that the most fit: over every sideways offset exactly, and over `row_offsets` steps of its
// up-and-down offset, the symmetric ones among them; a better place between two steps can be missed, never a worse one taken.
// Errors: a side of zero, a wafer without usable ring, a die so small that the grid would exceed a million dies a row pair.
struct DieGrid {
  std::int64_t dies = 0;
  Metres offset_x{0};  // of one die's left lower corner from the wafer's centre
  Metres offset_y{0};
  int row_offsets = 0;
};
Result<DieGrid> place_dies(Metres width, Metres height, const Wafer& wafer);

// pi (d/2)^2 / A - pi d / sqrt(2 A), with the usable diameter d and the die's area A with its scribe lines: the wafer's area
// over the die's, less the dies that the edge cuts (D. K. de Vries, "Investigation of gross die per wafer formulas", IEEE
// Transactions on Semiconductor Manufacturing 18(1), 2005; also Hennessy and Patterson, Computer Architecture, section 1.6).
// Not below zero.
double dies_by_area(Metres width, Metres height, const Wafer& wafer);

// The share of dies without a killing defect, for `defects` = area × defect density expected on one.
double poisson_yield(double defects);  // exp(-defects): defects fall independently
// ((1 - exp(-defects)) / defects)^2: the density varies over wafers, triangularly (B. T. Murphy, "Cost-size optima of monolithic
// integrated circuits", Proceedings of the IEEE 52(12), 1964).
double murphy_yield(double defects);
// (1 + defects/alpha)^-alpha: defects cluster, the more the smaller alpha; Poisson as alpha grows, Seeds' 1/(1+defects) at 1
// (C. H. Stapper, "Integrated circuit yield statistics", Proceedings of the IEEE 71(4), 1983). alpha > 0.
double negative_binomial_yield(double defects, double alpha);

}  // namespace ridge::hardware
