// Plans of kernels that only move or sum up what they read, where the right choice is known.
#include <gtest/gtest.h>

#include "cost/completed.h"
#include "cost/stride.h"

namespace hone::cost {
namespace {

std::string transpose_text(int64_t rows, int64_t columns) {
  return fmt::format(R"(graph one {{
    kernel turn(in x: f32[M, N], out y: f32[N, M]) {{
      axis n < N, m < M
      grid n step T_n {{ group (n, m) {{ y[n, m] = x[m, n] }} }}
    }}
    input x: f32[{0}, {1}]
    output y: f32[{1}, {0}]
    call turn(x, y) with M = {0}, N = {1}
  }})",
                     rows, columns);
}

TEST(Complete, WhatIsTurnedIsReadInRunsOfWholeLines) {
  for (const target::Target& target : {desktop(), wide_desktop()}) {
    const ir::KernelPlan plan = completed(transpose_text(3000, 3000), target).plan.kernels[0];
    EXPECT_EQ(plan.groups[0].vector_axis, "m");
    EXPECT_EQ(plan.groups[0].tile.at("n"), 16);
    EXPECT_EQ(plan.groups[0].order.back(), "n");
    EXPECT_LE(plan.parameters.at("T_n"), 256);
  }
}

TEST(Complete, WhatIsTurnedIsWrittenInRunsWhereTheRowsOfTheOutputCrowdTheCache) {
  for (const target::Target& target : {desktop(), wide_desktop()}) {
    auto innermost = [&](int64_t rows, int64_t columns) {
      return completed(transpose_text(rows, columns), target).plan.kernels[0].groups[0].order.back();
    };
    EXPECT_EQ(innermost(256, 3000), "m");
    EXPECT_EQ(innermost(768, 1000), "m");
    EXPECT_EQ(innermost(1000, 768), "n");  // those of the input do not matter
    EXPECT_EQ(innermost(64, 1024), "n");
  }
}

TEST(Complete, WhatGoesThroughMemoryIsMovedInTheOrderInWhichItIsRead) {
  auto plan = [](int64_t rows) {
    return completed(fmt::format(R"(graph one {{
    kernel heads(in x: f32[M, H, 64], out y: f32[H, M, 64]) {{
      axis h < H, m < M, d < 64
      grid h step T_h {{ grid m step T_m {{ group (h, m, d) {{ y[h, m, d] = x[m, h, d] }} }} }}
    }}
    input x: f32[{0}, 12, 64]
    output y: f32[12, {0}, 64]
    call heads(x, y) with M = {0}, H = 12
  }})",
                                 rows),
                     wide_desktop())
        .plan.kernels[0];
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(plan(100).groups[0].order, (Names{"h", "m", "d"}));
  EXPECT_EQ(plan(10000).groups[0].order, (Names{"m", "h", "d"}));
  EXPECT_EQ(plan(10000).parameters.at("T_h"), 12);
  EXPECT_LT(plan(10000).parameters.at("T_m"), 10000);
}

TEST(Complete, ShortRunsAreLoadedAndStoredAloneWhereTheProcessorWouldFetchBehindThem) {
  target::Target target = wide_desktop();
  auto alone = [&](int64_t rows, const std::string& reads, const std::string& writes = "k") {
    return completed(fmt::format(R"(graph one {{
    kernel rows(in x: f32[M, N], out y: f32[K, N]) {{
      axis k < R, n < N
      grid k step T_k {{ group (k, n) {{ y[{3}, n] = x[{1}, n] }} }}
    }}
    input x: f32[{0}, 300]
    output y: f32[{0}, 300]
    call rows(x, y) with M = {0}, N = 300, K = {0}, R = {2}
  }})",
                                 rows, reads, rows / 2, writes),
                     target)
        .plan.kernels[0]
        .alone;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(alone(300, "2 * k"), Names{});
  target.figures.alone_speedup = 1.5;
  EXPECT_EQ(alone(300, "2 * k"), Names{"x"});
  EXPECT_EQ(alone(300, "k + 3"), Names{}) << "one run";
  EXPECT_EQ(alone(300, "k", "2 * k"), Names{"y"});
  EXPECT_EQ(alone(300, "2 * k", "2 * k + 1"), (Names{"x", "y"}));
  EXPECT_EQ(alone(300, "7"), Names{}) << "the same run again and again";
  EXPECT_EQ(alone(30000, "2 * k"), Names{}) << "memory is the better for what is fetched ahead";
  EXPECT_EQ(completed(transpose_text(200, 300), target).plan.kernels[0].alone, (Names{"x", "y"}));
  EXPECT_EQ(completed(gemm_text(64, 64, 64), target).plan.kernels[0].alone, Names{}) << "it computes meanwhile";
}

// Sums of M rows and N columns along one of the axes m and n, which leaves the other.
ir::KernelPlan plan_of_sums(const std::string& over, const std::string& left, int64_t rows, int64_t columns) {
  return completed(fmt::format(R"(graph one {{
    kernel sums(in x: f32[M, N], out y: f32[{0}]) {{
      axis m < M, n < N
      grid {1} step T_{1} {{ group ({1}) over ({2}) {{ s = sum x[m, n] then y[{1}] = s }} }}
    }}
    input x: f32[{3}, {4}]
    output y: f32[{5}]
    call sums(x, y) with M = {3}, N = {4}
  }})",
                               left == "m" ? "M" : "N", left, over, rows, columns, left == "m" ? rows : columns),
                   wide_desktop())
      .plan.kernels[0];
}

TEST(Complete, SumsOfColumnsPassOverRowsUnlessThoseAreNear) {
  auto plan = [](int64_t rows, int64_t columns) { return plan_of_sums("m", "n", rows, columns); };
  EXPECT_EQ(plan(1000, 3000).parameters.at("T_m_pass"), 32);
  EXPECT_EQ(plan(2000, 3000).parameters.at("T_m_pass"), 8);  // from memory
  EXPECT_EQ(plan(1000, 2048).parameters.at("T_m_pass"), 4);  // rows that take each other's place in the nearest cache
  EXPECT_FALSE(plan(1000, 200).parameters.contains("T_m_pass"));  // all of a row is one strip
  EXPECT_FALSE(plan(10, 300).parameters.contains("T_m_pass"));    // near
  EXPECT_EQ(plan(1000, 200).groups[0].tile.at("n"), 13);
  EXPECT_EQ(plan(1000, 370).groups[0].tile.at("n"), 24);
  EXPECT_EQ(plan(300, 400).parameters.at("T_n"),
            256);  // a strip for each core, no more: the longer the runs, the better
}

TEST(Complete, LongRowsThatBeginAnywhereInALineAreReadInWholeLines) {
  auto aligned = [](int64_t rows, int64_t columns) { return plan_of_sums("n", "m", rows, columns).groups[0].align; };
  EXPECT_EQ(aligned(362, 362), "x");
  EXPECT_EQ(aligned(362, 368), "") << "every row begins a line";
  EXPECT_EQ(aligned(20, 362), "") << "the nearest cache holds them";
  EXPECT_EQ(aligned(3620, 36), "") << "short";
}

TEST(Complete, RowsAWayOfTheNearestCacheApartTakeEachOthersPlaceHoweverManyWaysItHas) {
  target::Target twelve_ways = wide_desktop();
  twelve_ways.l1_bytes = 48 << 10;
  EXPECT_EQ(ways_of_nearest_cache(wide_desktop()), 8);
  EXPECT_EQ(ways_of_nearest_cache(twelve_ways), 12);
  EXPECT_TRUE(collide(4096));
  EXPECT_TRUE(collide(-8192));
  EXPECT_FALSE(collide(6144));
  EXPECT_FALSE(collide(0));
}

TEST(Complete, WindowsAreNotTakenInPasses) {
  Completed result = completed(R"(graph one {
    kernel pool(in x: f32[C, H, W], out y: f32[C, H, W]) {
      axis c < C, i < H, j < W, u < 3, v < 3
      grid c { grid i step T_i { group (c, i, j) over (u, v) {
        s = max x[c, i + u - 1, j + v - 1]{fill -inf}
      then
        y[c, i, j] = s
      } } }
    }
    input x: f32[64, 500, 700]
    output y: f32[64, 500, 700]
    call pool(x, y) with C = 64, H = 500, W = 700
  })",
                               wide_desktop());
  EXPECT_TRUE(result.graph.kernels[0].tiles.empty());
}

TEST(Complete, SumsOfColumnsThatComeFromMemoryPassOverAFewRowsAtATime) {
  Completed result = completed(R"(graph one {
    kernel columns(in x: f32[B, M, N], out y: f32[N], out z: f32[N]) {
      axis n < N, b < B, m < M
      grid n step T_n {
        group (n) over (b, m) {
          s = sum x[b, m, n]
          t = max x[b, m, n]
        then
          y[n] = s * 0.5
          z[n] = t - s
        }
      }
    }
    input x: f32[3, 1000, 3000]
    output y: f32[3000]
    output z: f32[3000]
    call columns(x, y, z) with B = 3, M = 1000, N = 3000
  })",
                               wide_desktop());
  EXPECT_EQ(ir::text_of(result.graph.kernels[0]), R"(kernel columns(in x: f32[B, M, N], out y: f32[N], out z: f32[N]) {
  axis n < N, b < B, m < M
  tile so_far0: f32[n], so_far1: f32[n]
  grid n step T_n {
    loop b state so_far0 = 0, so_far1 = -inf {
      loop m step T_m_pass {
        group (n) over (b, m) {
          s = sum x[b, m, n]
          t = max x[b, m, n]
        then
          so_far0[n] = so_far0[n] + s
          so_far1[n] = max(so_far1[n], t)
        }
      }
    }
    group (n) {
      y[n] = so_far0[n] * 0.5
      z[n] = so_far1[n] - so_far0[n]
    }
  }
}
)");
  EXPECT_TRUE(ir::validate(result.plan.kernels[0], result.graph.kernels[0]).ok());
  EXPECT_EQ(result.plan.kernels[0].parameters.at("T_m_pass"), 8);
  EXPECT_EQ(result.plan.kernels[0].parameters.at("T_n") % 16, 0);
}

}  // namespace
}  // namespace hone::cost
