#include "import/map/steps_internal.h"

namespace hone::import {
namespace {

Result<ValueId> along(Node& node, size_t axis) {
  AttributeMap map{{"axis", static_cast<int64_t>(axis)},
                   {"exclusive", node.attributes().integer("exclusive", 0)},
                   {"reverse", node.attributes().integer("reverse", 0)}};
  if (node.kind() == OpKind::CumSum) return node.emit(OpKind::CumSum, {node.input(0)}, map);
  ir::TensorType slice = node.type(0);
  slice.shape.erase(slice.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  AttributeMap one{{"value", 1.0}, {"dtype", std::string(name_of(slice.dtype))}};
  if (is_integer(slice.dtype)) one["value"] = int64_t{1};
  HONE_TRY(ValueId ones, node.emit(OpKind::Fill, {}, one, slice));
  return node.emit(OpKind::CumProd, {node.input(0), ones}, map);
}

// The axis is data: every one of them is worked out, and the results chosen from. Their shape is the same. Which one it
// is are booleans set by the library, which refuses an axis that there is not.
Result<Values> along_any(Node& node) {
  auto booleans = [&](int64_t count, int64_t value) {
    std::vector<int64_t> values(static_cast<size_t>(count), value);
    return node.constant({ir::DType::Bool, {count}}, constant_of(ir::DType::Bool, values));
  };
  int64_t rank = static_cast<int64_t>(node.rank(0));
  Steps steps(node);
  ValueId axis = steps.reshape(node.input(1), {1});
  ValueId is_axis = steps.op(OpKind::ScatterElements, {booleans(rank, 0), axis, booleans(1, 1)},
                             {{"axis", int64_t{0}}, {"reduction", std::string("none")}});
  ValueId result = node.input(0);
  for (int64_t d = 0; d < rank; ++d) {
    HONE_TRY(ValueId sums, along(node, static_cast<size_t>(d)));
    ValueId chosen = steps.reshape(steps.slice(is_axis, 0, d, 1), {});
    result = steps.where(chosen, sums, result);
  }
  return steps.done({result});
}

}  // namespace

Result<Values> map_cumulative(Node& node) {
  if (node.rank(0) == 0) return error("its input is a scalar, which has no axis");
  if (!product(node.shape(1)).is(1)) return error("its axis must be one number");
  if (!node.known(1)) return along_any(node);
  HONE_TRY(std::vector<int64_t> given, node.integers(1, "axis"));
  HONE_TRY(int axis, normal_axis(given[0], node.rank(0)));
  return Node::single(along(node, static_cast<size_t>(axis)));
}

}  // namespace hone::import
