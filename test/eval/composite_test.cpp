#include <cmath>

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::OpKind;

TEST(Composite, Softmax) {
  double e = std::exp(1.0);
  Tensor x = floats({2, 2}, {0, 1, 1000, 1000});
  expect_values(run({OpKind::Softmax, {x}}), {2, 2}, {1 / (1 + e), e / (1 + e), 0.5, 0.5}, 1e-6);
  expect_values(run({OpKind::LogSoftmax, {x}}), {2, 2},
                {-std::log(1 + e), 1 - std::log(1 + e), -std::log(2.0), -std::log(2.0)}, 1e-6);
  expect_values(run({OpKind::Softmax, {floats({2, 2}, {3, 1, 3, 1})}, {{"axis", int64_t{0}}}}), {2, 2},
                {0.5, 0.5, 0.5, 0.5});
  expect_values(run({OpKind::Softmax, {floats({2, 0}, {})}}), {2, 0}, {});
}

// Halves are rounded only at the end: each result is the one nearest to the exact value.
TEST(Composite, OfHalvesIsRoundedOnce) {
  for (ir::DType type : {ir::DType::F16, ir::DType::BF16})
    for (OpKind kind : {OpKind::Softmax, OpKind::LogSoftmax, OpKind::Gelu}) {
      Tensor x = filled(type, {1, 64}, values_of(some_floats({1, 64})));
      Tensor exact = filled(type, {1, 64}, values_of(run({kind, {floats({1, 64}, values_of(x))}})));
      expect_values(run({kind, {x}}), {1, 64}, values_of(exact));
    }
}

// (x - mean) / sqrt(variance + epsilon), or without the mean.
std::vector<double> normalised(std::vector<double> row, double epsilon, bool centre) {
  double mean = 0, power = 0, n = static_cast<double>(row.size());
  for (double v : row) mean += v / n;
  for (double& v : row) v -= centre ? mean : 0;
  for (double v : row) power += v * v / n;
  for (double& v : row) v /= std::sqrt(power + epsilon);
  return row;
}

TEST(Composite, LayerAndRmsNormalization) {
  std::vector<double> row = {1, 2, 4, 8, 3};
  Tensor x = floats({1, 5}, row), scale = floats({5}, {1, 2, 3, 4, 5}), bias = floats({5}, {0, 1, 0, 1, 0});
  Attributes epsilon = {{"epsilon", 0.25}, {"axis", int64_t{-1}}};
  std::vector<double> layer = normalised(row, 0.25, true), rms = normalised(row, 0.25, false), plain = layer;
  for (size_t i = 0; i < row.size(); ++i) {
    double factor = element(scale, static_cast<int64_t>(i));
    plain[i] = layer[i] * factor;
    layer[i] = plain[i] + element(bias, static_cast<int64_t>(i));
    rms[i] *= factor;
  }
  expect_values(run({OpKind::LayerNormalization, {x, scale, bias}, epsilon}), {1, 5}, layer, 1e-5);
  expect_values(run({OpKind::LayerNormalization, {x, scale}, epsilon}), {1, 5}, plain, 1e-5);
  expect_values(run({OpKind::RMSNormalization, {x, scale}, epsilon}), {1, 5}, rms, 1e-5);
}

TEST(Composite, BatchAndInstanceNormalization) {
  Tensor x = floats({1, 2, 3}, {1, 2, 3, 4, 6, 8}), scale = floats({2}, {2, 3}), bias = floats({2}, {10, 20});
  Tensor mean = floats({2}, {1, 4}), variance = floats({2}, {3.75, 8.75});
  expect_values(run({OpKind::BatchNormalization, {x, scale, bias, mean, variance}, {{"epsilon", 0.25}}}), {1, 2, 3},
                {10, 11, 12, 20, 22, 24}, 1e-5);
  std::vector<double> first = normalised({1, 2, 3}, 0.25, true), second = normalised({4, 6, 8}, 0.25, true), expected;
  for (double v : first) expected.push_back(2 * v + 10);
  for (double v : second) expected.push_back(3 * v + 20);
  expect_values(run({OpKind::InstanceNormalization, {x, scale, bias}, {{"epsilon", 0.25}}}), {1, 2, 3}, expected, 1e-5);
}

TEST(Composite, Gelu) {
  expect_values(run({OpKind::Gelu, {floats({3}, {-1, 0, 2})}}), {3}, {-0.158655, 0, 1.954500}, 1e-5);
  expect_values(run({OpKind::Gelu, {floats({3}, {-1, 0, 2})}, {{"approximate", std::string("tanh")}}}), {3},
                {-0.158808, 0, 1.954598}, 1e-5);
  EXPECT_NE(refusal_of({OpKind::Gelu, {integers({1}, {1})}}).find("i64"), std::string::npos);
}

TEST(Composite, BodiesAreValidPrograms) {
  ir::Program program =
      program_of({OpKind::LayerNormalization, {some_floats({2, 3, 5}), some_floats({5}), some_floats({5})}},
                 [](size_t input, size_t dimension) { return input == 0 && dimension < 2; });
  ir::Program body = ir::composite_body(program, program.ops[0]);
  auto valid = ir::validate(body);
  EXPECT_TRUE(valid.ok()) << valid.problem().message;
  EXPECT_EQ(body.type(body.outputs[0]), program.type(program.outputs[0]));
}

}  // namespace
}  // namespace hone::eval
