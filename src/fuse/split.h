// Axis splitting: an axis k that is met as k // c and k % c becomes two axes with k = outer*c + inner, where c divides
// its extent. Everything that was affine stays so, and the divisions vanish. Of (k + n) // c a division of inner + n is left,
// which is a number wherever a kernel takes the points of `inner` one by one.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

void split_axes(Draft& draft);

// Every index of the draft, for reading or changing.
void visit_indices(Draft& draft, const std::function<void(ir::Index&)>& visit);

}  // namespace hone::fuse
