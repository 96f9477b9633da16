// Draft → Kernel: phases become groups, steps become statements, opened axes become nests. Sizes are still those of the
// call; sizes.h makes them arguments.
#pragma once

#include "fuse/draft.h"
#include "ir/mugraph/kernel.h"

namespace hone::fuse {

struct Emitted {
  ir::Kernel kernel;
  std::vector<ir::ValueId> buffers;  // the value that each buffer stands for
};

Emitted emit(const Draft& draft, const ir::Program& program);

}  // namespace hone::fuse
