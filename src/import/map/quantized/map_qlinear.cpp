// Quantised operators of com.microsoft that are no contractions: dequantised, computed in f32, and quantised again.
#include <numeric>

#include "import/map/quantized/quantize_internal.h"

namespace hone::import {

namespace {

// A tensor's scale or zero point: one number, which broadcasts to everything.
Result<ValueId> one_number(Node& node, size_t k) {
  if (!node.has(k)) return error("input number {} is missing", k);
  if (!product(node.shape(k)).is(1)) return error("its input number {} is not one number", k);
  return node.reshape(node.input(k), {});
}

// Of a tensor that stands before its scale and zero point.
Result<ValueId> dequantised(Node& node, size_t k) {
  if (!node.has(k)) return error("input number {} is missing", k);
  DType type = node.type(k).dtype;
  if (!is_integer(type) || size_of(type) != 1)
    return error("its input number {} is {}, not i8 or u8", k, name_of(type));
  HONE_TRY(ValueId value, node.cast(node.input(k), DType::F32));
  HONE_TRY(ValueId scale, one_number(node, k + 1));
  if (node.has(k + 2)) {
    HONE_TRY(ValueId zero, one_number(node, k + 2));
    HONE_TRY(zero, node.cast(zero, DType::F32));
    HONE_TRY(value, node.emit(OpKind::Sub, {value, zero}));
  }
  return node.emit(OpKind::Mul, {value, scale});
}

// With the scale that is input `k` and the zero point behind it.
Result<Values> quantised_again(Node& node, ValueId value, size_t k, DType type) {
  HONE_TRY(ValueId scale, one_number(node, k));
  ValueId zero = ir::kAbsent;
  if (node.has(k + 1)) {
    HONE_TRY(zero, one_number(node, k + 1));
    if (node.type(k + 1).dtype != type)
      return error("its result is {}, its zero point {}", name_of(type), name_of(node.type(k + 1).dtype));
  }
  HONE_TRY(ValueId ratio, node.emit(OpKind::Div, {value, scale}));
  return Node::single(quantised(node, ratio, zero, type, true));
}

}  // namespace

Result<Values> map_qlinear_binary(Node& node) {
  Values operands(2);
  HONE_TRY(operands[0], dequantised(node, 0));
  HONE_TRY(operands[1], dequantised(node, 3));
  HONE_PASS(node.match_broadcast(operands));
  HONE_TRY(ValueId result, node.emit(node.kind(), operands));
  return quantised_again(node, result, 6, node.type(0).dtype);
}

Result<Values> map_qlinear_activation(Node& node) {
  AttributeMap attributes;
  if (node.kind() == OpKind::LeakyRelu) attributes = {{"alpha", node.attributes().number("alpha", 0.01F)}};
  HONE_TRY(ValueId value, dequantised(node, 0));
  HONE_TRY(value, node.emit(node.kind(), {value}, attributes));
  return quantised_again(node, value, 3, node.type(0).dtype);
}

Result<Values> map_qlinear_concat(Node& node) {
  if (node.input_count() % 3 != 2) return error("it has {} inputs, not 2 and 3 for each part", node.input_count());
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 1), node.rank(2)));
  Values parts;
  for (size_t k = 2; k < node.input_count(); k += 3) {
    HONE_TRY(ValueId part, dequantised(node, k));
    if (node.rank(k) != node.rank(2)) return error("its parts have ranks {} and {}", node.rank(2), node.rank(k));
    for (size_t d = 0; d < node.rank(2) && !parts.empty(); ++d)
      if (static_cast<int>(d) != axis) HONE_PASS(node.match(parts[0], d, part, d));
    parts.push_back(part);
  }
  HONE_TRY(ValueId whole, node.emit(OpKind::Concat, parts, {{"axis", int64_t{axis}}}));
  return quantised_again(node, whole, 0, node.type(2).dtype);
}

Result<Values> map_qlinear_global_average_pool(Node& node) {
  if (node.rank(0) < 3) return error("its input has rank {}; 3 or more would work", node.rank(0));
  bool channels_last = node.attributes().integer("channels_last", 0) != 0;
  std::vector<int64_t> axes(node.rank(0) - 2);
  std::iota(axes.begin(), axes.end(), channels_last ? 1 : 2);
  HONE_TRY(ValueId value, dequantised(node, 0));
  HONE_TRY(value, node.emit(OpKind::ReduceMean, {value}, {{"axes", axes}, {"keepdims", int64_t{1}}}));
  return quantised_again(node, value, 3, node.type(0).dtype);
}

}  // namespace hone::import
