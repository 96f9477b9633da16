#include "cost/weights.h"

#include <algorithm>

#include "layout/primitives.h"

namespace hone::cost {
namespace {

using ir::Index;

// Position of a dimension in the loops: that of the innermost axis in its index.
int depth_of(const Index& index, const std::vector<std::string>& order) {
  int depth = -1;
  for (size_t k = 0; k < order.size(); ++k)
    if (index.uses_axis(order[k])) depth = static_cast<int>(k);
  return depth;
}

// Blocks of `vectors` panels, each as wide as one vector; no blocks at all if `vectors` is 0. A register tile reads its panels
// side by side: memory delivers several streams sooner than one (an EPYC core reads 20 GB/s from one, 31 from four).
layout::Layout panels(const ir::Access& access, size_t vector_dim, int64_t vectors, int64_t lanes,
                      const std::vector<std::string>& order) {
  std::vector<int> others;
  for (size_t d = 0; d < access.index.size(); ++d)
    if (d != vector_dim) others.push_back(static_cast<int>(d));
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    return depth_of(access.index[static_cast<size_t>(a)], order) <
           depth_of(access.index[static_cast<size_t>(b)], order);
  });
  const int dim = static_cast<int>(vector_dim);
  std::vector<int> dims = others;
  if (vectors == 0) {
    dims.push_back(dim);
    return layout::permuted(dims);
  }
  dims.insert(dims.begin(), dim);
  layout::Layout result = layout::split(layout::permuted(dims), 0, vectors * lanes);
  if (vectors > 1) result = layout::split(std::move(result), 1, lanes);
  auto lane = result.parts.begin() + (vectors > 1 ? 2 : 1);
  std::rotate(lane, lane + 1, result.parts.end());
  return result;
}

// Where the reduction is taken in passes, blocks of a pass lie one behind the other: what the next one reads follows at once.
void split_passes(const ir::Kernel& kernel, const ir::Access& access, const ir::KernelPlan& plan,
                  const std::vector<ir::Node>& nodes, layout::Layout& layout) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    split_passes(kernel, access, plan, (*nest)->body, layout);
    const auto symbols = (*nest)->step.symbols();
    if ((*nest)->grid || symbols.size() != 1 || !plan.parameters.contains(symbols[0])) continue;
    const int64_t step = plan.parameters.at(symbols[0]);
    for (size_t d = 0; d < access.index.size(); ++d) {
      if (!(access.index[d] == Index::axis((*nest)->axis))) continue;
      const size_t part = layout::outermost_part(layout, static_cast<int>(d));
      if (part == 0 || !layout::can_split(layout, part, step)) continue;
      layout = layout::split(std::move(layout), part, step);
      std::rotate(layout.parts.begin() + 1, layout.parts.begin() + static_cast<std::ptrdiff_t>(part),
                  layout.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1);
    }
  }
}

void pack_access(const ir::Kernel& kernel, const Use& use, const ir::GroupPlan& group, const ir::Access& access,
                 ir::KernelPlan& plan) {
  if (access.operand >= static_cast<int>(kernel.buffers.size())) return;
  const ir::Buffer& buffer = kernel.buffers[static_cast<size_t>(access.operand)];
  if (!use.weights.contains(buffer.name) || plan.layouts.contains(buffer.name) || buffer.shape.size() < 2) return;
  if (group.lanes == 1) return;
  if (stride_of(kernel, use, access.operand, access.index, group.vector_axis) != Stride::Packable) return;
  size_t dim = 0;
  while (!access.index[dim].uses_axis(group.vector_axis)) ++dim;
  auto held = group.tile.find(group.vector_axis);
  int64_t vectors = held == group.tile.end() ? 1 : held->second;
  Index rest = access.index[dim].linear_in(group.vector_axis)->second;
  std::map<std::string, Index> numbers;
  for (const std::string& symbol : rest.symbols()) numbers.emplace(symbol, Index(use.sizes.at(symbol)));
  if (ir::mod(rest.substitute(numbers), vectors * group.lanes).is(0)) {
    for (const auto& [symbol, value] : numbers) plan.pins[symbol] = *value.constant();
  } else {
    vectors = 0;  // blocks would not start where vectors do
  }
  layout::Layout packed = panels(access, dim, vectors, group.lanes, group.order);
  if (vectors > 0) split_passes(kernel, access, plan, kernel.body, packed);
  plan.layouts[buffer.name] = std::move(packed);
}

}  // namespace

void pack_weights(const ir::Kernel& kernel, const Use& use, ir::KernelPlan& plan) {
  auto groups = ir::groups_of(kernel);
  for (size_t g = 0; g < groups.size(); ++g)
    for (const ir::Stmt& stmt : groups[g]->inner)
      for (const ir::Access& access : stmt.accesses) pack_access(kernel, use, plan.groups[g], access, plan);
}

}  // namespace hone::cost
