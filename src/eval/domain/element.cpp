#include "eval/domain/element.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/result.h"
#include "eval/domain/float_bits.h"

namespace hone::eval {
namespace {

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename T>
void store(T value, std::byte* at) {
  std::memcpy(at, &value, sizeof(T));
}

template <typename T>
int64_t saturated(double value) {
  if (std::isnan(value)) return 0;
  value = std::trunc(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return static_cast<int64_t>(std::numeric_limits<T>::min());
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<int64_t>(std::numeric_limits<T>::max());
  return static_cast<int64_t>(static_cast<T>(value));
}

// Calls use(T{}) with the C++ type of an integer DType, or of the bits of a storage type.
template <typename Use>
auto with_integer(ir::DType type, Use use) {
  switch (type) {
    case ir::DType::I8:
      return use(int8_t{});
    case ir::DType::I16:
      return use(int16_t{});
    case ir::DType::I32:
      return use(int32_t{});
    case ir::DType::I64:
      return use(int64_t{});
    case ir::DType::U8:
    case ir::DType::F8E4M3FN:
    case ir::DType::F8E4M3FNUZ:
    case ir::DType::F8E5M2:
    case ir::DType::F8E5M2FNUZ:
    case ir::DType::F8E8M0:
    case ir::DType::F4E2M1:
    case ir::DType::I4:
    case ir::DType::U4:
    case ir::DType::I2:
    case ir::DType::U2:
      return use(uint8_t{});
    case ir::DType::U16:
      return use(uint16_t{});
    case ir::DType::U32:
      return use(uint32_t{});
    case ir::DType::U64:
      return use(uint64_t{});
    case ir::DType::F32:
    case ir::DType::F64:
    case ir::DType::F16:
    case ir::DType::BF16:
    case ir::DType::Bool:
      break;
  }
  HONE_CHECK(false, "{} is no integer type", ir::name_of(type));
}

}  // namespace

double load_real(ir::DType type, const std::byte* at) {
  switch (type) {
    case ir::DType::F32:
      return static_cast<double>(load<float>(at));
    case ir::DType::F64:
      return load<double>(at);
    case ir::DType::F16:
      return of_half(load<uint16_t>(at));
    case ir::DType::BF16:
      return of_bfloat(load<uint16_t>(at));
    default:
      break;
  }
  HONE_CHECK(false, "{} is no floating-point type", ir::name_of(type));
}

void store_real(ir::DType type, double value, std::byte* at) {
  switch (type) {
    case ir::DType::F32:
      return store(static_cast<float>(value), at);
    case ir::DType::F64:
      return store(value, at);
    case ir::DType::F16:
      return store(half_bits(value), at);
    case ir::DType::BF16:
      return store(bfloat_bits(value), at);
    default:
      break;
  }
  HONE_CHECK(false, "{} is no floating-point type", ir::name_of(type));
}

int64_t load_whole(ir::DType type, const std::byte* at) {
  if (type == ir::DType::Bool) return load<uint8_t>(at) != 0;
  return with_integer(type, [&](auto zero) { return static_cast<int64_t>(load<decltype(zero)>(at)); });
}

void store_whole(ir::DType type, int64_t value, std::byte* at) {
  if (type == ir::DType::Bool) return store(static_cast<uint8_t>(value != 0), at);
  with_integer(type, [&](auto zero) { store(static_cast<decltype(zero)>(value), at); });
}

int64_t wrapped(ir::DType type, int64_t value) {
  if (type == ir::DType::I64 || type == ir::DType::U64) return value;
  if (type == ir::DType::Bool) return value != 0;
  return with_integer(type, [&](auto zero) { return static_cast<int64_t>(static_cast<decltype(zero)>(value)); });
}

int64_t to_whole(ir::DType type, double value) {
  if (type == ir::DType::Bool) return value != 0;
  return with_integer(type, [&](auto zero) { return saturated<decltype(zero)>(value); });
}

int64_t real_bits(ir::DType type, double value) {
  std::byte bytes[8] = {};
  store_real(type, value, bytes);
  return wrapped(ir::size_of(type) == 2   ? ir::DType::I16
                 : ir::size_of(type) == 4 ? ir::DType::I32
                                          : ir::DType::I64,
                 load<int64_t>(bytes));
}

double real_of_bits(ir::DType type, int64_t bits) {
  std::byte bytes[8];
  store(bits, bytes);
  return load_real(type, bytes);
}

double to_real(ir::DType type, int64_t value) {
  return type == ir::DType::U64 ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value);
}

}  // namespace hone::eval
