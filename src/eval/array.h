// Array: a tensor whose elements are numbers of a domain, and the way between it and a Tensor.
#pragma once

#include "eval/domain/bounded.h"
#include "eval/domain/domain.h"
#include "eval/domain/element.h"
#include "eval/tensor.h"

namespace hone::eval {

template <typename D>
struct Array {
  ir::DType dtype = ir::DType::F32;
  std::vector<int64_t> shape;
  std::vector<typename D::Number> data;
};

template <typename D>
Array<D> empty_array(ir::DType dtype, std::vector<int64_t> shape) {
  size_t count = static_cast<size_t>(count_of(shape));
  return {dtype, std::move(shape), std::vector<typename D::Number>(count)};
}

// A constant of any type; what an integer type cannot hold saturates.
template <typename D>
typename D::Number number_of(D& domain, ir::DType type, double value) {
  return ir::is_float(type) ? domain.real(type, value) : domain.whole(type, to_whole(type, value));
}

template <typename D>
Array<D> to_array(D& domain, const Tensor& tensor) {
  Array<D> array = empty_array<D>(tensor.dtype, tensor.shape);
  const std::byte* at = tensor.bytes.data();
  for (auto& number : array.data) {
    number = ir::is_float(tensor.dtype) ? domain.real(tensor.dtype, load_real(tensor.dtype, at))
                                        : domain.whole(tensor.dtype, load_whole(tensor.dtype, at));
    at += ir::size_of(tensor.dtype);
  }
  return array;
}

// Not for residues, which are no numbers of the type.
template <typename D>
Tensor to_tensor(D& domain, const Array<D>& array) {
  Tensor tensor = zeros(array.dtype, array.shape);
  std::byte* at = tensor.bytes.data();
  for (const auto& number : array.data) {
    if (ir::is_float(array.dtype))
      store_real(array.dtype, domain.real_of(number), at);
    else
      store_whole(array.dtype, domain.whole_of(number), at);
    at += ir::size_of(array.dtype);
  }
  return tensor;
}

}  // namespace hone::eval
