// Copies between the row-major inputs and outputs of a model and the order of dimensions that its kernels want.
#pragma once

#include "ir/plan/plan.h"

namespace hone::cost {

// Inputs and outputs that have a layout are copied, and kernels outside of branches and loops touch the copies, which have the layout
// from then on. Gives the copy of each.
std::map<int, int> add_copies(ir::KernelGraph& graph, std::map<int, layout::Layout>& layouts);

}  // namespace hone::cost
