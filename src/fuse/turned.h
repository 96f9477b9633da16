// An operand of a product that lies along the summed axis is turned into a tile, so that vectors of results can be read from it.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

// Where both operands of a product lie along the summed axis, the one that moves with the result's innermost axis is copied
// into a tile that does not. Weights stay, since they are packed, and so does what few rows would read again.
void turn_operand(Draft& draft, const ir::Program& program, const std::function<bool(ir::ValueId)>& is_weight);

}  // namespace hone::fuse
