// How many rows a loop inside a task takes at a time.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// The steps of loops that carry nothing and whose step is open, by its name: those of the plan where it has them.
std::map<std::string, int64_t> choose_rows(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                           const ir::KernelPlan& plan);

}  // namespace hone::cost
