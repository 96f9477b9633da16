// Division by a value per row becomes a multiplication by its reciprocal, computed once per row. Kernels that round to whole
// numbers keep it: there a quotient that is off by its last bit would tell.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

// `fresh` is a value id that the program does not use; ids from it on may be taken.
void hoist_reciprocals(Draft& draft, ir::ValueId fresh);

}  // namespace hone::fuse
