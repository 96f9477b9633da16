// Operators that look at how far an element stands from the diagonal.
#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

// Column minus row, for the last two dimensions.
ValueId distance_from_diagonal(Steps& steps, const ir::Shape& shape) {
  size_t rank = shape.size();
  return steps.sub(steps.positions(shape[rank - 1]), steps.positions(shape[rank - 2], 1));
}

}  // namespace

Result<Values> map_trilu(Node& node) {
  if (node.rank(0) < 2) return error("its input has rank {}; at least 2 is needed", node.rank(0));
  Steps steps(node);
  if (node.has(1) && provably_different(ir::product(node.shape(1)), 1)) return error("its k must be one number");
  ValueId diagonal =
      node.has(1) ? steps.reshape(steps.cast(node.input(1), ir::DType::I64), {}) : steps.number(ir::DType::I64, 0);
  OpKind keeps = node.attributes().integer("upper", 1) != 0 ? OpKind::GreaterOrEqual : OpKind::LessOrEqual;
  ValueId kept = steps.op(keeps, {distance_from_diagonal(steps, node.shape(0)), diagonal});
  return steps.done({steps.where(kept, node.input(0), steps.number(node.type(0).dtype, 0))});
}

Result<Values> map_eye_like(Node& node) {
  if (node.rank(0) != 2) return error("its input has rank {}, not 2", node.rank(0));
  ir::DType type = node.type(0).dtype;
  if (node.attributes().has("dtype")) {
    auto wanted = dtype_of(static_cast<int>(node.attributes().integer("dtype", 0)));
    if (!wanted) return error("its dtype {}", wanted.problem().message);
    type = *wanted;
  }
  Steps steps(node);
  ValueId k = steps.number(ir::DType::I64, static_cast<double>(node.attributes().integer("k", 0)));
  ValueId ones = steps.op(OpKind::Equal, {distance_from_diagonal(steps, node.shape(0)), k});
  return steps.done({steps.cast(ones, type)});
}

}  // namespace hone::import
