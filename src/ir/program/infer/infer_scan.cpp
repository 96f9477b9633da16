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

// A Scan whose step is its body.
class GivenScan {
 public:
  GivenScan(const Program& program, const Op& op) : program_(program), op_(op), step_(op.bodies[0]) {}

  Result<Types> infer() {
    HONE_PASS(check_counts());
    HONE_PASS(check_inputs());
    Types types;
    size_t states = size_t_of("states");
    for (size_t s = 0; s < states; ++s) {
      types.push_back(step_.type(step_.outputs[s]));
      if (types.back() != step_.type(step_.inputs[s])) return refusal(op_, "state {} changes its type", s);
    }
    std::vector<int64_t> axes = op_.integers("out_axes");
    for (size_t k = 0; k < axes.size(); ++k) {
      TensorType type = step_.type(step_.outputs[states + k]);
      if (axes[k] < 0 || axes[k] > static_cast<int64_t>(type.shape.size()))
        return refusal(op_, "stacks output {} along axis {}, it has rank {}", k, axes[k], type.shape.size());
      type.shape.insert(type.shape.begin() + axes[k], *length_);
      types.push_back(type);
    }
    return types;
  }

 private:
  size_t size_t_of(const char* key) const { return static_cast<size_t>(op_.integer(key, 0)); }

  Status check_counts() const {
    size_t scanned = op_.integers("axes").size(), stacked = op_.integers("out_axes").size();
    if (op_.integer("states", 0) < 0 || op_.integers("reverse").size() != scanned ||
        op_.integers("out_reverse").size() != stacked)
      return refusal(op_, "its axes and directions do not fit together");
    if (scanned == 0) return refusal(op_, "scans no input");
    if (op_.inputs.size() < size_t_of("states") + scanned || step_.inputs.size() != op_.inputs.size() ||
        step_.outputs.size() != size_t_of("states") + stacked)
      return refusal(op_, "has {} inputs and its step {}, which gives {} values", op_.inputs.size(),
                     step_.inputs.size(), step_.outputs.size());
    return Done{};
  }

  Status check_inputs() {
    size_t states = size_t_of("states");
    std::vector<int64_t> axes = op_.integers("axes");
    for (size_t k = 0; k < op_.inputs.size(); ++k) {
      if (!has_input(op_, k)) {
        if (k >= states) return refusal(op_, "input {} is missing", k);
        continue;
      }
      TensorType given = input_type(program_, op_, k);
      if (k >= states && k < states + axes.size()) HONE_PASS(take_slice(k, axes[k - states], given));
      if (given != step_.type(step_.inputs[k])) return refusal(op_, "input {} is not what its step takes", k);
    }
    return Done{};
  }

  Status take_slice(size_t k, int64_t axis, TensorType& type) {
    if (axis < 0 || axis >= static_cast<int64_t>(type.shape.size()))
      return refusal(op_, "scans input {} along axis {}, it has rank {}", k, axis, type.shape.size());
    auto along = type.shape.begin() + axis;
    if (!length_) length_ = *along;
    if (!(*length_ == *along))
      return refusal(op_, "scans {} slices of one input and {} of another", length_->text(), along->text());
    type.shape.erase(along);
    return Done{};
  }

  const Program& program_;
  const Op& op_;
  const Program& step_;
  std::optional<Index> length_;
};

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
    case OpKind::Scan:
      if (op.bodies.size() != 1) return refusal(op, "has {} bodies, needs 1", op.bodies.size());
      return GivenScan(program, op).infer();
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a scan", name_of(op.kind));
}

}  // namespace hone::ir
