#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Result<Types> infer_reshape(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_TRY(TensorType result, declared_type(program, op));
  if (surely_differ(product(x.shape), product(result.shape)))
    return refusal(op, "{} and {} hold different numbers of elements", shape_text(x.shape), shape_text(result.shape));
  return Types{{x.dtype, result.shape}};
}

Result<Types> infer_transpose(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  std::vector<int64_t> order = op.integers("perm");
  std::vector<bool> seen(x.shape.size(), false);
  Shape shape;
  for (int64_t from : order) {
    if (from < 0 || from >= static_cast<int64_t>(seen.size()) || seen[static_cast<size_t>(from)]) break;
    seen[static_cast<size_t>(from)] = true;
    shape.push_back(x.shape[static_cast<size_t>(from)]);
  }
  if (shape.size() != x.shape.size() || order.size() != x.shape.size())
    return refusal(op, "perm is no permutation of {} dimensions", x.shape.size());
  return Types{{x.dtype, shape}};
}

Result<Types> infer_slice(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_TRY(TensorType result, declared_type(program, op));
  HONE_PASS(expect_rank(op, "its result", result, x.shape.size()));
  size_t rank = x.shape.size();
  std::vector<int64_t> starts = op.integers("starts", std::vector<int64_t>(rank, 0));
  std::vector<int64_t> steps = op.integers("steps", std::vector<int64_t>(rank, 1));
  if (starts.size() != rank || steps.size() != rank) return refusal(op, "starts and steps need {} entries", rank);
  for (size_t i = 0; i < rank; ++i) {
    Index first = starts[i] < 0 ? x.shape[i] + starts[i] : Index(starts[i]);
    auto begin = first.constant(), last = (first + (result.shape[i] - 1) * steps[i]).constant(),
         size = x.shape[i].constant();
    if (result.shape[i].is(0) || !size) continue;
    if ((begin && (*begin < 0 || *begin >= *size)) || (last && (*last < 0 || *last >= *size)))
      return refusal(op, "leaves its input in dimension {}: start {}, step {}, {} of {}", i, starts[i], steps[i],
                     result.shape[i].text(), x.shape[i].text());
  }
  return Types{{x.dtype, result.shape}};
}

Result<Types> infer_expand(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_TRY(TensorType result, declared_type(program, op));
  HONE_PASS(broadcasts_to(op, x.shape, result.shape));
  return Types{{x.dtype, result.shape}};
}

Result<Types> infer_concat(const Program& program, const Op& op) {
  TensorType result = input_type(program, op, 0);
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, result.shape.size()));
  for (size_t k = 1; k < op.inputs.size(); ++k) {
    const TensorType& part = input_type(program, op, k);
    HONE_PASS(expect_same_dtype(op, result, part));
    HONE_PASS(expect_rank(op, "each operand", part, result.shape.size()));
    for (size_t i = 0; i < result.shape.size(); ++i) {
      if (static_cast<int>(i) == axis)
        result.shape[i] = result.shape[i] + part.shape[i];
      else
        HONE_PASS(expect_same_size(op, "sizes beside the axis", result.shape[i], part.shape[i]));
    }
  }
  return Types{result};
}

}  // namespace

Result<Types> infer_view(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::Reshape:
      return infer_reshape(program, op);
    case OpKind::Transpose:
      return infer_transpose(program, op);
    case OpKind::Slice:
      return infer_slice(program, op);
    case OpKind::Expand:
      return infer_expand(program, op);
    case OpKind::Concat:
      return infer_concat(program, op);
    case OpKind::Identity:
      return Types{input_type(program, op, 0)};
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a view", name_of(op.kind));
}

}  // namespace hone::ir
