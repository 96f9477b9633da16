// Scan → one kernel: a loop over the scanned axis whose body is the step, with the states and everything between the
// step's clusters in tiles.
#pragma once

#include "fuse/emit.h"

namespace hone::fuse {

// `outer` is the program that the op stands in. Fails where the step holds what a tile program cannot do.
Result<Emitted> emit_scan(const partition::Flow& outer, const ir::Op& op);

}  // namespace hone::fuse
