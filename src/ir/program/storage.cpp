#include "ir/program/storage.h"

#include <limits>

#include "base/result.h"

namespace hone::ir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A small float: a sign bit on top, then exponent and mantissa. Codes are what stands below the sign.
struct SmallFloat {
  int width, mantissa, bias;
  int largest;    // code of the largest number
  int infinity;   // code, 0 if there is none
  int nan;        // code, 0 if there is none
  bool one_zero;  // -0 does not exist; its bits are NaN
  int least_exponent() const { return 1 - bias; }
  int sign() const { return 1 << (width - 1); }
};

SmallFloat small_float(DType type) {
  switch (type) {
    case DType::F8E4M3FN:
      return {8, 3, 7, 0x7e, 0, 0x7f, false};
    case DType::F8E4M3FNUZ:
      return {8, 3, 8, 0x7f, 0, 0, true};
    case DType::F8E5M2:
      return {8, 2, 15, 0x7b, 0x7c, 0x7e, false};
    case DType::F8E5M2FNUZ:
      return {8, 2, 16, 0x7f, 0, 0, true};
    case DType::F4E2M1:
      return {4, 1, 1, 0x7, 0, 0, false};
    default:
      break;
  }
  HONE_CHECK(false, "{} is no small float", name_of(type));
}

bool is_storage_integer(DType type) {
  return type == DType::I4 || type == DType::U4 || type == DType::I2 || type == DType::U2;
}

Scalar binary(ScalarOp op, const Scalar& a, const Scalar& b) {
  return apply(op, {a, b});
}
Scalar binary(ScalarOp op, const Scalar& a, int64_t b) {
  return apply(op, {a, integer_constant(a->type, b)});
}
Scalar choose(const Scalar& condition, const Scalar& yes, const Scalar& no) {
  return apply(ScalarOp::Select, {condition, yes, no});
}
Scalar choose(const Scalar& condition, int64_t yes, const Scalar& no) {
  return choose(condition, integer_constant(no->type, yes), no);
}
Scalar real(double value) {
  return constant(DType::F32, value);
}

// The low bits of a stored byte, as an i32.
Scalar code_of(const Scalar& value, int width) {
  return binary(ScalarOp::And, cast(DType::I32, bits(DType::U8, value)), (1 << width) - 1);
}
Scalar stored(DType type, const Scalar& code) {
  return bits(type, cast(DType::U8, code));
}

Scalar from_integer(const Scalar& value) {
  const int width = width_of(value->type);
  Scalar code = code_of(value, width);
  if (value->type == DType::U4 || value->type == DType::U2) return code;
  const int64_t sign = int64_t{1} << (width - 1);
  return binary(ScalarOp::Sub, binary(ScalarOp::Xor, code, sign), sign);
}

// Exponent and mantissa are moved to where f32 has them and scaled by the difference of the biases, which also makes
// normal numbers of the denormal ones.
Scalar from_small_float(const Scalar& value) {
  const SmallFloat format = small_float(value->type);
  Scalar code = code_of(value, format.width);
  Scalar magnitude = binary(ScalarOp::And, code, format.sign() - 1);
  Scalar moved = bits(DType::F32, binary(ScalarOp::Shl, magnitude, 23 - format.mantissa));
  const Scalar scale = bits(DType::F32, integer_constant(DType::I32, (254 - format.bias) << 23));
  Scalar number = binary(ScalarOp::Mul, moved, scale);
  if (format.infinity != 0)
    number = choose(binary(ScalarOp::Equal, magnitude, format.infinity), real(kInfinity), number);
  Scalar sign = binary(ScalarOp::Shl, binary(ScalarOp::And, code, format.sign()), 32 - format.width);
  number = bits(DType::F32, binary(ScalarOp::Or, bits(DType::I32, number), sign));
  const int last = format.infinity != 0 ? format.infinity : format.largest;
  if (format.nan != 0)
    return choose(binary(ScalarOp::Less, integer_constant(DType::I32, last), magnitude), real(kNan), number);
  return format.one_zero ? choose(binary(ScalarOp::Equal, code, format.sign()), real(kNan), number) : number;
}

// f8e8m0 is the exponent of f32; its least number is denormal there.
Scalar from_exponent(const Scalar& value) {
  Scalar code = code_of(value, 8);
  Scalar placed = choose(binary(ScalarOp::Equal, code, 0), 1 << 22, binary(ScalarOp::Shl, code, 23));
  return choose(binary(ScalarOp::Equal, code, 0xff), real(kNan), bits(DType::F32, placed));
}

// A type to compute in, with the places of its bits.
struct Wide {
  DType real, whole;
  int mantissa, bias;
};

Wide wide_for(DType type) {
  const bool needs = type == DType::F64 || (is_integer(type) && size_of(type) > 2);
  return needs ? Wide{DType::F64, DType::I64, 52, 1023} : Wide{DType::F32, DType::I32, 23, 127};
}

Scalar is_nan(const Scalar& x) {
  return apply(ScalarOp::IsNan, {x});
}

// The magnitude counted in steps of the last mantissa bit, its hidden bit included, on top of the exponent's count.
Scalar to_small_float(DType type, const Scalar& value, bool saturate) {
  const SmallFloat format = small_float(type);
  const Wide wide = wide_for(value->type);
  Scalar x = cast(wide.real, value);
  // Far beyond the largest number of all, yet no danger to the integers below.
  Scalar magnitude = binary(ScalarOp::Min, apply(ScalarOp::Abs, {x}), constant(wide.real, 0x1p24));
  Scalar field = binary(ScalarOp::Shr, bits(wide.whole, magnitude), wide.mantissa);
  const int64_t least = format.least_exponent() + wide.bias;
  field = binary(ScalarOp::Max, field, least);
  Scalar steps_field = binary(ScalarOp::Sub, integer_constant(wide.whole, 2 * wide.bias + format.mantissa), field);
  Scalar scale = bits(wide.real, binary(ScalarOp::Shl, steps_field, wide.mantissa));
  Scalar steps = cast(wide.whole, apply(ScalarOp::Round, {binary(ScalarOp::Mul, magnitude, scale)}));
  Scalar code =
      binary(ScalarOp::Add, binary(ScalarOp::Shl, binary(ScalarOp::Sub, field, least), format.mantissa), steps);
  const bool has_nan = format.nan != 0 || format.one_zero;
  const int beyond = saturate || !has_nan ? format.largest : format.infinity != 0 ? format.infinity : format.nan;
  Scalar overflows = binary(ScalarOp::Less, integer_constant(wide.whole, format.largest), code);
  code = choose(overflows, beyond, code);
  Scalar negative = binary(ScalarOp::Less, bits(wide.whole, x), 0);
  Scalar sign = choose(negative, format.sign(), integer_constant(wide.whole, 0));
  if (!format.one_zero) {
    code = choose(is_nan(x), format.nan, code);
    return stored(type, binary(ScalarOp::Or, code, sign));
  }
  code = choose(binary(ScalarOp::Equal, code, 0), code, binary(ScalarOp::Or, code, sign));
  if (!saturate) code = choose(overflows, format.sign(), code);
  return stored(type, choose(is_nan(x), format.sign(), code));
}

// Negative numbers have no place here; their magnitude is taken. The least number, 2^-127, is the denormal fraction
// 2^22 of f32: a power of two lies below the fraction `edge` there, and below 0 elsewhere.
Scalar to_exponent(const Scalar& value, const StorageRounding& rounding) {
  Scalar x = cast(DType::F32, value);
  Scalar pattern = bits(DType::I32, x);
  Scalar field = binary(ScalarOp::And, binary(ScalarOp::Shr, pattern, 23), 0xff);
  Scalar fraction = binary(ScalarOp::And, pattern, 0x7fffff);
  Scalar denormal = binary(ScalarOp::Equal, field, 0);
  Scalar one = integer_constant(DType::I32, 1), zero = integer_constant(DType::I32, 0);
  Scalar more = zero;
  using To = StorageRounding::To;
  if (rounding.to == To::Up) {
    Scalar edge = choose(denormal, 1 << 22, zero);
    more = choose(binary(ScalarOp::Less, edge, fraction), one, zero);
  } else if (rounding.to == To::Nearest) {
    // Half-way between two powers goes up.
    Scalar half = choose(denormal, 3 << 21, integer_constant(DType::I32, 1 << 22));
    more = choose(binary(ScalarOp::Less, fraction, half), zero, one);
  }
  Scalar code = binary(ScalarOp::Min, binary(ScalarOp::Add, field, more), rounding.saturate ? 0xfe : 0xff);
  if (!rounding.saturate) {
    Scalar small = binary(ScalarOp::And, denormal, binary(ScalarOp::Less, fraction, 1 << 22));
    code = choose(small, 0xff, code);
  }
  return stored(DType::F8E8M0, choose(is_nan(x), 0xff, code));
}

}  // namespace

Scalar from_storage(const Scalar& value) {
  if (is_storage_integer(value->type)) return from_integer(value);
  return value->type == DType::F8E8M0 ? from_exponent(value) : from_small_float(value);
}

Scalar to_storage(DType type, const Scalar& value, const StorageRounding& rounding) {
  if (is_storage_integer(type))
    return stored(type, binary(ScalarOp::And, cast(DType::I32, value), (1 << width_of(type)) - 1));
  return type == DType::F8E8M0 ? to_exponent(value, rounding) : to_small_float(type, value, rounding.saturate);
}

}  // namespace hone::ir
