// Buffers of which short runs are read or written here and there: what the processor fetches ahead behind those is not what comes next.
#pragma once

#include "cost/use.h"
#include "target/target.h"

namespace hone::cost {

// Needs layouts and groups of the plan.
void choose_alone(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
