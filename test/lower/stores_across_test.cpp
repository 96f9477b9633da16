// Stores of points that follow each other across the lanes: four at a time are turned and stored in runs, what is left lane by lane.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

// Stores to y in a product whose vectors lie along n and whose register tile holds so many rows, once the accumulators are done.
size_t stores(const std::string& result, int rows) {
  auto kernel = ir::parse_kernel(
      fmt::format(R"(
    kernel product(in a: f32[{0}, K], in b: f32[K, 8], out y: f32[{1}]) {{
      axis m < {0}, n < 8, k < K
      group (m, n) over (k) {{ s = sum a[m, k] * b[k, n] then y[{2}] = s }}
    }})",
                  rows, result == "n, m" ? fmt::format("8, {}", rows) : fmt::format("{}, 8", rows), result));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto plan = ir::parse_kernel_plan(
      fmt::format("plan product {{ group 0: vector n by 8, tile m:{} n:1, order (m, n, k) }}", rows));
  HONE_CHECK(plan.ok(), "{}", plan.problem().message);
  auto lowered = lower(*kernel, *plan);
  HONE_CHECK(lowered.ok(), "{}", lowered.problem().message);
  const std::string text = ir::loop::text_of(lowered->function);
  size_t count = 0;
  for (size_t at = text.find("y["); at != std::string::npos; at = text.find("y[", at + 1)) ++count;
  return count;
}

TEST(StoresAcross, FourRowsAreOneRunForEachLane) {
  EXPECT_EQ(stores("m, n", 4), 4u);        // as the lanes lie
  EXPECT_EQ(stores("n, m", 4), 8u);        // a run of four rows for each lane
  EXPECT_EQ(stores("n, m", 3), 24u);       // too few to turn
  EXPECT_EQ(stores("n, m", 6), 8u + 16u);  // four are turned, two are left
}

}  // namespace
}  // namespace hone::lower
