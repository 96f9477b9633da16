// sin and cos. Polynomials are weighted minimax fits (Remez exchange in 60 digits, then rounded).
#include <array>

#include "lower/vector_math/lanes.h"

namespace hone::lower {
namespace {

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
// pi/2 in three parts; the first two leave room for a quadrant number of 20 bits.
constexpr double kHalfPi1 = 0x1.921fb544p+0, kHalfPi2 = 0x1.0b4611a6p-34, kHalfPi3 = 0x1.3198a2e037073p-69;
constexpr double kReducedBound = 0.8;  // just over pi/4

// (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2/2) / r^4 in powers of r^2, |r| <= pi/4.
constexpr std::array kSinF32 = {-0x1.555556p-3, 0x1.111108p-7, -0x1.a00f32p-13, 0x1.6cbeccp-19};
constexpr std::array kCosF32 = {0x1.55554ap-5, -0x1.6c0c22p-10, 0x1.99e338p-16};
constexpr std::array kSinF64 = {-0x1.5555555555547p-3, 0x1.111111110f5efp-7,   -0x1.a01a019bbd179p-13,
                                0x1.71de352c09f45p-19, -0x1.ae5e295213ae3p-26, 0x1.5d80eac534d41p-33};
constexpr std::array kCosF64 = {0x1.555555555554ap-5,   -0x1.6c16c16c14ebep-10, 0x1.a01a019c6a5cep-16,
                                -0x1.27e4f7d4a303ep-22, 0x1.1ee9c69c45ae5p-29,  -0x1.8f9acb774e258p-37};

}  // namespace

// sin(x + quadrant * pi/2). The reduction runs in f64 for both types.
Lanes VectorMath::sine(const Lanes& x, int quadrant) {
  const Format& format = x.format();
  const Format& wide = format_of(ir::DType::F64);
  const bool is_wide = format.real == ir::DType::F64;
  const Lanes argument = let(convert(x, ir::DType::F64));
  const Lanes shifted = let(fma(argument, constant_like(argument, kTwoOverPi), wide.round_magic));
  const Lanes whole = let(shifted - wide.round_magic);
  Lanes reduced = fma(whole, -kHalfPi3, fma(whole, -kHalfPi2, fma(whole, -kHalfPi1, argument)));
  reduced = maximum(minimum(let(reduced), kReducedBound), -kReducedBound);
  const Lanes r = let(convert(reduced, format.real));
  const Lanes number = let(convert(bits_of(shifted), format.bits) + quadrant);

  const Lanes z = let(r * r);
  const auto sine_terms = is_wide ? std::span<const double>(kSinF64) : std::span<const double>(kSinF32);
  const auto cosine_terms = is_wide ? std::span<const double>(kCosF64) : std::span<const double>(kCosF32);
  const Lanes s = r * fma(z, polynomial(z, sine_terms), 1.0);
  const Lanes c = fma(let(z * z), polynomial(z, cosine_terms), fma(z, constant_like(z, -0.5), 1.0));
  const Lanes one = integer(format.bits, x, 1), two = integer(format.bits, x, 2);
  const Lanes value = select((number & one) == one, c, s);
  const Lanes sign = (number & two) << (format.mantissa == 23 ? 30 : 62);
  return let(real_of(bits_of(let(value)) ^ sign, format));
}

}  // namespace hone::lower
