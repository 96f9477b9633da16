// Windows of stride 2 along the vectors: taps that read the elements between those of another share its vectors.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

// Vectors of x that a window of so many taps loads for one vector of results.
size_t loads(int taps, const std::string& x = "x[2 * j + u]", int width = 0) {
  auto kernel = ir::parse_kernel(fmt::format(R"(
    kernel window(in x: f32[{1}], in w: f32[{0}], out y: f32[8]) {{
      axis j < 8, u < {0}
      group (j) over (u) {{ s = sum {2} * w[u] then y[j] = s }}
    }})",
                                             taps, width ? width : 14 + taps, x));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto plan =
      ir::parse_kernel_plan(fmt::format("plan window {{ group 0: vector j by 8, order (j, u), unroll {} }}", taps));
  HONE_CHECK(plan.ok(), "{}", plan.problem().message);
  auto lowered = lower(*kernel, *plan);
  HONE_CHECK(lowered.ok(), "{}", lowered.problem().message);
  const std::string text = ir::loop::text_of(lowered->function);
  size_t count = 0;
  for (size_t at = text.find("x["); at != std::string::npos; at = text.find("x[", at + 1)) ++count;
  return count;
}

TEST(Alternate, ATapAndTheNextShareTwoVectors) {
  EXPECT_EQ(loads(1), 2u);
  EXPECT_EQ(loads(2), 2u);
  EXPECT_EQ(loads(3), 4u);
  EXPECT_EQ(loads(4), 4u);
}

TEST(Alternate, NothingOutsideIsReadForTheSakeOfSharing) {
  // Taps 0 and 1 begin before the row, tap 2 ends behind it: none may take elements of the next one.
  EXPECT_EQ(loads(3, "x[2 * j + u - 1]{fill 0}", 15), 6u);
  EXPECT_EQ(loads(3, "x[2 * j + u - 1]{fill 0}", 16), 4u);
}

}  // namespace
}  // namespace hone::lower
