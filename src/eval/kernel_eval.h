// Evaluation of kernels as the block graph and its groups say, point by point, before any plan of loops: the judge of
// what fuse and search build, and of lowering.
//
// It is strict where a contract could be bent unseen. A tile is read only where it was written and not overwritten: its
// elements die when the innermost loop around all its users goes on, when an inner loop writes it at other points, when
// its ring has moved past them. Outputs keep what they held where nothing is written.
#pragma once

#include "eval/array.h"
#include "eval/sizes.h"
#include "ir/mugraph/kernel_graph.h"

namespace hone::eval {

// `buffers`: one array per buffer of the kernel, in order. `sizes`: the kernel's symbols and parameters.
// Instantiated for all domains.
template <typename D>
Status evaluate_kernel(D& domain, const ir::Kernel& kernel, const std::vector<Array<D>*>& buffers, const Sizes& sizes);

// In the declared types; `inputs` are the input buffers in order, results the output buffers, which start as zeros.
// Symbols get their values from the inputs' shapes and from `sizes`, which also binds the parameters.
Result<std::vector<Tensor>> evaluate(const ir::Kernel& kernel, const std::vector<Tensor>& inputs, const Sizes& sizes);

// `parameters`: those of each kernel of the graph. Library calls: eval/library_op.h.
template <typename D>
Result<std::vector<Array<D>>> evaluate_graph(D& domain, const ir::KernelGraph& graph, std::vector<Array<D>> inputs,
                                             const std::vector<Sizes>& parameters);
Result<std::vector<Tensor>> evaluate(const ir::KernelGraph& graph, const std::vector<Tensor>& inputs,
                                     const std::vector<Sizes>& parameters);

}  // namespace hone::eval
