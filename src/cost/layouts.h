// Chooses the order of dimensions of every edge of a kernel graph. Convolutions, pools and what lies between them have
// their channels last; everything else is row-major. Inputs, outputs and aliased edges are always row-major.
#pragma once

#include <set>

#include "ir/plan/plan.h"

namespace hone::cost {

// Buffers of the kernel that want their second dimension innermost: operands of windows, of products with constants whose
// second dimension is reduced, and the results of both unless their second dimension is one of the operand's pixels.
std::set<int> wants_channels_last(const ir::Kernel& kernel, const std::set<int>& constants);

// Every call, those of inner bodies included.
void visit_calls(const std::vector<ir::Call>& calls, const std::function<void(const ir::Call&)>& visit);

// The buffers of a call that are constants of the graph.
std::set<int> constants_of(const ir::KernelGraph& graph, const ir::Call& call);

std::map<int, layout::Layout> choose_edge_layouts(const ir::KernelGraph& graph);

}  // namespace hone::cost
