#include "cost/group/group_plan.h"

#include "cost/group/templates.h"

namespace hone::cost {
namespace {

// Parallel axes as the kernel has them, the vector axis last.
std::vector<std::string> parallel_order(const Space& space, const VectorChoice& vector) {
  std::vector<std::string> order = space.names(space.group.parallel);
  std::stable_sort(order.begin(), order.end(),
                   [&](const std::string& a, const std::string& b) { return (a == vector.axis) < (b == vector.axis); });
  return order;
}

// Whether points along a parallel axis meet what others loaded at another tap.
bool shares_taps(const Space& space, const std::string& tap) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses)
      for (const ir::Index& index : access.index)
        if (index.uses_axis(tap) && slides(index, space.group)) return true;
  return false;
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
  // What is loaded for one tap would be kept for the next in registers that sums need: rather a loop that is as long and shares
  // nothing.
  if (axes.size() > 1 && axes.back().axis != innermost && shares_taps(space, axes.back().axis))
    for (auto other = axes.begin(); other != axes.end(); ++other)
      if (!shares_taps(space, other->axis) && space.points(*other) >= space.points(axes.back())) {
        std::rotate(other, other + 1, axes.end());
        break;
      }
  return space.names(axes);
}

std::string why_template(const Space& space, const VectorChoice& vector, const Template& chosen) {
  std::string text(chosen.name), reason;
  if (vector.lanes > 1) text += fmt::format(", vectors of {} along {}", vector.lanes, vector.axis);
  for (const Template& refused : templates()) {
    if (refused.name == chosen.name) break;
    const std::string next = refused.refusal(space, vector);
    if (!reason.empty()) text += next == reason ? "" : fmt::format(": {}", reason);
    text += fmt::format("{} {}", next == reason ? "," : "; no", refused.name);
    reason = next;
  }
  if (!reason.empty()) text += fmt::format(": {}", reason);
  return text;
}

}  // namespace

GroupChoice plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use, const target::Target& target) {
  Space space{kernel, group, use, target};
  VectorChoice vector = choose_vector(space);
  ir::GroupPlan plan;
  plan.vector_axis = vector.lanes > 1 ? vector.axis : "";
  plan.lanes = vector.lanes;
  plan.order = parallel_order(space, vector);
  const Template& fitting = fitting_template(space, vector);
  const std::string innermost = fitting.fill(space, vector, plan);
  for (const std::string& axis : over_order(space, innermost)) plan.order.push_back(axis);
  // Where the points of a tile have no broadcast operand in common, a window of constant size is laid out in full, so that
  // neighbouring points share their loads.
  if (!group.over.empty() && !has_broadcast(space, vector.axis) && plan.unroll == 1) {
    auto taps = kernel.extent(plan.order.back()).constant();
    plan.unroll = taps && *taps >= 1 && *taps <= 7 && plan.order.back() != vector.axis ? static_cast<int>(*taps) : 1;
  }
  return {std::move(plan), why_template(space, vector, fitting)};
}

}  // namespace hone::cost
