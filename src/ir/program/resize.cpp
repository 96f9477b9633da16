#include "ir/program/resize.h"

#include <algorithm>

#include "ir/program/meaning_parts.h"

namespace hone::ir {
namespace {

bool one_of(const std::string& text, std::initializer_list<const char*> choices) {
  return std::any_of(choices.begin(), choices.end(), [&](const char* choice) { return text == choice; });
}

Status check_modes(const Op& op) {
  if (!one_of(op.text("mode", "nearest"), {"nearest", "linear"}))
    return refusal(op, "mode '{}' is not supported; nearest and linear are", op.text("mode", ""));
  if (!one_of(op.text("coordinate", "half_pixel"), {"asymmetric", "half_pixel", "pytorch_half_pixel", "align_corners"}))
    return refusal(op, "coordinate transformation '{}' is not supported", op.text("coordinate", ""));
  if (!one_of(op.text("nearest", "round_prefer_floor"), {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"}))
    return refusal(op, "rounding '{}' is not supported", op.text("nearest", ""));
  return Done{};
}

bool is_resized(const Op& op, size_t dimension) {
  return op.integers("numerators")[dimension] != op.integers("denominators")[dimension];
}

// The value between two neighbours along the resized dimensions from `dimension` on; index holds what is fixed so far.
Scalar interpolate(Indexed& meaning, const Op& op, const Shape& from, const Shape& to, size_t dimension,
                   std::vector<Index> index) {
  if (dimension == from.size()) {
    meaning.accesses.push_back({0, index, {Border::Rule::Clamp, 0}});
    return access_value(meaning.type, static_cast<int>(meaning.accesses.size()) - 1);
  }
  index.push_back(result_axis(dimension));
  if (!is_resized(op, dimension)) return interpolate(meaning, op, from, to, dimension + 1, index);
  Coordinate at = resize_coordinate(op, dimension, from, to);
  Index below = floor_div(at.numerator, at.denominator);
  index.back() = below;
  Scalar first = interpolate(meaning, op, from, to, dimension + 1, index);
  index.back() = below + 1;
  Scalar second = interpolate(meaning, op, from, to, dimension + 1, index);
  Scalar part = apply(ScalarOp::Div, {index_value(meaning.type, mod(at.numerator, at.denominator)),
                                      index_value(meaning.type, at.denominator)});
  Scalar rest = apply(ScalarOp::Sub, {constant(meaning.type, 1), part});
  return apply(ScalarOp::Add, {apply(ScalarOp::Mul, {rest, first}), apply(ScalarOp::Mul, {part, second})});
}

}  // namespace

Result<Types> infer_resize(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_PASS(check_modes(op));
  std::vector<int64_t> up = op.integers("numerators"), down = op.integers("denominators");
  if (up.size() != x.shape.size() || down.size() != x.shape.size())
    return refusal(op, "numerators and denominators need one entry for each dimension of {}", shape_text(x.shape));
  bool linear = op.text("mode", "nearest") == "linear";
  if (linear) HONE_PASS(expect_float(op, x.dtype));
  Shape shape;
  for (size_t i = 0; i < x.shape.size(); ++i) {
    if (up[i] < 1 || down[i] < 1) return refusal(op, "its scales must be positive");
    shape.push_back(floor_div(x.shape[i] * up[i], down[i]));
    bool may_be_one = !shape[i].constant() && up[i] < 2 * down[i] && up[i] != down[i];
    if (may_be_one && op.text("coordinate", "half_pixel") == "pytorch_half_pixel")
      return refusal(op, "pytorch_half_pixel needs to know whether size {} is 1; give the size a number",
                     shape[i].text());
  }
  return Types{{x.dtype, shape}};
}

Coordinate resize_coordinate(const Op& op, size_t dimension, const Shape& from, const Shape& to) {
  int64_t up = op.integers("numerators")[dimension], down = op.integers("denominators")[dimension];
  Index axis = result_axis(dimension);
  std::string rule = op.text("coordinate", "half_pixel");
  if (rule == "align_corners") return {axis * (from[dimension] - 1), max(to[dimension] - 1, 1)};
  if (rule == "asymmetric") return {axis * down, up};
  if (rule == "pytorch_half_pixel" && to[dimension].is(1)) return {0, 1};
  return {(axis * 2 + 1) * down - up, 2 * up};  // (axis + 1/2) * down / up - 1/2
}

Index nearest_index(const Op& op, const Coordinate& at) {
  std::string rule = op.text("nearest", "round_prefer_floor");
  if (rule == "floor") return floor_div(at.numerator, at.denominator);
  if (rule == "ceil") return ceil_div(at.numerator, at.denominator);
  if (rule == "round_prefer_ceil") return floor_div(at.numerator * 2 + at.denominator, at.denominator * 2);
  return ceil_div(at.numerator * 2 - at.denominator, at.denominator * 2);
}

Indexed resize_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = x.dtype;
  if (op.text("mode", "nearest") == "linear") {
    meaning.body = interpolate(meaning, op, x.shape, result.shape, 0, {});
    return meaning;
  }
  std::vector<Index> index;
  for (size_t i = 0; i < x.shape.size(); ++i)
    index.push_back(is_resized(op, i) ? nearest_index(op, resize_coordinate(op, i, x.shape, result.shape))
                                      : result_axis(i));
  Border border;
  if (!surely_inside(meaning, index, x.shape)) border.rule = Border::Rule::Clamp;
  meaning.accesses = {{0, index, border}};
  meaning.body = access_value(x.dtype, 0);
  return meaning;
}

}  // namespace hone::ir
