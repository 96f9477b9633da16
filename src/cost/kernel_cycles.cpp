#include "cost/kernel_cycles.h"

#include <algorithm>

#include "cost/group/group_space.h"
#include "cost/group/vector_choice.h"
#include "cost/work.h"

namespace hone::cost {
namespace {

// Cycles of a vector: an operation, and a function of many.
constexpr double kOperation = 0.5, kFunction = 12;

double math_cycles(const ir::Scalar& scalar) {
  double cycles = 0;
  if (scalar->kind == ir::ScalarNode::Kind::Operation) cycles = takes_many_cycles(scalar->op) ? kFunction : kOperation;
  for (const ir::Scalar& arg : scalar->args) cycles += math_cycles(arg);
  return cycles;
}

class KernelCycles {
 public:
  KernelCycles(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan) {}

  double of_all_groups() const {
    double cycles = bytes();
    const std::vector<ir::Index> runs = runs_of_groups(kernel_);
    const auto groups = ir::groups_of(kernel_);
    for (size_t g = 0; g < groups.size(); ++g) cycles += number(runs[g]) * of_group(*groups[g], plan_.groups[g]);
    return cycles / shares();
  }

  // What the model of contractions leaves out: operands that are not contiguous along the vectors, and what follows the sums.
  double beside_products() const {
    const auto groups = ir::groups_of(kernel_);
    double most = -1, cycles = 0;
    for (size_t g = 0; g < groups.size(); ++g) {
      if (!is_contraction(*groups[g])) continue;
      const Space space{kernel_, *groups[g], use_, target_};
      const ir::GroupPlan& plan = plan_.groups[g];
      const double points = vectors(groups[g]->parallel, plan), depth = vectors(groups[g]->over, plan);
      if (points * depth <= most) continue;
      most = points * depth;
      double step = 0;
      for (const ir::Stmt& stmt : groups[g]->inner)
        for (const ir::Access& access : stmt.accesses)
          step += std::max(0.0, touch_cycles(space.stride(access, plan.vector_axis), plan.lanes, false) - 1) /
                  shared_by(space, plan, access);
      cycles = points * (depth * step + of_statements(space, plan, groups[g]->outer));
    }
    return cycles / shares();
  }

 private:
  double number(const ir::Index& index) const {
    return static_cast<double>(
        std::max<int64_t>(1, index.evaluate([&](const std::string& name) { return use_.sizes.at(name); })));
  }

  // Points of the axes, those along the vectors by the vector.
  double vectors(const std::vector<ir::GroupAxis>& axes, const ir::GroupPlan& plan) const {
    double count = 1;
    for (const ir::GroupAxis& axis : axes) {
      const int64_t points = std::max<int64_t>(1, extent_of(kernel_, use_, axis.axis));
      const int64_t lanes = axis.axis == plan.vector_axis ? std::max(1, plan.lanes) : 1;
      count *= static_cast<double>((points + lanes - 1) / lanes);
    }
    return count;
  }

  // Points of a register tile that share what was loaded.
  double shared_by(const Space& space, const ir::GroupPlan& plan, const ir::Access& access) const {
    double points = 1;
    for (const auto& [axis, held] : plan.tile)
      if (axis != plan.vector_axis && space.stride(access, axis) == Stride::Invariant)
        points *= static_cast<double>(held);
    return points;
  }

  static double load_cycles(const Space& space, const ir::GroupPlan& plan, const ir::Access& access) {
    return touch_cycles(space.stride(access, plan.vector_axis), plan.lanes, ir::turns(plan, space.group)) +
           (has_border_along(access, plan.vector_axis) ? 1 : 0);
  }

  double of_statements(const Space& space, const ir::GroupPlan& plan, const std::vector<ir::Stmt>& stmts) const {
    double cycles = 0;
    for (const ir::Stmt& stmt : stmts) {
      cycles += math_cycles(stmt.body) + (stmt.combine == ir::Combine::None ? 0 : kOperation);
      for (const ir::Access& access : stmt.accesses) cycles += load_cycles(space, plan, access);
      if (stmt.at.empty()) continue;
      const Stride stride = stride_of(kernel_, use_, kernel_.place_of(stmt.result), stmt.at, plan.vector_axis);
      const bool turned = stride == Stride::Strided && is_contraction(space.group);
      cycles += turned ? turned_store(stmt, plan) : touch_cycles(stride, plan.lanes, false);
    }
    return cycles;
  }

  // Results of sums that are strided along the lanes are turned a few points at a time; lines that take each other's place in the
  // nearest cache are fetched anew for each time.
  double turned_store(const ir::Stmt& stmt, const ir::GroupPlan& plan) const {
    constexpr double kTurned = 12, kColliding = 100;
    const int place = kernel_.place_of(stmt.result);
    if (place >= static_cast<int>(kernel_.buffers.size())) return kTurned;
    const ir::Buffer& buffer = kernel_.buffers[static_cast<size_t>(place)];
    const int64_t bytes =
        step_of(use_, buffer, stmt.at, plan.vector_axis).value_or(0) * static_cast<int64_t>(ir::size_of(buffer.dtype));
    return collide(bytes) ? kColliding : kTurned;
  }

  double of_group(const ir::Group& group, const ir::GroupPlan& plan) const {
    const Space space{kernel_, group, use_, target_};
    return vectors(group.parallel, plan) * (vectors(group.over, plan) * of_statements(space, plan, group.inner) +
                                            of_statements(space, plan, group.outer));
  }

  // Every buffer once, from the level of cache that holds it from one call to the next.
  double bytes() const {
    const target::Figures& speed = target_.figures;
    double cycles = 0;
    for (const ir::Buffer& buffer : kernel_.buffers) {
      const int64_t count = bytes_of(buffer, use_);
      const double rate = comes_from_memory(buffer, use_, target_) ? speed.memory_bytes_per_cycle
                          : 2 * count > target_.l2_bytes           ? speed.l3_bytes_per_cycle
                                                                   : speed.l2_bytes_per_cycle;
      cycles += static_cast<double>(count) / rate;
    }
    return cycles;
  }

  // Cores that have a task.
  double shares() const {
    return static_cast<double>(std::min<int64_t>(tasks_of(kernel_, use_, plan_.parameters), target_.cores));
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  const ir::KernelPlan& plan_;
};

}  // namespace

double kernel_cycles(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan,
                     const std::vector<Considered>& considered) {
  const KernelCycles cycles(kernel, use, target, plan);
  if (considered.empty()) return cycles.of_all_groups();
  return considered.front().total - considered.front().if_forgotten + cycles.beside_products();
}

}  // namespace hone::cost
