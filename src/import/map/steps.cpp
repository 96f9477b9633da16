#include "import/map/steps_internal.h"

namespace hone::import {

ValueId Steps::keep(Result<ValueId> made) {
  if (made) return *made;
  problem_ = made.problem();
  return ir::kAbsent;
}

ValueId Steps::op(OpKind kind, Values inputs, AttributeMap attributes, const ir::TensorType& type) {
  if (failed()) return ir::kAbsent;
  return keep(node_.emit(kind, std::move(inputs), std::move(attributes), type));
}

ValueId Steps::cast(ValueId value, ir::DType to) {
  if (failed() || dtype(value) == to) return value;
  return op(OpKind::Cast, {value}, {{"to", std::string(name_of(to))}});
}

ValueId Steps::reduce(OpKind kind, ValueId value, std::vector<int64_t> axes, bool keep) {
  return op(kind, {value}, {{"axes", std::move(axes)}, {"keepdims", int64_t{keep}}});
}

ValueId Steps::reshape(ValueId value, const ir::Shape& shape) {
  return failed() ? ir::kAbsent : keep(node_.reshape(value, shape));
}

ValueId Steps::transpose(ValueId value, std::vector<int64_t> perm) {
  return op(OpKind::Transpose, {value}, {{"perm", std::move(perm)}});
}

ValueId Steps::expand(ValueId value, const ir::Shape& shape) {
  return failed() ? ir::kAbsent : op(OpKind::Expand, {value}, {}, {dtype(value), shape});
}

ValueId Steps::concat(Values values, int64_t axis) {
  return op(OpKind::Concat, std::move(values), {{"axis", axis}});
}

ValueId Steps::slice(ValueId value, size_t axis, int64_t start, const Index& length, int64_t step) {
  if (failed()) return ir::kAbsent;
  ir::TensorType type = node_.type_of(value);
  type.shape[axis] = length;
  std::vector<int64_t> starts(type.shape.size(), 0), steps(type.shape.size(), 1);
  starts[axis] = start;
  steps[axis] = step;
  return op(OpKind::Slice, {value}, {{"starts", starts}, {"steps", steps}}, type);
}

ValueId Steps::take(ValueId value, size_t axis, const Index& first, const Index& length, int64_t step) {
  ValueId places = positions(length);
  if (step != 1) places = mul(places, number(ir::DType::I64, static_cast<double>(step)));
  if (!first.is(0)) places = add(places, size(first));
  return op(OpKind::Gather, {value, places}, {{"axis", static_cast<int64_t>(axis)}});
}

ValueId Steps::take_or_fill(ValueId value, size_t axis, const Index& first, const Index& length, double fill) {
  if (failed()) return ir::kAbsent;
  const ir::Shape shape = node_.type_of(value).shape;
  ValueId places = add(positions(length, shape.size() - axis - 1), size(first));
  ValueId inside =
      op(OpKind::And, {op(OpKind::GreaterOrEqual, {places, size(0)}), op(OpKind::Less, {places, size(shape[axis])})});
  // What is read outside is brought inside, and not used.
  ValueId read = op(OpKind::Gather, {value, reshape(places, {length})}, {{"axis", static_cast<int64_t>(axis)}});
  return where(inside, read, number(dtype(value), fill));
}

ValueId Steps::number(ir::DType type, double value) {
  return failed() ? ir::kAbsent : keep(node_.scalar(type, value));
}

ValueId Steps::size(const Index& size) {
  return failed() ? ir::kAbsent : keep(node_.size(size));
}

ValueId Steps::positions(const Index& count, size_t after) {
  ValueId range = op(OpKind::Range, {}, {{"start", int64_t{0}}, {"delta", int64_t{1}}, {"dtype", std::string("i64")}},
                     {ir::DType::I64, {count}});
  ir::Shape shape(after + 1, Index(1));
  shape[0] = count;
  return reshape(range, shape);
}

ir::DType Steps::dtype(ValueId value) const {
  return failed() ? ir::DType::F32 : node_.type_of(value).dtype;
}

Result<Values> Steps::done(Values values) const {
  if (problem_) return *problem_;
  return values;
}

}  // namespace hone::import
