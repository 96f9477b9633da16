// What is fetched while other vectors are at hand.
#include <gtest/gtest.h>

#include "ir/loop/loop.h"
#include "lower/lower.h"

namespace hone::lower {
namespace {

// 4 rows in tiles of 2, 32 columns in strips of 8, which lie one behind the other.
std::string lowered(const std::string& body, const std::string& plan) {
  auto kernel = ir::parse_kernel(fmt::format(R"(
    kernel product(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {{
      axis m < M, n < N, k < K
      {}
    }})",
                                             body));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  auto parsed = ir::parse_kernel_plan(fmt::format("plan product {{ pin K = 8, M = 4, N = 32 {} }}", plan));
  HONE_CHECK(parsed.ok(), "{}", parsed.problem().message);
  auto result = lower(*kernel, *parsed);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return ir::loop::text_of(result->function);
}

std::string in_tasks(const std::string& order) {
  return lowered(
      "grid n step T { group (m, n) over (k) { s = sum a[m, k] * b[k, n] then y[m, n] = s } }",
      "set T = 8 layout b: d1/8 d0 d1%8 group 0: vector n by 8, tile m:2 n:1, order " + order + ", unroll 2, next b:3");
}

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in\n" << text;
}

// Each turn of two steps moves on by as many elements as both fetch.
TEST(Next, EachTurnFetchesSoManyElements) {
  const std::string text = in_tasks("(n, m, k)");
  EXPECT_TRUE(has(text, "prefetch b[next_b]"));
  EXPECT_TRUE(has(text, "next_b = next_b + 6"));
}

// 64 elements are a strip. However the loops stand, that of the next task follows.
TEST(Next, BeginsBehindTheStripAtHand) {
  for (const char* order : {"(n, m, k)", "(m, n, k)"}) EXPECT_TRUE(has(in_tasks(order), "next_b = task * 64 + 64"));
}

// 32 elements are what a pass of four steps reads of a strip: behind it lies what the next one reads, or the next strip.
TEST(Next, BeginsBehindThePassAtHand) {
  const std::string text = lowered(R"(
      tile t: f32[m, n]
      grid n step T { loop k step P state t = 0 {
        group (m, n) over (k) { s = sum a[m, k] * b[k, n] then t[m, n] = t[m, n] + s } }
        group (m, n) { y[m, n] = t[m, n] }
      })",
                                   "set T = 8, P = 4 layout b: d1/8 d0/4 d0%4 d1%8 "
                                   "group 0: vector n by 8, tile m:2 n:1, order (m, n, k), unroll 2, next b:4 "
                                   "group 1: vector n by 8, order (m, n)");
  EXPECT_TRUE(has(text, "next_b = k_n * 32 + task * 64 + 32"));
}

}  // namespace
}  // namespace hone::lower
