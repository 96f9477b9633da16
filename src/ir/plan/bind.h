// Binds the plan's numbers into the kernel: parameters and pinned sizes become constants, merged axes become one.
#pragma once

#include "ir/plan/plan.h"

namespace hone::ir {

// A merged pair: wherever an offset is linear in both with matching strides, `outer` vanishes (lower/address.h).
struct MergedAxis {
  std::string outer, inner;
  Index inner_extent;  // of `inner` before the merge
};

struct Bound {
  Kernel kernel;
  std::vector<MergedAxis> merged;
};

Result<Bound> bind(const Kernel& kernel, const KernelPlan& plan);

}  // namespace hone::ir
