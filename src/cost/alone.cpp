#include "cost/alone.h"

#include <algorithm>

#include "cost/group/group_space.h"

namespace hone::cost {
namespace {

using ir::Access;
using ir::Buffer;
using ir::Group;
using ir::GroupPlan;
using ir::Nest;

// So much it has to gain, beyond what a measurement may be wrong by.
constexpr double kWorthIt = 1.1;

class Alone {
 public:
  Alone(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan), groups_(ir::groups_of(kernel)) {}

  void visit(const std::vector<ir::Node>& nodes, bool in_loop = false, bool in_passes = false) {
    for (const ir::Node& node : nodes) {
      if (const auto* nest = std::get_if<std::shared_ptr<const Nest>>(&node)) {
        const bool loop = !(*nest)->grid;
        visit((*nest)->body, in_loop || loop, in_passes || (loop && !(*nest)->states.empty()));
      } else if (const auto& group = std::get<Group>(node); touches_once(group, in_loop, in_passes)) {
        touch(group);
      }
    }
  }

 private:
  // A group that moves what it reads and writes, or sums it up across rows in passes: others compute meanwhile, or read it again.
  static bool touches_once(const Group& group, bool in_loop, bool in_passes) {
    return group.over.empty() ? !in_loop : in_passes && !is_contraction(group);
  }

  void touch(const Group& group) {
    const GroupPlan& plan =
        plan_.groups[static_cast<size_t>(std::find(groups_.begin(), groups_.end(), &group) - groups_.begin())];
    if (plan.lanes == 1 || !is_parallel(group, plan.vector_axis)) return;
    for (const ir::Stmt& stmt : group.inner) {
      for (const Access& access : stmt.accesses) touch(group, plan, access);
      if (!stmt.at.empty()) touch(group, plan, {kernel_.place_of(stmt.result), stmt.at, {}});
    }
  }

  void touch(const Group& group, const GroupPlan& plan, const Access& access) {
    if (access.operand >= static_cast<int>(kernel_.buffers.size())) return;
    const Buffer& buffer = kernel_.buffers[static_cast<size_t>(access.operand)];
    if (!use_.weights.contains(buffer.name) && stays_in_caches(buffer) && is_interrupted(group, plan, buffer, access))
      plan_.alone.insert(buffer.name);
  }

  bool stays_in_caches(const Buffer& buffer) const {
    return has_certain_size(buffer, use_) && !comes_from_memory(buffer, use_, target_);
  }

  // Each element is read once, but not in the order in which they lie.
  bool is_interrupted(const Group& group, const GroupPlan& plan, const Buffer& buffer, const Access& access) const {
    const Space space{kernel_, group, use_, target_};
    int64_t run = 1;
    bool interrupted = space.stride(access, plan.vector_axis) == Stride::Strided;
    if (interrupted && !ir::turns(plan, group)) return false;  // gathered one by one
    for (auto axis = plan.order.rbegin(); axis != plan.order.rend(); ++axis) {
      const int64_t points = extent_of(kernel_, use_, *axis);
      if (points == 1) continue;
      const std::optional<int64_t> step = step_of(use_, buffer, access.index, *axis);
      if (!step || *step == 0) return false;
      interrupted |= *step != run;
      run *= points;
    }
    return interrupted;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  ir::KernelPlan& plan_;
  std::vector<const Group*> groups_;
};

}  // namespace

void choose_alone(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  if (target.figures.alone_speedup >= kWorthIt) Alone(kernel, use, target, plan).visit(kernel.body);
}

}  // namespace hone::cost
