#include <cmath>

#include "canon/canon.h"
#include "canon/channel_affine_internal.h"
#include "canon/constants_internal.h"

namespace hone::canon {
namespace {

using ir::OpKind;
using ir::ValueId;

std::optional<ChannelAffine> affine_of(const Rewriter& rewriter, const ir::Op& op) {
  auto scale = numbers(rewriter.value(op.inputs[1])), bias = numbers(rewriter.value(op.inputs[2]));
  auto mean = numbers(rewriter.value(op.inputs[3])), variance = numbers(rewriter.value(op.inputs[4]));
  if (!scale || !bias || !mean || !variance) return std::nullopt;
  ChannelAffine affine;
  for (size_t c = 0; c < scale->size(); ++c) {
    affine.scale.push_back((*scale)[c] / std::sqrt((*variance)[c] + op.number("epsilon", 1e-5)));
    affine.shift.push_back((*bias)[c] - (*mean)[c] * affine.scale[c]);
  }
  return affine;
}

// Parameters of one per channel, shaped to broadcast over what follows the channel.
ValueId per_channel(Rewriter& rewriter, const ir::Op& op, const std::vector<double>& values, const char* what) {
  ir::TensorType type{ir::DType::F32, {static_cast<int64_t>(values.size())}};
  type.shape.resize(rewriter.type(op.inputs[0]).shape.size() - 1, ir::Index(1));
  return rewriter.constant(op.name + what, type, constant_of(ir::DType::F32, values));
}

bool fold(Rewriter& rewriter, const ir::Op& op) {
  if (op.kind != OpKind::BatchNormalization || rewriter.type(op.inputs[0]).dtype != ir::DType::F32) return false;
  auto affine = affine_of(rewriter, op);
  if (!affine) return false;
  if (const ir::Op* convolution = foldable_convolution(rewriter, op.inputs[0])) {
    rewriter.forward(op.outputs[0], fold_into(rewriter, op, *convolution, *affine));
    return true;
  }
  ValueId scale = per_channel(rewriter, op, affine->scale, ".scale"),
          shift = per_channel(rewriter, op, affine->shift, ".shift");
  ValueId scaled = rewriter.emit(op, OpKind::Mul, {op.inputs[0], scale});
  rewriter.forward(op.outputs[0], rewriter.emit(op, OpKind::Add, {scaled, shift}));
  return true;
}

}  // namespace

ir::Program fold_batch_norm(ir::Program program) {
  return Rewriter::run(std::move(program), fold);
}

}  // namespace hone::canon
