#include "ir/program/transposed_tap.h"

namespace hone::ir {
namespace {

// Without dilation the taps that meet place o are k = o % s + s*t; only those are visited, the last first, so that the input is
// read forwards. A tap past the window is left out by `holds`.
TransposedTap undilated_tap(Indexed& meaning, const Index& place, const Index& window, int64_t stride) {
  Index taps = ceil_div(window, stride);
  Index t = taps - 1 - add_reduce(meaning, taps);
  TransposedTap result{floor_div(place, stride) - t, mod(place, stride) + t * stride, nullptr};
  if (mod(window, stride).is(0)) return result;
  result.holds = apply(ScalarOp::Less, {index_value(DType::I64, result.tap), index_value(DType::I64, window)});
  result.may_pass_window = true;
  return result;
}

TransposedTap dilated_tap(Indexed& meaning, const Index& place, const Index& window, int64_t stride, int64_t dilation) {
  Index tap = add_reduce(meaning, window);
  Index distance = place - tap * dilation;
  TransposedTap result{floor_div(distance, stride), tap, nullptr};
  if (stride != 1)
    result.holds =
        apply(ScalarOp::Equal, {index_value(DType::I64, mod(distance, stride)), integer_constant(DType::I64, 0)});
  return result;
}

}  // namespace

TransposedTap transposed_tap(Indexed& meaning, const Index& place, const Index& window, int64_t stride,
                             int64_t dilation) {
  return dilation == 1 ? undilated_tap(meaning, place, window, stride)
                       : dilated_tap(meaning, place, window, stride, dilation);
}

}  // namespace hone::ir
