#include "eval/tensor.h"

#include "eval/domain/element.h"

namespace hone::eval {

int64_t count_of(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

std::string text_of(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return text + "]";
}

Tensor zeros(ir::DType dtype, std::vector<int64_t> shape) {
  size_t bytes = static_cast<size_t>(count_of(shape)) * ir::size_of(dtype);
  return {dtype, std::move(shape), std::vector<std::byte>(bytes)};
}

Tensor tensor_of(ir::DType dtype, std::vector<int64_t> shape, const ir::ConstantData& data) {
  Tensor tensor = zeros(dtype, std::move(shape));
  HONE_CHECK(tensor.bytes.size() == data.bytes, "a constant of {} bytes has {}", tensor.bytes.size(), data.bytes);
  if (data.bytes != 0) std::memcpy(tensor.bytes.data(), data.data, data.bytes);
  return tensor;
}

double element(const Tensor& tensor, int64_t number) {
  const std::byte* at = tensor.bytes.data() + static_cast<size_t>(number) * ir::size_of(tensor.dtype);
  return ir::is_float(tensor.dtype) ? load_real(tensor.dtype, at) : to_real(tensor.dtype, load_whole(tensor.dtype, at));
}

void set_element(Tensor& tensor, int64_t number, double value) {
  std::byte* at = tensor.bytes.data() + static_cast<size_t>(number) * ir::size_of(tensor.dtype);
  if (ir::is_float(tensor.dtype))
    store_real(tensor.dtype, value, at);
  else
    store_whole(tensor.dtype, to_whole(tensor.dtype, value), at);
}

Tensor filled(ir::DType dtype, std::vector<int64_t> shape, const std::vector<double>& values) {
  Tensor tensor = zeros(dtype, std::move(shape));
  HONE_CHECK(static_cast<int64_t>(values.size()) == count_of(tensor.shape), "{} values for shape {}", values.size(),
             text_of(tensor.shape));
  for (size_t i = 0; i < values.size(); ++i) set_element(tensor, static_cast<int64_t>(i), values[i]);
  return tensor;
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(count_of(tensor.shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = element(tensor, static_cast<int64_t>(i));
  return values;
}

}  // namespace hone::eval
