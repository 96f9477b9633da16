#include "cost/group/group_plan.h"

#include "cost/group/register_tiles.h"
#include "cost/group/window_tiles.h"

namespace hone::cost {
namespace {

// A reduction along the vector: accumulators for a few points of the parallel axes give independent chains.
void tile_reduction_along(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  if (!is_contraction(space.group)) {
    plan.tile[vector.axis] = 4;
    return;
  }
  int budget = space.target.vector_registers >= 32 ? 4 : 3;
  std::vector<std::pair<int64_t, std::string>> axes;
  for (const ir::GroupAxis& axis : space.group.parallel) axes.push_back({space.points(axis), axis.axis});
  std::sort(axes.rbegin(), axes.rend());
  for (size_t k = 0; k < axes.size() && k < 2; ++k)
    if (axes[k].first > 1) plan.tile[axes[k].second] = std::min<int64_t>(axes[k].first, k == 0 ? 4 : budget);
}

bool has_costly_math(const ir::Scalar& scalar) {
  using Op = ir::ScalarOp;
  static const std::set<Op> costly = {Op::Exp, Op::Log, Op::Tanh, Op::Erf, Op::Sigmoid, Op::Sin, Op::Cos, Op::Pow};
  if (scalar->kind == ir::ScalarNode::Kind::Operation && costly.contains(scalar->op)) return true;
  return std::any_of(scalar->args.begin(), scalar->args.end(), has_costly_math);
}

// Parallel axes from the one with the largest steps in memory to the smallest, judged by the first store.
std::vector<std::string> parallel_order(const Space& space, const VectorChoice& vector) {
  std::vector<std::string> order = space.names(space.group.parallel);
  std::stable_sort(order.begin(), order.end(),
                   [&](const std::string& a, const std::string& b) { return (a == vector.axis) < (b == vector.axis); });
  return order;
}

// A copy that turns what it reads: the axis that lies along memory where the vector axis does not, else none.
std::string turned_axis(const Space& space, const VectorChoice& vector) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses) {
      if (space.stride(access, vector.axis) != Stride::Strided) continue;
      for (const ir::GroupAxis& axis : space.group.parallel)
        if (space.stride(access, axis.axis) == Stride::Contiguous) return axis.axis;
    }
  return "";
}

// Every line that was fetched for one point is used up by the next few.
void order_turning(const std::string& along, ir::GroupPlan& plan) {
  std::erase(plan.order, along);
  plan.order.push_back(along);
  plan.tile[plan.vector_axis] = 1;
  plan.tile[along] = 4;
}

// Taps of a window run outside the long loops, so that those stay long.
constexpr int64_t kLargestWindow = 11;

std::vector<std::string> over_order(const Space& space, const std::string& innermost) {
  std::vector<ir::GroupAxis> axes = space.group.over;
  std::stable_sort(axes.begin(), axes.end(), [&](const ir::GroupAxis& a, const ir::GroupAxis& b) {
    bool a_last = a.axis == innermost, b_last = b.axis == innermost;
    if (a_last != b_last) return b_last;
    return space.points(a) <= kLargestWindow && space.points(b) > kLargestWindow;
  });
  return space.names(axes);
}

}  // namespace

ir::GroupPlan plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use,
                         const target::Target& target) {
  Space space{kernel, group, use, target};
  VectorChoice vector = choose_vector(space);
  ir::GroupPlan plan;
  plan.vector_axis = vector.axis;
  plan.lanes = vector.lanes;
  plan.order = parallel_order(space, vector);
  std::string innermost = vector.axis;
  if (vector.lanes > 1 && is_parallel(group, vector.axis)) {
    if (const ir::Access* window = sharing_window(space, vector)) {
      innermost = tile_window(space, vector, *window, plan);
    } else if (is_contraction(group) || (!group.over.empty() && group.inner.size() == 1)) {
      tile_contraction(space, vector, plan);
    } else {
      bool costly = std::any_of(group.inner.begin(), group.inner.end(),
                                [](const ir::Stmt& s) { return has_costly_math(s.body); }) ||
                    std::any_of(group.outer.begin(), group.outer.end(),
                                [](const ir::Stmt& s) { return has_costly_math(s.body); });
      plan.tile[vector.axis] = costly || !vector.across.empty() ? 1 : 2;
      // A line of the cache is read whole.
      if (!vector.across.empty()) plan.tile[vector.across] = int64_t{2} * vector.lanes;
    }
    std::string along = vector.across.empty() && group.over.empty() ? turned_axis(space, vector) : "";
    if (!along.empty()) order_turning(along, plan);
  } else if (vector.lanes > 1) {
    tile_reduction_along(space, vector, plan);
  }
  for (const std::string& axis : over_order(space, innermost)) plan.order.push_back(axis);
  // Where the points of a tile have no broadcast operand in common, a window of constant size is laid out in full, so that
  // neighbouring points share their loads.
  bool broadcasts = false;
  for (const ir::Stmt& stmt : group.inner)
    for (const ir::Access& access : stmt.accesses) broadcasts |= space.stride(access, vector.axis) == Stride::Invariant;
  if (!group.over.empty() && !broadcasts && plan.unroll == 1) {
    auto taps = kernel.extent(plan.order.back()).constant();
    plan.unroll = taps && *taps >= 1 && *taps <= 7 && plan.order.back() != vector.axis ? static_cast<int>(*taps) : 1;
  }
  return plan;
}

}  // namespace hone::cost
