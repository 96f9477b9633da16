#include "eval/kernel_eval.h"

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::OpKind;

ir::Kernel kernel_of(const char* text) {
  auto kernel = ir::parse_kernel(text);
  EXPECT_TRUE(kernel.ok()) << kernel.problem().message;
  return *kernel;
}

Tensor result_of(const char* text, const std::vector<Tensor>& inputs, const Sizes& sizes) {
  auto results = evaluate(kernel_of(text), inputs, sizes);
  EXPECT_TRUE(results.ok()) << results.problem().message;
  return results.ok() ? (*results)[0] : Tensor{};
}

std::string problem_of(const char* text, const std::vector<Tensor>& inputs, const Sizes& sizes) {
  auto results = evaluate(kernel_of(text), inputs, sizes);
  EXPECT_FALSE(results.ok());
  return results.ok() ? "" : results.problem().message;
}

TEST(KernelEval, TiledMatMulAtAnyTileSize) {
  const char* text = R"(
    kernel matmul(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
      axis m < M, n < N, k < K
      grid m step TM { grid n step TN {
        group (m, n) over (k) {
          s = sum a[m, k] * b[k, n]
        then
          y[m, n] = max(s, 0)
        }
      } }
    })";
  Tensor a = some_floats({7, 5}), b = some_floats({5, 3}, 2);
  Tensor product = run({OpKind::MatMul, {a, b}});
  Tensor expected = run({OpKind::Relu, {product}});
  for (int64_t tile : {1, 2, 4, 100}) {
    Tensor y = result_of(text, {a, b}, {{"TM", tile}, {"TN", 3}});
    expect_values(y, {7, 3}, values_of(expected));
  }
  expect_values(result_of(text, {floats({0, 5}, {}), b}, {{"TM", 2}, {"TN", 2}}), {0, 3}, {});
}

TEST(KernelEval, AccumulatesInAState) {
  const char* text = R"(
    kernel rows(in x: f32[M, K], out y: f32[M]) {
      axis m < M, k < K
      tile acc: f32[m]
      grid m step 2 {
        loop k step TK state acc = 0 {
          group (m) over (k) {
            s = sum x[m, k]
          then
            acc[m] = acc[m] + s
          }
        }
        group (m) { y[m] = acc[m] }
      }
    })";
  Tensor x = some_floats({3, 7});
  Tensor expected = run({OpKind::ReduceSum, {x}, {{"axes", std::vector<int64_t>{1}}, {"keepdims", int64_t{0}}}});
  for (int64_t tile : {1, 3, 8}) expect_values(result_of(text, {x}, {{"TK", tile}}), {3}, values_of(expected));
}

// Sums of three neighbours of sums of three neighbours; rows of the first are kept in a ring.
const char* kRing = R"(
    kernel twice(in x: f32[H], out y: f32[H]) {
      axis h < H, i < H, r < 3, q < 3
      tile first: f32[i] ring i ROWS
      loop h step 1 {
        group (i in [h - 1, h + 2) carry h) over (r) {
          s = sum x[i + r - 1] { fill 0 }
        then
          first[i] = s
        }
        group (h) over (q) {
          t = sum first[h + q - 1] { fill 0 }
        then
          y[h] = t
        }
      }
    })";

TEST(KernelEval, RingsKeepTheirLastRows) {
  Tensor x = floats({5}, {1, 2, 3, 4, 5});
  expect_values(result_of(kRing, {x}, {{"ROWS", 3}}), {5}, {9, 18, 27, 30, 21});
  EXPECT_NE(problem_of(kRing, {x}, {{"ROWS", 2}}).find("not there"), std::string::npos);
}

TEST(KernelEval, TilesDieWithTheirIteration) {
  const char* stale = R"(
    kernel stale(in x: f32[H], out y: f32[H]) {
      axis h < H
      tile t: f32[h]
      loop h step 1 {
        group (h) { t[h] = x[h] }
        group (h) { y[h] = t[h - 1] { clamp } }
      }
    })";
  EXPECT_NE(problem_of(stale, {floats({3}, {1, 2, 3})}, {}).find("not there"), std::string::npos);
}

TEST(KernelEval, InnerLoopsOverwriteTiles) {
  const char* overwritten = R"(
    kernel pieces(in x: f32[H], out y: f32[H]) {
      axis h < H
      tile t: f32[h]
      loop h step 2 {
        group (h) { t[h] = x[h] }
      }
      group (h) { y[h] = t[h] }
    })";
  EXPECT_NE(problem_of(overwritten, {floats({3}, {1, 2, 3})}, {}).find("not there"), std::string::npos);
}

TEST(KernelEval, RefusesToWriteOutside) {
  const char* outside = "kernel k(in x: f32[H], out y: f32[H]) { axis h < H group (h) { y[h + 1] = x[h] } }";
  EXPECT_NE(problem_of(outside, {floats({2}, {1, 2})}, {}).find("outside 'y'"), std::string::npos);
}

TEST(KernelEval, GraphsOfCallsAndAliases) {
  const char* text = R"(
    graph two {
      kernel double(in x: f32[N], out y: f32[N]) { axis n < N group (n) { y[n] = x[n] + x[n] } }
      input a: f32[B, 2]
      buffer flat: f32[2*B]
      buffer twice: f32[2*B]
      output z: f32[2*B]
      alias flat = a
      call double(flat, twice) with N = 2*B as "first"
      call double(twice, z) with N = 2*B as "second"
    })";
  auto graph = ir::parse_kernel_graph(text);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  auto results = evaluate(*graph, {floats({2, 2}, {1, 2, 3, 4})}, {{}});
  ASSERT_TRUE(results.ok()) << results.problem().message;
  expect_values((*results)[0], {4}, {4, 8, 12, 16});
}

}  // namespace
}  // namespace hone::eval
