#include "import/map/extremum_internal.h"

namespace hone::import {

ValueId extremum_position(Steps& steps, ValueId x, const ir::Shape& shape, const ExtremumSearch& search) {
  constexpr double kBeyondAllPositions = 0x1p62;
  size_t axis = static_cast<size_t>(search.axis);
  ValueId hit = steps.op(OpKind::Equal, {x, steps.reduce(search.extremum, x, {search.axis})});
  // NaN equals nothing; where there is one, the extremum is NaN.
  if (is_float(steps.dtype(x))) hit = steps.op(OpKind::Or, {hit, steps.op(OpKind::IsNaN, {x})});
  ValueId places = steps.positions(shape[axis], shape.size() - 1 - axis);
  ValueId none = steps.number(ir::DType::I64, search.last ? -1 : kBeyondAllPositions);
  return steps.reduce(search.last ? OpKind::ReduceMax : OpKind::ReduceMin, steps.where(hit, places, none),
                      {search.axis}, search.keep);
}

namespace {

// No position can be told of a dimension without elements. One element of it is made a dimension of 1, for nobody to read:
// the counts of this Reshape differ where there is none, and whoever binds the sizes checks them.
void require_elements(Steps& steps, ValueId x, ir::Shape shape, size_t axis) {
  if (ir::provably_at_most(1, shape[axis])) return;
  ValueId one = steps.slice(x, axis, 0, min(shape[axis], 1));
  shape[axis] = 1;
  steps.reshape(one, shape);
}

}  // namespace

Result<Values> map_arg_extremum(Node& node) {
  Attributes& attributes = node.attributes();
  HONE_TRY(int axis, normal_axis(attributes.integer("axis", 0), node.rank(0)));
  if (node.shape(0)[static_cast<size_t>(axis)].is(0)) return error("dimension {} has no elements", axis);
  ExtremumSearch search{node.kind(), axis, attributes.integer("select_last_index", 0) != 0,
                        attributes.integer("keepdims", 1) != 0};
  Steps steps(node);
  require_elements(steps, node.input(0), node.shape(0), static_cast<size_t>(axis));
  return steps.done({extremum_position(steps, node.input(0), node.shape(0), search)});
}

}  // namespace hone::import
