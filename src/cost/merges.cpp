#include "cost/merges.h"

#include <algorithm>

#include "cost/stride.h"
#include "ir/plan/bind.h"

namespace hone::cost {
namespace {

using ir::Index;

struct Opened {
  bool by_grid_or_loop = false;
  bool by_one = false;  // with a literal step of 1
};

void visit_nodes(const std::vector<ir::Node>& nodes, const std::function<void(const ir::Nest&)>& nest,
                 const std::function<void(const ir::Group&)>& group) {
  for (const ir::Node& node : nodes) {
    if (const auto* g = std::get_if<ir::Group>(&node))
      group(*g);
    else {
      const ir::Nest& n = *std::get<std::shared_ptr<const ir::Nest>>(node);
      nest(n);
      visit_nodes(n.body, nest, group);
    }
  }
}

bool mentions(const Index& index, const std::string& a, const std::string& b) {
  return index.uses_axis(a) || index.uses_axis(b);
}

bool scalar_mentions(const ir::Scalar& scalar, const std::string& a, const std::string& b) {
  if (scalar->kind == ir::ScalarNode::Kind::IndexValue && mentions(scalar->index, a, b)) return true;
  return std::any_of(scalar->args.begin(), scalar->args.end(),
                     [&](const ir::Scalar& s) { return scalar_mentions(s, a, b); });
}

class MergeCheck {
 public:
  MergeCheck(const ir::Kernel& kernel, const Use& use, std::string outer, std::string inner)
      : kernel_(kernel), use_(use), outer_(std::move(outer)), inner_(std::move(inner)) {}

  bool holds() {
    bool good = std::all_of(kernel_.tiles.begin(), kernel_.tiles.end(),
                            [&](const ir::Tile& tile) { return tile_allows(tile); });
    Opened outer, inner;
    visit_nodes(
        kernel_.body,
        [&](const ir::Nest& nest) {
          if (nest.until && mentions(*nest.until, outer_, inner_)) good = false;
          for (auto* opened : {&outer, &inner})
            if (nest.axis == (opened == &outer ? outer_ : inner_)) {
              good &= !opened->by_grid_or_loop && nest.grid;
              *opened = {true, nest.step.is(1)};
            }
        },
        [&](const ir::Group& group) { good = good && group_allows(group); });
    if (outer.by_grid_or_loop && !inner.by_grid_or_loop && outer.by_one) return false;
    return good;
  }

 private:
  // The axes follow each other in the tile, or it has neither.
  bool tile_allows(const ir::Tile& tile) const {
    auto outer = std::find(tile.axes.begin(), tile.axes.end(), outer_);
    if (outer == tile.axes.end()) return std::find(tile.axes.begin(), tile.axes.end(), inner_) == tile.axes.end();
    return outer + 1 != tile.axes.end() && *(outer + 1) == inner_ && !tile.ring;
  }

  bool group_allows(const ir::Group& group) {
    int found = 0;
    for (const ir::GroupAxis& axis : group.over)
      if (axis.axis == outer_ || axis.axis == inner_) return false;
    for (const ir::GroupAxis& axis : group.parallel) {
      if (axis.range && (mentions(axis.range->first, outer_, inner_) || mentions(axis.range->second, outer_, inner_)))
        return false;
      if (axis.axis == outer_ || axis.axis == inner_) {
        if (axis.range) return false;
        ++found;
      }
    }
    if (found != 2) return false;
    for (const auto* stmts : {&group.inner, &group.outer})
      for (const ir::Stmt& stmt : *stmts) {
        if (scalar_mentions(stmt.body, outer_, inner_)) return false;
        if (!stmt.at.empty() && !one_run(kernel_.place_of(stmt.result), stmt.at)) return false;
        for (const ir::Access& access : stmt.accesses) {
          if (!access.index.empty() && !one_run(access.operand, access.index)) return false;
          if (access.border.rule == ir::Border::Rule::None) continue;
          for (const Index& index : access.index)
            if (mentions(index, outer_, inner_)) return false;
        }
      }
    return true;
  }

  bool is_point_of_tile(int place, const std::vector<Index>& index) const {
    const ir::Tile& tile = kernel_.tiles[static_cast<size_t>(place) - kernel_.buffers.size()];
    for (size_t d = 0; d < index.size(); ++d) {
      const bool merged = tile.axes[d] == outer_ || tile.axes[d] == inner_;
      if (merged ? !(index[d] == Index::axis(tile.axes[d])) : mentions(index[d], outer_, inner_)) return false;
    }
    return true;
  }

  bool one_run(int place, const std::vector<Index>& index) {
    if (place >= static_cast<int>(kernel_.buffers.size())) return is_point_of_tile(place, index);
    const ir::Buffer& buffer = kernel_.buffers[static_cast<size_t>(place)];
    if (use_.weights.contains(buffer.name))
      return std::none_of(index.begin(), index.end(), [&](const Index& i) { return mentions(i, outer_, inner_); });
    const auto outer = offset_factor(use_, buffer, index, outer_), inner = offset_factor(use_, buffer, index, inner_);
    return outer && inner && *outer == *inner * kernel_.extent(inner_);
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  std::string outer_, inner_;
};

}  // namespace

std::vector<ir::Merge> find_merges(ir::Kernel kernel, const Use& use) {
  std::vector<ir::Merge> merges;
  for (bool found = true; found;) {
    found = false;
    const std::vector<ir::Axis> axes = kernel.axes;
    for (const ir::Axis& outer : axes)
      for (const ir::Axis& inner : axes) {
        if (found || outer.name == inner.name) continue;
        if (!MergeCheck(kernel, use, outer.name, inner.name).holds()) continue;
        ir::KernelPlan plan;
        plan.merges = {{outer.name, inner.name}};
        auto bound = ir::bind(kernel, plan);
        HONE_CHECK(bound.ok(), "{}", bound.problem().message);
        merges.push_back(plan.merges[0]);
        kernel = bound->kernel;
        std::erase_if(kernel.axes, [&](const ir::Axis& axis) { return axis.name == merges.back().outer; });
        found = true;
      }
  }
  return merges;
}

}  // namespace hone::cost
