// One spatial dimension of a window that is laid down instead of read (transposed convolution, col2im). Private to this
// folder.
#pragma once

#include "ir/program/meaning_parts.h"

namespace hone::ir {

// Place o of the result, its pad added, takes input i through tap k where o = i * stride + k * dilation.
struct TransposedTap {
  Index input, tap;  // input may lie outside, and tap past the window where holds says no
  Scalar holds;      // null: always
  bool may_pass_window = false;
};

// Adds the reduce axis that visits the taps of one dimension.
TransposedTap transposed_tap(Indexed& meaning, const Index& place, const Index& window, int64_t stride,
                             int64_t dilation);

}  // namespace hone::ir
