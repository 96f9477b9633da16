// fuse: Program → µGraph by rule. In: a valid Program in normal form. Out: a kernel graph that computes the same, with
// every tile size an open parameter T_<axis>. It sits after canon; the Plan of the graph is completed by cost.
//
// Kernels that differ only in sizes are one kernel with several calls. Symbols of a kernel: T_… are parameters of the
// Plan, all others are run-time sizes that calls bind.
#pragma once

#include "ir/mugraph/kernel_graph.h"

namespace hone::fuse {

Result<ir::KernelGraph> fuse(const ir::Program& program);

}  // namespace hone::fuse
