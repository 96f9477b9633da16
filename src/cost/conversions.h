// Copies between the row-major inputs and outputs of a model and the order of dimensions that its kernels want.
#pragma once

#include "ir/mugraph/kernel_graph.h"

namespace hone::cost {

// The same graph, in which a contraction that gains more by channels that lie innermost than copies take reads a copy of an
// input, or leaves its result to be copied into an output. Layouts of the copies are choose_edge_layouts' business.
ir::KernelGraph with_conversions(ir::KernelGraph graph);

}  // namespace hone::cost
