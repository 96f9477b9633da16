// Chooses which weights are fetched while those at hand are used.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// The plan is complete but for this; the kernel is the one after merging.
void choose_next(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
