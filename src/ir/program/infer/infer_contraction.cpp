#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Result<Types> infer_matmul(const Program& program, const Op& op) {
  const TensorType &a = input_type(program, op, 0), &b = input_type(program, op, 1);
  if (a.shape.empty() || b.shape.empty()) return refusal(op, "takes no scalars");
  const Index& depth = b.shape.size() == 1 ? b.shape[0] : b.shape[b.shape.size() - 2];
  HONE_PASS(expect_same_size(op, "the sizes to contract", a.shape.back(), depth));
  Shape batch_a, batch_b;
  if (a.shape.size() > 2) batch_a.assign(a.shape.begin(), a.shape.end() - 2);
  if (b.shape.size() > 2) batch_b.assign(b.shape.begin(), b.shape.end() - 2);
  HONE_TRY(Shape shape, broadcast(op, batch_a, batch_b));
  if (a.shape.size() > 1) shape.push_back(a.shape[a.shape.size() - 2]);
  if (b.shape.size() > 1) shape.push_back(b.shape.back());
  return Types{{a.dtype, shape}};
}

Result<Types> infer_gemm(const Program& program, const Op& op) {
  const TensorType &a = input_type(program, op, 0), &b = input_type(program, op, 1);
  HONE_PASS(expect_rank(op, "its first operand", a, 2));
  HONE_PASS(expect_rank(op, "its second operand", b, 2));
  bool turn_a = op.integer("transA", 0) != 0, turn_b = op.integer("transB", 0) != 0;
  HONE_PASS(expect_same_size(op, "the sizes to contract", a.shape[turn_a ? 0 : 1], b.shape[turn_b ? 1 : 0]));
  Shape shape = {a.shape[turn_a ? 1 : 0], b.shape[turn_b ? 0 : 1]};
  if (has_input(op, 2)) {
    HONE_PASS(expect_same_dtype(op, a, input_type(program, op, 2)));
    HONE_PASS(broadcasts_to(op, input_type(program, op, 2).shape, shape));
  }
  return Types{{a.dtype, shape}};
}

Status check_bias(const Program& program, const Op& op, const TensorType& x, const Index& channels) {
  if (!has_input(op, 2)) return Done{};
  const TensorType& bias = input_type(program, op, 2);
  HONE_PASS(expect_same_dtype(op, x, bias));
  HONE_PASS(expect_rank(op, "its bias", bias, 1));
  return expect_same_size(op, "sizes of bias and channels", bias.shape[0], channels);
}

Status check_ranks(const Op& op, const TensorType& x, const TensorType& w) {
  if (x.shape.size() < 3)
    return refusal(op, "needs batch, channels and a spatial dimension, has {}", shape_text(x.shape));
  return expect_rank(op, "its weight", w, x.shape.size());
}

Result<Types> infer_conv(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &w = input_type(program, op, 1);
  HONE_PASS(check_ranks(op, x, w));
  size_t rank = x.shape.size() - 2;
  HONE_TRY(Sliding sliding, sliding_attributes(op, rank));
  HONE_PASS(expect_same_size(op, "channels of input and weight", x.shape[1], w.shape[1] * sliding.group));
  if (w.shape[0].constant().value_or(0) % sliding.group != 0)
    return refusal(op, "{} output channels do not divide into {} groups", w.shape[0].text(), sliding.group);
  HONE_PASS(check_bias(program, op, x, w.shape[0]));
  Shape shape = {x.shape[0], w.shape[0]};
  for (size_t i = 0; i < rank; ++i) {
    Index reach = (w.shape[i + 2] - 1) * sliding.dilations[i];
    Index size = floor_div(x.shape[i + 2] + sliding.begin[i] + sliding.end[i] - reach - 1, sliding.strides[i]) + 1;
    if (size.constant().value_or(0) < 0)
      return refusal(op, "its window is larger than the padded input {}", shape_text(x.shape));
    shape.push_back(size);
  }
  return Types{{x.dtype, shape}};
}

Result<Types> infer_conv_transpose(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &w = input_type(program, op, 1);
  HONE_PASS(check_ranks(op, x, w));
  size_t rank = x.shape.size() - 2;
  HONE_TRY(Sliding sliding, sliding_attributes(op, rank));
  std::vector<int64_t> extra = op.integers("output_padding", std::vector<int64_t>(rank, 0));
  if (extra.size() != rank) return refusal(op, "output_padding needs {} entries", rank);
  HONE_PASS(expect_same_size(op, "channels of input and weight", x.shape[1], w.shape[0]));
  Index channels = w.shape[1] * sliding.group;
  HONE_PASS(check_bias(program, op, x, channels));
  Shape shape = {x.shape[0], channels};
  for (size_t i = 0; i < rank; ++i) {
    Index reach = (w.shape[i + 2] - 1) * sliding.dilations[i];
    Index size = (x.shape[i + 2] - 1) * sliding.strides[i] + reach + 1 + extra[i] - sliding.begin[i] - sliding.end[i];
    if (size.constant().value_or(0) < 0) return refusal(op, "its pads are larger than its result");
    shape.push_back(size);
  }
  return Types{{x.dtype, shape}};
}

}  // namespace

Result<Types> infer_contraction(const Program& program, const Op& op) {
  const TensorType &a = input_type(program, op, 0), &b = input_type(program, op, 1);
  HONE_PASS(expect_same_dtype(op, a, b));
  HONE_PASS(expect_number(op, a.dtype));
  switch (op.kind) {
    case OpKind::MatMul:
      return infer_matmul(program, op);
    case OpKind::Gemm:
      return infer_gemm(program, op);
    case OpKind::Conv:
      return infer_conv(program, op);
    case OpKind::ConvTranspose:
      return infer_conv_transpose(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a contraction", name_of(op.kind));
}

}  // namespace hone::ir
