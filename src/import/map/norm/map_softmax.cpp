#include "import/map/extremum_internal.h"

namespace hone::import {

namespace {

// Softmax and its kin work along one axis. Until opset 12 everything from the axis on counts as one dimension.
template <typename Body>
Result<Values> along_axis(Node& node, const Body& body) {
  bool old = node.opset() < 13;
  ir::Shape shape = node.shape(0), flat = shape;
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", old ? 1 : -1), shape.size()));
  if (old && static_cast<size_t>(axis) + 1 != shape.size()) {
    flat = {ir::product({shape.begin(), shape.begin() + axis}), ir::product({shape.begin() + axis, shape.end()})};
    axis = 1;
  }
  Steps steps(node);
  ValueId result = body(steps, steps.reshape(node.input(0), flat), flat, int64_t{axis});
  return steps.done({steps.reshape(result, shape)});
}

}  // namespace

Result<Values> map_softmax(Node& node) {
  return along_axis(node, [&](Steps& steps, ValueId x, const ir::Shape&, int64_t axis) {
    return steps.op(node.kind(), {x}, {{"axis", axis}});
  });
}

// One at the first of the largest elements, zero elsewhere.
Result<Values> map_hardmax(Node& node) {
  return along_axis(node, [&](Steps& steps, ValueId x, const ir::Shape& shape, int64_t axis) {
    ValueId largest = extremum_position(steps, x, shape, {OpKind::ReduceMax, axis});
    ValueId places = steps.positions(shape[static_cast<size_t>(axis)], shape.size() - 1 - static_cast<size_t>(axis));
    return steps.cast(steps.op(OpKind::Equal, {places, largest}), node.type(0).dtype);
  });
}

}  // namespace hone::import
