// Chooses the layouts of all edges of a kernel graph together: the sum of what every kernel is expected to take, in the layouts of the
// edges that it touches, and of copies of inputs and outputs, is least. Exact unless kernels hang together too closely.
#pragma once

#include <functional>

#include "cost/use.h"

namespace hone::cost {

// Cycles of a kernel in one use; may be asked from several threads at once.
using KernelPrice = std::function<double(const ir::Kernel& kernel, const Use& use)>;

struct LayoutChoice {
  std::map<int, layout::Layout> layouts;  // of edges that are not row-major; of an input or output: of its copy
  std::set<int> open;                     // edges that could have had another
  bool exact = true;
};

LayoutChoice choose_layouts(const ir::KernelGraph& graph, const KernelPrice& price);

}  // namespace hone::cost
