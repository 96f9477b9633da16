#include <gtest/gtest.h>

#include <limits>

#include "ir/loop/loop.h"

namespace hone::ir::loop {
namespace {

// Text that is printed exactly as it is written here.
constexpr const char* kEverything =
    R"(function everything(sizes m, n; buffers x: f32, i: i32, flag: bool, out: f32, t: f32 at 0, u: f32 at $m * 4 + 64) {
  a = x[task_begin * 8; 8]
  b = x[$n + 3; 8 where tail_mask($n - 5, 8)]
  c = fma(a, b, 0.5:f32x8) * -1.25:f32x8
  d = select(a < b, max(a, b), neg(c))
  e = gather(x, ramp(8) + broadcast($m, 8))
  f = gather(x, ramp(8), a <= b & b != c)
  g = as_f32(as_i32(d) >> 3:i32x8 ^ 7:i32x8)
  h = f32(i[0; 8]) + e / f - g * (a - b)
  hh = shuffle(h, h, 1, 0, 3, 2)
  k = reduce_add(h) + reduce_max(a) * extract(h, 3)
  q = $m // 4 % 3 + min($m, $n) - 2
  r = inf:f32
  s = rem(1e-30:f32, nan:f32)
  v = flag[1]
  for j in 0 .. $n by 8 {
    y = round_even(sqrt(abs(x[j; 8])))
    if j + 8 <= $n {
      out[j] = y + h
    } else {
      out[j] = y where tail_mask($n - j, 8)
    }
    prefetch x[j + 64]
    stream out[j] = x[j; 8]
    alone out[j] = x[j; 8 alone]
  }
  if not(v) {
    t[0] = k + r + s
  }
  part {
    w = q + 1
    u[w] = k
  }
  u[q] = 0.0:f32
}
)";

TEST(LoopText, RoundTrips) {
  const auto parsed = parse_function(kEverything);
  ASSERT_TRUE(parsed.ok()) << parsed.problem().message;
  EXPECT_EQ(text_of(*parsed), kEverything);
  EXPECT_EQ(parsed->buffers.size(), 6u);
  EXPECT_TRUE(parsed->buffers[5].scratch);
}

TEST(LoopText, KeepsConstantsExactly) {
  Function f;
  f.name = "constants";
  f.buffers = {{.name = "out", .dtype = DType::F64}, {.name = "whole", .dtype = DType::I64}};
  const double numbers[] = {0.1, -0.0, 1e300, 5e-324, 1, -std::numeric_limits<double>::infinity()};
  for (int i = 0; i < 6; ++i) f.body.push_back(store(0, int_constant(i), float_constant(numbers[i], {DType::F64, 1})));
  f.body.push_back(store(1, int_constant(0), int_constant(std::numeric_limits<int64_t>::min())));
  const auto parsed = parse_function(text_of(f));
  ASSERT_TRUE(parsed.ok()) << parsed.problem().message << text_of(f);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(parsed->body[i].args[1]->number, numbers[i]);
    EXPECT_EQ(std::signbit(parsed->body[i].args[1]->number), std::signbit(numbers[i]));
  }
  EXPECT_EQ(parsed->body[6].args[1]->integer, std::numeric_limits<int64_t>::min());
}

void expect_problem(const std::string& body, const std::string& problem) {
  const auto parsed = parse_function("function f(sizes n; buffers x: f32) {\n" + body + "\n}\n");
  ASSERT_FALSE(parsed.ok()) << body;
  EXPECT_NE(parsed.problem().message.find(problem), std::string::npos) << parsed.problem().message;
}

TEST(LoopText, SaysWhatIsWrongAndWhere) {
  expect_problem("a = b", "line 2: variable 'b' is used before it is assigned");
  expect_problem("a = x[0] + 1", "the two sides of '+' differ in type");
  expect_problem("a = y[0]", "there is no buffer 'y'");
  expect_problem("a = $k", "there is no size '$k'");
  expect_problem("a = 0.5", "a fraction names its type");
  expect_problem("a = frobnicate(1)", "'frobnicate' is unknown");
  expect_problem("a = x[0; 8 where tail_mask(1, 4)]", "must be bool of as many");
  expect_problem("x[1.0:f32] = x[0]", "an offset must be a scalar i64");
  expect_problem("if 1 < 2 { a = 1 } else { } b = a", "'a' may be used before it is assigned");
  expect_problem("part { a = 1 } b = a", "'a' may be used before it is assigned");
  expect_problem("a = 1 part { a = 2 }", "a part assigns 'a', which is assigned before it");
  expect_problem("a = 1 ?", "'?' begins nothing");
}

}  // namespace
}  // namespace hone::ir::loop
