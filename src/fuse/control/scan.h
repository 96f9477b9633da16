// Scan → one kernel: a loop over the scanned axis whose body is the step, with the states and everything between the
// step's clusters in tiles.
#pragma once

#include "fuse/emit/emit.h"

namespace hone::fuse {

// `outer` is the program that the op stands in: operands are read through its views, results go straight into its
// concatenations. Fails where the step holds what a tile program cannot do.
Result<Emitted> emit_scan(Scope& outer, const ir::Op& op);

}  // namespace hone::fuse
