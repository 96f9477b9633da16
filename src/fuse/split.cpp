#include "fuse/split.h"

#include <algorithm>

namespace hone::fuse {
namespace {

using ir::Axis;
using ir::Index;
using partition::Split;

std::vector<Axis> all_axes(const Draft& draft) {
  std::vector<Axis> axes = draft.rows;
  axes.insert(axes.end(), draft.cols.begin(), draft.cols.end());
  return axes;
}

void apply_split(Draft& draft, const Split& split) {
  std::map<std::string, Index> by_name = partition::apply_split(split, {&draft.rows, &draft.cols});
  ir::Ranges ranges = partition::ranges_of(all_axes(draft));
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
      if (!split) split = partition::find_split(index, axes);
    });
    if (!split) return;
    apply_split(draft, *split);
  }
}

}  // namespace hone::fuse
