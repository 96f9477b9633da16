// Activations that are put together from simpler operators.
#include "import/node_internal.h"

namespace hone::import {

// gamma * (x if x > 0, else alpha * (exp(x) - 1)). Opset 6 gave the constants all their digits.
Result<Values> map_selu(Node& node) {
  bool old = node.opset() < 6;
  double alpha = node.attributes().number("alpha", old ? 1.6732F : 1.67326319217681884765625);
  double gamma = node.attributes().number("gamma", old ? 1.0507F : 1.05070102214813232421875);
  HONE_TRY(ValueId bent, node.emit(OpKind::Elu, {node.input(0)}, {{"alpha", alpha}}));
  HONE_TRY(ValueId factor, node.scalar(node.type(0).dtype, gamma));
  return Node::single(node.emit(OpKind::Mul, {bent, factor}));
}

// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
Result<Values> map_celu(Node& node) {
  ir::DType type = node.type(0).dtype;
  HONE_TRY(ValueId alpha, node.scalar(type, node.attributes().number("alpha", 1)));
  HONE_TRY(ValueId zero, node.scalar(type, 0));
  HONE_TRY(ValueId one, node.scalar(type, 1));
  HONE_TRY(ValueId low, node.emit(OpKind::Div, {node.input(0), alpha}));
  HONE_TRY(low, node.emit(OpKind::Exp, {low}));
  HONE_TRY(low, node.emit(OpKind::Sub, {low, one}));
  HONE_TRY(low, node.emit(OpKind::Mul, {low, alpha}));
  HONE_TRY(low, node.emit(OpKind::Min, {low, zero}));
  HONE_TRY(ValueId high, node.emit(OpKind::Max, {node.input(0), zero}));
  return Node::single(node.emit(OpKind::Add, {high, low}));
}

// x * sigmoid(alpha * x)
Result<Values> map_swish(Node& node) {
  HONE_TRY(ValueId alpha, node.scalar(node.type(0).dtype, node.attributes().number("alpha", 1)));
  HONE_TRY(ValueId scaled, node.emit(OpKind::Mul, {node.input(0), alpha}));
  HONE_TRY(ValueId gate, node.emit(OpKind::Sigmoid, {scaled}));
  return Node::single(node.emit(OpKind::Mul, {node.input(0), gate}));
}

// x / (1 + |x|)
Result<Values> map_softsign(Node& node) {
  HONE_TRY(ValueId one, node.scalar(node.type(0).dtype, 1));
  HONE_TRY(ValueId size, node.emit(OpKind::Abs, {node.input(0)}));
  HONE_TRY(ValueId divisor, node.emit(OpKind::Add, {size, one}));
  return Node::single(node.emit(OpKind::Div, {node.input(0), divisor}));
}

// x if x > alpha, else 0
Result<Values> map_thresholded_relu(Node& node) {
  ir::DType type = node.type(0).dtype;
  HONE_TRY(ValueId alpha, node.scalar(type, node.attributes().number("alpha", 1)));
  HONE_TRY(ValueId zero, node.scalar(type, 0));
  HONE_TRY(ValueId above, node.emit(OpKind::Greater, {node.input(0), alpha}));
  return Node::single(node.emit(OpKind::Where, {above, node.input(0), zero}));
}

// x + bias below -lambd, x - bias above lambd, else 0. Both may be fractions though x holds integers.
Result<Values> map_shrink(Node& node) {
  ir::DType type = node.type(0).dtype;
  if (!is_float(type) && !is_integer(type)) return error("is not defined on {} tensors", name_of(type));
  ir::DType real = is_float(type) ? type : ir::DType::F64;
  HONE_TRY(ValueId x, node.cast(node.input(0), real));
  double bound = node.attributes().number("lambd", 0.5), bias = node.attributes().number("bias", 0);
  HONE_TRY(ValueId low, node.scalar(real, -bound));
  HONE_TRY(ValueId high, node.scalar(real, bound));
  HONE_TRY(ValueId shift, node.scalar(real, bias));
  HONE_TRY(ValueId zero, node.scalar(real, 0));
  HONE_TRY(ValueId below, node.emit(OpKind::Less, {x, low}));
  HONE_TRY(ValueId above, node.emit(OpKind::Greater, {x, high}));
  HONE_TRY(ValueId more, node.emit(OpKind::Add, {x, shift}));
  HONE_TRY(ValueId less, node.emit(OpKind::Sub, {x, shift}));
  HONE_TRY(ValueId result, node.emit(OpKind::Where, {above, less, zero}));
  HONE_TRY(result, node.emit(OpKind::Where, {below, more, result}));
  return Node::single(node.cast(result, type));
}

}  // namespace hone::import
