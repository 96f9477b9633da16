#include "ir/program/infer/infer.h"

#include <algorithm>

namespace hone::ir {
namespace {

struct Counts {
  size_t fewest, most;
};

constexpr Counts kInputs[] = {
#define HONE_OP(name, text, kind, min_inputs, max_inputs) {min_inputs, max_inputs},
#include "ir/ops.def"
#undef HONE_OP
};

Status check_inputs(const Program& program, const Op& op) {
  Counts counts = kInputs[static_cast<size_t>(op.kind)];
  if (op.inputs.size() < counts.fewest || op.inputs.size() > counts.most)
    return refusal(op, "has {} inputs, takes {} to {}", op.inputs.size(), counts.fewest, counts.most);
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (i < counts.fewest && op.inputs[i] == kAbsent) return refusal(op, "input {} is missing", i);
    HONE_CHECK(op.inputs[i] < static_cast<ValueId>(program.values.size()), "{}: input {} is no value", label_of(op), i);
  }
  return Done{};
}

}  // namespace

Result<Types> infer_types(const Program& program, const Op& op) {
  HONE_PASS(check_inputs(program, op));
  HONE_PASS(check_attributes(op));
  switch (family_of(op.kind)) {
    case Family::Elementwise:
      return infer_elementwise(program, op);
    case Family::Reduction:
      return infer_reduction(program, op);
    case Family::Contraction:
      return infer_contraction(program, op);
    case Family::Window:
      return infer_window(program, op);
    case Family::Movement:
      return infer_movement(program, op);
    case Family::View:
      return infer_view(program, op);
    case Family::Composite:
      return infer_composite(program, op);
    case Family::Scan:
      return infer_scan(program, op);
    case Family::Library:
      return infer_library(program, op);
    case Family::Control:
      return infer_control(program, op);
    case Family::Trim:
      return infer_trim(program, op);
  }
  HONE_CHECK(false, "unknown family");
}

std::string label_of(const Op& op) {
  return fmt::format("{} node '{}'", name_of(op.kind), op.name);
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + shape[i].text();
  return text + "]";
}

bool has_input(const Op& op, size_t number) {
  return number < op.inputs.size() && op.inputs[number] != kAbsent;
}

const TensorType& input_type(const Program& program, const Op& op, size_t number) {
  HONE_CHECK(has_input(op, number), "{} has no input {}", label_of(op), number);
  return program.type(op.inputs[number]);
}

Result<TensorType> declared_type(const Program& program, const Op& op) {
  if (op.outputs.empty() || op.outputs[0] == kAbsent) return refusal(op, "its result must be given with a type");
  return program.type(op.outputs[0]);
}

bool surely_differ(const Index& a, const Index& b) {
  return (a - b).constant().value_or(0) != 0;
}

Result<Shape> broadcast(const Op& op, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const Index& x = longer[i + shift];
    const Index& y = shorter[i];
    if (x == y || y.is(1)) continue;
    if (x.is(1))
      result[i + shift] = y;
    else if (surely_differ(x, y) && x.constant() && y.constant())
      return refusal(op, "shapes {} and {} cannot be broadcast together", shape_text(a), shape_text(b));
    else
      result[i + shift] = max(x, y);
  }
  return result;
}

Status broadcasts_to(const Op& op, const Shape& from, const Shape& to) {
  Error misfit = refusal(op, "shape {} cannot be broadcast to {}", shape_text(from), shape_text(to));
  if (from.size() > to.size()) return misfit;
  size_t shift = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (!from[i].is(1) && from[i].constant() && surely_differ(from[i], to[i + shift])) return misfit;
  return Done{};
}

Status expect_number(const Op& op, DType type) {
  if (is_float(type) || is_integer(type)) return Done{};
  return refusal(op, "is not defined on {} tensors", name_of(type));
}

Status expect_float(const Op& op, DType type) {
  if (is_float(type)) return Done{};
  return refusal(op, "is defined on floating-point tensors, not on {}", name_of(type));
}

Status expect_rank(const Op& op, const char* what, const TensorType& type, size_t rank) {
  if (type.shape.size() == rank) return Done{};
  return refusal(op, "{} must have rank {}, has shape {}", what, rank, shape_text(type.shape));
}

Status expect_same_dtype(const Op& op, const TensorType& a, const TensorType& b) {
  if (a.dtype == b.dtype) return Done{};
  return refusal(op, "operands are {} and {}; cast one to the other", name_of(a.dtype), name_of(b.dtype));
}

Status expect_same_size(const Op& op, const char* what, const Index& a, const Index& b) {
  if (!surely_differ(a, b)) return Done{};
  return refusal(op, "{} differ: {} and {}", what, a.text(), b.text());
}

Result<int> axis_attribute(const Op& op, const char* key, int64_t otherwise, size_t rank) {
  int64_t axis = op.integer(key, otherwise);
  int64_t limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit) return refusal(op, "{} {} is outside a tensor of rank {}", key, axis, rank);
  return static_cast<int>(axis < 0 ? axis + limit : axis);
}

Sliding sliding_of(const Op& op, size_t rank) {
  std::vector<int64_t> ones(rank, 1), pads = op.integers("pads", std::vector<int64_t>(2 * rank, 0));
  Sliding sliding;
  sliding.strides = op.integers("strides", ones);
  sliding.dilations = op.integers("dilations", ones);
  size_t half = pads.size() / 2;
  sliding.begin.assign(pads.begin(), pads.begin() + half);
  sliding.end.assign(pads.begin() + half, pads.end());
  sliding.group = op.integer("group", 1);
  return sliding;
}

Result<Sliding> sliding_attributes(const Op& op, size_t rank) {
  Sliding sliding = sliding_of(op, rank);
  if (sliding.strides.size() != rank || sliding.dilations.size() != rank)
    return refusal(op, "strides and dilations need one entry for each of {} spatial dimensions", rank);
  if (sliding.begin.size() != rank || sliding.end.size() != rank)
    return refusal(op, "pads need a begin and an end for each of {} spatial dimensions", rank);
  auto positive = [](int64_t value) { return value > 0; };
  if (!std::all_of(sliding.strides.begin(), sliding.strides.end(), positive) ||
      !std::all_of(sliding.dilations.begin(), sliding.dilations.end(), positive) || sliding.group < 1)
    return refusal(op, "strides, dilations and group must be positive");
  return sliding;
}

}  // namespace hone::ir
