#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::OpKind;
using Ints = std::vector<int64_t>;

TEST(MatMul, AllRanks) {
  Tensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6}), b = floats({3, 2}, {1, 0, 0, 1, 1, 1});
  expect_values(run({OpKind::MatMul, {a, b}}), {2, 2}, {4, 5, 10, 11});
  expect_values(run({OpKind::MatMul, {floats({3}, {1, 1, 2}), b}}), {2}, {3, 3});
  expect_values(run({OpKind::MatMul, {a, floats({3}, {1, 0, -1})}}), {2}, {-2, -2});
  expect_values(run({OpKind::MatMul, {floats({3}, {1, 2, 3}), floats({3}, {4, 5, 6})}}), {}, {32});
  expect_values(run({OpKind::MatMul, {floats({2, 0}, {}), floats({0, 1}, {})}}), {2, 1}, {0, 0});
  expect_values(run({OpKind::MatMul, {floats({2, 1}, {2, 3}), floats({1, 2}, {5, 7})}}), {2, 2}, {10, 14, 15, 21});
  EXPECT_NE(refusal_of({OpKind::MatMul, {a, a}}).find("3 and 2"), std::string::npos);
}

TEST(MatMul, BatchesBroadcast) {
  Tensor a = some_floats({3, 1, 2, 5}), b = some_floats({2, 5, 3}, 2);
  Tensor y = run({OpKind::MatMul, {a, b}});
  ASSERT_EQ(y.shape, (Ints{3, 2, 2, 3}));
  for (int64_t p = 0; p < 3; ++p)
    for (int64_t q = 0; q < 2; ++q)
      for (int64_t i = 0; i < 2; ++i)
        for (int64_t j = 0; j < 3; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < 5; ++k) sum += element(a, (p * 2 + i) * 5 + k) * element(b, (q * 5 + k) * 3 + j);
          EXPECT_EQ(element(y, ((p * 2 + q) * 2 + i) * 3 + j), sum);
        }
}

TEST(Gemm, TransposesScalesAndBias) {
  Tensor a = floats({3, 2}, {1, 4, 2, 5, 3, 6}), b = floats({2, 3}, {1, 0, 1, 0, 1, 1});
  Attributes turned = {{"transA", int64_t{1}}, {"transB", int64_t{1}}, {"alpha", 2.0}, {"beta", 0.5}};
  expect_values(run({OpKind::Gemm, {a, b, floats({2}, {10, 20})}, turned}), {2, 2}, {13, 20, 25, 32});
  expect_values(run({OpKind::Gemm, {floats({1, 1}, {3}), floats({1, 1}, {5}), floats({}, {1})}}), {1, 1}, {16});
  expect_values(run({OpKind::Gemm, {floats({2, 0}, {}), floats({0, 1}, {}), floats({2, 1}, {7, 8})}}), {2, 1}, {7, 8});
}

struct ConvCase {
  Ints x, w, strides, pads, dilations;
  int64_t group;
};

// Any two spatial dimensions, straight from the definition.
double conv_at(const ConvCase& c, const Tensor& x, const Tensor& w, int64_t n, int64_t m, int64_t i, int64_t j) {
  int64_t per_group = c.w[1], first = m / (c.w[0] / c.group) * per_group;
  double sum = 0;
  for (int64_t k = 0; k < per_group; ++k)
    for (int64_t p = 0; p < c.w[2]; ++p)
      for (int64_t q = 0; q < c.w[3]; ++q) {
        int64_t row = i * c.strides[0] + p * c.dilations[0] - c.pads[0],
                column = j * c.strides[1] + q * c.dilations[1] - c.pads[1];
        if (row < 0 || row >= c.x[2] || column < 0 || column >= c.x[3]) continue;
        sum += element(x, ((n * c.x[1] + first + k) * c.x[2] + row) * c.x[3] + column) *
               element(w, ((m * per_group + k) * c.w[2] + p) * c.w[3] + q);
      }
  return sum;
}

TEST(Conv, AgainstTheDefinition) {
  const ConvCase cases[] = {
      {{1, 3, 5, 7}, {4, 3, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 1},
      {{2, 4, 7, 5}, {6, 2, 3, 2}, {2, 1}, {0, 1, 2, 0}, {1, 2}, 2},
      {{1, 5, 4, 4}, {5, 1, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 5},
      {{1, 3, 3, 3}, {2, 3, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, 1},
      {{1, 2, 9, 1}, {4, 1, 3, 1}, {3, 1}, {2, 0, 0, 0}, {2, 1}, 2},
  };
  for (const ConvCase& c : cases) {
    Tensor x = some_floats(c.x), w = some_floats(c.w, 2), bias = some_floats({c.w[0]}, 3);
    Tensor y = run({OpKind::Conv,
                    {x, w, bias},
                    {{"strides", c.strides}, {"pads", c.pads}, {"dilations", c.dilations}, {"group", c.group}}});
    ASSERT_EQ(y.shape[0], c.x[0]);
    ASSERT_EQ(y.shape[1], c.w[0]);
    int64_t next = 0;
    for (int64_t n = 0; n < y.shape[0]; ++n)
      for (int64_t m = 0; m < y.shape[1]; ++m)
        for (int64_t i = 0; i < y.shape[2]; ++i)
          for (int64_t j = 0; j < y.shape[3]; ++j)
            EXPECT_EQ(element(y, next++), conv_at(c, x, w, n, m, i, j) + element(bias, m));
  }
}

TEST(Conv, OneAndThreeSpatialDimensions) {
  expect_values(
      run({OpKind::Conv, {floats({1, 1, 4}, {1, 2, 3, 4}), floats({1, 1, 2}, {1, -1})}, {{"pads", Ints{1, 0}}}}),
      {1, 1, 4}, {-1, -1, -1, -1});
  Tensor cube = some_floats({1, 1, 2, 2, 2}), ones = floats({1, 1, 2, 2, 2}, std::vector<double>(8, 1));
  double sum = 0;
  for (double value : values_of(cube)) sum += value;
  expect_values(run({OpKind::Conv, {cube, ones}}), {1, 1, 1, 1, 1}, {sum});
}

TEST(Conv, BordersOnlyWherePadded) {
  Tensor x = some_floats({1, 2, 5, 5}), w = some_floats({2, 2, 3, 3});
  ir::Program plain = program_of({OpKind::Conv, {x, w}}),
              padded = program_of({OpKind::Conv, {x, w}, {{"pads", Ints{1, 1, 1, 1}}}});
  EXPECT_EQ(ir::indexed_meaning(plain, plain.ops[0]).accesses[0].border.rule, ir::Border::Rule::None);
  EXPECT_EQ(ir::indexed_meaning(padded, padded.ops[0]).accesses[0].border.rule, ir::Border::Rule::Fill);
}

TEST(ConvTranspose, KnownValues) {
  std::vector<double> numbers(12), weights(12);
  for (size_t i = 0; i < 12; ++i) numbers[i] = static_cast<double>(i) + 1, weights[i] = static_cast<double>(i) - 5;
  Tensor x = floats({1, 2, 6}, numbers), w = floats({2, 2, 3}, weights);
  expect_values(run({OpKind::ConvTranspose, {x, w}, {{"strides", Ints{2}}}}), {1, 2, 13},
                {2, 10, 16, 8, 12, 6, 8, 4, 4, 2, 0, 0, 18, 26, 34, 70, 38, 78, 42, 86, 46, 94, 50, 102, 54, 72});
  expect_values(
      run({OpKind::ConvTranspose, {x, w}, {{"strides", Ints{2}}, {"pads", Ints{1, 1}}, {"output_padding", Ints{1}}}}),
      {1, 2, 12}, {10, 16, 8, 12, 6, 8, 4, 4, 2, 0, 0, 18, 34, 70, 38, 78, 42, 86, 46, 94, 50, 102, 54, 72});
  expect_values(
      run({OpKind::ConvTranspose, {x, w}, {{"strides", Ints{2}}, {"dilations", Ints{2}}}}), {1, 2, 15},
      {2, 0, 8, 0, 20, 0, 14, 0, 8, 0, 2, 0, 18, 0, 18, 26, 0, 62, 0, 110, 0, 122, 0, 134, 0, 146, 0, 120, 0, 72});
}

TEST(ConvTranspose, GroupsAndBias) {
  std::vector<double> expected;
  Tensor x = some_floats({1, 4, 3}), w = some_floats({4, 3, 2}, 2), bias = some_floats({6}, 3);
  for (int64_t m = 0; m < 6; ++m)
    for (int64_t o = 0; o < 6; ++o) {
      double sum = element(bias, m);
      for (int64_t c = m / 3 * 2; c < m / 3 * 2 + 2; ++c)
        sum += element(x, c * 3 + o / 2) * element(w, (c * 3 + m % 3) * 2 + o % 2);
      expected.push_back(sum);
    }
  OneOp op{OpKind::ConvTranspose, {x, w, bias}, {{"strides", Ints{2}}, {"group", int64_t{2}}}};
  expect_values(run(op), {1, 6, 6}, expected);
  ir::Program program = program_of(op);
  EXPECT_EQ(ir::indexed_meaning(program, program.ops[0]).accesses[0].border.rule, ir::Border::Rule::None);
}

}  // namespace
}  // namespace hone::eval
