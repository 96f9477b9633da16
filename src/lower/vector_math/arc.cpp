// tan, the inverse functions of sin, cos and tan, the hyperbolic functions and their inverses. All are computed in f64,
// where plain formulas lose nothing that f32 would show. The polynomial interpolates at Chebyshev's nodes.
#include <array>
#include <limits>

#include "lower/vector_math/lanes.h"

namespace hone::lower {
namespace {

using ir::DType;

// (atan(r) / r - 1) / r^2 in powers of r^2, |r| <= tan(pi/8); relative error of atan 8e-18.
constexpr std::array kAtan = {-0x1.5555555555555p-2, 0x1.9999999999349p-3, -0x1.2492492436016p-3, 0x1.c71c71852a359p-4,
                              -0x1.745d0b25982f3p-4, 0x1.3b1262bf324fdp-4, -0x1.10fa73c8057afp-4, 0x1.dfe60585956a5p-5,
                              -0x1.a09838b71a7cfp-5, 0x1.415ebcba15fd3p-5, -0x1.3a27dd63af0a7p-6};
constexpr double kTan1 = 0x1.a827999fcef32p-2, kTan3 = 0x1.3504f333f9de6p+1;  // of pi/8 and 3 pi/8
// pi/2 and what it lacks.
constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLargeExponent = 709.0;  // exp of it is finite
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Lanes wide(const Lanes& x) {
  return convert(x, DType::F64);
}
Lanes root(const Lanes& x) {
  return apply(ir::loop::UnaryOp::Sqrt, x);
}

}  // namespace

// atan(a) = c + atan(r) with c one of 0, pi/4, pi/2 and |r| <= tan(pi/8).
Lanes VectorMath::atan_f64(const Lanes& x) {
  const Lanes a = let(absolute(x)), one = constant_like(a, 1.0), zero = constant_like(a, 0.0);
  const Lanes steep = let(kTan3 < a), middle = let(kTan1 < a);
  const Lanes above = select(steep, constant_like(a, -1.0), select(middle, a - 1.0, a));
  const Lanes below = select(steep, a, select(middle, a + 1.0, one));
  const Lanes r = let(above / below), square = let(r * r);
  const Lanes eighths = let(select(steep, one, select(middle, constant_like(a, 0.5), zero)));
  const Lanes rest = fma(let(r * square), polynomial(square, kAtan), eighths * kHalfPiRest);
  return let(with_sign(let(eighths * kHalfPi + (r + let(rest))), x));
}

// log(1 + y), corrected for what 1 + y drops of y.
Lanes VectorMath::log1p_f64(const Lanes& y) {
  const Lanes u = let(y + 1.0);
  const Lanes corrected = log(u) * (y / (u - 1.0));
  return let(select(u == 1.0, y, select(u < kInfinity, corrected, log(u))));
}

Lanes VectorMath::tan(const Lanes& x) {
  const Lanes w = let(wide(x));
  return let(convert(sine(w, 0) / sine(w, 1), x.format().real));
}

Lanes VectorMath::atan(const Lanes& x) {
  return let(convert(atan_f64(let(wide(x))), x.format().real));
}

Lanes VectorMath::asin(const Lanes& x) {
  const Lanes w = let(wide(x));
  return let(convert(atan_f64(let(w / root((1.0 - w) * (w + 1.0)))), x.format().real));
}

Lanes VectorMath::acos(const Lanes& x) {
  const Lanes w = let(wide(x));
  return let(convert(atan_f64(let(root((1.0 - w) / (w + 1.0)))) * 2.0, x.format().real));
}

// (e + e / (e + 1)) / 2 with e = exp(a) - 1. Where exp would overflow, half of its root squared.
Lanes VectorMath::sinh(const Lanes& x) {
  const Lanes w = let(wide(x)), a = let(absolute(w));
  const Lanes e = expm1_normal(let(minimum(a, kLargeExponent)));
  const Lanes half_power = exp(let(a * 0.5));
  const Lanes magnitude = select(kLargeExponent < a, half_power * 0.5 * half_power, (e + e / (e + 1.0)) * 0.5);
  return let(convert(with_sign(let(magnitude), w), x.format().real));
}

Lanes VectorMath::cosh(const Lanes& x) {
  const Lanes a = let(absolute(let(wide(x))));
  const Lanes e = exp(let(minimum(a, kLargeExponent)));
  const Lanes half_power = exp(let(a * 0.5));
  return let(convert(select(kLargeExponent < a, half_power * 0.5 * half_power, e * 0.5 + 0.5 / e), x.format().real));
}

// log(a + sqrt(a^2 + 1)) = log1p(a + a^2 / (1 + sqrt(a^2 + 1))); from 2^28 on it is log(2 a).
Lanes VectorMath::asinh(const Lanes& x) {
  const Lanes w = let(wide(x)), a = let(absolute(w)), square = let(a * a);
  const Lanes near = log1p_f64(let(a + square / (root(square + 1.0) + 1.0)));
  const Lanes magnitude = let(select(0x1p28 < a, log(a) + kLn2, near));
  return let(convert(with_sign(magnitude, w), x.format().real));
}

// log(x + sqrt(x^2 - 1)) with t = x - 1.
Lanes VectorMath::acosh(const Lanes& x) {
  const Lanes w = let(wide(x)), t = let(w - 1.0);
  const Lanes near = log1p_f64(let(t + root(t * (t + 2.0))));
  const Lanes value = select(0x1p28 < w, log(w) + kLn2, near);
  return let(convert(select(w < 1.0, constant_like(w, kNan), value), x.format().real));
}

Lanes VectorMath::atanh(const Lanes& x) {
  const Lanes w = let(wide(x)), a = let(absolute(w));
  const Lanes magnitude = log1p_f64(let((a + a) / (1.0 - a))) * 0.5;
  return let(convert(with_sign(let(magnitude), w), x.format().real));
}

}  // namespace hone::lower
