// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear.
#include "import/map/quantized/quantize_internal.h"

namespace hone::import {

namespace {

// The least and the largest number of a type to quantise to; nothing for floats.
struct Limits {
  double low, high;
};
std::optional<Limits> limits_of(DType type) {
  bool small_signed = type == DType::I4 || type == DType::I2;
  if (!is_integer(type) && !small_signed && type != DType::U4 && type != DType::U2) return std::nullopt;
  double count = static_cast<double>(int64_t{1} << width_of(type));
  if (is_signed(type) || small_signed) return Limits{-count / 2, count / 2 - 1};
  return Limits{0, count - 1};
}

bool may_hold_quantised(DType type) {
  if (is_storage(type)) return type != DType::F8E8M0;
  return is_integer(type) && size_of(type) <= 2;
}

// A parameter per block along the axis, repeated so that there is one per element of x.
Result<ValueId> blockwise(Node& node, ValueId parameter, size_t axis, int64_t block) {
  ir::TensorType type = node.type_of(parameter);
  const ir::Shape x = node.shape(0);
  if (type.shape.size() != x.size())
    return error("a parameter per block has rank {}, its input {}", type.shape.size(), x.size());
  for (size_t d = 0; d < x.size(); ++d) {
    Index wanted = d == axis ? ceil_div(x[d], block) : x[d];
    if (provably_different(type.shape[d], wanted))
      return error("dimension {} of a parameter per block has size {}, not {}", d, type.shape[d].text(), wanted.text());
  }
  auto at = static_cast<std::ptrdiff_t>(axis);
  ir::Shape apart = type.shape, repeated = type.shape, flat = x;
  apart.insert(apart.begin() + at + 1, Index(1));
  repeated.insert(repeated.begin() + at + 1, Index(block));
  flat[axis] = type.shape[axis] * block;
  HONE_TRY(parameter, node.reshape(parameter, apart));
  HONE_TRY(parameter, node.emit(OpKind::Expand, {parameter}, {}, {type.dtype, repeated}));
  HONE_TRY(parameter, node.reshape(parameter, flat));
  if (flat[axis] == x[axis]) return parameter;
  return node.emit(OpKind::Slice, {parameter}, {{"starts", std::vector<int64_t>(x.size(), 0)}}, {type.dtype, x});
}

// A scale or zero point in a shape that broadcasts against the node's first input: one number, or one per element of an
// axis, or one per block of it.
Result<ValueId> spread(Node& node, size_t k) {
  ir::Shape shape = node.shape(k);
  int64_t block = node.attributes().integer("block_size", 0);
  if (product(shape).is(1) && (block == 0 || shape.size() <= 1)) return node.reshape(node.input(k), {});
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 1), node.rank(0)));
  size_t d = static_cast<size_t>(axis);
  if (block < 0) return error("its block_size is {}", block);
  if (block > 0) return blockwise(node, node.input(k), d, block);
  if (shape.size() != 1)
    return error("its input number {} has rank {}; without blocks 0 or 1 would work", k, shape.size());
  ValueId parameter = node.input(k), x = node.input(0);
  HONE_PASS(node.match(x, d, parameter, 0));
  ir::Shape broadcast(node.rank(0), Index(1));
  broadcast[d] = node.type_of(parameter).shape[0];
  return node.reshape(parameter, broadcast);
}

Result<DType> typed_attribute(Node& node, const char* name, DType otherwise) {
  int64_t given = node.attributes().integer(name, 0);
  if (given == 0) return otherwise;
  auto type = dtype_of(static_cast<int>(given));
  if (!type) return error("its {} {}", name, type.problem().message);
  return *type;
}

// Whole numbers up to those of 16 bits are exact in f32, and so are their differences.
DType wide_enough(DType type) {
  return type == DType::F64 ? DType::F64 : DType::F32;
}

}  // namespace

Result<ValueId> quantised(Node& node, ValueId ratio, ValueId zero_point, DType type, bool saturate) {
  auto limits = limits_of(type);
  if (limits) {
    HONE_TRY(ratio, node.emit(OpKind::Round, {ratio}));
  }
  DType real = wide_enough(node.type_of(ratio).dtype);
  if (limits) {
    HONE_TRY(ratio, node.cast(ratio, real));
  }
  if (zero_point != ir::kAbsent) {
    HONE_TRY(zero_point, node.cast(zero_point, node.type_of(ratio).dtype));
    HONE_TRY(ratio, node.emit(OpKind::Add, {ratio, zero_point}));
  }
  if (limits) {
    HONE_TRY(ratio, node.emit(OpKind::Clip, {ratio}, {{"min", limits->low}, {"max", limits->high}}));
  }
  AttributeMap map{{"to", std::string(name_of(type))}};
  if (!saturate) map["saturate"] = int64_t{0};
  return node.emit(OpKind::Cast, {ratio}, map);
}

Result<Values> map_quantize(Node& node) {
  HONE_TRY(DType type, typed_attribute(node, "output_dtype", node.has(2) ? node.type(2).dtype : DType::U8));
  if (node.has(2) && node.type(2).dtype != type)
    return error("its output_dtype is {}, its zero point {}", name_of(type), name_of(node.type(2).dtype));
  if (!may_hold_quantised(type)) return error("it cannot quantise to {}", name_of(type));
  HONE_TRY(DType precision, typed_attribute(node, "precision", node.type(1).dtype));
  if (!is_float(precision))
    return error("it cannot divide in {}; a scale or precision of floats would work", name_of(precision));
  HONE_TRY(ValueId scale, spread(node, 1));
  HONE_TRY(scale, node.cast(scale, precision));
  HONE_TRY(ValueId x, node.cast(node.input(0), precision));
  HONE_TRY(ValueId ratio, node.emit(OpKind::Div, {x, scale}));
  ValueId zero_point = ir::kAbsent;
  if (node.has(2)) {
    HONE_TRY(zero_point, spread(node, 2));
  }
  return Node::single(quantised(node, ratio, zero_point, type, node.attributes().integer("saturate", 1) != 0));
}

Result<Values> map_dequantize(Node& node) {
  DType from = node.type(0).dtype;
  if (!may_hold_quantised(from) && from != DType::I32) return error("it cannot dequantise {}", name_of(from));
  HONE_TRY(DType type, typed_attribute(node, "output_dtype", node.type(1).dtype));
  if (!is_float(type)) return error("it cannot dequantise to {}; a float would work", name_of(type));
  HONE_TRY(ValueId value, node.cast(node.input(0), DType::F32));
  if (node.has(2)) {
    if (node.type(2).dtype != from)
      return error("its input is {}, its zero point {}", name_of(from), name_of(node.type(2).dtype));
    HONE_TRY(ValueId zero_point, spread(node, 2));
    HONE_TRY(zero_point, node.cast(zero_point, DType::F32));
    HONE_TRY(value, node.emit(OpKind::Sub, {value, zero_point}));
  }
  HONE_TRY(ValueId scale, spread(node, 1));
  HONE_TRY(scale, node.cast(scale, DType::F32));
  HONE_TRY(value, node.emit(OpKind::Mul, {value, scale}));
  return Node::single(node.cast(value, type));
}

// To u8, with a scale that spans the input and zero, and the zero point that makes zero exact.
Result<Values> map_dynamic_quantize(Node& node) {
  if (node.type(0).dtype != DType::F32) return error("is not defined on {} tensors", name_of(node.type(0).dtype));
  std::vector<int64_t> axes;
  for (size_t d = 0; d < node.rank(0); ++d) axes.push_back(static_cast<int64_t>(d));
  AttributeMap over{{"axes", axes}, {"keepdims", int64_t{0}}};
  ValueId x = node.input(0);
  HONE_TRY(ValueId zero, node.scalar(DType::F32, 0));
  HONE_TRY(ValueId one, node.scalar(DType::F32, 1));
  HONE_TRY(ValueId steps, node.scalar(DType::F32, 255));
  HONE_TRY(ValueId high, node.emit(OpKind::ReduceMax, {x}, over));
  HONE_TRY(high, node.emit(OpKind::Max, {high, zero}));
  HONE_TRY(ValueId low, node.emit(OpKind::ReduceMin, {x}, over));
  HONE_TRY(low, node.emit(OpKind::Min, {low, zero}));
  HONE_TRY(ValueId span, node.emit(OpKind::Sub, {high, low}));
  HONE_TRY(ValueId flat, node.emit(OpKind::Equal, {span, zero}));
  HONE_TRY(span, node.emit(OpKind::Where, {flat, one, span}));
  HONE_TRY(ValueId scale, node.emit(OpKind::Div, {span, steps}));
  HONE_TRY(ValueId below, node.emit(OpKind::Neg, {low}));
  HONE_TRY(ValueId offset, node.emit(OpKind::Div, {below, scale}));
  HONE_TRY(ValueId zero_point, quantised(node, offset, ir::kAbsent, DType::U8, true));
  HONE_TRY(ValueId ratio, node.emit(OpKind::Div, {x, scale}));
  HONE_TRY(ValueId result, quantised(node, ratio, zero_point, DType::U8, true));
  return Values{result, scale, zero_point};
}

}  // namespace hone::import
