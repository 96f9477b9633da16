// Phases: a row's reductions are barriers. Phase p is one group; what a reduction of phase p yields is known per row at its
// end and at points from phase p + 1 on.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

struct Phases {
  int count = 1;
  std::map<ir::ValueId, int> of;  // step → the phase that first computes it
  std::set<ir::ValueId> tiled;    // steps kept in a tile for later phases
  std::map<ir::ValueId, const Step*> steps;
};

// Values per point that a later phase needs are computed again where that is cheap, else kept in a tile. Values per row
// are always kept.
Phases phases_of(const Draft& draft);

}  // namespace hone::fuse
