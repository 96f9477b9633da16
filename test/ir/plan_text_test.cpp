#include <gtest/gtest.h>

#include "base/rng.h"
#include "ir/plan/plan.h"

namespace hone::ir {
namespace {

constexpr const char* kPlan = R"(plan gemm {
  set TM = 48, TN = 64
  pin K = 64
  layout b: d1/16 d0 d1%16
  stream y
  alone a, b
  merge m n -> n
  group 0: vector n by 8, tile m:6 n:2, order (n, m, k), unroll 4, ahead a:64 b:1024, next b:12, align a
  group 1: scalar
  group 2:
}
)";

TEST(PlanText, ReadsAsItPrints) {
  Result<KernelPlan> plan = parse_kernel_plan(kPlan);
  ASSERT_TRUE(plan.ok()) << plan.problem().message;
  EXPECT_EQ(text_of(*plan, "gemm"), kPlan);
  EXPECT_EQ(plan->groups[0].lanes, 8);
  EXPECT_EQ(plan->groups[0].tile.at("m"), 6);
  EXPECT_EQ(plan->groups[1].lanes, 1);
  EXPECT_EQ(plan->groups[2].lanes, 0);
}

TEST(PlanText, RandomPlansRoundTrip) {
  const std::vector<std::string> names = {"m", "n", "in", "odd name", "TK", "by"};
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    auto name = [&] { return names[static_cast<size_t>(rng.below(static_cast<int64_t>(names.size())))]; };
    KernelPlan plan;
    for (int64_t k = rng.below(3); k > 0; --k) plan.parameters[name()] = rng.below(100);
    for (int64_t k = rng.below(3); k > 0; --k) plan.pins[name()] = rng.below(100);
    for (int64_t k = rng.below(3); k > 0; --k)
      plan.layouts[name()] = layout::blocked(layout::row_major(2), static_cast<int>(rng.below(2)), rng.between(1, 32));
    for (int64_t k = rng.below(2); k > 0; --k) plan.streams.insert(name());
    for (int64_t k = rng.below(3); k > 0; --k) plan.alone.insert(name());
    for (int64_t k = rng.below(2); k > 0; --k) plan.merges.push_back({name(), name()});
    for (int64_t k = rng.below(4); k > 0; --k) {
      GroupPlan group;
      if (rng.chance(0.7)) group.vector_axis = name();
      group.lanes = group.vector_axis.empty() ? static_cast<int>(rng.below(2)) : static_cast<int>(rng.below(17));
      for (int64_t i = rng.below(3); i > 0; --i) group.tile[name()] = rng.between(1, 9);
      for (int64_t i = rng.below(3); i > 0; --i) group.order.push_back(name());
      group.unroll = static_cast<int>(rng.between(1, 4));
      for (int64_t i = rng.below(3); i > 0; --i) group.ahead[name()] = rng.between(1, 9999);
      for (int64_t i = rng.below(2); i > 0; --i) group.next[name()] = rng.between(1, 99);
      if (rng.chance(0.3)) group.align = name();
      plan.groups.push_back(group);
    }
    std::string text = text_of(plan, name());
    Result<KernelPlan> again = parse_kernel_plan(text);
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.problem().message << "\n" << text;
    EXPECT_EQ(text_of(*again, "k"), text_of(plan, "k")) << "seed " << seed;
  }
}

Kernel gemm() {
  return *parse_kernel(R"(kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
    axis m < M, n < N, k < K
    grid m step TM {
      group (m, n) over (k) { s = sum a[m, k] * b[k, n] then y[m, n] = s }
    }
  })");
}

void expect_problem(const std::string& lines, const std::string& message) {
  Result<KernelPlan> plan = parse_kernel_plan("plan gemm {" + lines + "}");
  Status status = plan.ok() ? validate(*plan, gemm()) : Status(plan.problem());
  ASSERT_FALSE(status.ok()) << lines;
  EXPECT_NE(status.problem().message.find(message), std::string::npos) << status.problem().message;
}

TEST(PlanValidate, ACompletePlanIsValid) {
  Result<KernelPlan> plan = parse_kernel_plan(
      "plan gemm { set TM = 4 pin K = 8 layout b: d1/16 d0 d1%16 group 0: vector n by 8, tile m:6 n:2, order (n, m, k) "
      "}");
  ASSERT_TRUE(plan.ok()) << plan.problem().message;
  EXPECT_TRUE(validate(*plan, gemm()).ok()) << validate(*plan, gemm()).problem().message;
}

TEST(PlanValidate, VectorsAlongAReductionAreItsInnermostLoop) {
  const Kernel kernel = *parse_kernel(R"(kernel sums(in x: f32[N, H, W], out y: f32[N]) {
    axis n < N, h < H, w < W
    group (n) over (h, w) { s = sum x[n, h, w] then y[n] = s }
  })");
  auto status = [&](const std::string& order) {
    return validate(*parse_kernel_plan("plan sums { group 0: vector w by 8, order " + order + " }"), kernel);
  };
  EXPECT_TRUE(status("(n, h, w)").ok());
  ASSERT_FALSE(status("(n, w, h)").ok());
  EXPECT_NE(status("(n, w, h)").problem().message.find("which it reduces, but h is its innermost loop; put w last"),
            std::string::npos);
}

TEST(PlanValidate, NamesWhatIsMissingOrWrong) {
  const std::string group = " group 0: vector n by 8, order (m, n, k)";
  expect_problem("", "parameter TM is not set; add: set TM = …");
  expect_problem("set TM = 0" + group, "it sets TM = 0");
  expect_problem("set TM = 1, TQ = 2" + group, "it sets TQ, but the kernel's symbols are K, M, N, TM");
  expect_problem("set TM = 1 pin Q = 2" + group, "it pins Q, but the kernel's symbols");
  expect_problem("set TM = 1 pin TM = 2" + group, "TM is both set and pinned");
  expect_problem("set TM = 1 layout c: d0" + group, "it gives 'c' a layout, but that is no buffer");
  expect_problem("set TM = 1 layout b: d0" + group, "buffer b: layout 'd0' does not place dimension d1");
  expect_problem("set TM = 1", "it plans 0 groups, the kernel has 1");
  expect_problem("set TM = 1 group 0:", "group 0 has no number of lanes");
  expect_problem("set TM = 1 group 0: vector n by 1, order (m, n, k)",
                 "group 0 has vectors of one lane along n; that is: scalar");
  expect_problem("set TM = 1 group 0: vector z by 8, order (m, n, k)",
                 "to be vectorised along z, its axes are m, n, k");
  expect_problem("set TM = 1 group 0: vector n by 6, order (m, n, k)", "has 6 lanes; they are a power of two");
  expect_problem("set TM = 1 group 0: scalar, order (k, m, n)", "parallel ones before over ones, as in (m, n, k)");
  expect_problem("set TM = 1 group 0: scalar", "has order (none)");
  expect_problem("set TM = 1 group 0: scalar, tile z:2, order (m, n, k)", "holds a tile along z");
  expect_problem("set TM = 1 group 0: scalar, tile m:0, order (m, n, k)", "holds 0 points of m");
  expect_problem("set TM = 1 group 0: scalar, order (m, n, k), unroll 0", "is unrolled 0 times");
  expect_problem("set TM = 1" + group + ", ahead n:16", "group 0 fetches n ahead, but that is no buffer of the kernel");
  expect_problem("set TM = 1" + group + ", ahead a:0", "group 0 fetches a ahead by 0 elements; 1 or more are possible");
  expect_problem("set TM = 1" + group + ", next n:16", "group 0 fetches n next, but that is no buffer of the kernel");
  expect_problem("set TM = 1" + group + ", next b:0", "group 0 fetches b next by 0 elements; 1 or more are possible");
  expect_problem("set TM = 1 group 0: scalar, order (m, n, k), next b:8",
                 "group 0 fetches what its next vectors need, but it has none along a parallel axis");
  expect_problem("set TM = 1 group 0: vector k by 8, order (m, n, k), align n",
                 "group 0 aligns n, but that is no buffer of the kernel");
  expect_problem("set TM = 1" + group + ", align a",
                 "group 0 aligns vectors of a, but it has none along an axis that it reduces");
  expect_problem("set TM = 1 stream a" + group, "it streams a, which is no output");
  expect_problem("set TM = 1 alone z" + group, "it reaches for z alone, which is no buffer");
  expect_problem("set TM = 1 merge m k -> k" + group, "it merges m and k, but group 0");
  expect_problem("set TM = 1 merge m z -> z" + group, "it merges z, but the kernel's axes are m, n, k");
}

TEST(PlanValidate, MergedAxesFollowEachOtherInEveryTile) {
  auto status = [](const std::string& axes) {
    const Kernel kernel = *parse_kernel(fmt::format(R"(kernel twice(in x: f32[H, W, C], out y: f32[H, W, C]) {{
      axis i < H, j < W, c < C
      tile t: f32[{0}]
      grid i step T {{ group (i, j, c) {{ t[{0}] = x[i, j, c] }} group (i, j, c) {{ y[i, j, c] = t[{0}] + t[{0}] }} }}
    }})",
                                                    axes));
    return validate(*parse_kernel_plan("plan twice { set T = 2 merge i j -> j group 0: vector c by 8, order (j, c) "
                                       "group 1: vector c by 8, order (j, c) }"),
                    kernel);
  };
  EXPECT_TRUE(status("i, j, c").ok());
  EXPECT_TRUE(status("c, i, j").ok());
  for (const char* axes : {"i, c, j", "j, i, c"}) {
    ASSERT_FALSE(status(axes).ok()) << axes;
    EXPECT_NE(status(axes).problem().message.find(
                  fmt::format("it merges i and j, which do not follow each other in tile t[{}]", axes)),
              std::string::npos)
        << status(axes).problem().message;
  }
}

TEST(PlanText, ProblemsNamePlaceAndCure) {
  expect_problem("set TM 3", "found '3', expected '='");
  expect_problem("set TM = 3, TM = 4", "'TM' is bound twice");
  expect_problem("layout b: x0", "found 'x0', expected a layout such as d1/16 d0 d1%16");
  expect_problem("layout b: d1/1", "a divisor lies between 2");
  expect_problem("group 1: scalar", "found group 1, expected group 0");
  expect_problem("group 0: scalar, fast",
                 "found 'fast', expected vector, scalar, tile, order, unroll, ahead, next or align");
  expect_problem("merge m n -> m", "keeps the name of the inner one, 'n'");
  expect_problem("plot", "found 'plot', expected set, pin, layout, stream, alone, merge, group or '}'");
}

}  // namespace
}  // namespace hone::ir
