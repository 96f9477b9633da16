// Loops over neighbouring axes that become one: where what they read lies in one run, and nowhere else.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

// A window of 3 over rows of 7 channels, in Loop IR.
std::string lowered(const std::string& access) {
  auto kernel = ir::parse_kernel(fmt::format(R"(
    kernel rows(in x: f32[40, 7], in w: f32[3, 7, O], out y: f32[30, O]) {{
      axis i < 30, o < O, q < 3, c < 7
      group (i, o) over (q, c) {{
        s = sum x[{}] * w[q, c, o]
      then
        y[i, o] = s
      }}
    }})",
                                             access));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto plan = ir::parse_kernel_plan("plan rows { pin O = 8 group 0: vector o by 8, tile i:6, order (i, o, q, c) }");
  HONE_CHECK(plan.ok(), "{}", plan.problem().message);
  auto result = lower(*kernel, *plan);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return ir::loop::text_of(result->function);
}

bool has_loop_to(const std::string& text, int64_t end) {
  return text.find(fmt::format(" in 0 .. {} by 1", end)) != std::string::npos;
}

TEST(OneRun, RowsOfAWindowAndTheirChannels) {
  const std::string text = lowered("i + q, c");
  EXPECT_TRUE(has_loop_to(text, 21)) << text;
  EXPECT_FALSE(has_loop_to(text, 7)) << text;
}

TEST(OneRun, RowsThatLieApart) {
  const std::string text = lowered("i + 2*q, c");
  EXPECT_FALSE(has_loop_to(text, 21)) << text;
  EXPECT_TRUE(has_loop_to(text, 7)) << text;
}

}  // namespace
}  // namespace hone::lower
