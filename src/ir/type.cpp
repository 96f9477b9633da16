#include "ir/type.h"

#include <array>

namespace hone::ir {
namespace {

struct Entry {
  const char* name;
  size_t size;
};

constexpr std::array<Entry, 23> kTypes = {
    {{"f32", 4},    {"f64", 8},      {"f16", 2},        {"bf16", 2},   {"i8", 1},         {"i16", 2},
     {"i32", 4},    {"i64", 8},      {"u8", 1},         {"u16", 2},    {"u32", 4},        {"u64", 8},
     {"bool", 1},   {"f8e4m3fn", 1}, {"f8e4m3fnuz", 1}, {"f8e5m2", 1}, {"f8e5m2fnuz", 1}, {"f8e8m0", 1},
     {"f4e2m1", 1}, {"i4", 1},       {"u4", 1},         {"i2", 1},     {"u2", 1}}};

}  // namespace

size_t size_of(DType type) {
  return kTypes[static_cast<size_t>(type)].size;
}

int width_of(DType type) {
  if (type == DType::F4E2M1 || type == DType::I4 || type == DType::U4) return 4;
  if (type == DType::I2 || type == DType::U2) return 2;
  return static_cast<int>(size_of(type)) * 8;
}

const char* name_of(DType type) {
  return kTypes[static_cast<size_t>(type)].name;
}

std::optional<DType> dtype_named(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i)
    if (name == kTypes[i].name) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace hone::ir
