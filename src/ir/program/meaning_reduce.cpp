#include "ir/program/meaning_parts.h"
#include "ir/program/reduce_axes.h"

namespace hone::ir {
namespace {

Combine combine_of(OpKind kind) {
  switch (kind) {
    case OpKind::ReduceMax:
      return Combine::Max;
    case OpKind::ReduceMaxNumber:
      return Combine::MaxNumber;
    case OpKind::ReduceMin:
      return Combine::Min;
    case OpKind::ReduceProd:
      return Combine::Prod;
    default:
      return Combine::Sum;
  }
}

Scalar body_of(OpKind kind, const Scalar& x) {
  switch (kind) {
    case OpKind::ReduceSumSquare:
    case OpKind::ReduceL2:
      return apply(ScalarOp::Mul, {x, x});
    case OpKind::ReduceL1:
      return apply(ScalarOp::Abs, {x});
    default:
      return x;
  }
}

Scalar finish_of(OpKind kind, DType type, const Index& count) {
  Scalar combined = access_value(type, 0);
  if (kind == OpKind::ReduceMean) return apply(ScalarOp::Div, {combined, index_value(type, count)});
  if (kind != OpKind::ReduceL2) return nullptr;
  // The root of an integer is taken as a double and cut off.
  DType root = is_float(type) ? type : DType::F64;
  return cast(type, apply(ScalarOp::Sqrt, {cast(root, combined)}));
}

}  // namespace

Indexed reduction_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  std::vector<bool> reduced = reduced_dimensions(op, x.shape.size());
  bool keep = op.integer("keepdims", 1) != 0;
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = x.dtype;
  meaning.combine = combine_of(op.kind);
  std::vector<Index> index;
  Index count = 1;
  size_t next = 0;
  for (size_t i = 0; i < x.shape.size(); ++i) {
    index.push_back(reduced[i] ? add_reduce(meaning, x.shape[i]) : result_axis(next));
    if (reduced[i]) count = count * x.shape[i];
    if (!reduced[i] || keep) ++next;
  }
  meaning.accesses = {{0, index, {}}};
  meaning.body = body_of(op.kind, access_value(x.dtype, 0));
  meaning.finish = finish_of(op.kind, x.dtype, count);
  return settled(std::move(meaning));
}

}  // namespace hone::ir
