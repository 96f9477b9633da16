#include "cost/facts.h"

#include <gtest/gtest.h>

#include "cost/complete.h"
#include "cost/desktop.h"

namespace hone::cost {
namespace {

Facts facts(const std::string& text) {
  auto graph = ir::parse_kernel_graph(text);
  HONE_CHECK(graph.ok(), "{}", graph.problem().message);
  auto done = complete(*graph, desktop());
  HONE_CHECK(done.ok(), "{}", done.problem().message);
  const ir::Call& call = done->graph.calls[0];
  return facts_of(done->graph.kernels[0], done->plan.kernels[0], use_of(done->graph, call, done->plan.edge_layouts));
}

TEST(Facts, OfAProduct) {
  Facts found = facts(R"(graph one {
    kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
      axis m < M, n < N, k < K
      grid m step T_m { grid n step T_n {
        group (m, n) over (k) { s = sum a[m, k] * b[k, n] then y[m, n] = exp(s) }
      } }
    }
    input a: f32[3, 40]
    const b: f32[40, 50]
    output y: f32[3, 50]
    call gemm(a, b, y) with M = 3, K = 40, N = 50
  })");
  EXPECT_TRUE(found.contraction);
  EXPECT_EQ(found.lanes, 8);
  EXPECT_EQ(found.vector_points, 50);
  EXPECT_EQ(found.vector_room, 56);
  EXPECT_EQ(found.points, 6000);
  EXPECT_EQ(found.loads, 2);
  EXPECT_EQ(found.strided_loads, 0);
  EXPECT_EQ(found.functions, (std::map<std::string, double>{{"exp", 150}}));
  EXPECT_EQ(found.recurrent_steps, 0);
  EXPECT_GE(found.chains, 3);
  EXPECT_GT(found.loads_of_a_sum, 0.3);
  EXPECT_LE(found.loads_of_a_sum, 2);
}

TEST(Facts, WhatIsTurnedInRegistersIsNotGathered) {
  Facts found = facts(R"(graph one {
    kernel turn(in x: f32[M, N], out y: f32[N, M]) {
      axis n < N, m < M
      grid n step T_n { group (n, m) { y[n, m] = x[m, n] } }
    }
    input x: f32[100, 100]
    output y: f32[100, 100]
    call turn(x, y) with M = 100, N = 100
  })");
  EXPECT_EQ(found.loads, 1);
  EXPECT_EQ(found.strided_loads, 0);
  EXPECT_EQ(found.turned_loads, 1);
}

TEST(Facts, OfARecurrence) {
  Facts found = facts(R"(graph one {
    kernel running(in x: f32[N, 16], out y: f32[N, 16]) {
      axis n < N, c < 16
      tile s: f32[c]
      loop n state s = 0 {
        group (n, c) { s[c] = s[c] + x[n, c]  y[n, c] = s[c] }
      }
    }
    input x: f32[100, 16]
    output y: f32[100, 16]
    call running(x, y) with N = 100
  })");
  EXPECT_FALSE(found.contraction);
  EXPECT_EQ(found.recurrent_steps, 100);
  EXPECT_EQ(found.tasks, 1);
  EXPECT_EQ(found.chains, 0);
}

}  // namespace
}  // namespace hone::cost
