// Products whose weights come from afar and whose next strip finds no room in the second-level cache beside the one at hand: the
// reduction is taken in passes, so that what the next pass needs is fetched (`next` of plans) while all rows go through this one.
#pragma once

#include "cost/use.h"

namespace hone::cost {

struct InPasses {
  ir::Kernel kernel;
  ir::KernelPlan plan;  // as given, with the length of a pass; the group behind the passes is open
};

// Bytes of weights that a pass goes through at most: they stay in the nearest cache while all rows pass by.
int64_t pass_bytes(const target::Target& target);

// Whether a strip of weights is read again by few enough register tiles, and more than one, that waiting for its first time shows.
bool passes_pay(double tiles);

// Of a complete plan of the kernel; nothing where passes gain nothing.
std::optional<InPasses> in_weight_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                         const ir::KernelPlan& plan);

}  // namespace hone::cost
