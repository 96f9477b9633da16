#include "eval/domain/bounded.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::ScalarOp;

constexpr double kUnit = 0x1p-24;

TEST(Bounded, ASumOfProductsHasTheBoundOfTheContract) {
  Rng rng(1);
  for (int n : {1, 7, 100, 1000}) {
    Bounded domain;
    Bounded::Number sum = domain.real(DType::F32, 0);
    double magnitude = 0;
    for (int i = 0; i < n; ++i) {
      const Bounded::Number factors[2] = {domain.real(DType::F32, rng.unit() - 0.5),
                                          domain.real(DType::F32, rng.unit())};
      const Bounded::Number terms[2] = {sum, domain.operation(ScalarOp::Mul, DType::F32, factors)};
      magnitude += std::abs(domain.real_of(terms[1]));
      sum = domain.operation(ScalarOp::Add, DType::F32, terms);
    }
    EXPECT_GE(sum.error, 0.4 * n * kUnit * magnitude) << n;
    EXPECT_LE(sum.error, (n + 2) * kUnit * magnitude * 1.01) << n;
  }
}

// Float arithmetic in two orders stays within the bound, and not by a wide margin only because the bound is huge.
TEST(Bounded, HoldsForFloatsInAnyOrder) {
  Rng rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    Bounded domain;
    std::vector<float> values(50);
    Bounded::Number sum = domain.real(DType::F32, 0);
    for (float& value : values) {
      value = static_cast<float>(rng.unit() * 2 - 1);
      const Bounded::Number terms[2] = {sum, domain.real(DType::F32, value)};
      sum = domain.operation(ScalarOp::Add, DType::F32, terms);
    }
    float forth = 0, back = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      forth += values[i];
      back += values[values.size() - 1 - i];
    }
    const Bounded::Number exponential = domain.operation(ScalarOp::Exp, DType::F32, &sum);
    EXPECT_LE(std::abs(forth - domain.real_of(sum)), sum.error);
    EXPECT_LE(std::abs(back - domain.real_of(sum)), sum.error);
    EXPECT_LE(std::abs(std::exp(forth) - domain.real_of(exponential)), exponential.error);
    EXPECT_LE(sum.error, 1e-3);
  }
}

TEST(Bounded, KnowsWhatCouldGoEitherWay) {
  Bounded domain;
  const Bounded::Number near_one{.cell = {.real = 1}, .size = 1, .error = 1e-6}, one = domain.real(DType::F32, 1);
  const Bounded::Number two = domain.real(DType::F32, 2);
  const Bounded::Number apart[2] = {near_one, two};
  domain.operation(ScalarOp::Less, DType::F32, apart);
  const Bounded::Number exact[2] = {one, one};
  domain.operation(ScalarOp::Equal, DType::F32, exact);
  EXPECT_FALSE(domain.undecided);
  const Bounded::Number close[2] = {near_one, one};
  domain.operation(ScalarOp::Less, DType::F32, close);
  EXPECT_TRUE(domain.undecided);
  domain.undecided = false;
  domain.operation(ScalarOp::Floor, DType::F32, &near_one);
  EXPECT_TRUE(domain.undecided);
}

}  // namespace
}  // namespace hone::eval
