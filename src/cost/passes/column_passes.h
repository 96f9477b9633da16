// Sums across rows. A group that reduces along the outer dimensions of what it reads takes it strip by strip, which is as good as any
// way while the nearest cache holds it, or where a strip is all of a row. What comes from afar is better read in whole rows, one
// behind the other: such a kernel is rewritten so that a task passes over a few rows at a time and keeps what it has so far in a
// tile.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// The rewritten kernel; nothing where that gains nothing or the reductions cannot be continued.
std::optional<ir::Kernel> in_column_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target);

}  // namespace hone::cost
