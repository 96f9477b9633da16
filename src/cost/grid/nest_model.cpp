#include "cost/grid/nest_model.h"

#include <algorithm>
#include <cmath>

#include "cost/group/group_space.h"
#include "cost/group/register_tiles.h"
#include "cost/passes/weight_passes.h"

namespace hone::cost {
namespace {

// What part of the time that a byte takes from the level below one core waits for it, beside what runs meanwhile.
constexpr double kWaitL2 = 0.09, kWaitL3 = 1.44, kWaitMemory = 1.4;
// What caches may hold from the kernel before, most of the time they do: a step of a model reads what the last one wrote.
constexpr double kStillThere = 0.95;
constexpr double kTaskSlack = 1.5;  // a task also finds its first operands far away
// The last task ends late by this part of it: cores are never equally fast.
constexpr double kLateShare = 0.12;
constexpr double kLoopCycles = 8;         // of entering and leaving an innermost loop
constexpr double kCyclesOfAPoint = 0.25;  // of a group that is not the contraction

}  // namespace

NestModel::NestModel(const ir::Kernel& kernel, size_t main, const Use& use, const target::Target& target,
                     const ir::GroupPlan& plan)
    : kernel_(kernel), use_(use), target_(target), plan_(plan) {
  auto groups = ir::groups_of(kernel);
  main_ = groups[main];
  extents_.assign(kernel.axes.size(), 1);
  grains_.assign(kernel.axes.size(), 1);
  for (const ir::Group* group : groups) {
    OtherGroup other{{}, static_cast<double>(group->inner.size() + group->outer.size())};
    for (const auto* axes : {&group->parallel, &group->over})
      for (const ir::GroupAxis& axis : *axes) {
        other.axes.push_back(axis_number(kernel, axis.axis));
        extents_[other.axes.back()] = std::max<int64_t>(1, extent_of(kernel, use, axis.axis));
      }
    if (group != main_) others_.push_back(std::move(other));
  }
  hold(plan);
  for (const std::string& axis : plan_.order)
    if (!is_parallel(axis)) over_.push_back(axis_number(kernel, axis));
  innermost_ = axis_number(kernel, plan_.order.back());
  figures_ = Space{kernel, *main_, use, target}.figures(plan.lanes);
  for (const ir::Stmt& stmt : main_->inner) reductions_ += stmt.combine != ir::Combine::None;
  find_touched();
}

void NestModel::hold(const ir::GroupPlan& plan) {
  plan_ = plan;
  parallel_.clear();
  for (const ir::GroupAxis& axis : main_->parallel) {
    const size_t number = axis_number(kernel_, axis.axis);
    grains_[number] = grain(axis.axis);
    parallel_.push_back({number, grains_[number], is_vector(axis.axis)});
  }
  double tiles = 1;
  for (const ParallelAxis& axis : parallel_)
    if (!axis.vector) tiles *= std::ceil(static_cast<double>(extents_[axis.number]) / static_cast<double>(axis.grain));
  // Blocks of two passes, that at hand and the next.
  pass_ = passes_pay(tiles) ? 2 * static_cast<double>(pass_bytes(target_)) : INFINITY;
}

int64_t NestModel::extent(const std::string& axis) const {
  return extents_[axis_number(kernel_, axis)];
}

std::vector<size_t> NestModel::numbers_of(const std::vector<std::string>& axes) const {
  std::vector<size_t> numbers;
  for (const std::string& axis : axes) numbers.push_back(axis_number(kernel_, axis));
  return numbers;
}

// Gives how often the loop runs.
double NestModel::enter(size_t axis, int64_t step) {
  int64_t& span = spans_[axis];
  step = std::min(step, span);
  const double count = static_cast<double>((span + step - 1) / step);
  loops_.push_back({axis, step, count});
  span = step;
  return count;
}

std::optional<Considered> NestModel::cycles(const std::vector<GridAxis>& grid,
                                            const std::vector<size_t>& parallel_order, double below) {
  loops_.clear();
  spans_ = extents_;
  Considered result;
  for (const GridAxis& axis : grid) result.tasks *= enter(axis.number, axis.step);
  const double rounds = std::ceil(result.tasks / target_.cores) + (target_.cores > 1 ? kLateShare : 0);
  result.others = (others() + kTaskSlack * target_.figures.task_cycles) * rounds;
  result.products = register_tiles() * rounds;
  if (result.products + result.others >= below) return std::nullopt;
  for (size_t axis : parallel_order) enter(axis, grains_[axis]);
  for (size_t axis : over_) enter(axis, 1);
  const target::Figures& speed = target_.figures;
  const Traffic moved =
      traffic_of(touched_, loops_, grid.size(), loops_.size() - over_.size(), extents_, pass_, target_);
  const double share = rounds / result.tasks;  // of the slowest core
  result.l2 = kWaitL2 / speed.l2_bytes_per_cycle * moved.into_l1 * share;
  const double l3_wait = kWaitL3 / speed.l3_bytes_per_cycle * share;
  const double memory_wait = kWaitMemory / speed.memory_bytes_per_cycle * share;
  result.l3 = l3_wait * (moved.into_l2 - kStillThere * moved.into_l2_if_forgotten);
  result.memory = memory_wait * (moved.into_l3 - kStillThere * moved.into_l3_if_forgotten);
  result.if_forgotten =
      (1 - kStillThere) * (l3_wait * moved.into_l2_if_forgotten + memory_wait * moved.into_l3_if_forgotten);
  result.total = result.products + result.others + result.l2 + result.l3 + result.memory;
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

double NestModel::points_of(const std::vector<size_t>& axes) const {
  double points = 1;
  for (size_t axis : axes) points *= static_cast<double>(spans_[axis]);
  return points;
}

// Cycles of all register tiles of a task.
double NestModel::register_tiles() const {
  const double depth = points_of(over_);
  double strips = 1, tiles_of_strip = 1, rows = 1;
  int64_t columns = plan_.lanes, vectors = 1;
  for (const ParallelAxis& axis : parallel_) {
    const int64_t points = spans_[axis.number];
    const double count = static_cast<double>((points + axis.grain - 1) / axis.grain);
    if (axis.vector) {
      columns = points;
      vectors = axis.grain / plan_.lanes;
      tiles_of_strip = count;
      continue;
    }
    strips *= count;
    if (axis.grain > 1) rows = static_cast<double>(points) / count;
  }
  const double entries = kLoopCycles * depth / static_cast<double>(spans_[innermost_]);
  return strips * (strip_cycles(rows, columns, vectors, plan_.lanes, std::max(1, reductions_), depth, figures_) +
                   tiles_of_strip * entries);
}

double NestModel::others() const {
  double cycles = 0;
  for (const OtherGroup& group : others_) cycles += kCyclesOfAPoint * points_of(group.axes) * group.statements;
  return cycles;
}

}  // namespace hone::cost
