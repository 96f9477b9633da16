// complete: fills what a plan leaves open, by an analytic model of the target. No measuring; the same kernel, sizes and
// target give the same plan. In: a valid kernel graph. Out: a graph whose kernels each have one complete plan (a kernel that
// serves calls of very different sizes is listed once per plan) and one layout per edge. Sits between fuse and lower.
#pragma once

#include "cost/passes/weight_passes.h"
#include "cost/reasons.h"
#include "cost/use.h"
#include "target/target.h"

namespace hone::cost {

struct Completed {
  ir::KernelGraph graph;
  ir::Plan plan;
  std::vector<Reasons> reasons;       // by kernel
  std::vector<ir::Kernel> originals;  // by kernel: what it was before its reduction was taken in passes
};

Result<Completed> complete(const ir::KernelGraph& graph, const target::Target& target);

struct CompletedKernel {
  ir::KernelPlan plan;
  Reasons reasons;
};

CompletedKernel complete(const ir::Kernel& kernel, ir::KernelPlan partial, const Use& use,
                         const target::Target& target);

// The kernel with its weights taken in passes, and its plan, if that pays under this complete plan.
std::optional<InPasses> complete_in_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                           const ir::KernelPlan& plan);

struct Candidate {
  ir::KernelPlan plan;                // of the kernel as it is
  std::optional<InPasses> in_passes;  // what is compiled instead
  double cycles = 0;                  // predicted
};

// Up to `count` plans of the kernel that the model compares on its way to the one it chooses, which stands first. Half of the
// others are drawn from those predicted to be near it, half from all. Empty where the model compares nothing.
std::vector<Candidate> candidates(const ir::Kernel& kernel, const Use& use, const target::Target& target, size_t count,
                                  uint64_t seed);

// What the model expects of a complete plan; nothing where it compares none.
std::optional<Considered> price(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                ir::KernelPlan plan);

}  // namespace hone::cost
