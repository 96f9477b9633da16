#include "ir/index.h"

#include <gtest/gtest.h>

namespace hone::ir {
namespace {

const Index n = Index::symbol("n"), m = Index::symbol("m");

TEST(Index, NestedDivisionsByNumbersBecomeOne) {
  EXPECT_EQ(floor_div(floor_div(n + 1, 2) + 1, 2).text(), "((n + 3) // 4)");
  EXPECT_EQ(floor_div(floor_div(n, 3), 5).text(), "(n // 15)");
  EXPECT_EQ(floor_div(floor_div(n, m) + 1, 2).text(), "(((n // m) + 1) // 2)");
}

TEST(Index, NestedDivisionKeepsItsValue) {
  Index nested = floor_div(floor_div(n + 1, 2) + 5, 4);
  for (int64_t size = 0; size < 100; ++size)
    EXPECT_EQ(nested.evaluate([&](const std::string&) { return size; }), ((size + 1) / 2 + 5) / 4) << size;
}

TEST(Index, StridesOfAMultipleDivideExactly) {
  Index size = 32 * n;
  for (int i = 0; i < 5; ++i) size = floor_div(size - 1, 2) + 1;
  EXPECT_EQ(size, n);
}

TEST(Index, CoefficientsBeyondAllNumbersAreTheLargest) {
  Index huge = Index(INT64_MAX) * Index::symbol("n");
  EXPECT_EQ((huge * 4).text(), huge.text());
  EXPECT_EQ((huge + huge).text(), huge.text());
  EXPECT_EQ((huge * -4).text(), (-huge).text());
}

TEST(Index, QuotientsOfSizesAreNotNegative) {
  EXPECT_TRUE(provably_at_most(0, floor_div(n + 1, 2)));
  EXPECT_TRUE(provably_at_most(0, max(n - 3, 0)));
  EXPECT_FALSE(provably_at_most(0, floor_div(n - 1, 2)));
  EXPECT_FALSE(provably_at_most(0, min(n - 3, m)));
}

TEST(Index, QuotientsByOneNumberAreInTheOrderOfWhatIsDivided) {
  EXPECT_TRUE(provably_at_most(floor_div(n + 1, 2), floor_div(n, 2) + 1));
  EXPECT_FALSE(provably_at_most(floor_div(n, 2) + 1, floor_div(n + 1, 2)));
  EXPECT_TRUE(provably_at_most(3 * floor_div(n + 1, 4), 3 * floor_div(n + m + 1, 4)));
  EXPECT_FALSE(provably_at_most(3 * floor_div(n + 1, 4), 2 * floor_div(n + 1, 4)));
  EXPECT_FALSE(provably_at_most(floor_div(n, 2), floor_div(n, 3)));
  EXPECT_FALSE(provably_at_most(3 * floor_div(n + 4, 4), 3 * floor_div(n + 1, 4) + 2));
  EXPECT_EQ(min(floor_div(n, 2) + 1, floor_div(n + 1, 2)).text(), floor_div(n + 1, 2).text());
}

// Of the same operands, however they nest.
TEST(Index, ExtremesAbsorbTheirOperands) {
  EXPECT_EQ(max(m, max(m, n)), max(m, n));
  EXPECT_EQ(min(min(m, n), min(n, m)), min(m, n));
  Index size = max(m, n);
  for (int i = 0; i < 100; ++i) size = max(max(size, m), max(n, size));
  EXPECT_EQ(size, max(m, n));
  EXPECT_NE(max(m, min(m, n)), max(m, n));
}

}  // namespace
}  // namespace hone::ir
