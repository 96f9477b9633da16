// Outputs that leave the caches before anybody reads them are stored past them: their lines need not be fetched first, and what
// the caches hold stays there.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// Whether the buffer, whose size is known for good, takes more than half of the last-level cache.
bool leaves_caches(const ir::Buffer& buffer, const Use& use, const target::Target& target);

// `plan` has the plans of its groups.
void choose_streams(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan);

}  // namespace hone::cost
