#include "import/tensor_internal.h"

#include <cstring>

#include "eval/domain/element.h"
#include "import/sizes_internal.h"

namespace hone::import {
namespace {

using ir::DType;

constexpr size_t kMostBytes = size_t{1} << 46;

Result<size_t> count_elements(const onnx::TensorProto& proto) {
  if (static_cast<size_t>(proto.dims_size()) > kMostDimensions)
    return error("has {} dimensions; at most {} would work", proto.dims_size(), kMostDimensions);
  size_t count = 1;
  for (int64_t dim : proto.dims()) {
    if (dim < 0) return error("has the negative dimension {}", dim);
    if (dim > 0 && count > kMostBytes / static_cast<size_t>(dim))
      return error("has more elements than memory can hold");
    count *= static_cast<size_t>(dim);
  }
  return count;
}

// Elements that lie in a repeated field just as a constant needs them.
template <typename Field>
ir::ConstantData in_place(const Field& field, const std::shared_ptr<const void>& owner) {
  return {reinterpret_cast<const std::byte*>(field.data()), static_cast<size_t>(field.size()) * sizeof(*field.data()),
          owner};
}

template <typename To, typename Field>
ir::ConstantData narrowed(const Field& field) {
  std::vector<std::byte> bytes(static_cast<size_t>(field.size()) * sizeof(To));
  for (int i = 0; i < field.size(); ++i) {
    To element = static_cast<To>(field.Get(i));
    std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(To), &element, sizeof(To));
  }
  return owned(std::move(bytes));
}

ir::ConstantData typed_data(const onnx::TensorProto& proto, DType type, const std::shared_ptr<const void>& owner) {
  switch (type) {
    case DType::F32:
      return in_place(proto.float_data(), owner);
    case DType::F64:
      return in_place(proto.double_data(), owner);
    case DType::I64:
      return in_place(proto.int64_data(), owner);
    case DType::U64:
      return in_place(proto.uint64_data(), owner);
    case DType::I32:
      return in_place(proto.int32_data(), owner);
    case DType::U32:
      return narrowed<uint32_t>(proto.uint64_data());
    case DType::I8:
    case DType::U8:
    case DType::Bool:
    case DType::F8E4M3FN:
    case DType::F8E4M3FNUZ:
    case DType::F8E5M2:
    case DType::F8E5M2FNUZ:
    case DType::F8E8M0:
    case DType::F4E2M1:
    case DType::I4:
    case DType::U4:
    case DType::I2:
    case DType::U2:
      return narrowed<uint8_t>(proto.int32_data());
    case DType::I16:
    case DType::U16:
    case DType::F16:
    case DType::BF16:
      return narrowed<uint16_t>(proto.int32_data());
  }
  HONE_CHECK(false, "unknown element type");
}

ir::ConstantData aligned(ir::ConstantData data, size_t alignment) {
  if (reinterpret_cast<uintptr_t>(data.data) % alignment == 0) return data;
  return owned(std::vector<std::byte>(data.data, data.data + data.bytes));
}

double number_at(const ir::ConstantData& data, DType type, size_t i) {
  const std::byte* at = data.data + i * size_of(type);
  return is_float(type) ? eval::load_real(type, at) : eval::to_real(type, eval::load_whole(type, at));
}

int64_t saturated(DType type, double value) {
  return eval::to_whole(type, value);
}
int64_t saturated(DType, int64_t value) {
  return value;
}

template <typename From>
ir::ConstantData lay_down(DType type, const std::vector<From>& values) {
  std::vector<std::byte> bytes(values.size() * size_of(type));
  for (size_t i = 0; i < values.size(); ++i) {
    std::byte* at = bytes.data() + i * size_of(type);
    if (is_float(type))
      eval::store_real(type, static_cast<double>(values[i]), at);
    else
      eval::store_whole(type, eval::wrapped(type, saturated(type, values[i])), at);
  }
  return owned(std::move(bytes));
}

}  // namespace

ir::ConstantData owned(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {owner->data(), owner->size(), owner};
}

namespace {

// Elements narrower than a byte lie several to a byte, the first in the lowest bits; each gets a byte of its own.
ir::ConstantData unpacked(const ir::ConstantData& packed, DType type, size_t count) {
  const size_t width = static_cast<size_t>(width_of(type)), per_byte = 8 / width;
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = (packed.data[i / per_byte] >> (i % per_byte * width)) & std::byte((1U << width) - 1);
  return owned(std::move(bytes));
}

}  // namespace

Result<Tensor> read_tensor(const onnx::TensorProto& proto, const std::shared_ptr<const void>& owner,
                           ExternalFiles& files) {
  HONE_TRY(DType type, dtype_of(proto.data_type()));
  HONE_TRY(size_t count, count_elements(proto));
  if (proto.has_segment()) return error("is split into segments; a whole tensor would work");
  size_t width = static_cast<size_t>(width_of(type)), bytes = (count * width + 7) / 8;
  ir::ConstantData data;
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    HONE_TRY(data, files.find(proto, bytes));
  } else if (proto.has_raw_data()) {
    data = {reinterpret_cast<const std::byte*>(proto.raw_data().data()), proto.raw_data().size(), owner};
  } else {
    data = typed_data(proto, type, owner);
  }
  if (data.bytes != bytes)
    return error("has {} bytes of data, its type {} and shape need {}", data.bytes, name_of(type), bytes);
  if (width < 8) data = unpacked(data, type, count);
  Tensor tensor{{type, {}}, aligned(data, size_of(type))};
  for (int64_t dim : proto.dims()) tensor.type.shape.push_back(dim);
  return tensor;
}

std::optional<std::vector<double>> numbers_of(const ir::TensorType& type, const ir::ConstantData& data, size_t most) {
  size_t count = data.bytes / size_of(type.dtype);
  if (count > most || is_storage(type.dtype)) return std::nullopt;
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(number_at(data, type.dtype, i));
  return numbers;
}

std::optional<std::vector<int64_t>> integers_of(const ir::TensorType& type, const ir::ConstantData& data, size_t most) {
  size_t count = data.bytes / size_of(type.dtype);
  if (count > most || is_float(type.dtype) || is_storage(type.dtype)) return std::nullopt;
  std::vector<int64_t> integers;
  for (size_t i = 0; i < count; ++i) {
    int64_t value = eval::load_whole(type.dtype, data.data + i * size_of(type.dtype));
    if (type.dtype == DType::U64 && value < 0) return std::nullopt;  // above what an i64 holds
    integers.push_back(value);
  }
  return integers;
}

ir::ConstantData constant_of(DType type, const std::vector<double>& values) {
  return lay_down(type, values);
}
ir::ConstantData constant_of(DType type, const std::vector<int64_t>& values) {
  return lay_down(type, values);
}

}  // namespace hone::import
