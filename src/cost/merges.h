// Finds pairs of parallel axes that are one run in every access of a kernel, so that one longer loop can serve both.
#pragma once

#include "cost/use.h"

namespace hone::cost {

std::vector<ir::Merge> find_merges(ir::Kernel kernel, const Use& use);

}  // namespace hone::cost
