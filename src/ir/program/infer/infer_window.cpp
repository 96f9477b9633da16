#include "ir/program/infer/infer.h"

namespace hone::ir {

Result<Types> infer_window(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  if (x.shape.size() < 3)
    return refusal(op, "needs batch, channels and a spatial dimension, has {}", shape_text(x.shape));
  if (x.dtype == DType::Bool) return refusal(op, "is not defined on bool tensors");
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

}  // namespace hone::ir
