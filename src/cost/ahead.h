// What a loop over rows will read next is fetched while it computes: passes over rows alternate between reading as fast as the caches or
// memory deliver and computing, and nothing else asks for the next rows before their first pass begins.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// `plan` has the plans of its groups; loops have their steps.
void choose_ahead(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
