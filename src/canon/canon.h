// Passes that bring a Program to its normal form. Each takes a Program and returns one that computes the same from the
// same inputs to the same output names; applied twice it changes nothing more. They look into the bodies of If too, and
// none calls another: the order is that of passes().
#pragma once

#include <span>

#include "ir/program/program.h"

namespace hone::canon {

// Ops whose results nobody uses, values that nobody names, inputs of an If that neither body reads.
ir::Program eliminate_dead(ir::Program program);
// Views and casts that change nothing: Identity, Cast to the same type, Reshape, Slice, Expand or Pad to the same shape,
// Transpose in order, Concat of one.
ir::Program eliminate_identities(ir::Program program);
// Multiplication and division by 1, power 1, sums with a zero that cannot change a sign. A square becomes a product.
ir::Program eliminate_neutral_operands(ir::Program program);
// Two Transposes, Reshapes, Slices or Expands in a row become one.
ir::Program merge_views(ir::Program program);
// Ops on constants, where the result has at most 64 KiB or is no larger than what it is made from, and takes at most
// four million steps. Reshapes share the bytes, whatever their size.
ir::Program fold_constants(ir::Program program);
// Equal ops on equal operands, and equal small constants.
ir::Program eliminate_common_subexpressions(ir::Program program);
// x * (1 + erf(x / √2)) / 2 and its tanh form, in any order of the factors.
ir::Program recognise_gelu(ir::Program program);
// (x - mean) / √(variance + ε) * scale + bias over the last dimensions.
ir::Program recognise_layer_norm(ir::Program program);
// x / √(mean(x²) + ε) * scale over the last dimensions.
ir::Program recognise_rms_norm(ir::Program program);
// BatchNormalization with constant parameters: into the convolution before it, else a product and a sum.
ir::Program fold_batch_norm(ir::Program program);
// A product or sum with a constant per channel: into the weights and bias of the convolution before it.
ir::Program fold_channel_affine(ir::Program program);

struct Pass {
  const char* name;
  ir::Program (*run)(ir::Program);
};

// All of them, in an order in which each finds what the ones before leave.
std::span<const Pass> passes();

}  // namespace hone::canon
