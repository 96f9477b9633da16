#include "lower/ceilings.h"

#include <gtest/gtest.h>

namespace hone::lower {
namespace {

// How many minimums of the last group are needless.
size_t needless_in(const std::string& groups) {
  auto kernel = ir::parse_kernel(fmt::format(R"(kernel rows(in x: f32[M, N], in z: f32[M, N], out y: f32[M, N]) {{
  axis m < M, k < N
  tile t: f32[m], u: f32[m], w: f32[m, k]
  grid m step T {{
    {}
  }}
}})",
                                             groups));
  HONE_CHECK(kernel.ok(), "{}", kernel.problem().message);
  return needless_minimums(*kernel, *ir::groups_of(*kernel).back()).size();
}

const std::string kTop = "group (m) over (k) { a = max_number x[m, k] then t[m] = a }\n";

TEST(Ceilings, AMinimumBehindTheLargestIsNeedless) {
  EXPECT_EQ(needless_in(kTop + "group (m, k) { y[m, k] = exp(min(x[m, k] - t[m], 0)) }"), 1u);
  EXPECT_EQ(needless_in(kTop + "group (m, k) { d = x[m, k] - t[m]  e = min(d, 0)  y[m, k] = exp(e) }"), 1u);
  EXPECT_EQ(needless_in(kTop + "group (m, k) { y[m, k] = exp(min((x[m, k] - t[m]) * 1.5, 0)) }"), 1u);
  EXPECT_EQ(needless_in("group (m) over (k) { a = max x[m, k] then b = max(a, u[m])  t[m] = b }\n"
                        "group (m, k) { y[m, k] = exp(min(x[m, k] - t[m], 0)) }"),
            1u);
}

TEST(Ceilings, AnyOtherMinimumStays) {
  auto behind = [](const std::string& value) { return kTop + "group (m, k) { y[m, k] = exp(min(" + value + ")) }"; };
  EXPECT_EQ(needless_in(behind("z[m, k] - t[m], 0")), 0u);
  EXPECT_EQ(needless_in(behind("t[m] - x[m, k], 0")), 0u);
  EXPECT_EQ(needless_in(behind("x[m, k] - t[m], 1")), 0u);
  EXPECT_EQ(needless_in(behind("(x[m, k] - t[m]) * -1.5, 0")), 0u);
  EXPECT_EQ(needless_in(behind("x[m, k] - u[m], 0")), 0u);
}

TEST(Ceilings, WhatIsWrittenInBetweenIsForgotten) {
  const std::string use = "group (m, k) { y[m, k] = exp(min(w[m, k] - t[m], 0)) }";
  const std::string top = "group (m) over (k) { a = max w[m, k] then t[m] = a }\n";
  const std::string fill = "group (m, k) { w[m, k] = x[m, k] }\n";
  EXPECT_EQ(needless_in(fill + top + use), 1u);
  EXPECT_EQ(needless_in(fill + top + fill + use), 0u);
  EXPECT_EQ(needless_in(fill + top + "group (m) { t[m] = 0 }\n" + use), 0u);
}

TEST(Ceilings, PartOfARowIsNoCeilingOfTheRest) {
  EXPECT_EQ(needless_in("group (m) over (k in [0, 4)) { a = max x[m, k] then t[m] = a }\n"
                        "group (m, k) { y[m, k] = exp(min(x[m, k] - t[m], 0)) }"),
            0u);
}

}  // namespace
}  // namespace hone::lower
