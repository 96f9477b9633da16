#include "fuse/split.h"

#include <algorithm>

namespace hone::fuse {
namespace {

using ir::Axis;
using ir::Index;
using Kind = ir::IndexAtom::Kind;

struct Split {
  std::string axis;
  Index by;
};

std::vector<Axis> all_axes(const Draft& draft) {
  std::vector<Axis> axes = draft.rows;
  axes.insert(axes.end(), draft.cols.begin(), draft.cols.end());
  return axes;
}

// The axis of `axis + number`.
std::optional<std::string> shifted_axis(const Index& index) {
  for (const std::string& name : index.axes())
    if ((index - Index::axis(name)).constant()) return name;
  return std::nullopt;
}

// A division of an axis, shifted or not, by a divisor of its extent, anywhere in the index.
std::optional<Split> find_split(const Index& index, const std::vector<Axis>& axes) {
  for (const ir::IndexTerm& term : index.terms())
    for (const ir::AtomPtr& atom : term.factors) {
      for (const Index& arg : atom->args)
        if (auto inner = find_split(arg, axes)) return inner;
      if (atom->kind != Kind::FloorDiv && atom->kind != Kind::Mod) continue;
      auto name = shifted_axis(atom->args[0]);
      if (!name || !atom->args[1].axes().empty()) continue;
      auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& one) { return one.name == *name; });
      if (axis != axes.end() && !(axis->extent == atom->args[1]) && ir::mod(axis->extent, atom->args[1]).is(0))
        return Split{*name, atom->args[1]};
    }
  return std::nullopt;
}

bool taken(const std::vector<Axis>& axes, const std::string& name) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

void apply_split(Draft& draft, const Split& split) {
  std::vector<Axis> axes = all_axes(draft);
  std::string outer = split.axis + "o", inner = split.axis + "i";
  while (taken(axes, outer) || taken(axes, inner)) {
    outer += "o";
    inner += "i";
  }
  for (std::vector<Axis>* list : {&draft.rows, &draft.cols})
    for (size_t k = 0; k < list->size(); ++k) {
      if ((*list)[k].name != split.axis) continue;
      Index extent = (*list)[k].extent;
      (*list)[k] = {outer, ir::floor_div(extent, split.by)};
      list->insert(list->begin() + static_cast<long>(k) + 1, {inner, split.by});
      break;
    }
  ir::Ranges ranges = partition::ranges_of(all_axes(draft));
  std::map<std::string, Index> by_name{{split.axis, Index::axis(outer) * split.by + Index::axis(inner)}};
  visit_indices(draft, [&](Index& index) {
    if (index.uses_axis(split.axis)) index = index.substitute(by_name).simplify(ranges);
  });
}

}  // namespace

void visit_indices(Draft& draft, const std::function<void(Index&)>& visit) {
  auto in_scalar = [&](ir::Scalar& scalar) {
    if (!scalar) return;
    scalar = ir::replace_indices(scalar, [&](const Index& index) {
      Index changed = index;
      visit(changed);
      return changed;
    });
  };
  for (Step& step : draft.steps) {
    for (auto* reads : {&step.reads, &step.after})
      for (Read& read : *reads)
        for (Index& index : read.index) visit(index);
    for (Index& index : step.prologue) visit(index);
    in_scalar(step.body);
    in_scalar(step.finish);
  }
  for (Store& store : draft.stores)
    for (Index& index : store.at) visit(index);
}

void split_axes(Draft& draft) {
  for (;;) {
    std::optional<Split> split;
    std::vector<Axis> axes = all_axes(draft);
    visit_indices(draft, [&](Index& index) {
      if (!split) split = find_split(index, axes);
    });
    if (!split) return;
    apply_split(draft, *split);
  }
}

}  // namespace hone::fuse
