#include "import/node_internal.h"

namespace hone::import {

Result<Values> map_plain(Node& node) {
  return Node::single(node.emit(node.kind(), node.inputs()));
}

namespace {

// Operands that broadcast. Until opset 6 the dimensions of the second one could stand for those of the first from an axis
// on, rather than for the last ones.
Result<Values> broadcast_operands(Node& node) {
  Values values = node.inputs();
  if (node.opset() < 7 && values.size() == 2 && node.attributes().has("axis")) {
    HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
    ir::Shape shape = node.shape(1);
    size_t given = static_cast<size_t>(axis) + shape.size();
    if (given > node.rank(0))
      return error("its second operand of rank {} does not fit at axis {} of rank {}", shape.size(), axis,
                   node.rank(0));
    shape.resize(shape.size() + node.rank(0) - given, ir::Index(1));
    HONE_TRY(values[1], node.reshape(values[1], shape));
  }
  HONE_PASS(node.match_broadcast(values));
  return values;
}

}  // namespace

Result<Values> map_broadcast(Node& node) {
  HONE_TRY(Values values, broadcast_operands(node));
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

namespace {

// An integer to the power of a float is what truncation leaves of it. Whole exponents are exact; else what is a whole
// number but for the error of the power is one.
Result<ValueId> truncated_power(Node& node, ValueId base, ValueId exponent) {
  ir::DType type = node.type_of(base).dtype;
  HONE_TRY(exponent, node.cast(exponent, ir::DType::F64));
  HONE_TRY(ValueId count, node.cast(exponent, type));
  HONE_TRY(ValueId exact, node.emit(OpKind::Pow, {base, count}));
  HONE_TRY(ValueId real, node.cast(base, ir::DType::F64));
  HONE_TRY(ValueId power, node.emit(OpKind::Pow, {real, exponent}));
  HONE_TRY(ValueId nearest, node.emit(OpKind::Round, {power}));
  HONE_TRY(ValueId apart, node.emit(OpKind::Sub, {power, nearest}));
  HONE_TRY(apart, node.emit(OpKind::Abs, {apart}));
  HONE_TRY(ValueId size, node.emit(OpKind::Abs, {power}));
  HONE_TRY(ValueId share, node.scalar(ir::DType::F64, 0x1p-42));
  HONE_TRY(ValueId error_bound, node.emit(OpKind::Mul, {size, share}));
  HONE_TRY(ValueId whole, node.emit(OpKind::LessOrEqual, {apart, error_bound}));
  HONE_TRY(power, node.emit(OpKind::Where, {whole, nearest, power}));
  HONE_TRY(power, node.cast(power, type));
  HONE_TRY(ValueId floor, node.emit(OpKind::Floor, {exponent}));
  HONE_TRY(ValueId is_count, node.emit(OpKind::Equal, {floor, exponent}));
  return node.emit(OpKind::Where, {is_count, exact, power});
}

}  // namespace

// The exponent may be of another type than the base, which is that of the result.
Result<Values> map_pow(Node& node) {
  HONE_TRY(Values values, broadcast_operands(node));
  ir::DType type = node.type(0).dtype, exponent = node.type(1).dtype;
  if (is_integer(type) && is_float(exponent)) return Node::single(truncated_power(node, values[0], values[1]));
  HONE_TRY(values[1], node.cast(values[1], type));
  return Node::single(node.emit(OpKind::Pow, values));
}

// Until opset 6 a slope of rank 1 is one per channel.
Result<Values> map_prelu(Node& node) {
  Values values = node.inputs();
  if (node.opset() < 7 && node.rank(1) == 1 && node.rank(0) > 2 && !node.shape(1)[0].is(1)) {
    ir::Shape shape(node.rank(0) - 1, ir::Index(1));
    shape[0] = node.shape(1)[0];
    HONE_TRY(values[1], node.reshape(values[1], shape));
  }
  HONE_PASS(node.match_broadcast(values));
  return Node::single(node.emit(OpKind::PRelu, values));
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
    Values values{value, node.input(k + 1)};
    HONE_PASS(node.match_broadcast(values));
    HONE_TRY(value, node.emit(kinds[k], values));
  }
  return Values{value};
}

namespace {

// Until opset 5 the target of a Cast is the name of a type.
Result<ir::DType> cast_target(Node& node) {
  if (node.op_type() == "CastLike") return node.type(1).dtype;
  if (node.opset() >= 6) return dtype_of(static_cast<int>(node.attributes().integer("to", 0)));
  std::string name = node.attributes().text("to", "");
  onnx::TensorProto_DataType type{};
  if (!onnx::TensorProto_DataType_Parse(name, &type)) return error("'{}' is no element type", name);
  return dtype_of(type);
}

}  // namespace

Result<Values> map_cast(Node& node) {
  auto to = cast_target(node);
  if (!to) return error("its target {}", to.problem().message);
  AttributeMap map{{"to", std::string(name_of(*to))}};
  if (is_storage(*to)) {
    map["saturate"] = node.attributes().integer("saturate", 1);
    map["round_mode"] = node.attributes().text("round_mode", "up");
  }
  return Node::single(node.emit(OpKind::Cast, {node.input(0)}, map));
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
