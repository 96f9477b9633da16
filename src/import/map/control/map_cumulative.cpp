#include "import/node_internal.h"

namespace hone::import {
namespace {

using ir::OpKind;
using ir::ValueId;

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

// The axis is data: every one of them is worked out, and the results chosen from. Their shape is the same.
Result<ValueId> along_any(Node& node) {
  int64_t rank = static_cast<int64_t>(node.rank(0));
  HONE_TRY(ValueId axis, node.reshape(node.input(1), {}));
  HONE_TRY(ValueId zero, node.scalar(node.type(1).dtype, 0));
  HONE_TRY(ValueId turn, node.scalar(node.type(1).dtype, static_cast<double>(rank)));
  HONE_TRY(ValueId from_end, node.emit(OpKind::Less, {axis, zero}));
  HONE_TRY(ValueId turned, node.emit(OpKind::Add, {axis, turn}));
  HONE_TRY(axis, node.emit(OpKind::Where, {from_end, turned, axis}));
  HONE_TRY(ValueId result, along(node, 0));
  for (int64_t d = 1; d < rank; ++d) {
    HONE_TRY(ValueId number, node.scalar(node.type(1).dtype, static_cast<double>(d)));
    HONE_TRY(ValueId chosen, node.emit(OpKind::Equal, {axis, number}));
    HONE_TRY(ValueId other, along(node, static_cast<size_t>(d)));
    HONE_TRY(result, node.emit(OpKind::Where, {chosen, other, result}));
  }
  return result;
}

}  // namespace

Result<Values> map_cumulative(Node& node) {
  if (node.rank(0) == 0) return error("its input is a scalar, which has no axis");
  if (!product(node.shape(1)).is(1)) return error("its axis must be one number");
  if (!node.known(1)) return Node::single(along_any(node));
  HONE_TRY(std::vector<int64_t> given, node.integers(1, "axis"));
  HONE_TRY(int axis, normal_axis(given[0], node.rank(0)));
  return Node::single(along(node, static_cast<size_t>(axis)));
}

}  // namespace hone::import
