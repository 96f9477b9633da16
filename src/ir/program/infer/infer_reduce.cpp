#include "ir/program/infer/infer.h"
#include "ir/program/reduce_axes.h"

namespace hone::ir {

std::vector<bool> reduced_dimensions(const Op& op, size_t rank) {
  std::vector<bool> reduced(rank, !op.attributes.count("axes"));
  for (int64_t axis : op.integers("axes")) reduced[static_cast<size_t>(axis)] = true;
  return reduced;
}

Result<Types> infer_reduction(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  int64_t before = -1;
  for (int64_t axis : op.integers("axes")) {
    if (axis <= before || axis >= static_cast<int64_t>(x.shape.size()))
      return refusal(op, "axes must rise and lie within shape {}", shape_text(x.shape));
    before = axis;
  }
  bool ordering = op.kind == OpKind::ReduceMax || op.kind == OpKind::ReduceMin;
  if (x.dtype != DType::Bool || !ordering) HONE_PASS(expect_number(op, x.dtype));
  std::vector<bool> reduced = reduced_dimensions(op, x.shape.size());
  bool keep = op.integer("keepdims", 1) != 0;
  Shape shape;
  for (size_t i = 0; i < x.shape.size(); ++i) {
    if (!reduced[i])
      shape.push_back(x.shape[i]);
    else if (keep)
      shape.push_back(1);
  }
  return Types{{x.dtype, shape}};
}

}  // namespace hone::ir
