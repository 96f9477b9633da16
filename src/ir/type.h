// Element types. Sizes are those of memory; bool takes a byte.
//
// The types from F8E4M3FN on are for storage: a value of one takes a byte, of which the low bits count where it is
// narrower. They are moved and cast, never computed with; ir/program/storage.h says what their bits mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hone::ir {

enum class DType {
  F32,
  F64,
  F16,
  BF16,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  Bool,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0,
  F4E2M1,
  I4,
  U4,
  I2,
  U2
};

size_t size_of(DType type);
const char* name_of(DType type);  // "f32", "i64", "bool", …
std::optional<DType> dtype_named(std::string_view name);
inline bool is_storage(DType t) {
  return t > DType::Bool;
}
int width_of(DType type);  // in bits; of bool 8
inline bool is_float(DType t) {
  return t == DType::F32 || t == DType::F64 || t == DType::F16 || t == DType::BF16;
}
inline bool is_half(DType t) {
  return t == DType::F16 || t == DType::BF16;
}
inline bool is_signed(DType t) {
  return is_float(t) || (t >= DType::I8 && t <= DType::I64);
}
inline bool is_integer(DType t) {
  return t >= DType::I8 && t <= DType::U64;
}

}  // namespace hone::ir
