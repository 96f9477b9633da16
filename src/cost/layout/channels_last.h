// Which edges of a kernel graph may have their channels last, because a kernel reads or writes them so that this can pay.
#pragma once

#include <functional>
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

// Edges that kernels want channels-last, and those of the same shape that their kernels also touch. Inputs and outputs, which stay
// row-major unless they are copied, are among them if a kernel outside of branches and loops wants them; what aliases, library
// functions, branches and loops hand on is not.
std::set<int> may_be_channels_last(const ir::KernelGraph& graph);

layout::Layout channels_last(size_t rank);

}  // namespace hone::cost
