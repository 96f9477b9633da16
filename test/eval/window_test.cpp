#include <cmath>
#include <limits>

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::OpKind;
using Ints = std::vector<int64_t>;

Attributes window(Ints taps, Ints strides, Ints pads = {0, 0}, int64_t up = 0, int64_t count_pads = 0) {
  return {{"kernel_shape", taps},
          {"strides", strides},
          {"pads", pads},
          {"ceil_mode", up},
          {"count_include_pad", count_pads}};
}

Tensor one_to_seven() {
  return floats({1, 1, 7}, {1, 2, 3, 4, 5, 6, 7});
}

TEST(MaxPool, KnownValues) {
  expect_values(run({OpKind::MaxPool, {one_to_seven()}, window({3}, {2}, {0, 0}, 1)}), {1, 1, 3}, {3, 5, 7});
  expect_values(run({OpKind::MaxPool, {one_to_seven()}, window({3}, {2}, {1, 1})}), {1, 1, 4}, {2, 4, 6, 7});
  expect_values(run({OpKind::MaxPool, {one_to_seven()}, window({3}, {3}, {1, 1}, 1)}), {1, 1, 3}, {2, 5, 7});
  expect_values(run({OpKind::MaxPool, {one_to_seven()}, window({2}, {3}, {0, 0}, 1)}), {1, 1, 3}, {2, 5, 7});
  expect_values(run({OpKind::MaxPool, {one_to_seven()}, {{"kernel_shape", Ints{2}}, {"dilations", Ints{3}}}}),
                {1, 1, 4}, {4, 5, 6, 7});
}

TEST(MaxPool, PaddingNeverWins) {
  expect_values(run({OpKind::MaxPool, {floats({1, 1, 2}, {-5, -3})}, window({2}, {1}, {1, 1})}), {1, 1, 3},
                {-5, -3, -3});
  Tensor bytes = filled(ir::DType::I8, {1, 1, 2}, {-128, -100});
  expect_values(run({OpKind::MaxPool, {bytes}, window({2}, {1}, {1, 1})}), {1, 1, 3}, {-128, -100, -100});
}

TEST(AveragePool, KnownValues) {
  auto average = [](Attributes attributes) { return run({OpKind::AveragePool, {one_to_seven()}, attributes}); };
  expect_values(average(window({3}, {2}, {0, 0}, 1)), {1, 1, 3}, {2, 4, 6});
  expect_values(average(window({3}, {2}, {1, 1})), {1, 1, 4}, {1.5, 3, 5, 6.5});
  expect_values(average(window({3}, {2}, {1, 1}, 0, 1)), {1, 1, 4}, {1, 3, 5, 13.0 / 3}, 1e-6);
  expect_values(average(window({3}, {3}, {1, 1}, 1)), {1, 1, 3}, {1.5, 4, 6.5});
  expect_values(average(window({3}, {3}, {1, 1}, 1, 1)), {1, 1, 3}, {1, 4, 13.0 / 3}, 1e-6);
  expect_values(average(window({2}, {3}, {0, 0}, 1)), {1, 1, 3}, {1.5, 4.5, 7});
  expect_values(average(window({2}, {3}, {0, 0}, 1, 1)), {1, 1, 3}, {1.5, 4.5, 7});
}

TEST(AveragePool, TwoDimensionsOfAnySize) {
  OneOp op{OpKind::AveragePool,
           {some_floats({2, 3, 5, 4})},
           {{"kernel_shape", Ints{3, 2}}, {"pads", Ints{1, 0, 1, 1}}, {"strides", Ints{2, 1}}}};
  Tensor y = run(op);
  ASSERT_EQ(y.shape, (Ints{2, 3, 3, 4}));
  ir::Program symbolic = program_of(op, [](size_t, size_t) { return true; });
  auto again = evaluate(symbolic, op.inputs);
  ASSERT_TRUE(again.ok()) << again.problem().message;
  expect_values((*again)[0], y.shape, values_of(y));
  for (int64_t c = 0; c < 6; ++c)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        double sum = 0, count = 0;
        for (int64_t p = 0; p < 3; ++p)
          for (int64_t q = 0; q < 2; ++q)
            if (int64_t row = 2 * i + p - 1, column = j + q; row >= 0 && row < 5 && column < 4)
              sum += element(op.inputs[0], (c * 5 + row) * 4 + column), ++count;
        EXPECT_NEAR(element(y, (c * 3 + i) * 4 + j), sum / count, 1e-6);
      }
}

TEST(LpPool, KnownValues) {
  Tensor x = floats({1, 1, 4}, {3, -4, 0, 2});
  auto pool = [&](int64_t p, Ints pads) {
    return run({OpKind::LpPool, {x}, {{"kernel_shape", Ints{2}}, {"p", p}, {"pads", pads}}});
  };
  expect_values(pool(2, {0, 0}), {1, 1, 3}, {5, 4, 2}, 1e-6);
  expect_values(pool(1, {1, 0}), {1, 1, 4}, {3, 7, 4, 2}, 1e-6);
  expect_values(pool(3, {0, 0}), {1, 1, 3}, {std::cbrt(91.0), 4, 2}, 1e-5);
  EXPECT_EQ(refusal_of({OpKind::LpPool, {x}, {{"kernel_shape", Ints{2}}, {"p", int64_t{0}}}}),
            "lp_pool node 'it': p is 0, must be positive");
}

// The first of the largest, by its number in the whole tensor; padding is never it.
TEST(MaxPoolIndices, KnownValues) {
  const double none = -std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto indices = [](Tensor x, Attributes attributes) {
    Tensor pooled = run({OpKind::MaxPool, {x}, attributes});
    return run({OpKind::MaxPoolIndices, {x, pooled}, attributes});
  };
  expect_values(indices(floats({1, 2, 3}, {1, 3, 3, 5, 4, 6}), window({2}, {1})), {1, 2, 2}, {1, 1, 3, 5});
  expect_values(indices(floats({1, 1, 3}, {none, none, none}), window({2}, {2}, {1, 0})), {1, 1, 2}, {0, 1});
  expect_values(indices(floats({1, 1, 3}, {1, nan, 2}), window({3}, {1})), {1, 1, 1}, {1});
  Attributes columns = {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{1, 1}}, {"storage_order", int64_t{1}}};
  Tensor image = floats({1, 1, 2, 3}, {1, 9, 2, 3, 4, 9});
  expect_values(indices(image, columns), {1, 1, 1, 2}, {2, 2});
}

TEST(Col2Im, AgainstScatteringWindows) {
  for (int64_t stride : {1, 2, 3})
    for (int64_t dilation : {1, 2})
      for (int64_t pad : {0, 1}) {
        const int64_t size = 7, taps = 3, count = (size + 2 * pad - (taps - 1) * dilation - 1) / stride + 1;
        Tensor x = some_floats({2, 3, taps, count});
        Attributes attributes = {{"strides", Ints{stride}}, {"dilations", Ints{dilation}}, {"pads", Ints{pad, pad}}};
        std::vector<double> want(2 * 3 * size, 0);
        for (int64_t i = 0; i < 6; ++i)
          for (int64_t tap = 0; tap < taps; ++tap)
            for (int64_t at = 0; at < count; ++at)
              if (int64_t to = at * stride + tap * dilation - pad; to >= 0 && to < size)
                want[static_cast<size_t>(i * size + to)] += element(x, (i * taps + tap) * count + at);
        expect_values(run({OpKind::Col2Im, {x}, attributes, Ints{2, 3, size}}), {2, 3, size}, want);
      }
  EXPECT_EQ(refusal_of({OpKind::Col2Im, {some_floats({1, 1, 2, 4})}, {}, Ints{1, 1, 4}}),
            "col2im node 'it': the positions of its windows differ: 4 and 3");
}

}  // namespace
}  // namespace hone::eval
