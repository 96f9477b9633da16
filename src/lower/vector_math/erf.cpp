// erf in f64. Polynomials are weighted minimax fits (Remez exchange in 50 digits, then rounded).
#include <array>

#include "lower/vector_math/lanes.h"

namespace hone::lower {
namespace {

// erf(a) / a in powers of a^2, 0 <= a <= 1; relative error 7e-18.
constexpr std::array kSmall = {0x1.20dd750429b6dp+0,   -0x1.812746b0379bdp-2,  0x1.ce2f21a040d16p-4,
                               -0x1.b82ce311fa92cp-6,  0x1.565bccf92b09ep-8,   -0x1.c02db03dd1754p-11,
                               0x1.f9a2baa87944bp-14,  -0x1.f4ca4d6764dc4p-17, 0x1.b97fd38e17000p-20,
                               -0x1.5c07252e93f49p-23, 0x1.d71b03490f286p-27,  -0x1.abae26c33e7d0p-31};
// a exp(a^2) erfc(a) in powers of (a - 3) / (a + 3), 1 <= a <= 6; error of erfc 1.5e-17.
constexpr std::array kLarge = {0x1.12f21ddda0034p-1,   0x1.865fd27fa40c4p-4,  -0x1.2c33bba0dd873p-3,
                               0x1.1e79b14827e84p-3,   -0x1.870b589ecf890p-4, 0x1.7bb206e6c836fp-5,
                               -0x1.cb9072f56f312p-7,  0x1.d27c6243626e2p-11, 0x1.368060aa761a9p-10,
                               -0x1.0fa0692561bc2p-11, -0x1.a8edfcd48f5e8p-13};
constexpr double kIsOne = 6.0;

}  // namespace

Lanes VectorMath::erf_f64(const Lanes& x) {
  const Lanes a = let(minimum(absolute(x), kIsOne));
  const Lanes square = let(a * a);
  const Lanes small = let(a * polynomial(square, kSmall));
  const Lanes t = let((a - 3.0) / (a + 3.0));
  const Lanes erfc = exp(let(apply(ir::loop::UnaryOp::Neg, square)), Sign::NotPositive) * polynomial(t, kLarge) / a;
  const Lanes magnitude = let(select(a < 1.0, small, 1.0 - let(erfc)));
  return let(with_sign(magnitude, x));
}

}  // namespace hone::lower
