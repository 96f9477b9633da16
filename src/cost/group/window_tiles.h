// Register tiles of windows over channels of their own, as in depthwise convolution and pooling: points share an operand
// through the taps alone, which are laid out in full.
#pragma once

#include "cost/group/vector_choice.h"

namespace hone::cost {

// The access that slides with the taps, if the group is such a window and its tile would share loads.
const ir::Access* sharing_window(const Space& space, const VectorChoice& vector);

// Sets tile and unrolling; gives the tap along the rows of the tile, which goes innermost so that rows meet again what they
// loaded.
std::string tile_window(const Space& space, const VectorChoice& vector, const ir::Access& window, ir::GroupPlan& plan);

}  // namespace hone::cost
