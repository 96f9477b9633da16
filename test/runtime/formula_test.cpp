#include "runtime/formula.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace hone::runtime {
namespace {

const std::vector<int64_t> symbols = {7, -3};

int64_t binary(FormulaOp op, int64_t a, int64_t b) {
  return evaluate(combine(op, constant_formula(a), constant_formula(b)), {}).value();
}

TEST(Formula, EmptyIsZero) {
  EXPECT_TRUE(validate(Formula{}, 0).ok());
  EXPECT_EQ(evaluate(Formula{}, {}).value(), 0);
  EXPECT_EQ(evaluate(combine(FormulaOp::Sub, Formula{}, constant_formula(2)), {}).value(), -2);
  EXPECT_EQ(constant_value(Formula{}), 0);
}

TEST(Formula, DivisionRoundsAsTheIndexAlgebraDoes) {
  EXPECT_EQ(binary(FormulaOp::FloorDiv, -7, 2), -4);
  EXPECT_EQ(binary(FormulaOp::FloorDiv, 7, -2), -4);
  EXPECT_EQ(binary(FormulaOp::CeilDiv, 7, 2), 4);
  EXPECT_EQ(binary(FormulaOp::CeilDiv, -7, 2), -3);
  EXPECT_EQ(binary(FormulaOp::Mod, -7, 2), 1);
  EXPECT_EQ(binary(FormulaOp::Mod, 7, -2), -1);
  EXPECT_EQ(binary(FormulaOp::Min, 7, -2), -2);
  EXPECT_EQ(binary(FormulaOp::Max, 7, -2), 7);
}

TEST(Formula, SymbolsAndText) {
  Formula f =
      combine(FormulaOp::Mul, combine(FormulaOp::Add, symbol_formula(0), constant_formula(1)), symbol_formula(1));
  ASSERT_TRUE(validate(f, 2).ok());
  EXPECT_EQ(evaluate(f, symbols).value(), -24);
  EXPECT_EQ(text_of(f, {"n", "m"}), "(n + 1) * m");
  EXPECT_FALSE(validate(f, 1).ok());
  EXPECT_EQ(constant_value(f), std::nullopt);
}

TEST(Formula, OverflowAndZeroDivisorsAreErrors) {
  auto fails = [](FormulaOp op, int64_t a, int64_t b) {
    return !evaluate(combine(op, constant_formula(a), constant_formula(b)), {}).ok();
  };
  EXPECT_TRUE(fails(FormulaOp::Add, INT64_MAX, 1));
  EXPECT_TRUE(fails(FormulaOp::Sub, INT64_MIN, 1));
  EXPECT_TRUE(fails(FormulaOp::Mul, INT64_MAX, 2));
  EXPECT_TRUE(fails(FormulaOp::FloorDiv, 1, 0));
  EXPECT_TRUE(fails(FormulaOp::FloorDiv, INT64_MIN, -1));
  EXPECT_TRUE(fails(FormulaOp::CeilDiv, 1, 0));
  EXPECT_TRUE(fails(FormulaOp::Mod, 1, 0));
  EXPECT_EQ(evaluate(combine(FormulaOp::Mul, constant_formula(INT64_MAX), constant_formula(2)), {}).problem().message,
            "9223372036854775807 * 2 has no 64-bit value");
}

TEST(Formula, DeepNestingIsRefusedNotRun) {
  Formula f;
  for (int i = 0; i < 1000; ++i) f.code.insert(f.code.end(), {1, i});
  for (int i = 0; i < 999; ++i) f.code.push_back(static_cast<int64_t>(FormulaOp::Add));
  EXPECT_FALSE(validate(f, 0).ok());
}

TEST(Formula, RandomCodeIsRefusedOrRuns) {
  Rng rng(1);
  int valid = 0;
  for (int round = 0; round < 20000; ++round) {
    Formula f;
    for (int64_t i = rng.between(0, 9); i > 0; --i) f.code.push_back(rng.between(-1, 11));
    if (!validate(f, symbols.size()).ok()) continue;
    ++valid;
    (void)evaluate(f, symbols).ok();
    EXPECT_FALSE(text_of(f, {"n", "m"}).empty());
  }
  EXPECT_GT(valid, 100);
}

}  // namespace
}  // namespace hone::runtime
