// How much a call of a kernel has to do, over the kernel's symbols. For profiles.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::cost {

// How often each group of the kernel runs, in the order of groups_of: once for each point that the grids and loops around it open
// one by one and that it does not run over itself.
std::vector<ir::Index> runs_of_groups(const ir::Kernel& kernel);

ir::Index flops_of(const ir::Kernel& kernel);  // arithmetic operations
ir::Index bytes_of(const ir::Kernel& kernel);  // the least memory traffic

}  // namespace hone::cost
