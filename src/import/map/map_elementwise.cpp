#include "import/node_internal.h"

namespace hone::import {

using ir::OpKind;
using ir::ValueId;

Result<Values> map_plain(Node& node) {
  return Node::single(node.emit(node.kind(), node.inputs()));
}

Result<Values> map_broadcast(Node& node) {
  Values values = node.inputs();
  HONE_PASS(node.match_broadcast(values));
  return Node::single(node.emit(node.kind(), values));
}

Result<Values> map_variadic(Node& node) {
  Values values = node.inputs();
  for (ValueId id : values)
    if (id == ir::kAbsent) return error("one of its inputs is missing");
  HONE_PASS(node.match_broadcast(values));
  if (values.size() == 1) return Node::single(node.emit(OpKind::Identity, values));
  ValueId all = values[0];
  for (size_t k = 1; k < values.size(); ++k) {
    HONE_TRY(all, node.emit(node.kind(), {all, values[k]}));
  }
  return Values{all};
}

Result<Values> map_mean(Node& node) {
  double count = static_cast<double>(node.input_count());
  HONE_TRY(Values sum, map_variadic(node));
  HONE_TRY(ValueId divisor, node.scalar(node.type_of(sum[0]).dtype, count));
  return Node::single(node.emit(OpKind::Div, {sum[0], divisor}));
}

// The exponent may be of another type than the base, which is that of the result.
Result<Values> map_pow(Node& node) {
  Values values = node.inputs();
  ir::DType type = node.type(0).dtype;
  if (node.type(1).dtype != type) {
    if (is_integer(type) && is_float(node.type(1).dtype))
      return error("an integer to the power of a fraction; floats would work");
    HONE_TRY(values[1], node.emit(OpKind::Cast, {values[1]}, {{"to", std::string(name_of(type))}}));
  }
  HONE_PASS(node.match_broadcast(values));
  return Node::single(node.emit(OpKind::Pow, values));
}

Result<Values> map_mod(Node& node) {
  Values values = node.inputs();
  HONE_PASS(node.match_broadcast(values));
  return Node::single(node.emit(OpKind::Mod, values, {{"fmod", node.attributes().integer("fmod", 0)}}));
}

Result<Values> map_alpha(Node& node) {
  double alpha = node.attributes().number("alpha", node.kind() == OpKind::LeakyRelu ? 0.01 : 1.0);
  return Node::single(node.emit(node.kind(), {node.input(0)}, {{"alpha", alpha}}));
}

Result<Values> map_hard_sigmoid(Node& node) {
  double alpha = node.attributes().number("alpha", 0.2), beta = node.attributes().number("beta", 0.5);
  return Node::single(node.emit(OpKind::HardSigmoid, {node.input(0)}, {{"alpha", alpha}, {"beta", beta}}));
}

// Bounds are attributes until opset 10, operands since. Those that depend on data make it Min and Max.
Result<Values> map_clip(Node& node) {
  AttributeMap bounds;
  bool plain = true;
  const char* names[] = {"min", "max"};
  for (size_t k = 0; k < 2; ++k) {
    if (node.attributes().has(names[k])) bounds[names[k]] = node.attributes().number(names[k], 0);
    if (!node.has(k + 1)) continue;
    auto number = node.numbers(k + 1);
    if (number && number->size() == 1)
      bounds[names[k]] = (*number)[0];
    else
      plain = false;
  }
  if (plain) return Node::single(node.emit(OpKind::Clip, {node.input(0)}, bounds));
  ValueId value = node.input(0);
  OpKind kinds[] = {OpKind::Max, OpKind::Min};
  for (size_t k = 0; k < 2; ++k) {
    if (!node.has(k + 1)) continue;
    HONE_TRY(value, node.emit(kinds[k], {value, node.input(k + 1)}));
  }
  return Values{value};
}

Result<Values> map_cast(Node& node) {
  auto to = node.op_type() == "CastLike" ? Result<ir::DType>(node.type(1).dtype)
                                         : dtype_of(static_cast<int>(node.attributes().integer("to", 0)));
  if (!to) return error("its target {}", to.problem().message);
  return Node::single(node.emit(OpKind::Cast, {node.input(0)}, {{"to", std::string(name_of(*to))}}));
}

Result<Values> map_gelu(Node& node) {
  std::string form = node.attributes().text("approximate", "none");
  return Node::single(node.emit(OpKind::Gelu, {node.input(0)}, {{"approximate", form}}));
}

// x * tanh(softplus(x))
Result<Values> map_mish(Node& node) {
  HONE_TRY(ValueId soft, node.emit(OpKind::Softplus, {node.input(0)}));
  HONE_TRY(ValueId gate, node.emit(OpKind::Tanh, {soft}));
  return Node::single(node.emit(OpKind::Mul, {node.input(0), gate}));
}

}  // namespace hone::import
