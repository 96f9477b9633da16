// Arithmetic on Loop IR expressions in ordinary notation; private to vector_math*.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "lower/vector_math/vector_math.h"

namespace hone::lower {

// What the bit tricks need to know of a floating-point type.
struct Format {
  ir::DType real, bits;
  int mantissa;        // stored bits
  int bias;            // of the exponent
  double round_magic;  // 1.5 * 2^mantissa: adding it leaves the nearest integer in the low bits
  int64_t magic_bits;
  int64_t sign_bit;
};

inline const Format& format_of(ir::DType type) {
  static const Format f32{ir::DType::F32, ir::DType::I32, 23, 127, 0x1.8p23, 0x4b400000, INT32_MIN};
  static const Format f64{ir::DType::F64, ir::DType::I64, 52, 1023, 0x1.8p52, 0x4338000000000000, INT64_MIN};
  return type == ir::DType::F64 ? f64 : f32;
}

struct Lanes {
  ir::loop::Expr e;
  ir::loop::VectorType type() const { return e->type; }
  const Format& format() const { return format_of(e->type.element); }
};

inline Lanes constant_like(const Lanes& like, double value) {
  const auto type = like.type();
  if (ir::is_float(type.element)) return {ir::loop::float_constant(value, type)};
  return {ir::loop::int_constant(static_cast<int64_t>(value), type)};
}
inline Lanes integer(ir::DType type, const Lanes& like, int64_t value) {
  return {ir::loop::int_constant(value, {type, like.type().lanes})};
}

inline Lanes apply(ir::loop::BinaryOp op, const Lanes& a, const Lanes& b) {
  return {ir::loop::binary(op, a.e, b.e)};
}
inline Lanes apply(ir::loop::UnaryOp op, const Lanes& a) {
  return {ir::loop::unary(op, a.e)};
}

#define HONE_LANES_OPERATOR(symbol, op)                          \
  inline Lanes operator symbol(const Lanes& a, const Lanes& b) { \
    return apply(ir::loop::BinaryOp::op, a, b);                  \
  }                                                              \
  inline Lanes operator symbol(const Lanes& a, double b) {       \
    return a symbol constant_like(a, b);                         \
  }                                                              \
  inline Lanes operator symbol(double a, const Lanes& b) {       \
    return constant_like(b, a) symbol b;                         \
  }
HONE_LANES_OPERATOR(+, Add)
HONE_LANES_OPERATOR(-, Sub)
HONE_LANES_OPERATOR(*, Mul)
HONE_LANES_OPERATOR(/, Div)
HONE_LANES_OPERATOR(&, And)
HONE_LANES_OPERATOR(|, Or)
HONE_LANES_OPERATOR(^, Xor)
HONE_LANES_OPERATOR(<<, Shl)
HONE_LANES_OPERATOR(>>, Shr)
HONE_LANES_OPERATOR(<, Less)
HONE_LANES_OPERATOR(==, Equal)
HONE_LANES_OPERATOR(!=, NotEqual)
#undef HONE_LANES_OPERATOR

inline Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
  return {ir::loop::fma(a.e, b.e, c.e)};
}
inline Lanes fma(const Lanes& a, double b, const Lanes& c) {
  return fma(a, constant_like(a, b), c);
}
inline Lanes fma(const Lanes& a, const Lanes& b, double c) {
  return fma(a, b, constant_like(a, c));
}
inline Lanes select(const Lanes& condition, const Lanes& a, const Lanes& b) {
  return {ir::loop::select(condition.e, a.e, b.e)};
}
inline Lanes convert(const Lanes& a, ir::DType type) {
  return {ir::loop::convert(a.e, type)};
}
inline Lanes bits_of(const Lanes& a) {
  return {ir::loop::bitcast(a.e, a.format().bits)};
}
inline Lanes real_of(const Lanes& bits, const Format& format) {
  return {ir::loop::bitcast(bits.e, format.real)};
}
inline Lanes absolute(const Lanes& a) {
  return apply(ir::loop::UnaryOp::Abs, a);
}
inline Lanes minimum(const Lanes& a, double b) {
  return apply(ir::loop::BinaryOp::Min, a, constant_like(a, b));
}
inline Lanes maximum(const Lanes& a, double b) {
  return apply(ir::loop::BinaryOp::Max, a, constant_like(a, b));
}
inline Lanes scale(const Lanes& a, const Lanes& n) {
  return apply(ir::loop::BinaryOp::Scale, a, n);
}
// Vectors of 512 bits exist where scaling by a power of two is one instruction; elsewhere bits of the exponent are cheaper.
inline bool scales_at_once(const Lanes& a) {
  return ir::size_of(a.type().element) * static_cast<size_t>(a.type().lanes) == 64;
}
inline Lanes sign_bits(const Lanes& a) {
  return bits_of(a) & integer(a.format().bits, a, a.format().sign_bit);
}
// The bits of `magnitude` (not negative) under the sign of `sign`.
inline Lanes with_sign(const Lanes& magnitude, const Lanes& sign) {
  return real_of(bits_of(magnitude) | sign_bits(sign), magnitude.format());
}

// One elementary function at a time; `let` keeps what is used twice.
class VectorMath {
 public:
  explicit VectorMath(const Sink& sink) : sink_(sink) {}

  Lanes exp(const Lanes& x, Sign sign = Sign::Any);
  Lanes exp2(const Lanes& x, Sign sign = Sign::Any);  // f32
  Lanes log(const Lanes& x);
  Lanes tanh(const Lanes& x);
  Lanes erf(const Lanes& x);
  Lanes normal_cdf(const Lanes& x);
  Lanes sigmoid(const Lanes& x);
  Lanes sin(const Lanes& x) { return sine(x, 0); }
  Lanes cos(const Lanes& x) { return sine(x, 1); }
  Lanes tan(const Lanes& x);
  Lanes asin(const Lanes& x);
  Lanes acos(const Lanes& x);
  Lanes atan(const Lanes& x);
  Lanes sinh(const Lanes& x);
  Lanes cosh(const Lanes& x);
  Lanes asinh(const Lanes& x);
  Lanes acosh(const Lanes& x);
  Lanes atanh(const Lanes& x);
  Lanes pow(const Lanes& x, const Lanes& y);
  Lanes integer_pow(const Lanes& x, const Lanes& y);
  Lanes sign(const Lanes& x);
  Lanes floored_mod(const Lanes& x, const Lanes& y);
  Lanes shifted_left(const Lanes& x, const Lanes& count);
  Lanes shifted_right(const Lanes& x, const Lanes& count);

 private:
  // 2^n and what is left for a polynomial. Of `n` the low bits count, as many as an exponent has and a sign.
  struct Exponential {
    Lanes n, r;
  };
  Lanes let(const Lanes& a) { return {sink_(a.e)}; }
  Lanes polynomial(const Lanes& x, std::span<const double> coefficients);  // lowest first
  Lanes one_plus(const Lanes& x, std::span<const double> coefficients);
  // The same with n as a number.
  Exponential whole_exponential(const Lanes& x);
  Exponential reduce_exponential(const Lanes& x, int added);
  Exponential reduce_exp2(const Lanes& x, int added);
  Lanes exp_of_rest(const Lanes& r);
  static int spare_exponents(const Format& format);
  Lanes scaled_down(const Lanes& value, const Lanes& biased_n);
  Lanes scaled_by_halves(const Lanes& value, const Lanes& twice_biased_n);
  Lanes power_of_two(const Lanes& biased_n, const Format& format);
  Lanes expm1_normal(const Lanes& x);  // exp(x) - 1 where exp(x) is a normal number
  Lanes erf_f64(const Lanes& x);
  Lanes atan_f64(const Lanes& x);
  Lanes log1p_f64(const Lanes& y);
  Lanes log_of_mantissa_f32(const Lanes& f);
  Lanes log_of_mantissa_f64(const Lanes& f);
  Lanes sine(const Lanes& x, int quadrant);

  const Sink& sink_;
};

}  // namespace hone::lower
