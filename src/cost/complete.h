// complete: fills what a plan leaves open, by an analytic model of the target. No measuring; the same kernel, sizes and
// target give the same plan. In: a valid kernel graph. Out: a graph whose kernels each have one complete plan (a kernel that
// serves calls of very different sizes is listed once per plan) and one layout per edge. Sits between fuse and lower.
#pragma once

#include <set>

#include "ir/plan/plan.h"
#include "target/target.h"

namespace hone::cost {

struct Completed {
  ir::KernelGraph graph;
  ir::Plan plan;
};

Result<Completed> complete(const ir::KernelGraph& graph, const target::Target& target);

// What is known of one use of a kernel.
struct Use {
  std::map<std::string, int64_t> sizes;  // every symbol of the kernel; an estimate where the model leaves it open
  std::set<std::string> certain;         // symbols whose size is known for good, so that the plan may pin them
  std::set<std::string> weights;         // buffers that are constants: they may be packed
  std::map<std::string, layout::Layout> layouts;  // of the other buffers; absent: row-major
};

ir::KernelPlan complete(const ir::Kernel& kernel, ir::KernelPlan partial, const Use& use, const target::Target& target);

// Arithmetic operations and the least memory traffic of a call, for profiles; over the kernel's symbols.
ir::Index flops_of(const ir::Kernel& kernel);
ir::Index bytes_of(const ir::Kernel& kernel);

}  // namespace hone::cost
