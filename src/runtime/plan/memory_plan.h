// Memory plan: where each buffer of a run lies in the arena, so that buffers which are never alive together share bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"

namespace hone::runtime {

inline constexpr int64_t arena_alignment = 64;

// A buffer that lives from step `first` to step `last` of the linear order, both counted.
struct Lifetime {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = -1;  // before `first`: never used, takes no place
};

struct Placement {
  std::vector<int64_t> offsets;  // by buffer, multiples of 64; 0 for empty and unused ones
  int64_t bytes = 0;             // of the whole arena
};

// Greedy: the largest buffer first (then the earlier one), each into the tightest gap between those placed that live at
// the same time. The same lifetimes give the same placement. An error if the sum of sizes has no 64-bit value.
Result<Placement> place(const std::vector<Lifetime>& lifetimes);

// The least arena any placement could have: the most bytes alive at one step. To judge placements.
int64_t most_alive(const std::vector<Lifetime>& lifetimes);

}  // namespace hone::runtime
