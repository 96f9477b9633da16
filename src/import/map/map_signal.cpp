// Discrete Fourier transforms, as products with matrices of sines and cosines: n² work for n points.
#include <cmath>
#include <numbers>

#include "import/map/calculator_internal.h"

namespace hone::import {

namespace {

constexpr int64_t kLargestTable = int64_t{1} << 24;

// What is summed up for which result: result k takes input j with the angle 2π jk / length.
struct Transform {
  Index inputs, results, length;
  int64_t parts;      // of an input: 1 real, 2 complex
  bool inverse;       // divided by the length, angles the other way round
  bool real_results;  // of an inverse whose inputs are the first half of a symmetric spectrum
  DType type;         // of the signal
  DType real() const { return type == DType::F64 ? DType::F64 : DType::F32; }
  int64_t result_parts() const { return real_results ? 1 : 2; }
};

// What the input at j counts: those of half a spectrum stand for two, save the first and the one in the middle.
double weight_of(const Transform& t, int64_t j, int64_t length) {
  double weight = t.inverse ? 1 / static_cast<double>(length) : 1;
  return t.real_results && j != 0 && 2 * j != length ? 2 * weight : weight;
}

// The matrix [inputs, parts, results, parts of a result] of a transform whose sizes are numbers.
ValueId fixed_matrix(Node& node, const Transform& t) {
  int64_t inputs = *t.inputs.constant(), results = *t.results.constant(), length = *t.length.constant();
  std::vector<double> table;
  for (int64_t j = 0; j < inputs; ++j)
    for (int64_t part = 0; part < t.parts; ++part)
      for (int64_t k = 0; k < results; ++k) {
        double angle = 2 * std::numbers::pi * static_cast<double>(j * k % length) / static_cast<double>(length);
        double weight = weight_of(t, j, length), cosine = weight * std::cos(angle);
        double sine = (t.inverse ? weight : -weight) * std::sin(angle);
        table.push_back(part == 0 ? cosine : -sine);
        if (!t.real_results) table.push_back(part == 0 ? sine : cosine);
      }
  return node.constant({t.real(), {inputs, t.parts, results, t.result_parts()}}, constant_of(t.real(), table));
}

// The same by ops, where a size is known only at run time.
ValueId matrix_by_ops(Calculator& c, Calculator& whole, const Transform& t) {
  const ir::Shape column = {t.inputs, 1, 1, 1}, row = {1, 1, t.results, 1};
  ValueId j = whole.reshape(whole.range(t.inputs), column), k = whole.reshape(whole.range(t.results), row);
  ValueId length = whole.size(t.length);
  ValueId turns = whole.op(OpKind::Mod, {whole.mul(j, k), length});
  ValueId once = whole.op(OpKind::Equal, {whole.op(OpKind::Mod, {whole.mul(j, 2.0), length}), whole.number(0)});
  if (whole.failed()) return ir::kAbsent;
  ValueId points = c.cast(length, t.real());
  ValueId angle = c.mul(c.div(c.cast(turns, t.real()), points), 2 * std::numbers::pi);
  ValueId weight = c.number(1);
  if (t.inverse) weight = c.div(weight, points);
  if (t.real_results) weight = c.mul(weight, c.where(once, c.number(1), c.number(2)));
  ValueId cosine = c.mul(weight, c.op(OpKind::Cos, {angle})), sine = c.mul(weight, c.op(OpKind::Sin, {angle}));
  if (!t.inverse) sine = c.op(OpKind::Neg, {sine});
  ValueId back = c.op(OpKind::Neg, {sine});
  auto join = [&](Values values, int64_t axis) { return c.op(OpKind::Concat, std::move(values), {{"axis", axis}}); };
  ValueId of_real = t.real_results ? cosine : join({cosine, sine}, 3);
  if (t.parts == 1) return of_real;
  return join({of_real, t.real_results ? back : join({back, cosine}, 3)}, 1);
}

Result<ValueId> matrix_of(Node& node, const Transform& t) {
  Calculator calculate(node, t.real()), whole(node, DType::I64);
  auto count = (t.inputs * t.results).constant();
  ValueId matrix;
  if (count && t.length.constant()) {
    if (*count > kLargestTable) return error("a transform of {} points is too long", t.length.text());
    matrix = fixed_matrix(node, t);
  } else {
    matrix = matrix_by_ops(calculate, whole, t);
  }
  if (whole.failed()) return whole.result(matrix);
  return calculate.result(calculate.cast(matrix, t.type));
}

Result<int64_t> parts_of(Node& node) {
  if (!is_float(node.type(0).dtype)) return error("it is not defined on {} tensors", name_of(node.type(0).dtype));
  auto parts = node.rank(0) == 0 ? std::nullopt : node.shape(0).back().constant();
  if (!parts || (*parts != 1 && *parts != 2)) return error("the last dimension of its signal must be 1 or 2");
  return *parts;
}

// The axis was an attribute until opset 19.
Result<int> dft_axis(Node& node) {
  int64_t axis = node.attributes().integer("axis", node.opset() >= 20 ? -2 : 1);
  if (node.has(2)) {
    HONE_TRY(std::vector<int64_t> given, node.integers(2, "axis"));
    if (given.size() != 1) return error("its axis must be one number");
    axis = given[0];
  }
  HONE_TRY(int normal, normal_axis(axis, node.rank(0)));
  if (static_cast<size_t>(normal) + 1 == node.rank(0)) return error("its axis is that of real and imaginary parts");
  return normal;
}

Result<Transform> transform_of(Node& node, const Index& points) {
  HONE_TRY(int64_t parts, parts_of(node));
  bool inverse = node.attributes().integer("inverse", 0) != 0, onesided = node.attributes().integer("onesided", 0) != 0;
  Index length = inverse && onesided ? (points - 1) * 2 : points;
  if (node.has(1)) {
    HONE_TRY(std::vector<Index> given, node.sizes(1, "dft_length"));
    if (given.size() != 1) return error("its dft_length must be one number");
    length = given[0];
  }
  if (length.constant().value_or(1) < 1) return error("it transforms {} points", length.text());
  Index half = floor_div(length, 2) + 1;
  Index used = min(points, inverse && onesided ? half : length);
  return Transform{
      used, onesided && !inverse ? half : length, length, parts, inverse, inverse && onesided, node.type(0).dtype};
}

}  // namespace

Result<Values> map_dft(Node& node) {
  HONE_TRY(int axis, dft_axis(node));
  size_t at = static_cast<size_t>(axis), rank = node.rank(0);
  HONE_TRY(Transform t, transform_of(node, node.shape(0)[at]));
  HONE_TRY(ValueId matrix, matrix_of(node, t));
  Calculator calculate(node, t.type);
  ir::Shape shape = node.shape(0);
  ValueId x = node.input(0);
  if (!(shape[at] == t.inputs)) {
    shape[at] = t.inputs;
    x = calculate.op(OpKind::Slice, {x}, {{"starts", std::vector<int64_t>(rank, 0)}}, {t.type, shape});
  }
  // Beside its parts the axis is one row of a matrix.
  std::vector<int64_t> order, back(rank);
  for (size_t d = 0; d + 1 < rank; ++d)
    if (d != at) order.push_back(static_cast<int64_t>(d));
  order.insert(order.end(), {static_cast<int64_t>(at), static_cast<int64_t>(rank) - 1});
  for (size_t i = 0; i < rank; ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  ir::Shape rows;
  for (size_t i = 0; i + 2 < rank; ++i) rows.push_back(shape[static_cast<size_t>(order[i])]);
  Index depth = t.inputs * t.parts, width = t.results * t.result_parts();
  ValueId left = calculate.reshape(calculate.transpose(x, order), {product(rows), depth});
  ValueId y = calculate.op(OpKind::MatMul, {left, calculate.reshape(matrix, {depth, width})});
  rows.insert(rows.end(), {t.results, Index(t.result_parts())});
  return Node::single(calculate.result(calculate.transpose(calculate.reshape(y, rows), back)));
}

namespace {

Result<Index> frame_length(Node& node) {
  if (node.has(3)) {
    HONE_TRY(std::vector<Index> given, node.sizes(3, "frame_length"));
    if (given.size() != 1) return error("its frame_length must be one number");
    return given[0];
  }
  return node.has(2) ? node.shape(2)[0] : node.shape(0)[1];
}

}  // namespace

// Frames are windows that slide over the signal, so that a convolution transforms them all.
Result<Values> map_stft(Node& node) {
  // ONNX asks for a last dimension of real and imaginary part; real signals often come without.
  if (node.rank(0) != 3 && node.rank(0) != 2) return error("its signal has rank {}; 3 is needed", node.rank(0));
  if (node.has(2) && node.rank(2) != 1) return error("its window has rank {}; 1 is needed", node.rank(2));
  int64_t parts = 1;
  if (node.rank(0) == 3) {
    HONE_TRY(parts, parts_of(node));
  }
  HONE_TRY(std::vector<int64_t> step, node.integers(1, "frame_step"));
  if (step.size() != 1 || step[0] < 1) return error("its frame_step must be one positive number");
  HONE_TRY(Index length, frame_length(node));
  auto fixed = length.constant();
  if (!fixed || *fixed < 1) return error("its frame_length {} is not a positive number", length.text());
  bool onesided = node.attributes().integer("onesided", 1) != 0;
  DType type = node.type(0).dtype;
  Transform t{length, onesided ? Index(*fixed / 2 + 1) : length, length, parts, false, false, type};
  HONE_TRY(ValueId weight, matrix_of(node, t));
  Calculator calculate(node, type);
  if (node.has(2)) {
    HONE_PASS(node.require(2, 0, length));
    weight = calculate.mul(weight, calculate.reshape(node.input(2), {length, 1, 1, 1}));
  }
  weight = calculate.reshape(calculate.transpose(weight, {2, 3, 1, 0}), {t.results * 2, parts, length});
  ValueId signal = node.rank(0) == 2 ? calculate.reshape(node.input(0), {node.shape(0)[0], 1, node.shape(0)[1]})
                                     : calculate.transpose(node.input(0), {0, 2, 1});
  ValueId y = calculate.op(OpKind::Conv, {signal, weight}, {{"strides", step}});
  if (calculate.failed()) return Node::single(calculate.result(y));
  ir::Shape shape = calculate.shape_of(y);
  y = calculate.reshape(y, {shape[0], t.results, 2, shape[2]});
  return Node::single(calculate.result(calculate.transpose(y, {0, 3, 1, 2})));
}

}  // namespace hone::import
