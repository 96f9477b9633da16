#include <limits>

#include "ir/program/meaning_parts.h"

namespace hone::ir {
namespace {

struct Window {
  Index begin;  // where it begins in the input; may be negative
  int64_t taps, dilation;
};

// How many taps of the window lie in [lo, hi).
Index taps_within(const Window& window, const Index& lo, const Index& hi) {
  Index first = max(0, ceil_div(lo - window.begin, window.dilation));
  Index last = min(window.taps, ceil_div(hi - window.begin, window.dilation));
  return max(0, last - first);
}

// |x|^p, and the p-th root of their sum.
Scalar power_of(const Scalar& x, int64_t p) {
  Scalar size = apply(ScalarOp::Abs, {x});
  if (p == 1) return size;
  return p == 2 ? apply(ScalarOp::Mul, {x, x})
                : apply(ScalarOp::Pow, {size, constant(x->type, static_cast<double>(p))});
}
Scalar root_of(const Scalar& sum, int64_t p) {
  if (p == 1) return nullptr;
  return p == 2 ? apply(ScalarOp::Sqrt, {sum})
                : apply(ScalarOp::Pow, {sum, constant(sum->type, 1 / static_cast<double>(p))});
}

Indexed pool_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  size_t rank = x.shape.size() - 2;
  Sliding sliding = sliding_of(op, rank);
  std::vector<int64_t> taps = op.integers("kernel_shape");
  bool average = op.kind == OpKind::AveragePool, largest = op.kind == OpKind::MaxPool;
  bool count_pads = op.integer("count_include_pad", 0) != 0;
  bool past_end = op.integer("ceil_mode", 0) != 0, padded = past_end;
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = x.dtype;
  meaning.combine = largest ? Combine::Max : Combine::Sum;
  std::vector<Index> index = {result_axis(0), result_axis(1)};
  Index count = 1;
  for (size_t i = 0; i < rank; ++i) {
    const Index& size = x.shape[i + 2];
    Window window{result_axis(i + 2) * sliding.strides[i] - sliding.begin[i], taps[i], sliding.dilations[i]};
    index.push_back(window.begin + add_reduce(meaning, taps[i]) * window.dilation);
    bool borders = sliding.begin[i] != 0 || sliding.end[i] != 0;
    padded |= borders;
    if (count_pads && past_end)
      count = count * taps_within(window, -sliding.begin[i], size + sliding.end[i]);
    else if (!count_pads && (borders || past_end))
      count = count * taps_within(window, 0, size);
    else
      count = count * taps[i];
  }
  Border border;
  if (padded && !surely_inside(meaning, index, x.shape))
    border = {Border::Rule::Fill, largest ? -std::numeric_limits<double>::infinity() : 0};
  meaning.accesses = {{0, index, border}};
  meaning.body = access_value(x.dtype, 0);
  if (average) meaning.finish = apply(ScalarOp::Div, {access_value(x.dtype, 0), index_value(x.dtype, count)});
  if (op.kind == OpKind::LpPool) {
    meaning.body = power_of(meaning.body, op.integer("p", 2));
    meaning.finish = root_of(access_value(x.dtype, 0), op.integer("p", 2));
  }
  return settled(std::move(meaning));
}

}  // namespace

Indexed window_meaning(const Program& program, const Op& op) {
  if (op.kind == OpKind::MaxPoolIndices) return max_pool_indices_meaning(program, op);
  if (op.kind == OpKind::Col2Im) return col2im_meaning(program, op);
  return pool_meaning(program, op);
}

}  // namespace hone::ir
