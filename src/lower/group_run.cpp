// The part of GroupLowering that knows two neighbouring loops over `over` axes as one.
#include <algorithm>

#include "lower/group.h"

namespace hone::lower {

using ir::Index;

namespace {

bool asks_where_it_is(const ir::Scalar& scalar) {
  return scalar->kind == ir::ScalarNode::Kind::IndexValue ||
         std::any_of(scalar->args.begin(), scalar->args.end(), asks_where_it_is);
}

}  // namespace

// True if a step along `outer` is as far as all points of `inner` in everything that is read, so that one loop visits the
// points of both: the places of a window and their channels lie that way. Few long loops are better than many short ones,
// because the end of a loop is a surprise.
bool GroupLowering::are_one_run(const std::string& outer, const std::string& inner) const {
  if (inner == plan_.vector_axis || laid_out(inner)) return false;
  auto moves = [&](const Index& index) { return index.uses_axis(outer) || index.uses_axis(inner); };
  const AxisRange& range = ranges_.at(inner);
  for (const ir::Stmt& stmt : group_.inner) {
    if (stmt.combine == ir::Combine::None || asks_where_it_is(stmt.body)) return false;
    for (const BorderDim& border : border_dims(kernel_, stmt))
      if (moves(stmt.accesses[static_cast<size_t>(border.access)].index[border.dim]) && !is_skipped(border, inner))
        return false;
    for (const ir::Access& access : stmt.accesses) {
      if (access.operand >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size())) continue;
      if (std::any_of(access.index.begin(), access.index.end(), [](const Index& i) { return i.uses_read(); }))
        return false;
      const Index offset = addresses_.offset(access.operand, access.index, {});
      auto along_outer = offset.linear_in(outer), along_inner = offset.linear_in(inner);
      if (!along_outer || !along_inner || !(along_outer->first == along_inner->first * (range.hi - range.lo)))
        return false;
    }
  }
  return true;
}

// Whether loops that leave out what is outside take care of the border, at every point of axis `inner`.
bool GroupLowering::is_skipped(const BorderDim& border, const std::string& inner) const {
  return std::any_of(skips_.begin(), skips_.end(), [&](const Skip& skip) {
    return skip.border == border && skip.over != inner && !moves_with_lanes(skip);
  });
}

}  // namespace hone::lower
