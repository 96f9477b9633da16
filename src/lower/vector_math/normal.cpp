// The share of the standard normal distribution below x.
#include <array>
#include <numbers>

#include "lower/vector_math/lanes.h"

namespace hone::lower {
namespace {

// log2(erfc(a / √2)) / a for 0 <= a <= 6, weighted such that erfc / 2 has absolute error 8e-9; beyond it keeps falling.
constexpr std::array kTailF32 = {-0x1.26aed4p+0,  -0x1.d63aacp-2,  -0x1.ae0c78p-5, 0x1.cee886p-8,
                                 -0x1.1f2d24p-13, -0x1.8672c2p-13, 0x1.4a52f4p-15, -0x1.7c7edcp-19};
constexpr double kNothingBeyondF32 = 20;  // so far out the tail is less than any number

}  // namespace

// The tail beyond |x|, half of erfc, as a power of two: what is small is never taken from 1.
Lanes VectorMath::normal_cdf(const Lanes& x) {
  if (x.format().real == ir::DType::F64)
    return let(fma(erf_f64(let(x * (std::numbers::sqrt2 / 2))), 0.5, constant_like(x, 0.5)));
  const Lanes a = let(minimum(absolute(x), kNothingBeyondF32));
  Lanes exponent = constant_like(a, kTailF32.back());
  for (size_t k = kTailF32.size() - 1; k-- > 0;) exponent = let(fma(exponent, a, kTailF32[k]));
  const Lanes tail = exp2(let(fma(exponent, a, -1.0)), Sign::NotPositive);
  return let(select(x < 0.0, tail, 1.0 - tail));
}

}  // namespace hone::lower
