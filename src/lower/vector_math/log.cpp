// log and pow. Polynomials are weighted minimax fits (Remez exchange in 60 digits, then rounded).
#include <array>
#include <limits>

#include "lower/vector_math/lanes.h"

namespace hone::lower {
namespace {

// (log(1 + f) - f + f^2/2) / f^3 for 1 + f between sqrt(1/2) and sqrt(2), relative error of the log 7.5e-10.
constexpr std::array kLogF32 = {0x1.555548p-2,  -0x1.000006p-2, 0x1.99a4b6p-3,  -0x1.555c4ep-3, 0x1.23376ap-3,
                                -0x1.fc2206p-4, 0x1.e6f05ep-4,  -0x1.de3c10p-4, 0x1.1457a4p-4};
// (2 artanh(s) / s - 2) / s^2 in powers of s^2, where s = f / (2 + f); relative error 1.3e-18.
constexpr std::array kLogF64 = {0x1.5555555555597p-1, 0x1.999999997e3e0p-2, 0x1.24924943796a5p-2, 0x1.c71c50b6830f8p-3,
                                0x1.7466884c42ebdp-3, 0x1.3999f6c5f1111p-3, 0x1.2f5727124144dp-3};

struct LogFormat {
  double least_normal, lift;  // denormals are multiplied by `lift`, a power of two
  int lifted_by;
  int64_t root_half_bits, mantissa_mask;
  double ln2_upper, ln2_lower;
};
constexpr LogFormat kF32{0x1p-126, 0x1p23, 23, 0x3f3504f3, 0x7fffff, 0.693359375, -0.000212194440054690583};
constexpr LogFormat kF64{
    0x1p-1022, 0x1p52, 52, 0x3fe6a09e667f3bcd, (1ll << 52) - 1, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A small integer as a float, without the conversion from I64 that vector units lack.
Lanes real_from_small(const Lanes& n, const Format& format) {
  if (format.real == ir::DType::F32) return convert(n, ir::DType::F32);
  return real_of(n + integer(format.bits, n, format.magic_bits), format) - format.round_magic;
}

}  // namespace

// log(1 + f) - f, so that the caller may add the large parts last.
Lanes VectorMath::log_of_mantissa_f32(const Lanes& f) {
  const Lanes square = let(f * f);
  return let(fma(square, -0.5, let(f * square) * polynomial(f, kLogF32)));
}

Lanes VectorMath::log_of_mantissa_f64(const Lanes& f) {
  const Lanes s = let(f / (f + 2.0));
  const Lanes square = let(s * s);
  const Lanes half_f_squared = let(f * f * 0.5);
  const Lanes r = let(square * polynomial(square, kLogF64));
  return let(s * (half_f_squared + r) - half_f_squared);
}

Lanes VectorMath::log(const Lanes& x) {
  const Format& format = x.format();
  const bool wide = format.real == ir::DType::F64;
  const LogFormat& part = wide ? kF64 : kF32;
  const Lanes tiny = let(x < part.least_normal);
  const Lanes lifted = let(select(tiny, x * part.lift, x));
  const Lanes root_half = integer(format.bits, x, part.root_half_bits);
  const Lanes shifted = let(bits_of(lifted) - root_half);
  const Lanes zero = integer(format.bits, x, 0);
  const Lanes exponent = let((shifted >> format.mantissa) - select(tiny, zero + part.lifted_by, zero));
  const Lanes mantissa = (shifted & integer(format.bits, x, part.mantissa_mask)) + root_half;
  const Lanes f = let(real_of(mantissa, format) - 1.0);
  const Lanes e = let(real_from_small(exponent, format));
  const Lanes rest = fma(e, part.ln2_lower, wide ? log_of_mantissa_f64(f) : log_of_mantissa_f32(f));
  Lanes result = let(fma(e, part.ln2_upper, f + rest));
  result = select(x < kInfinity, result, x);  // infinity and NaN stay
  result = select(x == 0.0, constant_like(x, -kInfinity), result);
  return let(select(x < 0.0, constant_like(x, kNan), result));
}

// |x|^y through f64; then the cases of the C standard.
Lanes VectorMath::pow(const Lanes& x, const Lanes& y) {
  using ir::loop::UnaryOp;
  const Format& format = x.format();
  const Lanes magnitude = let(absolute(x));
  const Lanes wide_y = let(convert(y, ir::DType::F64));
  const Lanes power = let(convert(exp(let(wide_y * log(let(convert(magnitude, ir::DType::F64))))), format.real));
  const Lanes one = constant_like(x, 1.0);
  const Lanes half_y = let(y * 0.5);
  const Lanes is_integer = let(apply(UnaryOp::Floor, y) == y);
  const Lanes is_odd = let(is_integer & (apply(UnaryOp::Floor, half_y) != half_y));
  Lanes result = select((magnitude == 1.0) & (y == y), one, power);
  const Lanes sign = select(is_odd, sign_bits(x), integer(format.bits, x, 0));
  result = let(real_of(bits_of(let(result)) | sign, format));
  const Lanes has_no_root = (x < 0.0) & (magnitude < kInfinity) & apply(UnaryOp::Not, is_integer) & (y == y);
  result = select(has_no_root, constant_like(x, kNan), result);
  return let(select((x == 1.0) | (y == 0.0), one, result));
}

}  // namespace hone::lower
