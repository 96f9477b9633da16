#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

// scale and bias of a norm over the dimensions from `axis` on.
Status check_parameters(const Program& program, const Op& op, const TensorType& x, int axis) {
  Shape tail(x.shape.begin() + axis, x.shape.end());
  for (size_t k = 1; k < op.inputs.size(); ++k) {
    if (!has_input(op, k)) continue;
    const TensorType& parameter = input_type(program, op, k);
    HONE_PASS(expect_same_dtype(op, x, parameter));
    HONE_PASS(broadcasts_to(op, parameter.shape, tail));
  }
  return Done{};
}

Status check_channels(const Program& program, const Op& op, const TensorType& x) {
  if (x.shape.size() < 2) return refusal(op, "needs batch and channels, has shape {}", shape_text(x.shape));
  for (size_t k = 1; k < op.inputs.size(); ++k) {
    const TensorType& parameter = input_type(program, op, k);
    HONE_PASS(expect_same_dtype(op, x, parameter));
    HONE_PASS(expect_rank(op, "each parameter", parameter, 1));
    HONE_PASS(expect_same_size(op, "sizes of parameter and channels", parameter.shape[0], x.shape[1]));
  }
  return Done{};
}

Status check_composite(const Program& program, const Op& op, const TensorType& x) {
  switch (op.kind) {
    case OpKind::Softmax:
    case OpKind::LogSoftmax: {
      HONE_TRY([[maybe_unused]] int axis, axis_attribute(op, "axis", -1, x.shape.size()));
      return Done{};
    }
    case OpKind::LayerNormalization:
    case OpKind::RMSNormalization: {
      HONE_TRY(int axis, axis_attribute(op, "axis", -1, x.shape.size()));
      return check_parameters(program, op, x, axis);
    }
    case OpKind::BatchNormalization:
    case OpKind::InstanceNormalization:
      return check_channels(program, op, x);
    case OpKind::Gelu: {
      std::string form = op.text("approximate", "none");
      if (form == "none" || form == "tanh") return Done{};
      return refusal(op, "unknown approximation '{}'; none and tanh are known", form);
    }
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a composite", name_of(op.kind));
}

}  // namespace

Result<Types> infer_composite(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_PASS(expect_float(op, x.dtype));
  HONE_PASS(check_composite(program, op, x));
  return Types{x};
}

}  // namespace hone::ir
