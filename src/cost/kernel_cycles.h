// What the model expects of any kernel under a complete plan: coarse, but for all of them in the same cycles, so that kernels in
// other layouts can be weighed against each other and against copies.
#pragma once

#include "cost/reasons.h"
#include "cost/use.h"

namespace hone::cost {

// Cycles of the slowest core. `kernel` is the one after merging; `considered` what was compared for its contraction, the chosen one
// first, if anything was.
double kernel_cycles(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan,
                     const std::vector<Considered>& considered);

}  // namespace hone::cost
