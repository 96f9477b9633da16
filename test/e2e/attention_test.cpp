// Attention, compiled, against the interpreter: sizes that no tile divides, and masks that leave queries without keys.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "eval/interpreter.h"
#include "pipeline/compile.h"

namespace hone::e2e {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

constexpr const char* kAttention =
    R"(program p(q: f32[b, h, i, d], k: f32[b, h, j, d], v: f32[b, h, j, e], mask: f32[b, 1, i, j]) -> (y) {
  const scale: f32[] = {0.25}
  turned: f32[b, h, d, j] = transpose(k) {perm = [0, 1, 3, 2]}
  scores: f32[b, h, i, j] = matmul(q, turned)
  scaled: f32[b, h, i, j] = mul(scores, scale)
  logits: f32[b, h, i, j] = add(scaled, mask)
  shares: f32[b, h, i, j] = softmax(logits) {axis = 3}
  y: f32[b, h, i, e] = matmul(shares, v)
})";

// Keys that come as columns.
constexpr const char* kTurnedKeys =
    R"(program p(q: f32[b, h, i, d], k: f32[b, h, d, j], v: f32[b, h, j, e], mask: f32[b, 1, i, j]) -> (y) {
  scores: f32[b, h, i, j] = matmul(q, k)
  logits: f32[b, h, i, j] = add(scores, mask)
  shares: f32[b, h, i, j] = softmax(logits) {axis = 3}
  y: f32[b, h, i, e] = matmul(shares, v)
})";

// Shares that are NaN are made 0, as torch exports it.
constexpr const char* kGuarded =
    R"(program p(q: f32[b, h, i, d], k: f32[b, h, j, d], v: f32[b, h, j, e], mask: f32[b, 1, i, j]) -> (y) {
  const zero: f32[] = {0}
  turned: f32[b, h, d, j] = transpose(k) {perm = [0, 1, 3, 2]}
  scores: f32[b, h, i, j] = matmul(q, turned)
  logits: f32[b, h, i, j] = add(scores, mask)
  shares: f32[b, h, i, j] = softmax(logits) {axis = 3}
  none: bool[b, h, i, j] = is_nan(shares)
  guarded: f32[b, h, i, j] = where(none, zero, shares)
  y: f32[b, h, i, e] = matmul(guarded, v)
})";

eval::Tensor filled(const std::vector<int64_t>& shape, const std::function<double(int64_t)>& element) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(element(i));
  return eval::filled(ir::DType::F32, shape, values);
}

struct Extents {
  int64_t b, h, i, j, d, e;
};

// `mask` gives the addend of a query and a key.
void expect_same(const Extents& n, const std::function<double(int64_t, int64_t)>& mask, const char* text = kAttention) {
  auto program = ir::parse_program(text);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  auto some = [](int64_t i) { return static_cast<double>((i * 37) % 101) / 40 - 1.2; };
  std::vector<eval::Tensor> inputs = {
      filled({n.b, n.h, n.i, n.d}, some),
      text == kTurnedKeys ? filled({n.b, n.h, n.d, n.j}, some) : filled({n.b, n.h, n.j, n.d}, some),
      filled({n.b, n.h, n.j, n.e}, some),
      filled({n.b, 1, n.i, n.j}, [&](int64_t at) { return mask(at / n.j % n.i, at % n.j); })};
  auto want = eval::evaluate(*program, inputs);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  pipeline::Options options;
  options.threads = 2;
  auto model = pipeline::compile_program(*program, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto session = pipeline::load(*model, options);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  std::vector<runtime::InputTensor> feeds;
  for (const eval::Tensor& input : inputs) feeds.push_back({ir::name_of(input.dtype), input.shape, input.bytes.data()});
  auto got = (*session)->run(feeds);
  ASSERT_TRUE(got.ok()) << got.problem().message;
  ASSERT_EQ((*got)[0].shape, (*want)[0].shape);
  const float* values = reinterpret_cast<const float*>((*got)[0].data.data());
  for (int64_t i = 0; i < eval::count_of((*want)[0].shape); ++i) {
    double expected = eval::element((*want)[0], i);
    ASSERT_EQ(std::isnan(values[i]), std::isnan(expected)) << "element " << i;
    if (std::isnan(expected)) continue;
    ASSERT_NEAR(values[i], expected, 1e-5) << "element " << i;
  }
}

double nothing(int64_t, int64_t) {
  return 0;
}

TEST(Attention, SizesThatNoTileDivides) {
  expect_same({1, 1, 1, 1, 1, 1}, nothing);
  expect_same({2, 3, 7, 13, 5, 3}, nothing);
  expect_same({1, 2, 37, 131, 19, 17}, nothing);
  expect_same({1, 1, 65, 257, 64, 33}, nothing);
}

TEST(Attention, KeysThatComeAsColumns) {
  expect_same({1, 1, 1, 1, 1, 1}, nothing, kTurnedKeys);
  expect_same({2, 3, 7, 13, 5, 3}, nothing, kTurnedKeys);
  expect_same({1, 1, 37, 257, 64, 33}, nothing, kTurnedKeys);
  expect_same({1, 2, 9, 0, 4, 3}, nothing, kTurnedKeys);
}

TEST(Attention, NoQueriesAndNoKeys) {
  expect_same({1, 2, 0, 5, 4, 3}, nothing);
  expect_same({1, 2, 9, 0, 4, 3}, nothing);
}

TEST(Attention, MasksThatKillTilesAndWholeRows) {
  Extents n{1, 2, 21, 301, 8, 9};
  expect_same(n, [](int64_t i, int64_t j) { return j <= i ? 0 : kNever; });
  expect_same(n, [](int64_t i, int64_t j) { return j >= 280 + i ? 0 : kNever; });  // the last queries have no key
  expect_same(n, [](int64_t i, int64_t) { return i % 3 == 0 ? kNever : 0; });
  expect_same(n, [](int64_t i, int64_t) { return i % 3 == 0 ? -3.4028234663852886e+38 : 0; });
}

TEST(Attention, SharesThatAreGuarded) {
  Extents n{1, 2, 21, 150, 8, 9};
  double none = std::numeric_limits<double>::quiet_NaN();
  expect_same(n, [](int64_t i, int64_t j) { return i % 3 == 0 || j < i ? kNever : 0; }, kGuarded);
  expect_same(n, [&](int64_t i, int64_t j) { return i == 3 && j == 140 ? none : 0; }, kGuarded);
}

TEST(Attention, NumbersThatAreNone) {
  Extents n{1, 1, 19, 150, 4, 8};
  double none = std::numeric_limits<double>::quiet_NaN();
  expect_same(n, [&](int64_t i, int64_t j) { return i == 3 && j == 140 ? none : 0; });
  expect_same(n, [&](int64_t i, int64_t j) { return i == 3 && j == 2 ? none : 0; });
  expect_same(n, [&](int64_t i, int64_t j) { return i == 5 && j == 7 ? -kNever : 0; });
}

}  // namespace
}  // namespace hone::e2e
