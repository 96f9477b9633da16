#include "cost/passes/weight_passes.h"

#include <algorithm>
#include <cmath>

#include "cost/grid/traffic.h"
#include "cost/group/group_space.h"
#include "cost/passes/passes.h"

namespace hone::cost {
namespace {

// The parameter that cuts the axis for the grid.
std::string grid_parameter(const ir::Kernel& kernel, const std::string& axis) {
  const std::vector<ir::Node>* nodes = &kernel.body;
  while (nodes->size() == 1) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&(*nodes)[0]);
    if (!nest) break;
    const auto symbols = (*nest)->step.symbols();
    if ((*nest)->axis == axis && symbols.size() == 1 && (*nest)->step == ir::Index::symbol(symbols[0]))
      return symbols[0];
    nodes = &(*nest)->body;
  }
  return "";
}

// Passes of one length, each of an even number of steps; 0 if there are none of about so many.
int64_t pass_length(int64_t extent, int64_t most) {
  for (int64_t length = most; 2 * length >= most && length > 0; --length)
    if (extent % length == 0 && length % 2 == 0) return length;
  return 0;
}

class WeightPasses {
 public:
  WeightPasses(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan) {}

  std::optional<InPasses> run() const {
    const ir::Group* group = last_group(kernel_);
    if (!group || group->over.empty() || !is_contraction(*group) || !can_be_continued(*group)) return std::nullopt;
    const ir::GroupPlan& plan = plan_.groups.back();
    const std::string along = plan.vector_axis, over = plan.order.back();
    if (plan.lanes == 1 || is_merged(along) || is_merged(over) || !is_certain(kernel_, use_, over)) return std::nullopt;
    const std::string parameter = grid_parameter(kernel_, along);
    const int64_t width = grain_of(plan, along);
    if (parameter.empty() || !reads_weights_from_afar(*group, along)) return std::nullopt;
    int64_t taps = 1;
    for (const ir::GroupAxis& axis : group->over)
      if (axis.axis != over) taps *= extent(axis.axis);
    const int64_t step_bytes = width * taps * 4;
    if (!passes_pay(tiles(*group, plan, false)) || tiles(*group, plan, true) < 2 ||
        2.0 * static_cast<double>(step_bytes * extent(over)) <= usable_l2(target_))
      return std::nullopt;
    const int64_t length = pass_length(extent(over), most_bytes() / step_bytes);
    if (length == 0) return std::nullopt;
    const std::string pass = fmt::format("T_{}_pass", over);
    InPasses result{in_passes(kernel_, *group, {{over, ir::Index::symbol(pass)}}, along), {}};
    result.plan.parameters = plan_.parameters;
    result.plan.parameters[parameter] = width;
    result.plan.parameters[pass] = length;
    result.plan.pins = plan_.pins;
    result.plan.merges = plan_.merges;
    result.plan.groups = plan_.groups;
    result.plan.groups.emplace_back();
    return result;
  }

 private:
  int64_t extent(const std::string& axis) const { return std::max<int64_t>(1, extent_of(kernel_, use_, axis)); }

  // Rows that the second-level cache does not hold are read anew for every strip, and short runs of them are not fetched ahead: passes are
  // longer then, and their weights stay in that cache.
  int64_t most_bytes() const {
    int64_t rows = 0;
    for (const ir::Buffer& buffer : kernel_.buffers)
      if (!buffer.output && !use_.weights.contains(buffer.name)) rows = std::max(rows, bytes_of(buffer, use_));
    return 2 * rows > target_.l2_bytes ? target_.l2_bytes / 8 : pass_bytes(target_);
  }

  bool is_merged(const std::string& axis) const {
    return std::any_of(plan_.merges.begin(), plan_.merges.end(),
                       [&](const ir::Merge& merge) { return merge.inner == axis || merge.outer == axis; });
  }

  // All that moves with the vectors are such weights.
  bool reads_weights_from_afar(const ir::Group& group, const std::string& along) const {
    const Space space{kernel_, group, use_, target_};
    for (const ir::Stmt& stmt : group.inner)
      for (const ir::Access& access : stmt.accesses) {
        const Stride stride = space.stride(access, along);
        if (stride == Stride::Invariant) continue;
        if (stride != Stride::Packable || access.operand >= static_cast<int>(kernel_.buffers.size())) return false;
        if (bytes_of(kernel_.buffers[static_cast<size_t>(access.operand)], use_) <= target_.l2_bytes) return false;
      }
    return true;
  }

  // Register tiles that read a strip: all, or those of a task.
  double tiles(const ir::Group& group, const ir::GroupPlan& plan, bool of_task) const {
    std::map<std::string, int64_t> points;
    for (const ir::GroupAxis& axis : group.parallel) {
      points[axis.axis] = extent(axis.axis);
      const std::string parameter = of_task ? grid_parameter(kernel_, axis.axis) : "";
      if (!parameter.empty()) points[axis.axis] = std::min(points[axis.axis], plan_.parameters.at(parameter));
    }
    for (const ir::Merge& merge : plan_.merges) {
      if (!points.contains(merge.outer) || !points.contains(merge.inner)) continue;
      points[merge.inner] *= points[merge.outer];
      points.erase(merge.outer);
    }
    double count = 1;
    for (const auto& [axis, all] : points)
      if (axis != plan.vector_axis)
        count *= std::ceil(static_cast<double>(all) / static_cast<double>(grain_of(plan, axis)));
    return count;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  const ir::KernelPlan& plan_;
};

}  // namespace

int64_t pass_bytes(const target::Target& target) {
  return target.l1_bytes * 2 / 3;
}

bool passes_pay(double tiles) {
  constexpr double kFew = 2, kMany = 40;
  return kFew <= tiles && tiles <= kMany;
}

std::optional<InPasses> in_weight_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                         const ir::KernelPlan& plan) {
  return WeightPasses(kernel, use, target, plan).run();
}

}  // namespace hone::cost
