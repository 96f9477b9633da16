// Makes the extents of a kernel arguments, so that calls of other sizes share its code.
//
// Every axis gets a symbol D_<axis>; a dimension that an axis runs through has that axis's symbol, a dimension that several
// axes run through together has their product, any other has a symbol of its own, D_<buffer>_<dimension>. Offsets of
// sub-views become F_<buffer>_<dimension>. Extents of 1 and of small windows, strides, dilations and pads stay numbers:
// they decide how the code looks.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::fuse {

// Rewrites the kernel; gives what the call binds its symbols to.
std::map<std::string, ir::Index> abstract_sizes(ir::Kernel& kernel);

}  // namespace hone::fuse
