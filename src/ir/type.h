// Element types. Sizes are those of memory; bool takes a byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hone::ir {

enum class DType { F32, F64, F16, BF16, I8, I16, I32, I64, U8, U16, U32, U64, Bool };

size_t size_of(DType type);
const char* name_of(DType type);  // "f32", "i64", "bool", …
std::optional<DType> dtype_named(std::string_view name);
inline bool is_float(DType t) {
  return t == DType::F32 || t == DType::F64 || t == DType::F16 || t == DType::BF16;
}
inline bool is_signed(DType t) {
  return is_float(t) || (t >= DType::I8 && t <= DType::I64);
}
inline bool is_integer(DType t) {
  return t >= DType::I8 && t <= DType::U64;
}

}  // namespace hone::ir
