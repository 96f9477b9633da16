// Chooses how a contraction is cut into tasks and in which order its loops run, by predicted cycles: multiply-adds, starts of
// register tiles, bytes through each cache level, what other groups of the kernel do again in every task, even shares of the
// cores.
#pragma once

#include "cost/reasons.h"
#include "cost/use.h"

namespace hone::cost {

struct GridAxis {
  std::string axis;
  size_t number = 0;      // of the axis in the kernel's list
  std::string parameter;  // empty: the step is fixed
  int64_t step = 1;
};

// The grid of a kernel, outermost first, if `main` stands right inside it; nothing else can be chosen here.
std::optional<std::vector<GridAxis>> plain_grid(const ir::Kernel& kernel, const ir::Group& main, const Use& use);

// One way to cut the kernel that was judged.
struct Judged {
  size_t main = 0;  // the group that is the contraction
  ir::GroupPlan group;
  std::map<std::string, int64_t> parameters;
  double cycles = 0;
};

// Sets the grid's parameters, the register tile and the order of the parallel axes of group `main` in the plan, whose groups
// have their plans. Gives what was compared, the best first; `judged` also gets every cut of the grid that was tried on the way.
std::vector<Considered> choose_nest(const ir::Kernel& kernel, size_t main, const std::vector<GridAxis>& grid,
                                    const Use& use, const target::Target& target, ir::KernelPlan& plan,
                                    std::vector<Judged>* judged = nullptr);

// What the model expects of a complete plan, whose parameters set the grid's steps.
Considered price_nest(const ir::Kernel& kernel, size_t main, std::vector<GridAxis> grid, const Use& use,
                      const target::Target& target, const ir::KernelPlan& plan);

}  // namespace hone::cost
