#include "fuse/emit/phases.h"

#include <algorithm>

namespace hone::fuse {
namespace {

using ir::ScalarOp;
using ir::ValueId;

constexpr int kCheap = 2;   // operations and further loads that cost less than a store and a load
constexpr int kDear = 100;  // more than any number of cheap ones

int cost_of(ScalarOp op) {
  switch (op) {
    case ScalarOp::Neg:
    case ScalarOp::Abs:
    case ScalarOp::Add:
    case ScalarOp::Sub:
    case ScalarOp::Mul:
    case ScalarOp::Min:
    case ScalarOp::Max:
    case ScalarOp::Less:
    case ScalarOp::LessEqual:
    case ScalarOp::Equal:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Xor:
    case ScalarOp::Not:
    case ScalarOp::Shl:
    case ScalarOp::Shr:
    case ScalarOp::Select:
    case ScalarOp::IsNan:
      return 1;
    case ScalarOp::Sign:
    case ScalarOp::Exp:
    case ScalarOp::Log:
    case ScalarOp::Sqrt:
    case ScalarOp::Rsqrt:
    case ScalarOp::Reciprocal:
    case ScalarOp::Tanh:
    case ScalarOp::Erf:
    case ScalarOp::NormalCdf:
    case ScalarOp::Sigmoid:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::Tan:
    case ScalarOp::Asin:
    case ScalarOp::Acos:
    case ScalarOp::Atan:
    case ScalarOp::Sinh:
    case ScalarOp::Cosh:
    case ScalarOp::Asinh:
    case ScalarOp::Acosh:
    case ScalarOp::Atanh:
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::Div:
    case ScalarOp::Mod:
    case ScalarOp::Fmod:
    case ScalarOp::Pow:
      return kDear;
  }
  HONE_CHECK(false, "unknown operation");
}

int cost_of(const ir::Scalar& scalar) {
  int cost = scalar->kind == ir::ScalarNode::Kind::Operation ? cost_of(scalar->op) : 0;
  for (const ir::Scalar& arg : scalar->args) cost = std::min(cost + cost_of(arg), kDear);
  return cost;
}

void assign_phases(const Draft& draft, Phases& phases) {
  for (const Step& step : draft.steps) {
    int phase = 0;
    bool at_points = step.point || step.combine != ir::Combine::None;
    for (const Read& read : step.reads) {
      if (!read.inside) continue;
      bool later = at_points && !phases.steps.at(read.value)->point;
      phase = std::max(phase, phases.of.at(read.value) + (later ? 1 : 0));
    }
    for (const Read& read : step.after)
      if (read.inside) phase = std::max(phase, phases.of.at(read.value));
    phases.of[step.result] = phase;
    phases.steps[step.result] = &step;
    phases.count = std::max(phases.count, phase + 1);
  }
}

// Cost of a value per point when everything that is not dear is computed again.
std::map<ValueId, int> point_costs(const Draft& draft) {
  std::map<ValueId, int> costs;
  for (const Step& step : draft.steps) {
    if (!step.point) continue;
    int cost = cost_of(step.body), loads = 0;
    for (const Read& read : step.reads) {
      auto found = costs.find(read.value);
      if (read.inside && found != costs.end() && found->second <= kCheap) cost += found->second;
      loads += !read.inside || found == costs.end() || found->second > kCheap;
    }
    bool indirect = std::any_of(step.reads.begin(), step.reads.end(), [](const Read& read) {
      return std::any_of(read.index.begin(), read.index.end(),
                         [](const ir::Index& index) { return index.uses_read(); });
    });
    costs[step.result] = indirect ? kDear : std::min(cost + std::max(loads - 1, 0), kDear);
  }
  return costs;
}

}  // namespace

Phases phases_of(const Draft& draft) {
  Phases phases;
  assign_phases(draft, phases);
  std::map<ValueId, int> costs = point_costs(draft);
  std::map<ValueId, std::set<int>> needed;  // in which phases a value is used
  for (size_t i = draft.steps.size(); i-- > 0;) {
    const Step& step = draft.steps[i];
    int own = phases.of.at(step.result);
    std::set<int>& uses = needed[step.result];
    uses.insert(own);
    bool later = *uses.rbegin() > own;
    bool again = later && step.point && costs.at(step.result) <= kCheap;
    if (later && !again) phases.tiled.insert(step.result);
    for (const auto* reads : {&step.reads, &step.after})
      for (const Read& read : *reads) {
        if (!read.inside) continue;
        if (again)
          needed[read.value].insert(uses.begin(), uses.end());
        else
          needed[read.value].insert(own);
      }
  }
  return phases;
}

}  // namespace hone::fuse
