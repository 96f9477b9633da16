#include "ir/program/transposed_tap.h"

namespace hone::ir {

// x is [n, c, window…, positions…]. A pixel adds up what the windows over it hold for it.
Indexed col2im_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &image = program.type(op.outputs[0]);
  size_t rank = image.shape.size() - 2;
  Sliding sliding = sliding_of(op, rank);
  Indexed meaning;
  meaning.axes = result_axes(image.shape);
  meaning.type = x.dtype;
  meaning.combine = Combine::Sum;
  meaning.body = access_value(x.dtype, 0);
  Scalar zero = constant(x.dtype, 0);
  std::vector<Index> taps, positions;
  for (size_t i = 0; i < rank; ++i) {
    TransposedTap tap = transposed_tap(meaning, result_axis(i + 2) + sliding.begin[i], x.shape[i + 2],
                                       sliding.strides[i], sliding.dilations[i]);
    taps.push_back(tap.tap);
    positions.push_back(tap.input);
    if (tap.holds) meaning.body = apply(ScalarOp::Select, {tap.holds, meaning.body, zero});
  }
  std::vector<Index> index = {result_axis(0), result_axis(1)};
  index.insert(index.end(), taps.begin(), taps.end());
  index.insert(index.end(), positions.begin(), positions.end());
  Border border;
  if (!surely_inside(meaning, index, x.shape)) border = {Border::Rule::Fill, 0};
  meaning.accesses = {{0, index, border}};
  return settled(std::move(meaning));
}

}  // namespace hone::ir
