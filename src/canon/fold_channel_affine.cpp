#include <algorithm>

#include "canon/canon.h"
#include "canon/channel_affine_internal.h"
#include "canon/constants_internal.h"

namespace hone::canon {
namespace {

using ir::OpKind;
using ir::ValueId;

// The constant's number for each channel of a tensor of this rank; nothing if it varies along another dimension.
std::optional<std::vector<double>> per_channel(const ir::Value& value, size_t rank, int64_t channels) {
  const ir::Shape& shape = value.type.shape;
  if (!value.constant || value.type.dtype != ir::DType::F32 || shape.size() > rank) return std::nullopt;
  int64_t own = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d].is(1)) continue;
    if (rank - shape.size() + d != 1 || !shape[d].is(channels)) return std::nullopt;
    own = channels;
  }
  std::vector<double> values = *numbers(value);
  return own == 1 ? std::vector<double>(static_cast<size_t>(channels), values[0]) : values;
}

std::optional<ChannelAffine> affine_of(const ir::Op& op, bool convolution_first, const std::vector<double>& operand) {
  ChannelAffine affine{std::vector<double>(operand.size(), 1), std::vector<double>(operand.size(), 0)};
  switch (op.kind) {
    case OpKind::Mul:
      affine.scale = operand;
      return affine;
    case OpKind::Add:
      affine.shift = operand;
      return affine;
    case OpKind::Sub:
      for (size_t c = 0; c < operand.size(); ++c) affine.shift[c] = convolution_first ? -operand[c] : operand[c];
      if (!convolution_first) affine.scale.assign(operand.size(), -1);
      return affine;
    case OpKind::Div:
      if (!convolution_first || std::find(operand.begin(), operand.end(), 0) != operand.end()) return std::nullopt;
      for (size_t c = 0; c < operand.size(); ++c) affine.scale[c] = 1 / operand[c];
      return affine;
    default:
      return std::nullopt;
  }
}

bool fold(Rewriter& rewriter, const ir::Op& op) {
  if (op.inputs.size() != 2 || op.outputs.size() != 1) return false;
  for (size_t k : {0, 1}) {
    const ir::Op* convolution = foldable_convolution(rewriter, op.inputs[k]);
    if (!convolution || !(rewriter.type(op.inputs[k]) == rewriter.type(op.outputs[0]))) continue;
    size_t rank = rewriter.type(op.inputs[k]).shape.size();
    auto operand = per_channel(rewriter.value(op.inputs[1 - k]), rank, channels_of(rewriter, *convolution));
    auto affine = operand ? affine_of(op, k == 0, *operand) : std::nullopt;
    if (!affine) continue;
    rewriter.forward(op.outputs[0], fold_into(rewriter, op, *convolution, *affine));
    return true;
  }
  return false;
}

}  // namespace

ir::Program fold_channel_affine(ir::Program program) {
  return Rewriter::run(std::move(program), fold);
}

}  // namespace hone::canon
