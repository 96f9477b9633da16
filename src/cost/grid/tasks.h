// Chooses the sizes of tiles: the parameters of grid and loop nodes. Enough tasks for the cores, of even size, each with
// what it reads again held in half of the second-level cache.
#pragma once

#include "cost/grid/nest.h"
#include "cost/stride.h"

namespace hone::cost {

// `plan` already holds the plans of the groups; the kernel is the one after merging. Gives what the model compared, if it did;
// `judged` as in choose_nest.
std::vector<Considered> choose_tiles(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                     ir::KernelPlan& plan, std::vector<Judged>* judged = nullptr);

// What the model expects of a complete plan; nothing where it compares none.
std::optional<Considered> price_tiles(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                      const ir::KernelPlan& plan);

}  // namespace hone::cost
