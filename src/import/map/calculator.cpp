#include "import/map/calculator_internal.h"

namespace hone::import {

using ir::OpKind;
using ir::ValueId;

ValueId Calculator::keep(Result<ValueId> made) {
  if (made) return *made;
  problem_ = made.problem();
  return ir::kAbsent;
}

ValueId Calculator::op(OpKind kind, Values inputs, AttributeMap attributes, const ir::TensorType& type) {
  if (problem_) return ir::kAbsent;
  return keep(node_.emit(kind, std::move(inputs), std::move(attributes), type));
}

ValueId Calculator::number(double value) {
  return problem_ ? ir::kAbsent : keep(node_.scalar(type_, value));
}

ValueId Calculator::size(const ir::Index& size) {
  if (problem_) return ir::kAbsent;
  return cast(node_.size(size), type_);
}

ValueId Calculator::range(const ir::Index& length) {
  AttributeMap map{{"start", int64_t{0}}, {"delta", int64_t{1}}, {"dtype", std::string("i64")}};
  return cast(op(OpKind::Range, {}, map, {ir::DType::I64, {length}}), type_);
}

ValueId Calculator::cast(ValueId a, ir::DType type) {
  if (problem_ || type_of(a).dtype == type) return a;
  return op(OpKind::Cast, {a}, {{"to", std::string(name_of(type))}});
}

ValueId Calculator::reshape(ValueId a, const ir::Shape& shape) {
  return problem_ ? ir::kAbsent : keep(node_.reshape(a, shape));
}

ValueId Calculator::transpose(ValueId a, const std::vector<int64_t>& order) {
  return op(OpKind::Transpose, {a}, {{"perm", order}});
}

ValueId Calculator::sum(ValueId a, int64_t axis) {
  return op(OpKind::ReduceSum, {a}, {{"axes", std::vector<int64_t>{axis}}, {"keepdims", int64_t{0}}});
}

ValueId Calculator::pick(ValueId a, size_t dimension, int64_t at) {
  if (problem_) return ir::kAbsent;
  ir::Shape shape = shape_of(a);
  std::vector<int64_t> starts(shape.size(), 0);
  starts[dimension] = at;
  shape[dimension] = 1;
  ValueId slice = op(OpKind::Slice, {a}, {{"starts", starts}}, {type_of(a).dtype, shape});
  shape.erase(shape.begin() + static_cast<long>(dimension));
  return reshape(slice, shape);
}

const ir::TensorType& Calculator::type_of(ValueId id) const {
  static const ir::TensorType none;
  return problem_ ? none : node_.type_of(id);
}

Result<ValueId> Calculator::result(ValueId value) const {
  if (problem_) return *problem_;
  return value;
}

Result<Values> Calculator::results(Values values) const {
  if (problem_) return *problem_;
  return values;
}

}  // namespace hone::import
