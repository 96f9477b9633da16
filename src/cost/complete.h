// complete: fills what a plan leaves open, by an analytic model of the target. No measuring; the same kernel, sizes and
// target give the same plan. In: a valid kernel graph. Out: a graph whose kernels each have one complete plan (a kernel that
// serves calls of very different sizes is listed once per plan) and one layout per edge. Sits between fuse and lower.
#pragma once

#include "cost/reasons.h"
#include "cost/use.h"
#include "target/target.h"

namespace hone::cost {

struct Completed {
  ir::KernelGraph graph;
  ir::Plan plan;
  std::vector<Reasons> reasons;  // by kernel
};

Result<Completed> complete(const ir::KernelGraph& graph, const target::Target& target);

struct CompletedKernel {
  ir::KernelPlan plan;
  Reasons reasons;
};

CompletedKernel complete(const ir::Kernel& kernel, ir::KernelPlan partial, const Use& use,
                         const target::Target& target);

// Arithmetic operations and the least memory traffic of a call, for profiles; over the kernel's symbols.
ir::Index flops_of(const ir::Kernel& kernel);
ir::Index bytes_of(const ir::Kernel& kernel);

}  // namespace hone::cost
