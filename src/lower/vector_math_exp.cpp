// exp and what is made of it. Polynomials are weighted minimax fits (Remez exchange in 60 digits, then rounded).
#include <array>
#include <cmath>

#include "lower/vector_math_lanes.h"

namespace hone::lower {
namespace {

constexpr double kLog2e = 0x1.71547652b82fep+0;

// ln 2 in two parts; the upper one has room for n, so that n * upper is exact without a fused multiply-add.
struct Ln2 {
  double upper, lower;
};
constexpr Ln2 kLn2F32{0.693359375, -0.000212194440054690583};
constexpr Ln2 kLn2F64{0x1.62e42feep-1, 0x1.a39ef35793c76p-33};

// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2, relative error of exp 3.3e-9 and 4.1e-18.
constexpr std::array kExpF32 = {0x1.fffffcp-2, 0x1.55548ap-3, 0x1.555916p-5, 0x1.123fc6p-7, 0x1.6a1a5ap-10};
constexpr std::array kExpF64 = {
    0x1.000000000000bp-1,  0x1.55555555554f0p-3,  0x1.555555555024cp-5,  0x1.11111111299c5p-7,  0x1.6c16c1859c3f4p-10,
    0x1.a01a01231dcc3p-13, 0x1.a01995ee42d0cp-16, 0x1.71df2eea09b7dp-19, 0x1.28b16716d1985p-22, 0x1.ad7a9e7385815p-26};

// -ln(erfc(a)) / a for 0 <= a <= 3.95, weighted such that 1 - exp of it has relative error 4e-9.
constexpr std::array kErfF32 = {0x1.20dd76p+0,  0x1.45f2fap-1,   0x1.a4fa5ep-4,  -0x1.39cdc6p-6, -0x1.505f4cp-13,
                                0x1.b50034p-10, -0x1.4bc9c4p-11, 0x1.ed6be6p-14, -0x1.36962ep-17};
constexpr double kErfIsOneF32 = 3.95;

// From here down exp rounds to zero.
constexpr double kLeastF32 = -104.0, kLeastF64 = -746.0;

}  // namespace

// Horner's rule over pairs of terms, in x^2: half as many steps wait for each other.
Lanes VectorMath::polynomial(const Lanes& x, std::span<const double> coefficients) {
  const Lanes square = let(x * x);
  auto pair = [&](size_t i) { return fma(x, coefficients[i + 1], constant_like(x, coefficients[i])); };
  const size_t pairs = coefficients.size() / 2;
  const bool odd = coefficients.size() % 2 == 1;
  Lanes sum = odd ? constant_like(x, coefficients.back()) : pair(2 * pairs - 2);
  for (size_t k = odd ? pairs : pairs - 1; k-- > 0;) sum = fma(sum, square, pair(2 * k));
  return let(sum);
}

VectorMath::Exponential VectorMath::reduce_exponential(const Lanes& x, int added) {
  const Format& format = x.format();
  const bool wide = format.real == ir::DType::F64;
  const Ln2 ln2 = wide ? kLn2F64 : kLn2F32;
  const double magic = format.round_magic + added;
  const Lanes shifted = let(fma(x, constant_like(x, kLog2e), magic));
  const Lanes whole = let(shifted - magic);
  const Lanes r = let(fma(whole, -ln2.lower, fma(whole, -ln2.upper, x)));
  const Lanes q = polynomial(r, wide ? std::span<const double>(kExpF64) : std::span<const double>(kExpF32));
  return {let(bits_of(shifted)), r, let(r * r), q};
}

// 2^n from n * 2^mantissa, n within the normal exponents.
Lanes VectorMath::power_of_two(const Lanes& shifted_n, const Format& format) {
  return let(real_of(shifted_n + integer(format.bits, shifted_n, int64_t{format.bias} << format.mantissa), format));
}

// The factor 2^n is applied in two halves: results below the normal range then round once, above it they overflow. The first
// half goes to the two terms of the sum while the polynomial is still on its way.
Lanes VectorMath::exp(const Lanes& x, Sign sign) {
  if (sign == Sign::NotPositive) return exp_of_not_positive(x);
  const Format& format = x.format();
  const bool wide = format.real == ir::DType::F64;
  const Lanes limited = let(maximum(minimum(x, wide ? 710.0 : 89.0), wide ? kLeastF64 : kLeastF32));
  const Exponential e = reduce_exponential(limited, 0);
  const int64_t whole_exponents = -(int64_t{1} << format.mantissa);
  const Lanes half = let((e.n << (format.mantissa - 1)) & integer(format.bits, x, whole_exponents));
  const Lanes first = power_of_two(half, format);
  const Lanes second = power_of_two((e.n << format.mantissa) - half, format);
  return let(fma(e.q, let(e.square * first), (e.r + 1.0) * first) * second);
}

// Without overflow one factor can be a constant: the result is formed 2^spare times too large, where it is a normal number.
Lanes VectorMath::exp_of_not_positive(const Lanes& x) {
  const Format& format = x.format();
  const bool wide = format.real == ir::DType::F64;
  const int spare = wide ? 512 : 64;
  const Exponential e = reduce_exponential(let(maximum(x, wide ? kLeastF64 : kLeastF32)), spare);
  const Lanes scale = power_of_two(e.n << format.mantissa, format);
  return let(fma(let(fma(e.q, e.square, e.r)), scale, scale) * std::ldexp(1.0, -spare));
}

Lanes VectorMath::expm1_normal(const Lanes& x) {
  const Exponential e = reduce_exponential(x, 0);
  const Lanes scale = power_of_two(e.n << x.format().mantissa, x.format());
  return let(fma(scale, fma(e.square, e.q, e.r), scale - 1.0));
}

// tanh |x| = e / (e + 2) with e = exp(2 |x|) - 1; from the bound on the quotient rounds to 1.
Lanes VectorMath::tanh(const Lanes& x) {
  const bool wide = x.format().real == ir::DType::F64;
  const Lanes magnitude = let(minimum(absolute(x), wide ? 20.0 : 9.1));
  const Lanes e = expm1_normal(let(magnitude + magnitude));
  return let(with_sign(let(e / (e + 2.0)), x));
}

Lanes VectorMath::sigmoid(const Lanes& x) {
  const Lanes e = exp(let(apply(ir::loop::UnaryOp::Neg, absolute(x))), Sign::NotPositive);
  return let(select(x < 0.0, e, constant_like(x, 1.0)) / (e + 1.0));
}

Lanes VectorMath::erf(const Lanes& x) {
  if (x.format().real == ir::DType::F64) return erf_f64(x);
  const Lanes magnitude = let(minimum(absolute(x), kErfIsOneF32));
  const Lanes exponent = let(polynomial(magnitude, kErfF32) * magnitude);
  const Lanes below = expm1_normal(let(apply(ir::loop::UnaryOp::Neg, exponent)));
  return let(with_sign(absolute(below), x));
}

}  // namespace hone::lower
