// Operators on truth values, on bits, and on what a number's bits say of it.
#include <limits>

#include "import/node_internal.h"

namespace hone::import {

// And, Or, Xor and Not of bools; with the prefix Bitwise, of integers.
Result<Values> map_logic(Node& node) {
  ir::DType type = node.type(0).dtype;
  bool bitwise = node.op_type().starts_with("Bitwise");
  if (bitwise ? !is_integer(type) : type != ir::DType::Bool)
    return error("is not defined on {} tensors", name_of(type));
  return node.kind() == OpKind::Not ? map_plain(node) : map_broadcast(node);
}

Result<Values> map_bit_shift(Node& node) {
  std::string direction = node.attributes().text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return error("its direction '{}' is neither LEFT nor RIGHT", direction);
  Values values = node.inputs();
  HONE_PASS(node.match_broadcast(values));
  return Node::single(node.emit(direction == "LEFT" ? OpKind::ShiftLeft : OpKind::ShiftRight, values));
}

Result<Values> map_bit_cast(Node& node) {
  auto to = dtype_of(static_cast<int>(node.attributes().integer("to", 0)));
  if (!to) return error("its target {}", to.problem().message);
  ir::DType from = node.type(0).dtype;
  // A bool is a byte, 0 or 1.
  if (from == ir::DType::Bool && width_of(*to) == 8) {
    HONE_TRY(ValueId byte, node.cast(node.input(0), ir::DType::U8));
    if (*to == ir::DType::U8) return Values{byte};
    return Node::single(node.emit(OpKind::BitCast, {byte}, {{"to", std::string(name_of(*to))}}));
  }
  if (*to == from) return map_identity(node);
  return Node::single(node.emit(OpKind::BitCast, {node.input(0)}, {{"to", std::string(name_of(*to))}}));
}

Result<Values> map_is_inf(Node& node) {
  bool positive = node.attributes().integer("detect_positive", 1) != 0;
  bool negative = node.attributes().integer("detect_negative", 1) != 0;
  if (!positive && !negative)
    return Node::single(node.emit(OpKind::Fill, {}, {{"value", 0.0}, {"dtype", std::string("bool")}},
                                  {ir::DType::Bool, node.shape(0)}));
  ValueId value = node.input(0);
  if (is_storage(node.type(0).dtype)) {
    HONE_TRY(value, node.cast(value, ir::DType::F32));
  }
  if (!is_float(node.type_of(value).dtype)) return error("is not defined on {} tensors", name_of(node.type(0).dtype));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  HONE_TRY(ValueId infinity, node.scalar(node.type_of(value).dtype, positive ? kInfinity : -kInfinity));
  if (positive && negative) {
    HONE_TRY(value, node.emit(OpKind::Abs, {value}));
  }
  return Node::single(node.emit(OpKind::Equal, {value, infinity}));
}

}  // namespace hone::import
