// Chooses how constants are packed for the groups that read them.
#pragma once

#include "cost/stride.h"

namespace hone::cost {

// Adds layouts (and the pins they rely on) to the plan; its groups are already planned.
void pack_weights(const ir::Kernel& kernel, const Use& use, ir::KernelPlan& plan);

}  // namespace hone::cost
