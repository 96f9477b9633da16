// Elements of the types that tensors have, for functions that are generic over them.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/result.h"

namespace hone::library {

// The numbers of ir::DType, in its order.
enum class Element : int64_t { F32, F64, F16, BF16, I8, I16, I32, I64, U8, U16, U32, U64, Bool };

// The upper half of a float.
struct BFloat {
  uint16_t bits = 0;
  BFloat() = default;
  explicit BFloat(float value) {
    uint32_t whole = std::bit_cast<uint32_t>(value);
    // Half to even; a NaN keeps a bit that says so.
    bool nan = (whole & 0x7fffffffU) > 0x7f800000U;
    bits = static_cast<uint16_t>(nan ? (whole >> 16) | 0x40U : (whole + 0x7fffU + ((whole >> 16) & 1U)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

// Calls visit(T{}) with the C++ type of the element: _Float16 and BFloat for the half types, bool for Bool.
template <typename Visit>
Status with_element(int64_t code, Visit visit) {
  switch (static_cast<Element>(code)) {
    case Element::F32:
      return visit(float{});
    case Element::F64:
      return visit(double{});
    case Element::F16:
      return visit(_Float16{});
    case Element::BF16:
      return visit(BFloat{});
    case Element::I8:
      return visit(int8_t{});
    case Element::I16:
      return visit(int16_t{});
    case Element::I32:
      return visit(int32_t{});
    case Element::I64:
      return visit(int64_t{});
    case Element::U8:
      return visit(uint8_t{});
    case Element::U16:
      return visit(uint16_t{});
    case Element::U32:
      return visit(uint32_t{});
    case Element::U64:
      return visit(uint64_t{});
    case Element::Bool:
      return visit(bool{});
  }
  return error("there is no element type {}", code);
}

template <typename T>
inline constexpr bool is_real =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, _Float16> || std::is_same_v<T, BFloat>;

// What one computes with: float for the half types, else the type itself.
template <typename T>
using Computed = std::conditional_t<is_real<T> && sizeof(T) == 2, float, T>;

// As above, for functions that are defined on real numbers only.
template <typename Visit>
Status with_real(int64_t code, Visit visit) {
  return with_element(code, [&](auto zero) -> Status {
    if constexpr (is_real<decltype(zero)>)
      return visit(zero);
    else
      return error("element type {} is not a floating-point one", code);
  });
}

}  // namespace hone::library
