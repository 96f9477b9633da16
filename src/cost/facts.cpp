#include "cost/facts.h"

#include <algorithm>

#include "cost/group/group_space.h"
#include "cost/work.h"
#include "ir/plan/bind.h"

namespace hone::cost {
namespace {

bool is_power_of_two(const ir::Scalar& scalar) {
  return scalar->op == ir::ScalarOp::Pow && scalar->args[0]->kind == ir::ScalarNode::Kind::Constant &&
         scalar->args[0]->number == 2;
}

class FactFinder {
 public:
  FactFinder(const ir::Kernel& kernel, const ir::KernelPlan& plan, const Use& use)
      : kernel_(kernel), plan_(plan), use_(use) {}

  Facts run() {
    auto groups = ir::groups_of(kernel_);
    const std::vector<ir::Index> runs = runs_of_groups(kernel_);
    double most = -1;
    for (size_t g = 0; g < groups.size(); ++g) {
      const double times = static_cast<double>(
          std::max<int64_t>(1, runs[g].evaluate([&](const std::string& name) { return use_.sizes.at(name); })));
      double points = times * points_of(groups[g]->parallel) * points_of(groups[g]->over);
      count_functions(*groups[g], times);
      if (points > most) most = points, describe(*groups[g], plan_.groups[g]);
    }
    facts_.points = most;
    facts_.tasks = tasks_of(kernel_, use_);
    walk(kernel_.body);
    return facts_;
  }

 private:
  int64_t extent(const std::string& axis) const { return std::max<int64_t>(1, extent_of(kernel_, use_, axis)); }

  double points_of(const std::vector<ir::GroupAxis>& axes) const {
    double points = 1;
    for (const ir::GroupAxis& axis : axes) points *= static_cast<double>(extent(axis.axis));
    return points;
  }

  void count_functions(const ir::Group& group, double runs) {
    double parallel = runs * points_of(group.parallel), all = parallel * points_of(group.over);
    for (const ir::Stmt& stmt : group.inner) count_functions(stmt.body, all);
    for (const ir::Stmt& stmt : group.outer) count_functions(stmt.body, parallel);
  }

  void count_functions(const ir::Scalar& scalar, double times) {
    if (scalar->kind == ir::ScalarNode::Kind::Operation && takes_many_cycles(scalar->op))
      facts_.functions[is_power_of_two(scalar) ? "exp2" : ir::name_of(scalar->op)] += times;
    for (const ir::Scalar& arg : scalar->args) count_functions(arg, times);
  }

  void describe(const ir::Group& group, const ir::GroupPlan& plan) {
    facts_.contraction = is_contraction(group);
    facts_.lanes = std::max(1, plan.lanes);
    facts_.vector_points = plan.vector_axis.empty() ? 1 : extent(plan.vector_axis);
    facts_.vector_room = (facts_.vector_points + facts_.lanes - 1) / facts_.lanes * facts_.lanes;
    facts_.chains = group.over.empty() ? 0 : chains_of(group, plan);
    facts_.loads = facts_.strided_loads = facts_.turned_loads = 0;
    const bool squares = ir::turns(plan, group);
    double loaded = 0;
    for (const ir::Stmt& stmt : group.inner)
      for (const ir::Access& access : stmt.accesses) {
        if (access.operand >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size())) continue;
        ++facts_.loads;
        bool apart = facts_.lanes > 1 &&
                     stride_of(kernel_, use_, access.operand, access.index, plan.vector_axis) == Stride::Strided;
        (squares ? facts_.turned_loads : facts_.strided_loads) += apart;
        loaded += loads_for(group, plan, access);
      }
    facts_.loads_of_a_sum = facts_.chains > 0 ? loaded / static_cast<double>(facts_.chains) : 0;
  }

  // Vectors of an operand that a register tile loads for one tap: taps that are laid out in full share what their points have
  // in common.
  double loads_for(const ir::Group& group, const ir::GroupPlan& plan, const ir::Access& access) const {
    double loads = 1;
    for (const auto& [axis, held] : plan.tile) {
      auto points = static_cast<double>(held_of(plan, axis, held));
      for (const ir::Index& index : access.index) {
        if (!index.uses_axis(axis)) continue;
        for (const ir::GroupAxis& over : group.over)
          if (int64_t taps = extent(over.axis);
              plan.unroll > 1 && taps <= plan.unroll && axis != plan.vector_axis && index.uses_axis(over.axis)) {
            points = (points + static_cast<double>(taps) - 1) / static_cast<double>(taps);
          }
        loads *= points;
        break;
      }
    }
    return loads;
  }

  // Points of the axis, or vectors, in a register tile; tiles are never larger than their axes.
  int64_t held_of(const ir::GroupPlan& plan, const std::string& axis, int64_t held) const {
    int64_t points = extent(axis);
    if (axis == plan.vector_axis) points = (points + plan.lanes - 1) / std::max(1, plan.lanes);
    return std::min(held, points);
  }

  // Every point of the register tile has a sum of its own for each reduction.
  int64_t chains_of(const ir::Group& group, const ir::GroupPlan& plan) const {
    int64_t chains = 0;
    for (const ir::Stmt& stmt : group.inner) chains += stmt.combine != ir::Combine::None;
    for (const auto& [axis, held] : plan.tile) chains *= held_of(plan, axis, held);
    return chains;
  }

  void walk(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
      if (!nest) continue;
      int64_t step = (*nest)->step.constant().value_or(1), points = extent((*nest)->axis);
      if (!(*nest)->grid && !(*nest)->states.empty() && step == 1)
        facts_.recurrent_steps = std::max(facts_.recurrent_steps, points);
      walk((*nest)->body);
    }
  }

  const ir::Kernel& kernel_;
  const ir::KernelPlan& plan_;
  const Use& use_;
  Facts facts_;
};

}  // namespace

Facts facts_of(const ir::Kernel& kernel, const ir::KernelPlan& plan, const Use& use) {
  auto bound = ir::bind(kernel, plan);
  HONE_CHECK(bound.ok(), "{}", bound.problem().message);
  return FactFinder(bound->kernel, plan, use).run();
}

}  // namespace hone::cost
