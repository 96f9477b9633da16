#include "cost/next.h"

#include <algorithm>
#include <cmath>

#include "cost/grid/traffic.h"
#include "cost/group/group_space.h"
#include "cost/merges.h"

namespace hone::cost {
namespace {

using ir::Group;
using ir::Nest;

// One register tile alone leaves no time to fetch anything meanwhile; where many read a block again, waiting for its first time
// hardly shows.
constexpr double kFewTiles = 2, kManyTiles = 64;

class NextWeights {
 public:
  NextWeights(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan) {}

  void run() {
    find_steps(kernel_.body);
    const auto groups = ir::groups_of(kernel_);
    for (size_t g = 0; g < groups.size(); ++g) choose(*groups[g], plan_.groups[g]);
  }

 private:
  void find_steps(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      const auto* nest = std::get_if<std::shared_ptr<const Nest>>(&node);
      if (!nest) continue;
      auto value = [&](const std::string& name) {
        auto set = plan_.parameters.find(name);
        return set != plan_.parameters.end() ? set->second : use_.sizes.at(name);
      };
      const int64_t step = (*nest)->step.evaluate(value);
      steps_[(*nest)->axis] = step;
      const int64_t extent = std::max<int64_t>(1, extent_of(kernel_, use_, (*nest)->axis));
      if ((*nest)->grid) grid_.insert(grid_.begin(), {(*nest)->axis, (extent + step - 1) / step});
      find_steps((*nest)->body);
    }
  }

  int64_t points(const std::string& axis) const {
    const int64_t extent = std::max<int64_t>(1, extent_of(kernel_, use_, axis));
    auto step = steps_.find(axis);
    return step == steps_.end() ? extent : std::min(extent, step->second);
  }

  void choose(const Group& group, ir::GroupPlan& plan) {
    plan.next.clear();
    const Space space{kernel_, group, use_, target_};
    if (plan.lanes == 1 || group.over.empty() || !is_parallel(group, plan.vector_axis) || !is_contraction(group))
      return;
    for (const ir::Stmt& stmt : group.inner)
      for (const ir::Access& access : stmt.accesses) {
        if (access.operand >= static_cast<int>(kernel_.buffers.size())) continue;
        const ir::Buffer& buffer = kernel_.buffers[static_cast<size_t>(access.operand)];
        if (!use_.weights.contains(buffer.name) || bytes_of(buffer, use_) <= target_.l1_bytes ||
            space.stride(access, plan.vector_axis) != Stride::Packable)
          continue;
        fetch(space, access, buffer, plan);
      }
  }

  // Register tiles read a block one after the other: the vectors at hand, or all of the task's where those are inside.
  void fetch(const Space& space, const ir::Access& access, const ir::Buffer& buffer, ir::GroupPlan& plan) {
    const std::string& along = plan.vector_axis;
    double tiles = 1;
    bool vectors_inside = false;
    for (const std::string& axis : plan.order) {
      if (!is_parallel(space.group, axis)) break;
      if (axis == along) {
        vectors_inside = tiles > 1;
      } else if (space.stride(access, axis) == Stride::Invariant) {
        tiles *= tiles_along(plan, axis);
      } else if (tiles > 1) {
        return;
      }
    }
    if (vectors_inside && !is_next_task(along)) return;
    const double width = static_cast<double>(grain_of(plan, along));
    const double columns = vectors_inside ? static_cast<double>(points(along)) : width;
    double depth = 1;
    for (const ir::GroupAxis& axis : space.group.over) depth *= static_cast<double>(points(axis.axis));
    const double bytes = columns * depth * static_cast<double>(ir::size_of(buffer.dtype));
    if (tiles < kFewTiles || tiles > kManyTiles || 2 * bytes > usable_l2(target_)) return;
    plan.next[buffer.name] = static_cast<int64_t>(std::ceil(width / tiles));
  }

  double tiles_along(const ir::GroupPlan& plan, const std::string& axis) const {
    return std::ceil(static_cast<double>(points(axis)) / static_cast<double>(grain_of(plan, axis)));
  }

  // Whether the next task has the next points of the axis.
  bool is_next_task(const std::string& axis) const {
    for (const auto& [grid, tasks] : grid_) {
      if (grid == axis) return true;
      if (tasks > 1) return false;
    }
    return false;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  ir::KernelPlan& plan_;
  std::map<std::string, int64_t> steps_;               // of grid and loop nodes, by axis
  std::vector<std::pair<std::string, int64_t>> grid_;  // axes, the innermost first, and into how many parts each is cut
};

}  // namespace

void choose_next(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  NextWeights(kernel, use, target, plan).run();
}

}  // namespace hone::cost
