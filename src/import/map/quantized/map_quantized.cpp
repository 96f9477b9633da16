// Contractions of quantised numbers: exact in 32-bit integers, then scaled where the result is quantised again.
#include "import/map/contraction/contraction_internal.h"
#include "import/map/quantized/quantize_internal.h"

namespace hone::import {

namespace {

// Where a parameter that is given per row, per column or per channel stands in a shape that broadcasts.
enum class Per { Row, Column, Filter, Channel };

// A scale or zero point of an operand of some rank. One number serves everywhere.
Result<ValueId> parameter(Node& node, size_t k, Per per, size_t rank) {
  ir::Shape shape = node.shape(k);
  if (shape.size() <= 1 && product(shape).is(1)) return node.reshape(node.input(k), {});
  if (shape.size() != 1) return node.input(k);
  if (per == Per::Row) return rank < 2 ? Result<ValueId>(node.input(k)) : node.reshape(node.input(k), {shape[0], 1});
  if (per == Per::Column) return node.input(k);
  size_t at = per == Per::Filter ? 0 : 1;
  if (at >= rank) return error("its input number {} is per channel of a tensor of rank {}", k, rank);
  ir::Shape broadcast(rank, Index(1));
  broadcast[at] = shape[0];
  return node.reshape(node.input(k), broadcast);
}

// The operand less its zero point, as i32.
Result<ValueId> centred(Node& node, size_t k, size_t zero_at, Per per) {
  DType type = node.type(k).dtype;
  if (!is_integer(type) || size_of(type) != 1)
    return error("its input number {} is {}, not i8 or u8", k, name_of(type));
  HONE_TRY(ValueId value, node.cast(node.input(k), DType::I32));
  if (!node.has(zero_at)) return value;
  if (node.type(zero_at).dtype != type)
    return error("its input number {} is {}, its zero point {}", k, name_of(type), name_of(node.type(zero_at).dtype));
  HONE_TRY(ValueId zero, parameter(node, zero_at, per, node.rank(k)));
  HONE_TRY(zero, node.cast(zero, DType::I32));
  Values operands{value, zero};
  HONE_PASS(node.match_broadcast(operands));
  return node.emit(OpKind::Sub, operands);
}

struct Scales {
  ValueId a, b, y;
  size_t zero_at;  // of the result
};

// result * (a * b / y), quantised to the type of the zero point.
Result<Values> requantised(Node& node, ValueId sum, const Scales& scales) {
  DType type = node.type(scales.zero_at).dtype;
  if (!is_integer(type) || size_of(type) != 1) return error("its result is {}, not i8 or u8", name_of(type));
  Values factors{scales.a, scales.b, scales.y};
  for (ValueId& factor : factors) {
    HONE_TRY(factor, node.cast(factor, DType::F32));
  }
  HONE_TRY(ValueId factor, node.emit(OpKind::Mul, {factors[0], factors[1]}));
  HONE_TRY(factor, node.emit(OpKind::Div, {factor, factors[2]}));
  HONE_TRY(ValueId ratio, node.cast(sum, DType::F32));
  HONE_TRY(ratio, node.emit(OpKind::Mul, {ratio, factor}));
  HONE_TRY(ValueId zero, parameter(node, scales.zero_at, Per::Channel, node.type_of(sum).shape.size()));
  return Node::single(quantised(node, ratio, zero, type, true));
}

}  // namespace

Result<Values> map_matmul_integer(Node& node) {
  HONE_TRY(ValueId a, centred(node, 0, 2, Per::Row));
  HONE_TRY(ValueId b, centred(node, 1, 3, Per::Column));
  return Node::single(matrix_product(node, a, b));
}

Result<Values> map_conv_integer(Node& node) {
  HONE_TRY(ValueId x, centred(node, 0, 2, Per::Channel));
  HONE_TRY(ValueId w, centred(node, 1, 3, Per::Filter));
  return Node::single(convolution(node, x, w, ir::kAbsent));
}

Result<Values> map_qlinear_matmul(Node& node) {
  HONE_TRY(ValueId a, centred(node, 0, 2, Per::Row));
  HONE_TRY(ValueId b, centred(node, 3, 5, Per::Column));
  HONE_TRY(ValueId sum, matrix_product(node, a, b));
  Scales scales{.a = ir::kAbsent, .b = ir::kAbsent, .y = ir::kAbsent, .zero_at = 7};
  HONE_TRY(scales.a, parameter(node, 1, Per::Row, node.rank(0)));
  HONE_TRY(scales.b, parameter(node, 4, Per::Column, node.rank(3)));
  HONE_TRY(scales.y, parameter(node, 6, Per::Row, node.type_of(sum).shape.size()));
  if (!product(node.shape(7)).is(1)) return error("its result has a zero point per row; one for all would work");
  return requantised(node, sum, scales);
}

Result<Values> map_qlinear_conv(Node& node) {
  HONE_TRY(ValueId x, centred(node, 0, 2, Per::Channel));
  HONE_TRY(ValueId w, centred(node, 3, 5, Per::Filter));
  HONE_TRY(ValueId sum, convolution(node, x, w, node.input(8)));
  size_t rank = node.rank(0);
  Scales scales{.a = ir::kAbsent, .b = ir::kAbsent, .y = ir::kAbsent, .zero_at = 7};
  HONE_TRY(scales.a, parameter(node, 1, Per::Channel, rank));
  HONE_TRY(scales.b, parameter(node, 4, Per::Channel, rank));
  HONE_TRY(scales.y, parameter(node, 6, Per::Channel, rank));
  return requantised(node, sum, scales);
}

namespace {

// A matrix of i32, transposed if the attribute says so.
Result<ValueId> turned_if(Node& node, ValueId matrix, const char* attribute) {
  if (node.attributes().integer(attribute, 0) == 0) return matrix;
  return node.emit(OpKind::Transpose, {matrix}, {{"perm", std::vector<int64_t>{1, 0}}});
}

// sum * a * b as f32.
Result<ValueId> scaled(Node& node, ValueId sum, ValueId a, ValueId b) {
  HONE_TRY(ValueId factor, node.emit(OpKind::Mul, {a, b}));
  HONE_TRY(ValueId value, node.cast(sum, DType::F32));
  return node.emit(OpKind::Mul, {value, factor});
}

}  // namespace

// The third operand has the scale of the product, and no zero point. Without a scale of its own the result is f32.
Result<Values> map_qgemm(Node& node) {
  if (node.rank(0) != 2 || node.rank(3) != 2)
    return error("its matrices have ranks {} and {}, not 2", node.rank(0), node.rank(3));
  double alpha = node.attributes().number("alpha", 1);
  HONE_TRY(ValueId a, centred(node, 0, 2, Per::Row));
  HONE_TRY(ValueId b, centred(node, 3, 5, node.attributes().integer("transB", 0) != 0 ? Per::Row : Per::Column));
  HONE_TRY(a, turned_if(node, a, "transA"));
  HONE_TRY(b, turned_if(node, b, "transB"));
  HONE_TRY(ValueId sum, matrix_product(node, a, b));
  if (node.has(6)) {
    Values operands{sum, node.input(6)};
    HONE_PASS(node.match_broadcast(operands));
    HONE_TRY(sum, node.emit(OpKind::Add, operands));
  }
  HONE_TRY(ValueId scale_a, parameter(node, 1, Per::Row, 2));
  HONE_TRY(ValueId scale_b, parameter(node, 4, Per::Column, 2));
  if (alpha != 1) {
    HONE_TRY(ValueId factor, node.scalar(DType::F32, alpha));
    HONE_TRY(scale_a, node.emit(OpKind::Mul, {scale_a, factor}));
  }
  if (!node.has(7)) return Node::single(scaled(node, sum, scale_a, scale_b));
  if (!node.has(8)) return error("its result has a scale and no zero point");
  HONE_TRY(ValueId scale_y, parameter(node, 7, Per::Row, 2));
  return requantised(node, sum, {.a = scale_a, .b = scale_b, .y = scale_y, .zero_at = 8});
}

Result<Values> map_matmul_integer_to_float(Node& node) {
  HONE_TRY(ValueId a, centred(node, 0, 4, Per::Row));
  HONE_TRY(ValueId b, centred(node, 1, 5, Per::Column));
  HONE_TRY(ValueId sum, matrix_product(node, a, b));
  HONE_TRY(ValueId scale_a, parameter(node, 2, Per::Row, node.rank(0)));
  HONE_TRY(ValueId scale_b, parameter(node, 3, Per::Column, node.rank(1)));
  HONE_TRY(ValueId value, scaled(node, sum, scale_a, scale_b));
  if (!node.has(6)) return Values{value};
  Values operands{value, node.input(6)};
  HONE_PASS(node.match_broadcast(operands));
  return Node::single(node.emit(OpKind::Add, operands));
}

}  // namespace hone::import
