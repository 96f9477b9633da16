// Chooses the order of dimensions of every edge of a kernel graph. Convolutions, pools and what lies between them have
// their channels last; everything else is row-major. Inputs, outputs and aliased edges are always row-major.
#pragma once

#include "ir/plan/plan.h"

namespace hone::cost {

std::map<int, layout::Layout> choose_edge_layouts(const ir::KernelGraph& graph);

}  // namespace hone::cost
