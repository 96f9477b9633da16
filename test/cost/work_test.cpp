// How much a kernel has to do, counted with the points that grids and loops open one by one.
#include "cost/work.h"

#include <gtest/gtest.h>

namespace hone::cost {
namespace {

int64_t flops_of_text(const std::string& text, const std::map<std::string, int64_t>& sizes) {
  auto kernel = ir::parse_kernel(text);
  EXPECT_TRUE(kernel.ok()) << kernel.problem().message;
  return flops_of(*kernel).evaluate([&](const std::string& name) { return sizes.at(name); });
}

TEST(Work, AProductCountsForEveryBatch) {
  EXPECT_EQ(flops_of_text(R"(kernel k(in a: f32[B, M, K], in w: f32[B, K, N], out y: f32[B, M, N]) {
  axis b < B, m < M, n < N, k < K
  grid b {
    grid m step T_m {
      group (m, n) over (k) {
        s = sum a[b, m, k] * w[b, k, n]
      then
        y[b, m, n] = max(s, 0)
      }
    }
  }
})",
                          {{"B", 12}, {"M", 5}, {"N", 7}, {"K", 3}}),
            12 * 5 * 7 * (3 * 2 + 1));
}

TEST(Work, AnAxisThatAGroupRunsOverItselfCountsOnce) {
  EXPECT_EQ(flops_of_text(R"(kernel k(in a: f32[M, K], out y: f32[M]) {
  axis m < M, k < K
  grid m step 1 {
    group (m) over (k) {
      s = sum a[m, k]
    then
      y[m] = s
    }
  }
})",
                          {{"M", 5}, {"K", 3}}),
            5 * 3);
}

}  // namespace
}  // namespace hone::cost
