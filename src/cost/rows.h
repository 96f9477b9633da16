// How many rows a loop inside a task takes at a time.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// Gives each loop that carries nothing and whose step is open its number, unless the plan has it already.
void choose_rows(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
