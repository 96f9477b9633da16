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

}  // namespace
}  // namespace hone::eval
