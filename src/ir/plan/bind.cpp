#include "ir/plan/bind.h"

#include <algorithm>

namespace hone::ir {
namespace {

class Binder {
 public:
  Binder(const Kernel& kernel, const KernelPlan& plan, std::map<std::string, std::string> renamed)
      : kernel_(kernel), renamed_(std::move(renamed)) {
    for (const auto& [name, value] : plan.parameters) numbers_.emplace(name, Index(value));
    for (const auto& [name, value] : plan.pins) numbers_.emplace(name, Index(value));
  }

  Index bind(const Index& index) const { return index.substitute(numbers_); }

  void bind(std::vector<Index>& indices) const {
    for (Index& index : indices) index = bind(index);
  }

  void bind(Stmt& stmt) const {
    bind_at(kernel_.place_of(stmt.result), stmt.at);
    for (Access& access : stmt.accesses) bind_at(access.operand, access.index);
    stmt.body = replace_indices(stmt.body, [&](const Index& index) { return bind(index); });
  }

  void bind(std::vector<GroupAxis>& axes) const {
    std::erase_if(axes, [&](const GroupAxis& axis) { return renamed_.contains(axis.axis); });
    for (GroupAxis& axis : axes)
      if (axis.range) axis.range = std::pair{bind(axis.range->first), bind(axis.range->second)};
  }

  // Of two merged axes of a tile the inner one is left.
  void bind(Tile& tile) const {
    if (tile.ring) tile.ring->rows = bind(tile.ring->rows);
    std::erase_if(tile.axes, [&](const std::string& axis) { return renamed_.contains(axis); });
  }

  Node bind(const Node& node) const {
    if (const auto* group = std::get_if<Group>(&node)) {
      Group bound = *group;
      bind(bound.parallel);
      bind(bound.over);
      for (Stmt& stmt : bound.inner) bind(stmt);
      for (Stmt& stmt : bound.outer) bind(stmt);
      return bound;
    }
    Nest nest = *std::get<std::shared_ptr<const Nest>>(node);
    if (auto found = renamed_.find(nest.axis); found != renamed_.end()) {
      // Where the merged axis is opened further inside, that one cuts it and this one is not needed.
      bool inner_opened = nest.body.size() == 1 && opens(nest.body[0], found->second);
      if (inner_opened) return bind(nest.body[0]);
      nest.axis = found->second;
    }
    nest.body = without_second_cuts(nest.body, nest.axis);
    nest.step = bind(nest.step);
    if (nest.until) nest.until = bind(*nest.until);
    for (State& state : nest.states)
      state.init = replace_indices(state.init, [&](const Index& index) { return bind(index); });
    for (Node& child : nest.body) child = bind(child);
    return std::make_shared<const Nest>(std::move(nest));
  }

 private:
  void bind_at(int place, std::vector<Index>& at) const {
    bind(at);
    const int tile = place - static_cast<int>(kernel_.buffers.size());
    if (tile < 0 || tile >= static_cast<int>(kernel_.tiles.size())) return;
    const std::vector<std::string>& axes = kernel_.tiles[static_cast<size_t>(tile)].axes;
    for (size_t d = axes.size(); d-- > 0;)
      if (renamed_.contains(axes[d])) at.erase(at.begin() + static_cast<std::ptrdiff_t>(d));
  }

  // Of the grid inside one that cuts the merged axis, without what would cut the same axis once more.
  std::vector<Node> without_second_cuts(const std::vector<Node>& nodes, const std::string& axis) const {
    const auto* only = nodes.size() == 1 ? std::get_if<std::shared_ptr<const Nest>>(&nodes[0]) : nullptr;
    if (!only || !(*only)->grid) return nodes;
    Nest nest = **only;
    nest.body = without_second_cuts(nest.body, axis);
    auto found = renamed_.find(nest.axis);
    if (found != renamed_.end() && found->second == axis) return nest.body;
    return {std::make_shared<const Nest>(std::move(nest))};
  }

  // The chain of single nests from here on opens the axis, or one that is merged into it.
  bool opens(const Node& node, const std::string& axis) const {
    const auto* nest = std::get_if<std::shared_ptr<const Nest>>(&node);
    if (!nest) return false;
    auto found = renamed_.find((*nest)->axis);
    if ((*nest)->axis == axis || (found != renamed_.end() && found->second == axis)) return true;
    return (*nest)->body.size() == 1 && opens((*nest)->body[0], axis);
  }

  const Kernel& kernel_;
  std::map<std::string, Index> numbers_;
  std::map<std::string, std::string> renamed_;  // merged outer axis → the axis that stands for both
};

}  // namespace

Result<Bound> bind(const Kernel& kernel, const KernelPlan& plan) {
  std::map<std::string, std::string> renamed;
  for (const Merge& merge : plan.merges) {
    for (auto& [from, to] : renamed)
      if (to == merge.outer) to = merge.inner;
    renamed[merge.outer] = merge.inner;
  }
  Binder binder(kernel, plan, renamed);
  Bound result{kernel, {}};
  Kernel& bound = result.kernel;
  for (Buffer& buffer : bound.buffers) binder.bind(buffer.shape);
  for (Axis& axis : bound.axes) axis.extent = binder.bind(axis.extent);
  for (Tile& tile : bound.tiles) binder.bind(tile);
  for (const Merge& merge : plan.merges) {
    auto find = [&](const std::string& name) {
      return std::find_if(bound.axes.begin(), bound.axes.end(), [&](const Axis& axis) { return axis.name == name; });
    };
    auto outer = find(merge.outer), inner = find(merge.inner);
    if (outer == bound.axes.end() || inner == bound.axes.end())
      return error("plan of kernel {}: merge {} {} names an axis that does not exist", kernel.name, merge.outer,
                   merge.inner);
    result.merged.push_back({merge.outer, merge.inner, inner->extent});
    inner->extent = outer->extent * inner->extent;
  }
  for (Node& node : bound.body) node = binder.bind(node);
  return result;
}

}  // namespace hone::ir
