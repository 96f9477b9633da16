#include "canon/constants_internal.h"

#include <cstring>

#include "eval/tensor.h"

namespace hone::canon {

std::optional<std::vector<int64_t>> fixed_shape(const ir::Shape& shape) {
  std::vector<int64_t> sizes;
  for (const ir::Index& dim : shape) {
    if (!dim.constant()) return std::nullopt;
    sizes.push_back(*dim.constant());
  }
  return sizes;
}

std::optional<double> splat(const ir::Value& value) {
  if (!value.constant || value.constant->bytes == 0) return std::nullopt;
  size_t size = size_of(value.type.dtype), bytes = value.constant->bytes;
  const std::byte* data = value.constant->data;
  // Equal to itself moved by one element.
  if (std::memcmp(data, data + size, bytes - size) != 0) return std::nullopt;
  return eval::element(eval::tensor_of(value.type.dtype, {1}, {data, size, nullptr}), 0);
}

std::optional<std::vector<double>> numbers(const ir::Value& value) {
  auto shape = fixed_shape(value.type.shape);
  if (!value.constant || !shape) return std::nullopt;
  return eval::values_of(eval::tensor_of(value.type.dtype, *shape, *value.constant));
}

ir::ConstantData owned(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {owner->data(), owner->size(), owner};
}

ir::ConstantData constant_of(ir::DType type, const std::vector<double>& numbers) {
  return owned(eval::filled(type, {static_cast<int64_t>(numbers.size())}, numbers).bytes);
}

}  // namespace hone::canon
