// The part of GroupLowering that asks for what the next vectors need while everything that reads those at hand passes by: memory
// delivers it evenly then, and meanwhile nothing waits.
#include <algorithm>

#include "lower/group.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

void GroupLowering::find_next() {
  for (const ir::Stmt& stmt : group_.inner)
    for (const ir::Access& access : stmt.accesses) {
      auto chosen = plan_.next.find(kernel_.place_name(access.operand));
      if (chosen == plan_.next.end()) continue;
      auto again = std::find_if(parallel_order_.begin(), parallel_order_.end(), [&](const std::string& axis) {
        return std::none_of(access.index.begin(), access.index.end(),
                            [&](const Index& i) { return i.uses_axis(axis); });
      });
      next_.push_back({&access, chosen->second, emitter_.fresh("next_" + chosen->first),
                       static_cast<size_t>(again - parallel_order_.begin())});
    }
}

// What follows lies behind the pass; else behind the vectors at hand, or behind all of the task's where those pass by several times.
void GroupLowering::point_at_next(size_t depth, const Tile& tile) {
  for (const Next& next : next_) {
    if (next.depth != depth) continue;
    std::map<std::string, Index> values = begin_of(tile);
    const std::string& along = plan_.vector_axis;
    auto in_passes = std::find_if(over_order_.begin(), over_order_.end(),
                                  [&](const std::string& axis) { return !ranges_.at(axis).step.is(0); });
    if (in_passes != over_order_.end())
      values[*in_passes] = ranges_.at(*in_passes).hi;
    else if (auto at_hand = values.find(along); at_hand != values.end())
      at_hand->second = at_hand->second + int64_t{tile_of(along)} * plan_.lanes;
    else
      values[along] = ranges_.at(along).hi;
    for (const auto& [axis, range] : ranges_) values.try_emplace(axis, range.lo);
    const Index offset = addresses_.offset(next.access->operand, next.access->index, values);
    emitter_.append(assign(next.cursor, emitter_.scalar(offset)));
  }
}

void GroupLowering::fetch_next(int64_t steps) {
  for (const Next& next : next_) {
    const int place = next.access->operand;
    const Expr cursor = variable(next.cursor, {});
    const int64_t line = 64 / static_cast<int64_t>(ir::size_of(kernel_.place_type(place)));
    const int64_t elements = steps * next.elements;
    for (int64_t behind = 0; behind < elements; behind += line)
      emitter_.append(prefetch(place, binary(BinaryOp::Add, cursor, int_constant(behind))));
    emitter_.append(assign(next.cursor, binary(BinaryOp::Add, cursor, int_constant(elements))));
  }
}

}  // namespace hone::lower
