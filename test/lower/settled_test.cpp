// Selects that a whole register tile may do without.
#include "lower/settled.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace hone::lower {
namespace {

using ir::DType;
using ir::Index;
using ir::ScalarOp;

ir::Scalar index_of(const Index& index) {
  return ir::index_value(DType::I32, index);
}

ir::Stmt masked(ScalarOp comparison, const Index& left, const Index& right) {
  ir::Scalar condition = ir::apply(comparison, {index_of(left), index_of(right)});
  ir::Stmt stmt;
  stmt.body = ir::apply(ScalarOp::Select, {condition, ir::access_value(DType::F32, 0), ir::constant(DType::F32, -1)});
  return stmt;
}

TEST(Settled, ExcessIsAtMostZeroWhereTheConditionHolds) {
  const Index i = Index::axis("i"), j = Index::axis("j");
  for (ScalarOp comparison : {ScalarOp::Less, ScalarOp::LessEqual}) {
    auto found = index_selects({masked(comparison, j, i + 2)});
    ASSERT_EQ(found.size(), 1u);
    for (int64_t a = -4; a <= 4; ++a)
      for (int64_t b = -4; b <= 4; ++b) {
        auto excess = found[0].excess.substitute({{"i", Index(a)}, {"j", Index(b)}}).constant();
        bool holds = comparison == ScalarOp::Less ? b < a + 2 : b <= a + 2;
        EXPECT_EQ(*excess <= 0, holds) << ir::name_of(comparison) << " at i = " << a << ", j = " << b;
      }
  }
}

TEST(Settled, OtherConditionsAreLeftAlone) {
  const Index i = Index::axis("i");
  ir::Stmt equal = masked(ScalarOp::Equal, i, 3);
  ir::Stmt data = masked(ScalarOp::Less, i, 3);
  ir::Scalar value = ir::access_value(DType::I32, 0);
  data.body = ir::apply(ScalarOp::Select, {ir::apply(ScalarOp::Less, {value, index_of(i)}), value, value});
  EXPECT_TRUE(index_selects({equal, data}).empty());
}

TEST(Settled, LargestOverABoxIsTheLargestOfItsPoints) {
  constexpr uint64_t kSeed = 11;
  Rng rng(kSeed);
  for (int round = 0; round < 200; ++round) {
    const int64_t a = rng.between(-3, 3), b = rng.between(-3, 3), rest = rng.between(-9, 9);
    const Index index = Index::axis("i") * a + Index::axis("j") * b + rest;
    const int64_t points_i = rng.between(1, 6), points_j = rng.between(1, 6), at = rng.between(-5, 5);
    auto largest = largest_in(index, {{"i", points_i}, {"j", points_j}});
    ASSERT_TRUE(largest) << index.text();
    int64_t expected = INT64_MIN;
    for (int64_t u = 0; u < points_i; ++u)
      for (int64_t v = 0; v < points_j; ++v) expected = std::max(expected, a * (at + u) + b * (at + v) + rest);
    EXPECT_EQ(largest->substitute({{"i", Index(at)}, {"j", Index(at)}}).constant(), expected)
        << index.text() << " over " << points_i << " x " << points_j << ", seed " << kSeed << ", round " << round;
  }
  EXPECT_FALSE(largest_in(ir::floor_div(Index::axis("i"), 2), {{"i", 4}}));
}

}  // namespace
}  // namespace hone::lower
