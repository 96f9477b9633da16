// How much a call of a kernel has to do, over the kernel's symbols, and in how many tasks.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// How often each group of the kernel runs, in the order of groups_of: once for each point that the grids and loops around it open
// one by one and that it does not run over itself.
std::vector<ir::Index> runs_of_groups(const ir::Kernel& kernel);

// Tasks that the grids of the kernel cut it into; steps that are open are among the parameters.
int64_t tasks_of(const ir::Kernel& kernel, const Use& use, const std::map<std::string, int64_t>& parameters = {});

ir::Index flops_of(const ir::Kernel& kernel);  // arithmetic operations
ir::Index bytes_of(const ir::Kernel& kernel);  // the least memory traffic

}  // namespace hone::cost
