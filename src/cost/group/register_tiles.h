// Register tiles of contractions whose vectors lie along a parallel axis: rows × vectors of accumulators.
#pragma once

#include "cost/group/vector_choice.h"

namespace hone::cost {

struct RegisterTile {
  std::string row_axis;  // empty: no axis shares the vector operand
  int64_t rows = 1, vectors = 1;
  double cycles = 0;  // of the whole group, apart from waiting for memory
};

// Cycles of register tiles side by side that cover `points` of the vector axis: whole ones and one of the vectors that are left.
// Their inner loop runs `depth` times, with its operands in the first-level cache.
double strip_cycles(double rows, int64_t points, int64_t vectors, int lanes, int reductions, double depth,
                    const target::Figures& figures);

// Every tile that fits the registers, the best first.
std::vector<RegisterTile> register_tiles(const Space& space, const std::string& vector_axis, int lanes);

// Takes the best tile, and an order of the parallel axes that keeps a panel of the vector operand near.
void tile_contraction(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan);

}  // namespace hone::cost
