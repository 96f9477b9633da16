#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Result<Types> infer_pool(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  if (x.shape.size() < 3)
    return refusal(op, "needs batch, channels and a spatial dimension, has {}", shape_text(x.shape));
  HONE_PASS(expect_number(op, x.dtype));
  size_t rank = x.shape.size() - 2;
  HONE_TRY(Sliding sliding, sliding_attributes(op, rank));
  std::vector<int64_t> window = op.integers("kernel_shape");
  if (window.size() != rank) return refusal(op, "kernel_shape needs {} entries", rank);
  bool up = op.integer("ceil_mode", 0) != 0;
  Shape shape = {x.shape[0], x.shape[1]};
  for (size_t i = 0; i < rank; ++i) {
    Index padded = x.shape[i + 2] + sliding.begin[i];
    Index slack = padded + sliding.end[i] - (window[i] - 1) * sliding.dilations[i] - 1;
    int64_t stride = sliding.strides[i];
    // With ceil_mode the last window must still begin inside the input or its padding before.
    Index size = up ? min(ceil_div(slack, stride), floor_div(padded - 1, stride)) + 1 : floor_div(slack, stride) + 1;
    if (size.constant().value_or(0) < 0)
      return refusal(op, "its window is larger than the padded input {}", shape_text(x.shape));
    shape.push_back(size);
  }
  return Types{{x.dtype, shape}};
}

Result<Types> infer_lp_pool(const Program& program, const Op& op) {
  HONE_PASS(expect_float(op, input_type(program, op, 0).dtype));
  if (op.integer("p", 2) < 1) return refusal(op, "p is {}, must be positive", op.integer("p", 2));
  return infer_pool(program, op);
}

Result<Types> infer_pool_indices(const Program& program, const Op& op) {
  HONE_TRY(Types types, infer_pool(program, op));
  const TensorType& pooled = input_type(program, op, 1);
  HONE_PASS(expect_same_dtype(op, types[0], pooled));
  HONE_PASS(expect_rank(op, "its maxima", pooled, types[0].shape.size()));
  for (size_t i = 0; i < pooled.shape.size(); ++i)
    HONE_PASS(expect_same_size(op, "sizes of its maxima and windows", pooled.shape[i], types[0].shape[i]));
  return Types{{DType::I64, types[0].shape}};
}

Result<Types> infer_col2im(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  if (x.dtype == DType::Bool) return refusal(op, "is not defined on bool tensors");
  HONE_TRY(TensorType image, declared_type(program, op));
  if (image.shape.size() < 3) return refusal(op, "needs images, has {}", shape_text(image.shape));
  size_t rank = image.shape.size() - 2;
  HONE_PASS(expect_rank(op, "its input", x, 2 * rank + 2));
  HONE_TRY(Sliding sliding, sliding_attributes(op, rank));
  Shape shape = {x.shape[0], x.shape[1]};
  for (size_t i = 0; i < rank; ++i) {
    Index reach = (x.shape[i + 2] - 1) * sliding.dilations[i] + 1;
    Index room = image.shape[i + 2] + sliding.begin[i] + sliding.end[i] - reach;
    HONE_PASS(expect_same_size(op, "the positions of its windows", x.shape[rank + i + 2],
                               floor_div(room, sliding.strides[i]) + 1));
    shape.push_back(image.shape[i + 2]);
  }
  return Types{{x.dtype, shape}};
}

}  // namespace

Result<Types> infer_window(const Program& program, const Op& op) {
  if (op.kind == OpKind::LpPool) return infer_lp_pool(program, op);
  if (op.kind == OpKind::MaxPoolIndices) return infer_pool_indices(program, op);
  if (op.kind == OpKind::Col2Im) return infer_col2im(program, op);
  return infer_pool(program, op);
}

}  // namespace hone::ir
