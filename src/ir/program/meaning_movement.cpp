#include "ir/program/meaning_parts.h"
#include "ir/program/resize.h"

namespace hone::ir {
namespace {

// A legal index lies in [-size, size), so its remainder by the size counts negative ones from the end.
Index read_index(const Index& size, int access = 0) {
  return size.is(1) ? Index(0) : mod(Index::read(access), size);
}

Indexed gather_meaning(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  const TensorType& result = program.type(op.outputs[0]);
  size_t axis = static_cast<size_t>(*axis_attribute(op, "axis", 0, data.shape.size()));
  size_t inserted = indices.shape.size();
  bool elements = op.kind == OpKind::GatherElements;
  std::vector<Index> where, index;
  for (size_t i = 0; i < inserted; ++i) where.push_back(result_axis(elements ? i : axis + i));
  for (size_t i = 0; i < data.shape.size(); ++i) {
    size_t from = elements || i < axis ? i : i + inserted - 1;
    index.push_back(i == axis ? read_index(data.shape[axis]) : result_axis(from));
  }
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = data.dtype;
  meaning.accesses = {{1, where, {}}, {0, index, {}}};
  meaning.body = access_value(data.dtype, 1);
  return meaning;
}

Indexed gather_nd_meaning(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  size_t batch = static_cast<size_t>(op.integer("batch_dims", 0)), tuples = indices.shape.size() - 1;
  int depth = static_cast<int>(*indices.shape.back().constant());
  Indexed meaning;
  meaning.axes = result_axes(program.type(op.outputs[0]).shape);
  meaning.type = data.dtype;
  std::vector<Index> index = identity_index(batch);
  for (int k = 0; k < depth; ++k) {
    std::vector<Index> where = identity_index(tuples);
    where.push_back(k);
    meaning.accesses.push_back({1, where, {}});
    index.push_back(read_index(data.shape[batch + static_cast<size_t>(k)], k));
  }
  for (size_t i = tuples; i < meaning.axes.size(); ++i) index.push_back(result_axis(i));
  meaning.accesses.push_back({0, index, {}});
  meaning.body = access_value(data.dtype, depth);
  return meaning;
}

Indexed gather_points_meaning(const Program& program, const Op& op) {
  const TensorType& result = program.type(op.outputs[0]);
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = result.dtype;
  std::vector<Index> where = identity_index(result.shape.size()), index = identity_index(2);
  where.erase(where.begin() + 1);
  int dimensions = static_cast<int>(op.inputs.size()) - 1;
  for (int k = 0; k < dimensions; ++k) {
    meaning.accesses.push_back({k + 1, where, {}});
    index.push_back(Index::read(k));
  }
  meaning.accesses.push_back({0, index, {Border::Rule::Fill, 0}});
  meaning.body = access_value(result.dtype, dimensions);
  return meaning;
}

Border pad_border(const Op& op) {
  std::string mode = op.text("mode", "constant");
  if (mode == "reflect") return {Border::Rule::Reflect, 0};
  if (mode == "edge") return {Border::Rule::Clamp, 0};
  if (mode == "wrap") return {Border::Rule::Wrap, 0};
  return {Border::Rule::Fill, op.number("value", 0)};
}

Indexed pad_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  std::vector<int64_t> pads = op.integers("pads");
  std::vector<Index> index;
  for (size_t i = 0; i < x.shape.size(); ++i) index.push_back(result_axis(i) - pads[i]);
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = x.dtype;
  meaning.accesses = {{0, index, surely_inside(meaning, index, x.shape) ? Border{} : pad_border(op)}};
  meaning.body = access_value(x.dtype, 0);
  return meaning;
}

Scalar range_body(const Op& op, DType type) {
  if (is_integer(type)) return index_value(type, result_axis(0) * op.integer("delta", 1) + op.integer("start", 0));
  Scalar step = apply(ScalarOp::Mul, {index_value(type, result_axis(0)), constant(type, op.number("delta", 1))});
  return apply(ScalarOp::Add, {constant(type, op.number("start", 0)), step});
}

Scalar fill_body(const Op& op, DType type) {
  auto value = op.attributes.find("value");
  bool whole = value != op.attributes.end() && std::holds_alternative<int64_t>(value->second);
  return whole ? integer_constant(type, std::get<int64_t>(value->second)) : constant(type, op.number("value", 0));
}

Indexed made_meaning(const Program& program, const Op& op) {
  const TensorType& result = program.type(op.outputs[0]);
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = result.dtype;
  meaning.body = op.kind == OpKind::Range ? range_body(op, result.dtype) : fill_body(op, result.dtype);
  return meaning;
}

}  // namespace

Indexed movement_meaning(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::Gather:
    case OpKind::GatherElements:
      return gather_meaning(program, op);
    case OpKind::GatherND:
      return gather_nd_meaning(program, op);
    case OpKind::GatherPoints:
      return gather_points_meaning(program, op);
    case OpKind::Pad:
      return pad_meaning(program, op);
    case OpKind::Range:
    case OpKind::Fill:
      return made_meaning(program, op);
    case OpKind::Resize:
      return resize_meaning(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a movement", name_of(op.kind));
}

}  // namespace hone::ir
