// Folding y = x * scale + shift per channel into the convolution that makes x.
#pragma once

#include <optional>
#include <vector>

#include "canon/rewriter_internal.h"

namespace hone::canon {

struct ChannelAffine {
  std::vector<double> scale, shift;  // one per channel
};

// The convolution, if its result is used only once and weight and bias are f32 constants.
const ir::Op* foldable_convolution(const Rewriter& rewriter, ir::ValueId result);
int64_t channels_of(const Rewriter& rewriter, const ir::Op& convolution);

// A convolution in place of `op` that does both.
ir::ValueId fold_into(Rewriter& rewriter, const ir::Op& op, const ir::Op& convolution, const ChannelAffine& affine);

}  // namespace hone::canon
