#include "canon/channel_affine_internal.h"

#include <cstring>

#include "canon/constants_internal.h"

namespace hone::canon {
namespace {

using ir::OpKind;
using ir::ValueId;

bool is_f32_constant(const Rewriter& rewriter, ValueId id) {
  const ir::Value& value = rewriter.value(id);
  return value.constant && value.type.dtype == ir::DType::F32;
}

// The channel of the result that an element of the weight belongs to. Conv: [out, in / group, …]. ConvTranspose:
// [in, out / group, …], its groups being runs of the first dimension.
size_t channel_of(bool transposed, size_t row, size_t column, size_t rows, size_t columns, size_t groups) {
  return transposed ? row / (rows / groups) * columns + column : row;
}

ir::ConstantData scaled_weight(const ir::Value& weight, const ir::Op& convolution, const std::vector<double>& scale) {
  auto sizes = *fixed_shape(weight.type.shape);
  size_t rows = static_cast<size_t>(sizes[0]), columns = static_cast<size_t>(sizes[1]), window = 1;
  for (size_t d = 2; d < sizes.size(); ++d) window *= static_cast<size_t>(sizes[d]);
  bool transposed = convolution.kind == OpKind::ConvTranspose;
  size_t groups = static_cast<size_t>(convolution.integer("group", 1));
  std::vector<std::byte> bytes(weight.constant->bytes);
  size_t at = 0;
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      double factor = scale[channel_of(transposed, row, column, rows, columns, groups)];
      for (size_t k = 0; k < window; ++k, at += sizeof(float)) {
        float element;
        std::memcpy(&element, weight.constant->data + at, sizeof(float));
        element = static_cast<float>(element * factor);
        std::memcpy(bytes.data() + at, &element, sizeof(float));
      }
    }
  return owned(std::move(bytes));
}

}  // namespace

const ir::Op* foldable_convolution(const Rewriter& rewriter, ValueId result) {
  const ir::Op* op = rewriter.sole_producer(result, OpKind::Conv);
  if (!op) op = rewriter.sole_producer(result, OpKind::ConvTranspose);
  if (!op || !is_f32_constant(rewriter, op->inputs[1])) return nullptr;
  bool biased = op->inputs.size() > 2 && op->inputs[2] != ir::kAbsent;
  if (biased && !is_f32_constant(rewriter, op->inputs[2])) return nullptr;
  return rewriter.type(result).shape[1].constant() ? op : nullptr;
}

int64_t channels_of(const Rewriter& rewriter, const ir::Op& convolution) {
  return *rewriter.type(convolution.outputs[0]).shape[1].constant();
}

ValueId fold_into(Rewriter& rewriter, const ir::Op& op, const ir::Op& convolution_before, const ChannelAffine& affine) {
  const ir::Op convolution = convolution_before;  // emitting moves the ops
  const ir::Value weight = rewriter.value(convolution.inputs[1]);
  std::vector<double> bias(affine.shift);
  if (convolution.inputs.size() > 2 && convolution.inputs[2] != ir::kAbsent) {
    std::vector<double> before = *numbers(rewriter.value(convolution.inputs[2]));
    for (size_t c = 0; c < bias.size(); ++c) bias[c] += before[c] * affine.scale[c];
  }
  ValueId scaled =
      rewriter.constant(weight.name + ".scaled", weight.type, scaled_weight(weight, convolution, affine.scale));
  ir::TensorType bias_type{ir::DType::F32, {static_cast<int64_t>(bias.size())}};
  ValueId shifted = rewriter.constant(weight.name + ".bias", bias_type, constant_of(ir::DType::F32, bias));
  return rewriter.emit(op, convolution.kind, {convolution.inputs[0], scaled, shifted}, convolution.attributes);
}

}  // namespace hone::canon
