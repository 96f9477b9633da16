// Laws of the bytes that a loop nest moves.
#include "cost/grid/traffic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace hone::cost {
namespace {

constexpr size_t kM = 0, kN = 1, kK = 2;
constexpr double kNoPasses = INFINITY;

ir::Kernel gemm() {
  return *ir::parse_kernel(R"(kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
    axis m < M, n < N, k < K
    grid m step TM { group (m, n) over (k) { s = sum a[m, k] * b[k, n] then y[m, n] = s } }
  })");
}

struct Problem {
  std::vector<Touched> touched;
  std::vector<int64_t> extents;

  // What moves if everything moves once.
  double bytes(const std::vector<NestLoop>& loops) const {
    double all = 0;
    for (const Touched& tensor : touched) all += tensor.bytes(extents) * tensor.wait_factor(loops);
    return all;
  }
};

Problem problem(int64_t m, int64_t n, int64_t k, bool weights = false) {
  const ir::Kernel kernel = gemm();
  Use use;
  use.sizes = {{"M", m}, {"N", n}, {"K", k}};
  if (weights) use.weights = {"b"};
  Problem result;
  result.extents = {m, n, k};
  const ir::Group& group = *ir::groups_of(kernel)[0];
  for (const ir::Access& access : group.inner[0].accesses)
    result.touched.emplace_back(kernel, use, access.operand, access.index, "k");
  result.touched.emplace_back(kernel, use, 2, group.outer[0].at, "k");
  return result;
}

target::Target with_caches(int64_t l1, int64_t l2, int64_t l3) {
  target::Target target;
  target.l1_bytes = l1;
  target.l2_bytes = l2;
  target.l3_bytes = l3;
  return target;
}

NestLoop loop(size_t axis, int64_t step, int64_t extent) {
  return {axis, step, static_cast<double>((extent + step - 1) / step)};
}

TEST(Traffic, WhatFitsMovesOnce) {
  Problem p = problem(8, 16, 32);
  std::vector<NestLoop> loops = {loop(kN, 16, 16), loop(kM, 4, 8), loop(kK, 1, 32)};
  Traffic moved = traffic_of(p.touched, loops, 0, 2, p.extents, kNoPasses, with_caches(1 << 15, 1 << 19, 1 << 25));
  EXPECT_DOUBLE_EQ(moved.into_l1, p.bytes(loops));
  EXPECT_DOUBLE_EQ(moved.into_l3, p.bytes(loops));
}

TEST(Traffic, RowsThatComeInTasksReadWideWeightsAgain) {
  const int64_t rows = 16, columns = 4096, depth = 4096;
  Problem p = problem(rows, columns, depth);
  target::Target target = with_caches(1 << 15, 1 << 19, 1 << 25);
  auto l3 = [&](int64_t step) {
    return traffic_of(p.touched, {loop(kM, step, rows), loop(kN, 16, columns), loop(kM, 4, step), loop(kK, 1, depth)},
                      1, 3, p.extents, kNoPasses, target)
        .into_l3;
  };
  EXPECT_GT(l3(4), 3.5 * l3(16));
}

// A strip of 16 columns finds no room beside the rows in this second-level cache: one of both comes again, unless all rows go
// through a part of the strip before the next. Where rows are outside the strips, or in other tasks, they cannot.
TEST(Traffic, InPassesStripsOfWeightsComeOnce) {
  const int64_t rows = 16, columns = 4096, depth = 2048;
  Problem p = problem(rows, columns, depth, true);
  auto l2 = [&](double pass, const std::vector<NestLoop>& loops) {
    return traffic_of(p.touched, loops, 1, loops.size() - 1, p.extents, pass, with_caches(1 << 15, 300'000, 1 << 25))
        .into_l2;
  };
  const std::vector<NestLoop> inside = {loop(kN, 16, columns), loop(kM, 4, rows), loop(kK, 1, depth)};
  const std::vector<NestLoop> outside = {loop(kN, 64, columns), loop(kM, 4, rows), loop(kN, 16, 64),
                                         loop(kK, 1, depth)};
  const std::vector<NestLoop> in_tasks = {loop(kM, 4, rows), loop(kN, 16, columns), loop(kK, 1, depth)};
  const double once = 4.0 * static_cast<double>(columns * depth);
  EXPECT_LT(l2(1 << 16, inside), 1.1 * once);
  EXPECT_GT(l2(kNoPasses, inside), 1.9 * once);  // rows come again, or strips
  EXPECT_GT(l2(1 << 16, outside), 1.9 * once);
  EXPECT_GT(l2(1 << 16, in_tasks), 3.9 * once);
}

TEST(Traffic, MoreCacheNeverMovesMore) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const std::vector<int64_t> extents = {rng.between(1, 300), rng.between(1, 300), rng.between(1, 300)};
    Problem p = problem(extents[0], extents[1], extents[2]);
    std::vector<NestLoop> loops;
    std::vector<int64_t> spans = extents;
    for (int depth = 0; depth < 5; ++depth) {
      int axis = static_cast<int>(rng.below(3));
      int64_t& span = spans[static_cast<size_t>(axis)];
      int64_t step = rng.between(1, span);
      loops.push_back(loop(axis, step, span));
      span = step;
    }
    double before = 1e300;
    for (int64_t size = 1 << 10; size <= 1 << 22; size *= 2) {
      double moved = traffic_of(p.touched, loops, 0, 0, p.extents, kNoPasses, with_caches(size, size, size)).into_l2;
      EXPECT_LE(moved, before * 1.0001) << "seed " << seed << ", cache of " << size;
      before = moved;
    }
    EXPECT_NEAR(before, p.bytes(loops), p.bytes(loops) * 1e-9) << "seed " << seed;
  }
}

// A task makes its rows ready in a tile: what its cache holds of them moves no further, what it does not moves there once, and
// back as often as it is read.
TEST(Traffic, ATileMovesOnlyWhereItsCacheCannotHoldIt) {
  const ir::Kernel kernel = *ir::parse_kernel(R"(kernel ready(in x: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
    axis m < M, n < N, k < K
    tile t: f32[m, k]
    grid m step TM {
      group (m, k) { t[m, k] = max(x[m, k], 0) }
      group (m, n) over (k) { s = sum t[m, k] * b[k, n] then y[m, n] = s }
    }
  })");
  const int64_t rows = 1024, columns = 16, depth = 64;
  Use use;
  use.sizes = {{"M", rows}, {"N", columns}, {"K", depth}};
  const ir::Access& read = ir::groups_of(kernel)[1]->inner[0].accesses[0];
  const std::vector<Touched> tile = {Touched(kernel, use, read.operand, read.index, "k")};
  ASSERT_TRUE(tile[0].is_tile());
  const double bytes = 4.0 * rows * depth;
  const target::Target target = with_caches(1 << 13, 1 << 15, 1 << 25);
  auto moved = [&](int64_t step) {
    return traffic_of(tile, {loop(kM, step, rows), loop(kM, 4, step), loop(kK, 1, depth)}, 1, 2, {rows, columns, depth},
                      kNoPasses, target);
  };
  EXPECT_EQ(moved(16).into_l1, 0);
  EXPECT_EQ(moved(64).into_l1, 2 * bytes);
  EXPECT_EQ(moved(64).into_l2, 0);
  EXPECT_EQ(moved(256).into_l2, 2 * bytes);
  EXPECT_EQ(moved(256).into_l3, 0);
  const Traffic twice =
      traffic_of(tile, {loop(kM, 64, rows), loop(kN, columns / 2, columns), loop(kM, 4, 64), loop(kK, 1, depth)}, 1, 3,
                 {rows, columns, depth}, kNoPasses, target);
  EXPECT_EQ(twice.into_l1, 3 * bytes);
}

// Rows of 512 columns in register tiles of 6 x 16: columns before rows end a run after a tile, rows before columns after a task.
TEST(Traffic, ShortRunsTakeLongerThanWholeRows) {
  const int64_t rows = 784, columns = 512, depth = 128;
  Problem p = problem(rows, columns, depth);
  auto factor = [&](int64_t step, int outer, int inner) {
    auto tile = [&](int axis) { return axis == kM ? loop(kM, 6, rows) : loop(kN, 16, step); };
    return p.touched[2].wait_factor({loop(kN, step, columns), tile(outer), tile(inner), loop(kK, 1, depth)});
  };
  EXPECT_GT(factor(32, kN, kM), factor(32, kM, kN));
  EXPECT_GT(factor(32, kM, kN), factor(128, kM, kN));
  EXPECT_GT(factor(128, kM, kN), factor(512, kM, kN));
  EXPECT_EQ(factor(512, kM, kN), 1);
}

}  // namespace
}  // namespace hone::cost
