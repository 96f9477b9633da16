#include <cmath>
#include <limits>

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;

constexpr double kInf = std::numeric_limits<double>::infinity();

Attributes over(std::vector<int64_t> axes, int64_t keepdims = 1) {
  return {{"axes", axes}, {"keepdims", keepdims}};
}

TEST(Reduction, KnownValues) {
  Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, -6});
  expect_values(run({OpKind::ReduceSum, {x}, over({1})}), {2, 1}, {6, 3});
  expect_values(run({OpKind::ReduceSum, {x}, over({0}, 0)}), {3}, {5, 7, -3});
  expect_values(run({OpKind::ReduceMean, {x}, over({0, 1}, 0)}), {}, {1.5});
  expect_values(run({OpKind::ReduceMax, {x}, over({1}, 0)}), {2}, {3, 5});
  expect_values(run({OpKind::ReduceMin, {x}, over({1}, 0)}), {2}, {1, -6});
  expect_values(run({OpKind::ReduceProd, {x}, over({1}, 0)}), {2}, {6, -120});
  expect_values(run({OpKind::ReduceSumSquare, {x}, over({1}, 0)}), {2}, {14, 77});
  expect_values(run({OpKind::ReduceL1, {x}, over({1}, 0)}), {2}, {6, 15});
  expect_values(run({OpKind::ReduceL2, {x}, over({1}, 0)}), {2}, {std::sqrt(14.0), std::sqrt(77.0)}, 1e-6);
}

TEST(Reduction, TheGreatestNumberPassesOverNan) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Tensor x = floats({3, 3}, {1, kNan, -2, kNan, kNan, kNan, kNan, kInf, 0});
  expect_values(run({OpKind::ReduceMaxNumber, {x}, over({1}, 0)}), {3}, {1, -kInf, kInf});
}

TEST(Reduction, WithoutAxesReducesAll) {
  expect_values(run({OpKind::ReduceSum, {floats({2, 2}, {1, 2, 3, 4})}, {{"keepdims", int64_t{0}}}}), {}, {10});
  expect_values(run({OpKind::ReduceSum, {floats({2}, {1, 2})}, over({})}), {2}, {1, 2});
}

TEST(Reduction, OfNothingIsTheIdentity) {
  Tensor empty = floats({2, 0}, {});
  expect_values(run({OpKind::ReduceSum, {empty}, over({1}, 0)}), {2}, {0, 0});
  expect_values(run({OpKind::ReduceProd, {empty}, over({1}, 0)}), {2}, {1, 1});
  expect_values(run({OpKind::ReduceMax, {empty}, over({1}, 0)}), {2}, {-kInf, -kInf});
  expect_values(run({OpKind::ReduceMin, {filled(DType::I8, {0}, {})}, over({0}, 0)}), {}, {127});
  expect_values(run({OpKind::ReduceMax, {filled(DType::I32, {0}, {})}, over({0}, 0)}), {}, {-2147483648.0});
}

TEST(Reduction, OverAxesOfSizeOne) {
  Tensor x = floats({3, 1}, {1, -2, 3});
  expect_values(run({OpKind::ReduceMean, {x}, over({1})}), {3, 1}, {1, -2, 3});
  expect_values(run({OpKind::ReduceL2, {x}, over({1}, 0)}), {3}, {1, 2, 3});
  ir::Program program = program_of({OpKind::ReduceL2, {x}, over({1}, 0)});
  ir::Indexed meaning = ir::indexed_meaning(program, program.ops[0]);
  EXPECT_EQ(meaning.combine, ir::Combine::None);
  EXPECT_FALSE(meaning.finish);
}

TEST(Reduction, OfIntegersAndBools) {
  expect_values(run({OpKind::ReduceMean, {integers({4}, {1, 2, 3, 5})}, over({0}, 0)}), {}, {2});
  expect_values(run({OpKind::ReduceL2, {integers({2}, {3, 5})}, over({0}, 0)}), {}, {5});
  expect_values(run({OpKind::ReduceMax, {filled(DType::Bool, {3}, {0, 1, 0})}, over({0}, 0)}), {}, {1});
  expect_values(run({OpKind::ReduceMin, {filled(DType::Bool, {3}, {1, 1, 0})}, over({0}, 0)}), {}, {0});
}

// Adding ones in 11 bits gets stuck at 2048, in 8 bits at 256.
TEST(Reduction, OfHalvesIsRoundedOnce) {
  Tensor halves = filled(DType::F16, {4096}, std::vector<double>(4096, 1)),
         brains = filled(DType::BF16, {4096}, std::vector<double>(4096, 1));
  expect_values(run({OpKind::ReduceSum, {halves}, over({0}, 0)}), {}, {4096});
  expect_values(run({OpKind::ReduceSum, {brains}, over({0}, 0)}), {}, {4096});
  expect_values(run({OpKind::ReduceMean, {halves}, over({0}, 0)}), {}, {1});
  expect_values(run({OpKind::MatMul, {halves, halves}}), {}, {4096});
  Tensor row = filled(DType::BF16, {1, 512}, std::vector<double>(512, 1)), bias = filled(DType::BF16, {1}, {4});
  expect_values(run({OpKind::Gemm, {row, row, bias}, {{"transB", int64_t{1}}, {"alpha", 0.5}}}), {1, 1}, {260});
}

TEST(Reduction, RefusesAxesOutside) {
  EXPECT_NE(refusal_of({OpKind::ReduceSum, {floats({2}, {1, 2})}, over({1})}).find("axes"), std::string::npos);
  EXPECT_NE(refusal_of({OpKind::ReduceSum, {floats({2}, {1, 2})}, over({-1})}).find("axes"), std::string::npos);
}

}  // namespace
}  // namespace hone::eval
