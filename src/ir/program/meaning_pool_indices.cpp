#include <limits>

#include "ir/program/meaning_parts.h"

namespace hone::ir {
namespace {

Scalar whole(const Index& index) {
  return index_value(DType::I64, index);
}

// The place's number in the order where the first spatial dimension runs fastest, from its row-major number.
Scalar column_major(const Scalar& place, const Shape& shape) {
  Index plane = product({shape.begin() + 2, shape.end()});
  Scalar result = apply(ScalarOp::Mul, {apply(ScalarOp::Div, {place, whole(plane)}), whole(plane)});
  Index before = 1, behind = plane;
  for (size_t d = 2; d < shape.size(); ++d) {
    behind = product({shape.begin() + static_cast<long>(d) + 1, shape.end()});
    Scalar at = apply(ScalarOp::Mod, {apply(ScalarOp::Div, {place, whole(behind)}), whole(shape[d])});
    result = apply(ScalarOp::Add, {result, apply(ScalarOp::Mul, {at, whole(before)})});
    before = before * shape[d];
  }
  return result;
}

}  // namespace

// The least place of the window that holds the maximum; a NaN is the maximum wherever there is one.
Indexed max_pool_indices_meaning(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &result = program.type(op.outputs[0]);
  size_t rank = x.shape.size() - 2;
  Sliding sliding = sliding_of(op, rank);
  std::vector<int64_t> taps = op.integers("kernel_shape");
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = DType::I64;
  meaning.combine = Combine::Min;
  std::vector<Index> index = {result_axis(0), result_axis(1)};
  for (size_t i = 0; i < rank; ++i)
    index.push_back(result_axis(i + 2) * sliding.strides[i] - sliding.begin[i] +
                    add_reduce(meaning, taps[i]) * sliding.dilations[i]);
  Scalar value = access_value(x.dtype, 0), largest = access_value(x.dtype, 1);
  Scalar chosen = apply(ScalarOp::Equal, {value, largest});
  if (is_float(x.dtype)) chosen = apply(ScalarOp::Or, {chosen, apply(ScalarOp::IsNan, {value})});
  Border border;
  if (!surely_inside(meaning, index, x.shape)) {
    border = {Border::Rule::Fill, -std::numeric_limits<double>::infinity()};
    // What lies outside may equal a maximum of -inf.
    for (size_t i = 0; i < rank; ++i) {
      Scalar begun = apply(ScalarOp::LessEqual, {whole(0), whole(index[i + 2])});
      Scalar unended = apply(ScalarOp::Less, {whole(index[i + 2]), whole(x.shape[i + 2])});
      chosen = apply(ScalarOp::And, {chosen, apply(ScalarOp::And, {begun, unended})});
    }
  }
  Index place = 0;
  for (size_t d = 0; d < index.size(); ++d) place = place * x.shape[d] + index[d];
  meaning.accesses = {{0, index, border}, {1, identity_index(rank + 2), {}}};
  Scalar none = integer_constant(DType::I64, std::numeric_limits<int64_t>::max());
  meaning.body = apply(ScalarOp::Select, {chosen, whole(place), none});
  if (op.integer("storage_order", 0) != 0) meaning.finish = column_major(access_value(DType::I64, 0), x.shape);
  return settled(std::move(meaning));
}

}  // namespace hone::ir
