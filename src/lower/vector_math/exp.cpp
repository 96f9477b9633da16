// exp and what is made of it. Polynomials are weighted minimax fits (Remez exchange in 60 digits, then rounded).
#include <array>
#include <cmath>

#include "lower/vector_math/lanes.h"

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

// Where the result is not taken from 1, fewer terms do: (exp(r) - 1) / r for |r| <= ln(2)/2 and (2^f - 1) / f for |f| <= 1/2,
// relative errors of exp and 2^f 9.2e-8 and 9.7e-8.
constexpr std::array kShortExpF32 = {0x1.fffff6p-1, 0x1.fffdc4p-2, 0x1.555a8ap-3, 0x1.573accp-5, 0x1.0f992ep-7};
constexpr std::array kExp2F32 = {0x1.62e42ap-1, 0x1.ebf9a4p-3, 0x1.c6b596p-5, 0x1.3cf408p-7, 0x1.5cbe5cp-10};

// -ln(erfc(a)) / a for 0 <= a <= 3.95, weighted such that 1 - exp of it has relative error 4e-9.
constexpr std::array kErfF32 = {0x1.20dd76p+0,  0x1.45f2fap-1,   0x1.a4fa5ep-4,  -0x1.39cdc6p-6, -0x1.505f4cp-13,
                                0x1.b50034p-10, -0x1.4bc9c4p-11, 0x1.ed6be6p-14, -0x1.36962ep-17};
constexpr double kErfIsOneF32 = 3.95;

// From here down exp rounds to zero; from the others on it overflows.
constexpr double kLeastF32 = -104.0, kLeastF64 = -746.0, kMostF32 = 89.0, kMostF64 = 710.0;
constexpr double kLeastExp2F32 = -150.0, kMostExp2F32 = 128.0;

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

VectorMath::Exponential VectorMath::whole_exponential(const Lanes& x) {
  const Format& format = x.format();
  const Ln2 ln2 = format.real == ir::DType::F64 ? kLn2F64 : kLn2F32;
  const Lanes shifted = let(fma(x, constant_like(x, kLog2e), format.round_magic));
  const Lanes whole = let(shifted - format.round_magic);
  const Lanes near = let(fma(whole, -ln2.upper, x));
  return {whole, let(fma(whole, -ln2.lower, near))};
}

// exp(x) = 2^n * exp(r). Adding a large number leaves n, and what is added to that number, in the low bits.
VectorMath::Exponential VectorMath::reduce_exponential(const Lanes& x, int added) {
  const Format& format = x.format();
  const Ln2 ln2 = format.real == ir::DType::F64 ? kLn2F64 : kLn2F32;
  const double magic = format.round_magic + added;
  const Lanes shifted = let(fma(x, constant_like(x, kLog2e), magic));
  const Lanes whole = let(shifted - magic);
  const Lanes near = let(fma(whole, -ln2.upper, x));
  return {let(bits_of(shifted)), let(fma(whole, -ln2.lower, near))};
}

VectorMath::Exponential VectorMath::reduce_exp2(const Lanes& x, int added) {
  const double magic = x.format().round_magic + added;
  const Lanes shifted = let(x + magic);
  return {let(bits_of(shifted)), let(x - let(shifted - magic))};
}

// 1 + x * polynomial; each step is a statement, so that several such chains can run beside each other.
Lanes VectorMath::one_plus(const Lanes& x, std::span<const double> coefficients) {
  Lanes sum = constant_like(x, coefficients.back());
  for (size_t k = coefficients.size() - 1; k-- > 0;) sum = let(fma(sum, x, coefficients[k]));
  return let(fma(sum, x, 1.0));
}

Lanes VectorMath::exp_of_rest(const Lanes& r) {
  if (r.format().real == ir::DType::F32) return one_plus(r, kShortExpF32);
  return let(fma(let(fma(polynomial(r, kExpF64), r, 1.0)), r, 1.0));
}

// From the low bits of n with its bias.
Lanes VectorMath::power_of_two(const Lanes& biased_n, const Format& format) {
  return let(real_of(biased_n << format.mantissa, format));
}

// The factor 2^n is applied in two halves: results below the normal range then round once, above it they overflow.
Lanes VectorMath::scaled_by_halves(const Lanes& value, const Lanes& twice_biased_n) {
  const Format& format = value.format();
  const Lanes whole_exponents = integer(format.bits, twice_biased_n, -(int64_t{1} << format.mantissa));
  const Lanes half = let((twice_biased_n << (format.mantissa - 1)) & whole_exponents);
  const Lanes rest = let((twice_biased_n << format.mantissa) - half);
  return let(let(value * real_of(half, format)) * real_of(rest, format));
}

// Without overflow one factor can be a constant: the result is formed 2^spare times too large, where it is a normal number.
int VectorMath::spare_exponents(const Format& format) {
  return format.real == ir::DType::F64 ? 512 : 64;
}

Lanes VectorMath::scaled_down(const Lanes& value, const Lanes& biased_n) {
  const Format& format = value.format();
  return let(let(value * power_of_two(biased_n, format)) * std::ldexp(1.0, -spare_exponents(format)));
}

Lanes VectorMath::exp(const Lanes& x, Sign sign) {
  const Format& format = x.format();
  const bool wide = format.real == ir::DType::F64;
  const Lanes above = let(maximum(x, wide ? kLeastF64 : kLeastF32));
  const Lanes within = sign == Sign::NotPositive ? above : let(minimum(above, wide ? kMostF64 : kMostF32));
  if (scales_at_once(x)) {
    const Exponential e = whole_exponential(within);
    return let(scale(exp_of_rest(e.r), e.n));
  }
  if (sign == Sign::NotPositive) {
    const Exponential e = reduce_exponential(within, spare_exponents(format) + format.bias);
    return scaled_down(exp_of_rest(e.r), e.n);
  }
  const Exponential e = reduce_exponential(within, 2 * format.bias);
  return scaled_by_halves(exp_of_rest(e.r), e.n);
}

Lanes VectorMath::exp2(const Lanes& x, Sign sign) {
  const Format& format = x.format();
  const Lanes above = let(maximum(x, kLeastExp2F32));
  const Lanes within = sign == Sign::NotPositive ? above : let(minimum(above, kMostExp2F32));
  if (scales_at_once(x)) {
    const Lanes n = let(apply(ir::loop::UnaryOp::RoundEven, within));
    return let(scale(one_plus(let(within - n), kExp2F32), n));
  }
  if (sign == Sign::NotPositive) {
    const Exponential e = reduce_exp2(within, spare_exponents(format) + format.bias);
    return scaled_down(one_plus(e.r, kExp2F32), e.n);
  }
  const Exponential e = reduce_exp2(within, 2 * format.bias);
  return scaled_by_halves(one_plus(e.r, kExp2F32), e.n);
}

Lanes VectorMath::expm1_normal(const Lanes& x) {
  const bool wide = x.format().real == ir::DType::F64;
  const Exponential e = reduce_exponential(x, x.format().bias);
  const Lanes q = polynomial(e.r, wide ? std::span<const double>(kExpF64) : std::span<const double>(kExpF32));
  const Lanes scale = power_of_two(e.n, x.format());
  return let(fma(scale, fma(let(e.r * e.r), q, e.r), scale - 1.0));
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
