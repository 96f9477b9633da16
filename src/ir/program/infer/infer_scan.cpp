#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Result<Types> infer_cumulative(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_PASS(expect_number(op, x.dtype));
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, x.shape.size()));
  if (op.kind == OpKind::CumSum) return Types{x};
  const TensorType& first = input_type(program, op, 1);
  HONE_PASS(expect_same_dtype(op, x, first));
  HONE_PASS(expect_rank(op, "its first factors", first, x.shape.size() - 1));
  for (size_t i = 0; i < first.shape.size(); ++i) {
    size_t d = i < static_cast<size_t>(axis) ? i : i + 1;
    HONE_PASS(expect_same_size(op, "sizes of the first factors and the input", first.shape[i], x.shape[d]));
  }
  return Types{x};
}

Status check_operand(const Program& program, const Op& op, size_t number, const char* what, const Shape& shape) {
  if (!has_input(op, number)) return Done{};
  const TensorType& type = input_type(program, op, number);
  HONE_PASS(expect_same_dtype(op, input_type(program, op, 0), type));
  HONE_PASS(expect_rank(op, what, type, shape.size()));
  for (size_t i = 0; i < shape.size(); ++i) HONE_PASS(expect_same_size(op, what, type.shape[i], shape[i]));
  return Done{};
}

Result<Types> infer_lstm(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &recurrence = input_type(program, op, 2);
  HONE_PASS(expect_float(op, x.dtype));
  HONE_PASS(expect_rank(op, "its input", x, 3));
  HONE_PASS(expect_rank(op, "its recurrence weight", recurrence, 3));
  std::string direction = op.text("direction", "forward");
  if (direction != "forward" && direction != "reverse") return refusal(op, "direction '{}' takes two ops", direction);
  if (has_input(op, 4)) return refusal(op, "sequence lengths are not supported");
  const Index &steps = x.shape[0], &batch = x.shape[1], &width = x.shape[2], hidden = recurrence.shape[2];
  HONE_PASS(check_operand(program, op, 1, "its input weight", {1, hidden * 4, width}));
  HONE_PASS(check_operand(program, op, 2, "its recurrence weight", {1, hidden * 4, hidden}));
  HONE_PASS(check_operand(program, op, 3, "its bias", {1, hidden * 8}));
  HONE_PASS(check_operand(program, op, 5, "its initial state", {1, batch, hidden}));
  HONE_PASS(check_operand(program, op, 6, "its initial cell", {1, batch, hidden}));
  TensorType state{x.dtype, {1, batch, hidden}};
  return Types{{x.dtype, {steps, 1, batch, hidden}}, state, state};
}

Result<Types> infer_linear_attention(const Program& program, const Op& op) {
  const TensorType &query = input_type(program, op, 0), &value = input_type(program, op, 2);
  HONE_PASS(expect_float(op, query.dtype));
  HONE_PASS(expect_rank(op, "its query", query, 5));
  HONE_PASS(expect_rank(op, "its value", value, 4));
  const Index &batch = query.shape[0], &steps = query.shape[1], &heads = query.shape[2], &group = query.shape[3];
  const Index &depth = query.shape[4], &width = value.shape[3];
  HONE_PASS(check_operand(program, op, 1, "its key", {batch, steps, heads, depth}));
  HONE_PASS(check_operand(program, op, 2, "its value", {batch, steps, heads, width}));
  HONE_PASS(check_operand(program, op, 3, "its state", {batch, heads, depth, width}));
  auto one_or = [&](size_t number, const Index& size) {
    return has_input(op, number) && input_type(program, op, number).shape.back().is(1) ? Index(1) : size;
  };
  HONE_PASS(check_operand(program, op, 4, "its decay", {batch, steps, heads, one_or(4, depth)}));
  HONE_PASS(check_operand(program, op, 5, "its beta", {batch, steps, one_or(5, heads)}));
  return Types{{query.dtype, {batch, steps, heads, group, width}}, {query.dtype, {batch, heads, depth, width}}};
}

}  // namespace

Result<Types> infer_scan(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::CumSum:
    case OpKind::CumProd:
      return infer_cumulative(program, op);
    case OpKind::Lstm:
      return infer_lstm(program, op);
    case OpKind::LinearAttention:
      return infer_linear_attention(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a scan", name_of(op.kind));
}

}  // namespace hone::ir
