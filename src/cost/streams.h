// Outputs that leave the caches before anybody reads them are stored past them: their lines need not be fetched first, and what
// the caches hold stays there.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// `plan` has the plans of its groups.
void choose_streams(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
