// Axes of a grid that a plan merges into one are cut once.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

Lowered lowered(const std::string& grids, const std::string& pins) {
  auto kernel = ir::parse_kernel(fmt::format(R"(
    kernel part(in x: f32[C, 128, T], out y: f32[C, R, T]) {{
      axis c < C, r < R, t < T
      {} {{ group (c, r, t) {{ y[c, r, t] = x[c, r, t] }} }}{}
    }})",
                                             grids, grids.find('{') == std::string::npos ? "" : " }"));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto plan = ir::parse_kernel_plan(fmt::format(R"(plan part {{
    set T_c = 1152, T_r = 1152
    {}
    layout x: d1 d2 d0
    layout y: d1 d2 d0
    merge r t -> t
    merge t c -> c
    group 0: vector c by 8, order (c)
  }})",
                                                pins));
  HONE_CHECK(plan.ok(), "{}", plan.problem().message);
  auto result = lower(*kernel, *plan);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return std::move(*result);
}

TEST(MergedGrid, IsCutOnceWhicheverAxisStandsOutside) {
  for (const char* grids : {"grid c step T_c { grid r step T_r", "grid r step T_r { grid c step T_c"}) {
    const Lowered part = lowered(grids, "pin C = 12, R = 96");
    EXPECT_EQ(part.tasks.text(), "T") << grids;
    const std::string text = ir::loop::text_of(part.function);
    EXPECT_EQ(text.find("task %"), std::string::npos) << text;
    EXPECT_EQ(text.find("task //"), std::string::npos) << text;
  }
  EXPECT_EQ(lowered("grid r step T_r { grid c step T_c", "").tasks.text(),
            lowered("grid c step T_c { grid r step T_r", "").tasks.text());
}

}  // namespace
}  // namespace hone::lower
