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
  if (!one_of(op.text("coordinate", "half_pixel"),
              {"asymmetric", "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners"}))
    return refusal(op, "coordinate transformation '{}' is not supported", op.text("coordinate", ""));
  if (!one_of(op.text("nearest", "round_prefer_floor"), {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"}))
    return refusal(op, "rounding '{}' is not supported", op.text("nearest", ""));
  return Done{};
}

// The scale of a dimension is up / down; where the op does not say it, that of the sizes.
struct Scale {
  Index up, down;
};

Scale scale_of(const Op& op, size_t dimension, const Shape& from, const Shape& to) {
  int64_t up = op.integers("numerators")[dimension], down = op.integers("denominators")[dimension];
  if (up > 0) return {up, down};
  return {max(to[dimension], 1), from[dimension]};
}

bool is_resized(const Op& op, size_t dimension) {
  int64_t up = op.integers("numerators")[dimension];
  return up == 0 || up != op.integers("denominators")[dimension];
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
  if (op.text("mode", "nearest") == "linear") HONE_PASS(expect_float(op, x.dtype));
  bool rounded = op.integer("rounded", 0) != 0;
  Shape shape;
  for (size_t i = 0; i < x.shape.size(); ++i) {
    if (up[i] == 0 && down[i] == 0) {
      HONE_TRY(TensorType declared, declared_type(program, op));
      HONE_PASS(expect_rank(op, "its result", declared, x.shape.size()));
      shape.push_back(declared.shape[i]);
    } else {
      if (up[i] < 1 || down[i] < 1) return refusal(op, "its scales must be positive");
      Index length = x.shape[i] * up[i];
      shape.push_back(rounded ? floor_div(length * 2 + down[i], 2 * down[i]) : floor_div(length, down[i]));
    }
  }
  return Types{{x.dtype, shape}};
}

Coordinate resize_coordinate(const Op& op, size_t dimension, const Shape& from, const Shape& to) {
  const auto [up, down] = scale_of(op, dimension, from, to);
  Index axis = result_axis(dimension);
  std::string rule = op.text("coordinate", "half_pixel");
  // The last of in * up / down points, which need not be a whole number, is the last pixel.
  if (rule == "align_corners") return {axis * (from[dimension] - 1) * down, max(from[dimension] * up - down, 1)};
  if (rule == "asymmetric") return {axis * down, up};
  Coordinate centred = {(axis * 2 + 1) * down - up, up * 2};  // (axis + 1/2) * down / up - 1/2
  // One result alone stands at the first pixel.
  if (rule == "pytorch_half_pixel") centred.numerator = centred.numerator * min(to[dimension] - 1, 1);
  // The middle of the results is that of the pixels: moved by (from - to * down / up) / 2.
  if (rule == "half_pixel_symmetric")
    centred.numerator = centred.numerator + from[dimension] * up - to[dimension] * down;
  return centred;
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
