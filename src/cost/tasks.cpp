#include "cost/tasks.h"

#include <algorithm>

#include "cost/nest.h"

namespace hone::cost {
namespace {

using ir::Index;

struct OpenAxis {
  std::string axis, parameter;
  bool grid = false;
};

void collect(const std::vector<ir::Node>& nodes, const Use& use, std::vector<OpenAxis>& open, int64_t& fixed_tasks,
             const ir::Kernel& kernel) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    auto symbols = (*nest)->step.symbols();
    if (symbols.size() == 1 && !use.sizes.contains(symbols[0]))
      open.push_back({(*nest)->axis, symbols[0], (*nest)->grid});
    else if ((*nest)->grid && (*nest)->step.constant()) {
      int64_t step = *(*nest)->step.constant();
      fixed_tasks *= std::max<int64_t>(1, (extent_of(kernel, use, (*nest)->axis) + step - 1) / step);
    }
    collect((*nest)->body, use, open, fixed_tasks, kernel);
  }
}

class Tiling {
 public:
  Tiling(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target) {
    auto groups = ir::groups_of(kernel);
    for (size_t g = 0; g < groups.size(); ++g) {
      double points = points_of(*groups[g]);
      if (points >= work_) main_ = g, main_plan_ = &plan.groups[g], work_ = points;
    }
  }

  int64_t extent(const std::string& axis) const { return std::max<int64_t>(1, extent_of(kernel_, use_, axis)); }

  bool certain(const std::string& axis) const {
    for (const std::string& symbol : kernel_.extent(axis).symbols())
      if (!use_.certain.contains(symbol)) return false;
    return true;
  }

  // The least step of an axis that wastes nothing: its register tile.
  int64_t grain(const std::string& axis) const {
    auto found = main_plan_->tile.find(axis);
    int64_t tile = found == main_plan_->tile.end() ? 1 : found->second;
    return axis == main_plan_->vector_axis ? tile * main_plan_->lanes : tile;
  }

  int64_t tasks_wanted() const {
    // Less work than this costs more to hand over than to do.
    double grain_work = contraction() ? 131072 : 65536;
    int64_t most = int64_t{4} * target_.cores;
    return std::clamp<int64_t>(static_cast<int64_t>(work_ / grain_work), 1, most);
  }

  bool is_vector(const std::string& axis) const { return axis == main_plan_->vector_axis; }
  bool contraction() const { return is_contraction(*ir::groups_of(kernel_)[main_]); }
  size_t main() const { return main_; }
  bool along_parallel() const {
    const auto& parallel = ir::groups_of(kernel_)[main_]->parallel;
    return std::any_of(parallel.begin(), parallel.end(), [&](const ir::GroupAxis& a) { return is_vector(a.axis); });
  }

 private:
  double points_of(const ir::Group& group) const {
    double points = 1;
    for (const auto* axes : {&group.parallel, &group.over})
      for (const ir::GroupAxis& axis : *axes) points *= static_cast<double>(extent(axis.axis));
    return points;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  size_t main_ = 0;
  const ir::GroupPlan* main_plan_ = nullptr;
  double work_ = -1;
};

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

void choose_tiles(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  std::vector<OpenAxis> open;
  int64_t tasks = 1;
  collect(kernel.body, use, open, tasks, kernel);
  if (open.empty()) return;
  Tiling tiling(kernel, use, target, plan);
  if (tiling.contraction() && tiling.along_parallel())
    if (auto grid = plain_grid(kernel, *ir::groups_of(kernel)[tiling.main()], use))
      return choose_nest(kernel, tiling.main(), *grid, use, target, plan);
  // Axes that are not the vector axis are cut first: cutting the vector axis makes every task read the same rows again.
  std::stable_sort(open.begin(), open.end(), [&](const OpenAxis& a, const OpenAxis& b) {
    return tiling.is_vector(a.axis) < tiling.is_vector(b.axis);
  });
  int64_t wanted = tiling.tasks_wanted();
  for (const OpenAxis& axis : open) {
    if (plan.parameters.contains(axis.parameter)) continue;
    int64_t extent = tiling.extent(axis.axis), grain = tiling.grain(axis.axis);
    if (!axis.grid) {
      plan.parameters[axis.parameter] = std::min<int64_t>(round_up(extent, grain), round_up(64, grain));
      continue;
    }
    int64_t pieces = 1;
    int64_t enough =
        tiling.is_vector(axis.axis) && tiling.contraction() ? std::min<int64_t>(wanted, target.cores) : wanted;
    int64_t most = (extent + grain - 1) / grain;
    while (tasks * pieces < enough && pieces < most) ++pieces;
    // Even pieces, if there are any nearby: every task is then the same code.
    for (int64_t even = pieces; tiling.certain(axis.axis) && pieces > 1 && even <= std::min(2 * pieces, most); ++even)
      if (extent % even == 0 && (tasks * even) % target.cores == 0 &&
          (!tiling.is_vector(axis.axis) || extent / even % grain == 0)) {
        pieces = even;
        break;
      }
    int64_t step = (extent + pieces - 1) / pieces;
    if (extent % step != 0 || tiling.is_vector(axis.axis) || !tiling.certain(axis.axis)) step = round_up(step, grain);
    plan.parameters[axis.parameter] = step;
    tasks *= (extent + step - 1) / step;
  }
}

}  // namespace hone::cost
