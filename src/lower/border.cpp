#include "lower/border.h"

#include <algorithm>
#include <cmath>

namespace hone::lower {
namespace {

using ir::Combine;
using ir::Index;
using ir::Scalar;
using ir::ScalarNode;

// The body is a product with the access as a factor, or the access itself, perhaps converted.
bool is_factor(const Scalar& body, int access) {
  if (body->kind == ScalarNode::Kind::Cast) return is_factor(body->args[0], access);
  if (body->kind == ScalarNode::Kind::Access) return body->access == access;
  if (body->kind != ScalarNode::Kind::Operation || body->op != ir::ScalarOp::Mul) return false;
  return is_factor(body->args[0], access) || is_factor(body->args[1], access);
}

bool gives_identity(const ir::Stmt& stmt, int access) {
  double fill = stmt.accesses[static_cast<size_t>(access)].border.fill;
  if (stmt.combine == Combine::Sum) return fill == 0 && is_factor(stmt.body, access);
  bool itself = stmt.body->kind == ScalarNode::Kind::Access && stmt.body->access == access;
  if (stmt.combine == Combine::Max || stmt.combine == Combine::Min || stmt.combine == Combine::MaxNumber)
    return itself && fill == ir::identity_of(stmt.combine);
  return false;
}

bool always_inside(const Index& index, const Index& extent, const ir::Ranges& ranges) {
  auto lo = ir::lower_bound(index, ranges);
  auto hi = ir::upper_bound(index, ranges);
  return lo && hi && ir::provably_at_most(0, *lo) && ir::provably_at_most(*hi + 1, extent);
}

std::optional<Skip> skip_for(const ir::Group& group, const Index& index, const Index& extent) {
  Skip skip;
  for (const ir::GroupAxis& axis : group.over) {
    if (!index.uses_axis(axis.axis)) continue;
    auto linear = index.linear_in(axis.axis);
    if (!skip.over.empty() || !linear || linear->first.constant().value_or(0) <= 0) return std::nullopt;
    skip = {axis.axis, *linear->first.constant(), linear->second, extent, {}};
  }
  if (skip.over.empty()) return std::nullopt;
  return skip;
}

}  // namespace

ir::Shape place_shape(const ir::Kernel& kernel, int place) {
  size_t number = static_cast<size_t>(place);
  if (number < kernel.buffers.size()) return kernel.buffers[number].shape;
  ir::Shape shape;
  for (const std::string& axis : kernel.tiles[number - kernel.buffers.size()].axes)
    shape.push_back(kernel.extent(axis));
  return shape;
}

std::vector<BorderDim> border_dims(const ir::Kernel& kernel, const ir::Stmt& stmt) {
  ir::Ranges ranges;
  for (const ir::Axis& axis : kernel.axes) ranges.insert_or_assign(axis.name, ir::IndexRange{0, axis.extent - 1});
  std::vector<BorderDim> dims;
  for (size_t k = 0; k < stmt.accesses.size(); ++k) {
    const ir::Access& access = stmt.accesses[k];
    if (access.border.rule == ir::Border::Rule::None) continue;
    const ir::Shape shape = place_shape(kernel, access.operand);
    for (size_t d = 0; d < access.index.size(); ++d)
      if (!always_inside(access.index[d], shape[d], ranges)) dims.push_back({static_cast<int>(k), d});
  }
  return dims;
}

std::vector<Skip> skips_of(const ir::Kernel& kernel, const ir::Group& group) {
  std::vector<Skip> skips;
  bool all_reduce =
      std::all_of(group.inner.begin(), group.inner.end(), [](const ir::Stmt& s) { return s.combine != Combine::None; });
  if (!all_reduce || group.inner.size() != 1) return {};
  const ir::Stmt& stmt = group.inner[0];
  for (const BorderDim& border : border_dims(kernel, stmt)) {
    const ir::Access& access = stmt.accesses[static_cast<size_t>(border.access)];
    if (access.border.rule != ir::Border::Rule::Fill || !gives_identity(stmt, border.access)) return {};
    const ir::Shape shape = place_shape(kernel, access.operand);
    auto skip = skip_for(group, access.index[border.dim], shape[border.dim]);
    bool repeated =
        skip && std::any_of(skips.begin(), skips.end(), [&](const Skip& s) { return s.over == skip->over; });
    if (!skip || repeated) return {};
    skip->border = border;
    skips.push_back(*skip);
  }
  return skips;
}

}  // namespace hone::lower
