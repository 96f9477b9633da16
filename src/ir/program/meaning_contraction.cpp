#include <algorithm>

#include "ir/program/transposed_tap.h"

namespace hone::ir {
namespace {

Scalar product_of(DType type) {
  return apply(ScalarOp::Mul, {access_value(type, 0), access_value(type, 1)});
}

Indexed sum_of_products(const TensorType& result) {
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = result.dtype;
  meaning.combine = Combine::Sum;
  meaning.body = product_of(result.dtype);
  return meaning;
}

// Adds a term that is not part of the sum: the bias.
void add_after(Indexed& meaning, Access bias, double scale) {
  Scalar combined = meaning.finish ? meaning.finish : access_value(meaning.type, 0);
  Scalar value = access_value(meaning.type, static_cast<int>(meaning.after.size()) + 1);
  if (scale != 1) value = apply(ScalarOp::Mul, {constant(meaning.type, scale), value});
  meaning.after.push_back(std::move(bias));
  meaning.finish = apply(ScalarOp::Add, {combined, value});
}

Indexed matmul_meaning(const Program& program, const Op& op) {
  const TensorType &a = input_type(program, op, 0), &b = input_type(program, op, 1),
                   &result = program.type(op.outputs[0]);
  Indexed meaning = sum_of_products(result);
  size_t rank_a = a.shape.size(), rank_b = b.shape.size();
  size_t matrix = (rank_a > 1 ? 1 : 0) + (rank_b > 1 ? 1 : 0);
  Shape batch(result.shape.begin(), result.shape.end() - matrix);
  auto batch_index = [&](const Shape& shape) {
    Shape own(shape.begin(), shape.size() > 2 ? shape.end() - 2 : shape.begin());
    return broadcast_index(own, batch);
  };
  Index depth = add_reduce(meaning, a.shape.back());
  std::vector<Index> index_a = batch_index(a.shape), index_b = batch_index(b.shape);
  if (rank_a > 1) index_a.push_back(result_axis(batch.size()));
  index_a.push_back(depth);
  index_b.push_back(depth);
  if (rank_b > 1) index_b.push_back(result_axis(result.shape.size() - 1));
  meaning.accesses = {{0, index_a, {}}, {1, index_b, {}}};
  return settled(std::move(meaning));
}

Indexed gemm_meaning(const Program& program, const Op& op) {
  const TensorType &a = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  bool turn_a = op.integer("transA", 0) != 0, turn_b = op.integer("transB", 0) != 0;
  Indexed meaning = sum_of_products(result);
  Index depth = add_reduce(meaning, a.shape[turn_a ? 0 : 1]);
  std::vector<Index> index_a = {result_axis(0), depth}, index_b = {depth, result_axis(1)};
  if (turn_a) std::swap(index_a[0], index_a[1]);
  if (turn_b) std::swap(index_b[0], index_b[1]);
  meaning.accesses = {{0, index_a, {}}, {1, index_b, {}}};
  double alpha = op.number("alpha", 1);
  if (alpha != 1) meaning.finish = apply(ScalarOp::Mul, {constant(result.dtype, alpha), access_value(result.dtype, 0)});
  if (has_input(op, 2))
    add_after(meaning, {2, broadcast_index(input_type(program, op, 2).shape, result.shape), {}}, op.number("beta", 1));
  return settled(std::move(meaning));
}

bool any_nonzero(const std::vector<int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value != 0; });
}

Indexed conv_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &w = input_type(program, op, 1),
                   &result = program.type(op.outputs[0]);
  size_t rank = x.shape.size() - 2;
  Sliding sliding = sliding_of(op, rank);
  Indexed meaning = sum_of_products(result);
  Index channel = add_reduce(meaning, w.shape[1]);
  Index group = sliding.group == 1 ? Index(0) : floor_div(result_axis(1), floor_div(w.shape[0], sliding.group));
  std::vector<Index> index_x = {result_axis(0), group * w.shape[1] + channel};
  std::vector<Index> index_w = {result_axis(1), channel};
  for (size_t i = 0; i < rank; ++i) {
    Index tap = add_reduce(meaning, w.shape[i + 2]);
    index_x.push_back(result_axis(i + 2) * sliding.strides[i] + tap * sliding.dilations[i] - sliding.begin[i]);
    index_w.push_back(tap);
  }
  bool padded = any_nonzero(sliding.begin) || any_nonzero(sliding.end);
  meaning.accesses = {{0, index_x, padded ? Border{Border::Rule::Fill, 0} : Border{}}, {1, index_w, {}}};
  if (has_input(op, 2)) add_after(meaning, {2, {result_axis(1)}, {}}, 1);
  return settled(std::move(meaning));
}

Indexed conv_transpose_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &w = input_type(program, op, 1),
                   &result = program.type(op.outputs[0]);
  size_t rank = x.shape.size() - 2;
  Sliding sliding = sliding_of(op, rank);
  Indexed meaning = sum_of_products(result);
  Index per_group = floor_div(x.shape[1], sliding.group);
  Index channel = add_reduce(meaning, per_group);
  Index group = sliding.group == 1 ? Index(0) : floor_div(result_axis(1), w.shape[1]);
  Index source = group * per_group + channel;
  std::vector<Index> index_x = {result_axis(0), source};
  std::vector<Index> index_w = {source, sliding.group == 1 ? result_axis(1) : mod(result_axis(1), w.shape[1])};
  Scalar zero = constant(result.dtype, 0);
  bool past_window = false;
  for (size_t i = 0; i < rank; ++i) {
    Index place = result_axis(i + 2) + sliding.begin[i];
    TransposedTap tap = transposed_tap(meaning, place, w.shape[i + 2], sliding.strides[i], sliding.dilations[i]);
    index_x.push_back(tap.input);
    index_w.push_back(tap.tap);
    past_window |= tap.may_pass_window;
    if (tap.holds) meaning.body = apply(ScalarOp::Select, {tap.holds, meaning.body, zero});
  }
  const Border inside, zeros{Border::Rule::Fill, 0};
  meaning.accesses = {{0, index_x, surely_inside(meaning, index_x, x.shape) ? inside : zeros},
                      {1, index_w, past_window ? zeros : inside}};
  if (has_input(op, 2)) add_after(meaning, {2, {result_axis(1)}, {}}, 1);
  return settled(std::move(meaning));
}

}  // namespace

Indexed contraction_meaning(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::MatMul:
      return matmul_meaning(program, op);
    case OpKind::Gemm:
      return gemm_meaning(program, op);
    case OpKind::Conv:
      return conv_meaning(program, op);
    case OpKind::ConvTranspose:
      return conv_transpose_meaning(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a contraction", name_of(op.kind));
}

}  // namespace hone::ir
