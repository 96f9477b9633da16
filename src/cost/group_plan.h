// Chooses vector axis, register tile, loop order and unrolling of one group.
#pragma once

#include "cost/stride.h"

namespace hone::cost {

ir::GroupPlan plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use,
                         const target::Target& target);

struct RegisterTile {
  std::string row_axis;  // empty: no axis shares the vector operand
  int64_t rows = 1, vectors = 1;
  double cycles = 0;  // of the whole group, apart from waiting for memory
};

// Cycles of one register tile whose inner loop runs `depth` times, with its operands in the first-level cache.
double tile_cycles(double rows, double vectors, int reductions, double depth);

// The tiles that a contraction along a parallel vector axis can have, the best first.
std::vector<RegisterTile> register_tiles(const ir::Kernel& kernel, const ir::Group& group, const ir::GroupPlan& plan,
                                         const Use& use, const target::Target& target);

}  // namespace hone::cost
