// What is fetched while other vectors are at hand.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

// 4 rows in tiles of 2, 32 columns in strips of 8; weights lie strip by strip, 8 steps of 8 columns each.
std::string lowered(const std::string& grid, const std::string& plan) {
  auto kernel = ir::parse_kernel(fmt::format(R"(
    kernel product(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {{
      axis m < M, n < N, k < K
      {} group (m, n) over (k) {{ s = sum a[m, k] * b[k, n] then y[m, n] = s }} }}
    }})",
                                             grid));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto parsed = ir::parse_kernel_plan(
      fmt::format("plan product {{ set T = 8 pin K = 8, M = 4, N = 32 {}, unroll 2, next b:3 }}", plan));
  HONE_CHECK(parsed.ok(), "{}", parsed.problem().message);
  auto result = lower(*kernel, *parsed);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return ir::loop::text_of(result->function);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kTile = "group 0: vector n by 8, tile m:2 n:1, order ";

// Each turn of two steps moves on by as many elements as both fetch.
TEST(Next, EachTurnFetchesSoManyElements) {
  const std::string text = lowered("grid n step T {", "layout b: d1/8 d0 d1%8 " + kTile + "(n, m, k)");
  EXPECT_TRUE(has(text, "prefetch b[next_b]")) << text;
  EXPECT_TRUE(has(text, "next_b = next_b + 6")) << text;
}

// The strip of the next task, however the loops stand.
TEST(Next, BeginsBehindWhatIsAtHand) {
  for (const char* order : {"(n, m, k)", "(m, n, k)"}) {
    const std::string text = lowered("grid n step T {", "layout b: d1/8 d0 d1%8 " + kTile + order);
    EXPECT_TRUE(has(text, "next_b = task * 64 + 64") || has(text, "next_b = 64 * task + 64") ||
                has(text, "next_b = 64 + 64 * task"))
        << text;
  }
}

}  // namespace
}  // namespace hone::lower
