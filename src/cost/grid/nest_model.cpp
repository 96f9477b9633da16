#include "cost/grid/nest_model.h"

#include <algorithm>
#include <cmath>

#include "cost/group/group_space.h"
#include "cost/group/register_tiles.h"

namespace hone::cost {
namespace {

// What part of the time that a byte takes from the level below one core waits for it, beside what runs meanwhile.
constexpr double kWaitL2 = 0.09, kWaitL3 = 1.44, kWaitMemory = 1.4;
constexpr double kTaskSlack = 1.5;  // a task also finds its first operands far away
// The last task ends late by this part of it: cores are never equally fast.
constexpr double kLateShare = 0.12;
constexpr double kLoopCycles = 8;         // of entering and leaving an innermost loop
constexpr double kCyclesOfAPoint = 0.25;  // of a group that is not the contraction

int axis_number(const ir::Kernel& kernel, const std::string& name) {
  for (size_t a = 0; a < kernel.axes.size(); ++a)
    if (kernel.axes[a].name == name) return static_cast<int>(a);
  return -1;
}

}  // namespace

NestModel::NestModel(const ir::Kernel& kernel, size_t main, const Use& use, const target::Target& target,
                     const ir::GroupPlan& plan)
    : kernel_(kernel), use_(use), target_(target), plan_(plan) {
  auto groups = ir::groups_of(kernel);
  main_ = groups[main];
  extents_.assign(kernel.axes.size(), 1);
  for (const ir::Group* group : groups)
    for (const auto* axes : {&group->parallel, &group->over})
      for (const ir::GroupAxis& axis : *axes) {
        int number = axis_number(kernel, axis.axis);
        extents_[static_cast<size_t>(number)] = std::max<int64_t>(1, extent_of(kernel, use, axis.axis));
      }
  figures_ = Space{kernel, *main_, use, target}.figures(plan.lanes);
  for (const ir::Stmt& stmt : main_->inner) reductions_ += stmt.combine != ir::Combine::None;
  find_touched();
  for (const ir::Group* group : groups)
    if (group != main_) others_.push_back(group);
}

int64_t NestModel::extent(const std::string& axis) const {
  return extents_[static_cast<size_t>(axis_number(kernel_, axis))];
}

Considered NestModel::cycles(const std::vector<GridAxis>& grid, const std::vector<std::string>& parallel_order) const {
  std::vector<NestLoop> loops;
  std::vector<int64_t> spans = extents_;
  Considered result;
  auto enter = [&](const std::string& name, int64_t step) {
    int axis = axis_number(kernel_, name);
    int64_t& span = spans[static_cast<size_t>(axis)];
    step = std::min(step, span);
    double count = std::ceil(static_cast<double>(span) / static_cast<double>(step));
    loops.push_back({axis, step, count});
    span = step;
    return count;
  };
  for (const GridAxis& axis : grid) result.tasks *= enter(axis.axis, axis.step);
  result.others = others(spans) + kTaskSlack * target_.figures.task_cycles;
  result.products = register_tiles(spans);
  for (const std::string& axis : parallel_order) enter(axis, grain(axis));
  for (const std::string& axis : plan_.order)
    if (!is_parallel(axis)) enter(axis, 1);
  const target::Figures& speed = target_.figures;
  Traffic moved = traffic_of(touched_, loops, extents_, target_);
  result.l2 = kWaitL2 / speed.l2_bytes_per_cycle * moved.into_l1 / result.tasks;
  result.l3 = kWaitL3 / speed.l3_bytes_per_cycle * moved.into_l2 / result.tasks;
  result.memory = kWaitMemory / speed.memory_bytes_per_cycle * moved.into_l3 / result.tasks;
  result.if_forgotten = (kWaitL3 / speed.l3_bytes_per_cycle * moved.into_l2_if_forgotten +
                         kWaitMemory / speed.memory_bytes_per_cycle * moved.into_l3_if_forgotten) /
                        result.tasks;
  // All of that was for a task.
  double rounds = std::ceil(result.tasks / target_.cores) + (target_.cores > 1 ? kLateShare : 0);
  for (double* part : {&result.products, &result.others, &result.l2, &result.l3, &result.memory}) {
    *part *= rounds;
    result.total += *part;
  }
  result.if_forgotten *= rounds;
  return result;
}

void NestModel::find_touched() {
  std::vector<std::pair<int, const std::vector<ir::Index>*>> known;  // reductions beside each other share an operand
  auto touch = [&](int place, const std::vector<ir::Index>& index) {
    if (place >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size())) return;
    for (const auto& [other, at] : known)
      if (other == place && *at == index) return;
    known.emplace_back(place, &index);
    touched_.emplace_back(kernel_, use_, place, index, plan_.order.back());
  };
  for (const auto* stmts : {&main_->inner, &main_->outer})
    for (const ir::Stmt& stmt : *stmts) {
      for (const ir::Access& access : stmt.accesses) touch(access.operand, access.index);
      if (!stmt.at.empty()) touch(kernel_.place_of(stmt.result), stmt.at);
    }
}

double NestModel::points_of(const std::vector<ir::GroupAxis>& axes, const std::vector<int64_t>& spans) const {
  double points = 1;
  for (const ir::GroupAxis& axis : axes)
    points *= static_cast<double>(spans[static_cast<size_t>(axis_number(kernel_, axis.axis))]);
  return points;
}

// Cycles of all register tiles of a task.
double NestModel::register_tiles(const std::vector<int64_t>& spans) const {
  double depth = points_of(main_->over, spans), strips = 1, tiles_of_strip = 1, rows = 1;
  int64_t columns = plan_.lanes, vectors = 1;
  for (const ir::GroupAxis& axis : main_->parallel) {
    const int64_t points = spans[static_cast<size_t>(axis_number(kernel_, axis.axis))], held = grain(axis.axis);
    const double count = std::ceil(static_cast<double>(points) / static_cast<double>(held));
    if (axis.axis == plan_.vector_axis) {
      columns = points;
      vectors = held / plan_.lanes;
      tiles_of_strip = count;
      continue;
    }
    strips *= count;
    if (held > 1) rows = static_cast<double>(points) / count;
  }
  double innermost = static_cast<double>(spans[static_cast<size_t>(axis_number(kernel_, plan_.order.back()))]);
  double entries = kLoopCycles * depth / innermost;
  return strips * (strip_cycles(rows, columns, vectors, plan_.lanes, std::max(1, reductions_), depth, figures_) +
                   tiles_of_strip * entries);
}

double NestModel::others(const std::vector<int64_t>& spans) const {
  double cycles = 0;
  for (const ir::Group* group : others_)
    cycles += kCyclesOfAPoint * points_of(group->parallel, spans) * points_of(group->over, spans) *
              static_cast<double>(group->inner.size() + group->outer.size());
  return cycles;
}

}  // namespace hone::cost
