// What the analytic model chooses where the right choice is known.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "cost/completed.h"
#include "cost/layout/channels_last.h"
#include "cost/stride.h"

namespace hone::cost {
namespace {

std::string convolution_text(int64_t size, int64_t channels) {
  return fmt::format(R"(graph one {{
    kernel conv(in x: f32[1, C, H, W], in w: f32[O, C, 3, 3], out y: f32[1, O, H, W]) {{
      axis o < O, i < H, j < W, c < C, u < 3, v < 3
      grid i step T_i {{ grid o step T_o {{
        group (o, i, j) over (c, u, v) {{
          s = sum x[0, c, i + u - 1, j + v - 1]{{fill 0}} * w[o, c, u, v]
        then
          y[0, o, i, j] = s
        }}
      }} }}
    }}
    input x: f32[1, {0}, {1}, {1}]
    const w: f32[64, {0}, 3, 3]
    output y: f32[1, 64, {1}, {1}]
    call conv(x, w, y) with C = {0}, H = {1}, W = {1}, O = 64
  }})",
                     channels, size);
}

TEST(Complete, FewRowsReadTheirWeightsOnce) {
  Completed result = completed(gemm_text(16, 4096, 4096));
  EXPECT_GE(result.plan.kernels[0].parameters.at("T_m"), 16);
}

// Blocks of a whole register tile, so that its tail reads padding; panels of a vector, which are read side by side.
TEST(Complete, WeightsLieInAPanelForEachVectorOfARegisterTile) {
  Completed row = completed(gemm_text(1, 4096, 520)), rows = completed(gemm_text(100, 400, 16));
  EXPECT_EQ(layout::text_of(row.plan.kernels[0].layouts.at("b")), "d1/32 d1/8%4 d0 d1%8");
  EXPECT_EQ(layout::text_of(rows.plan.kernels[0].layouts.at("b")), "d1/16 d1/8%2 d0 d1%8");
  EXPECT_EQ(layout::text_of(completed(gemm_text(100, 400, 8)).plan.kernels[0].layouts.at("b")), "d1/8 d0 d1%8");
}

TEST(Complete, ContractionsTakeTwoStepsInATurnAndStillChooseTheirTile) {
  const ir::GroupPlan rows = completed(gemm_text(100, 400, 64)).plan.kernels[0].groups[0];
  EXPECT_EQ(rows.unroll, 2);
  EXPECT_GE(rows.tile.at("m") * rows.tile.at("n"), 10);
}

// Seven vectors of columns: tiles of two leave one alone, which waits for its own sums; four and three do not. Eight are two tiles
// of four, which take fewer instructions than four of two.
TEST(Complete, NoVectorIsLeftAlone) {
  EXPECT_EQ(completed(gemm_text(3000, 400, 50)).plan.kernels[0].groups[0].tile.at("n"), 4);
  EXPECT_EQ(completed(gemm_text(3000, 400, 40)).plan.kernels[0].groups[0].tile.at("n"), 3);
  EXPECT_EQ(completed(gemm_text(3000, 400, 64)).plan.kernels[0].groups[0].tile.at("n"), 4);
}

TEST(Complete, PiecesOfTheVectorAxisAreWholeTiles) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    std::string text = gemm_text(rng.between(1, 400), rng.between(1, 2000), rng.between(1, 2000));
    Completed result = completed(text);
    const ir::KernelPlan& plan = result.plan.kernels[0];
    EXPECT_TRUE(ir::validate(plan, result.graph.kernels[0]).ok()) << text;
    const ir::GroupPlan& group = plan.groups[0];
    if (group.lanes == 1 || group.vector_axis != "n") continue;
    int64_t tile = group.lanes * group.tile.at("n"), step = plan.parameters.at("T_n");
    int64_t columns = *result.graph.calls[0].sizes.at("N").constant();
    EXPECT_TRUE(step >= columns || step % tile == 0)
        << "seed " << seed << ": steps of " << step << ", tiles of " << tile;
  }
}

std::vector<std::string> labels_of(const Completed& completed) {
  std::vector<std::string> labels;
  for (const ir::Call& call : completed.graph.calls) labels.push_back(call.label);
  return labels;
}

TEST(Complete, AConvolutionOfManyChannelsReadsACopyThatLiesAsItReads) {
  const Completed result = completed(convolution_text(56, 64));
  EXPECT_EQ(labels_of(result), (std::vector<std::string>{"convert x", ""}));
  EXPECT_EQ(result.plan.edge_layouts.size(), 1u);
}

// Channels that lie a multiple of 4 KiB apart: of 32 of them the nearest cache holds 8 lines.
TEST(Complete, ResultsWhoseLinesCollideAreCopiedToWhereTheyBelong) {
  EXPECT_EQ(labels_of(completed(convolution_text(64, 64))), (std::vector<std::string>{"convert x", "", "convert y"}));
}

TEST(Complete, AProductOfManyChannelsStoresItsResultWhereItBelongs) {
  Completed result = completed(R"(graph one {
    kernel conv(in x: f32[1, C, H, W], in w: f32[O, C, 1, 1], out y: f32[1, O, H, W]) {
      axis o < O, i < H, j < W, c < C
      grid i step T_i { grid o step T_o {
        group (o, i, j) over (c) { s = sum x[0, c, i, j] * w[o, c, 0, 0] then y[0, o, i, j] = s }
      } }
    }
    input x: f32[1, 1024, 14, 14]
    const w: f32[256, 1024, 1, 1]
    output y: f32[1, 256, 14, 14]
    call conv(x, w, y) with C = 1024, H = 14, W = 14, O = 256
  })");
  EXPECT_EQ(labels_of(result).back(), "");
}

TEST(Complete, AConvolutionOfColoursReadsThemWhereTheyAre) {
  EXPECT_EQ(labels_of(completed(convolution_text(28, 3)))[0], "");
}

// Steps along the width share loads, which would take registers from the sums; with as many colours as taps those go innermost.
TEST(Complete, ShortLoopsWhoseStepsShareLoadsAreNotInnermost) {
  auto innermost = [](int64_t channels) {
    const Completed result = completed(convolution_text(28, channels));
    for (size_t k = 0; k < result.graph.kernels.size(); ++k)
      if (result.graph.kernels[k].name == "conv") return result.plan.kernels[k].groups[0].order.back();
    return std::string();
  };
  EXPECT_EQ(innermost(3), "c");
  EXPECT_EQ(innermost(2), "v");
  EXPECT_EQ(innermost(64), "c");
}

// A convolution of stride 2 that reads `x` at these indices, into [1, O, H, W].
std::set<int> wishes_of_convolution(const std::string& shape, const std::string& index) {
  auto graph = ir::parse_kernel_graph(fmt::format(R"(graph one {{
    kernel conv(in x: f32[{0}], in w: f32[O, C, 2, 2], out y: f32[1, O, H, W]) {{
      axis o < O, i < H, j < W, c < C, u < 2, v < 2
      group (o, i, j) over (c, u, v) {{ s = sum x[{1}] * w[o, c, u, v] then y[0, o, i, j] = s }}
    }}
    input x: f32[1, 16, 16, 16]
    const w: f32[16, 16, 2, 2]
    output y: f32[1, 16, 8, 8]
    call conv(x, w, y) with O = 16, C = 16, H = 8, W = 8
  }})",
                                                  shape, index));
  HONE_CHECK(graph.ok(), "{}", graph.problem().message);
  return wants_channels_last(graph->kernels[0], {1});
}

TEST(Layouts, ChannelsThatAreLastAlreadyStayThere) {
  EXPECT_EQ(wishes_of_convolution("1, C, 2*H, 2*W", "0, c, 2*i + u, 2*j + v"), (std::set<int>{0, 2}));
  EXPECT_EQ(wishes_of_convolution("1, 2*H, 2*W, C", "0, 2*i + u, 2*j + v, c"), (std::set<int>{2}));
}

// Nothing that the product reads moves with the batch, but a task has one point of it.
TEST(Complete, VectorsNeverLieAlongAnAxisThatIsTakenPointByPoint) {
  Completed result = completed(R"(graph one {
    kernel norm_matmul(in x: f32[7, M, K], in w: f32[K, N], out y: f32[7, M, N]) {
      axis b < 7, m < M, n < N, k < K
      tile t: f32[m, k]
      grid b { grid m step T_m { grid n step T_n {
        group (b, m, k) { t[m, k] = x[b, m, k] * 2 }
        group (b, m, n) over (k) { s = sum t[m, k] * w[k, n] then y[b, m, n] = s }
      } } }
    }
    input x: f32[7, 7, 768]
    const w: f32[768, 3072]
    output y: f32[7, 7, 3072]
    call norm_matmul(x, w, y) with M = 7, K = 768, N = 3072
  })");
  EXPECT_EQ(result.plan.kernels[0].groups[1].vector_axis, "n");
}

TEST(Complete, RegisterTilesLeaveRoomForLoadsAhead) {
  const target::Target target = wide_desktop();
  for (const std::string& text : {gemm_text(1024, 1024, 1024), convolution_text(56, 64)}) {
    int64_t held = 1;
    for (const ir::KernelPlan& plan : completed(text, target).plan.kernels)
      if (!plan.groups[0].order.empty() && plan.groups[0].unroll > 1)
        for (const auto& [axis, points] : plan.groups[0].tile) held *= points;
    EXPECT_GE(held, 8) << text;
    EXPECT_LE(held, target.vector_registers - 5) << text;
  }
}

TEST(Complete, RowsThatCollideInTheNearestCacheAreNoMoreThanItsWays) {
  EXPECT_LE(completed(gemm_text(4096, 4096, 4096), wide_desktop()).plan.kernels[0].groups[0].tile.at("m"), 8);
}

TEST(Complete, VectorsThatShareNoOperandAreTakenOneByOne) {
  Completed result = completed(R"(graph one {
    kernel depthwise(in x: f32[H, X, C], in w: f32[5, 5, C], out y: f32[H, W, C]) {
      axis i < H, j < W, c < C, u < 5, v < 5
      grid i step T_i {
        group (i, j, c) over (u, v) {
          s = sum x[i + u - 2, j + v - 2, c]{fill 0} * w[u, v, c]
        then
          y[i, j, c] = s
        }
      }
    }
    input x: f32[R, S, 240]
    const w: f32[5, 5, 240]
    output y: f32[R, S, 240]
    call depthwise(x, w, y) with H = R, W = S, X = S, C = 240
  })",
                               wide_desktop());
  const ir::GroupPlan& group = result.plan.kernels[0].groups[0];
  EXPECT_EQ(group.vector_axis, "c");
  EXPECT_EQ(group.tile.at("c"), 1);
  EXPECT_EQ(group.tile.at("j"), 8);
}

TEST(Complete, VectorsAreNoWiderThanTwiceTheirAxis) {
  auto text = [](int64_t columns) {
    return fmt::format(R"(graph one {{
    kernel twice(in x: f32[M, N], out y: f32[M, N]) {{
      axis m < M, n < N
      grid m {{ group (m, n) {{ y[m, n] = x[m, n] * 2 }} }}
    }}
    input x: f32[100, {0}]
    output y: f32[100, {0}]
    call twice(x, y) with M = 100, N = {0}
  }})",
                       columns);
  };
  EXPECT_EQ(completed(text(7), wide_desktop()).plan.kernels[0].groups[0].lanes, 8);
  EXPECT_EQ(completed(text(9), wide_desktop()).plan.kernels[0].groups[0].lanes, 16);
  EXPECT_EQ(completed(text(3)).plan.kernels[0].groups[0].lanes, 8);
}

TEST(Complete, ContractionsTakeHalfVectorsThatLeaveFewerLanesEmptyWhereThoseAreAsFast) {
  auto lanes = [](int64_t columns, const target::Target& target) {
    return completed(fmt::format(R"(graph one {{
    kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {{
      axis m < M, n < N, k < K
      grid m step T_m {{ group (m, n) over (k) {{ s = sum a[m, k] * b[k, n] then y[m, n] = s }} }}
    }}
    input a: f32[100, 64]
    input b: f32[64, {0}]
    output y: f32[100, {0}]
    call gemm(a, b, y) with M = 100, K = 64, N = {0}
  }})",
                                 columns),
                     target)
        .plan.kernels[0]
        .groups[0]
        .lanes;
  };
  target::Target whole = wide_desktop();  // units of 512 bits
  whole.figures.multiply_adds_per_cycle = 2;
  whole.figures.loads_per_cycle = 2;
  EXPECT_EQ(lanes(24, wide_desktop()), 8);
  EXPECT_EQ(lanes(24, whole), 16);
  EXPECT_EQ(lanes(32, wide_desktop()), 16);
  EXPECT_EQ(lanes(120, wide_desktop()), 16);
}

// Rows of queries against keys that every task reads anew; what the passes carry is larger than the nearest cache.
std::string attention_text(int64_t heads, int64_t rows) {
  return fmt::format(R"(graph one {{
    kernel attention(in q: f32[B, M, D], in k: f32[B, K, D], in v: f32[B, K, D], out y: f32[B, M, D]) {{
      axis b < B, m < M, n < D, j < K, d < D
      tile total: f32[m], reached: f32[n, m], weights: f32[j, m]
      grid b {{ grid m step T_m {{
        loop j step T_j state total = 0, reached = 0 {{
          group (j, m) over (d) {{ s = sum q[b, m, d] * k[b, j, d] then weights[j, m] = exp(s) }}
          group (m) over (j) {{ t = sum weights[j, m] then total[m] = total[m] + t }}
          group (n, m) over (j) {{ u = sum weights[j, m] * v[b, j, n] then reached[n, m] = reached[n, m] + u }}
        }}
        group (m, n) {{ y[b, m, n] = reached[n, m] / total[m] }}
      }} }}
    }}
    input q: f32[{0}, {1}, 64]
    input k: f32[{0}, 4096, 64]
    input v: f32[{0}, 4096, 64]
    output y: f32[{0}, {1}, 64]
    call attention(q, k, v, y) with B = {0}, M = {1}, K = 4096, D = 64
  }})",
                     heads, rows);
}

TEST(Complete, TasksOfAnAttentionShareItsKeysAndTheCoresShareItsTasks) {
  for (int64_t heads : {1, 2, 3, 5, 12})
    for (int64_t rows : {128, 256, 1000}) {
      const int64_t step = completed(attention_text(heads, rows)).plan.kernels[0].parameters.at("T_m");
      const int64_t tasks = heads * ((rows + step - 1) / step);
      EXPECT_GE(step, 64) << heads << " heads, " << rows << " rows";
      EXPECT_TRUE(tasks % 2 == 0 || tasks >= 8) << heads << " heads, " << rows << " rows: " << tasks << " tasks";
    }
}

TEST(Stride, AGuessedSizeMakesNoAxisStandStillAndNoNeighbours) {
  auto kernel = ir::parse_kernel(R"(kernel last(in x: f32[M, K, T], out y: f32[M, K]) {
    axis m < M, k < K
    grid m { group (m, k) { y[m, k] = x[m, k, 0] } }
  })");
  ASSERT_TRUE(kernel.ok()) << kernel.problem().message;
  Use use;
  use.sizes = {{"M", 64}, {"K", 128}, {"T", 0}};
  const std::vector<ir::Index> index = {ir::Index::axis("m"), ir::Index::axis("k"), 0};
  EXPECT_EQ(stride_of(*kernel, use, 0, index, "m"), Stride::Strided);
  EXPECT_EQ(stride_of(*kernel, use, 0, index, "k"), Stride::Strided);
  EXPECT_EQ(stride_of(*kernel, use, 1, {ir::Index::axis("m"), 0}, "k"), Stride::Invariant);
  use.sizes["T"] = 1;
  EXPECT_EQ(stride_of(*kernel, use, 0, index, "k"), Stride::Strided);
  use.certain.insert("T");
  EXPECT_EQ(stride_of(*kernel, use, 0, index, "k"), Stride::Contiguous);
}

TEST(Complete, RowsThatComeFromAfarAreFetchedOnePassAhead) {
  auto plan = [](int64_t rows, int64_t columns) {
    return completed(fmt::format(R"(graph one {{
    kernel centred(in x: f32[M, N], out y: f32[M, N]) {{
      axis m < M, n < N
      tile t: f32[m]
      grid m step T_m {{
        loop m step T_rows {{
          group (m) over (n) {{ s = sum x[m, n] then t[m] = s }}
          group (m, n) {{ y[m, n] = x[m, n] - t[m] }}
        }}
      }}
    }}
    input x: f32[{0}, {1}]
    output y: f32[{0}, {1}]
    call centred(x, y) with M = {0}, N = {1}
  }})",
                                 rows, columns),
                     wide_desktop())
        .plan.kernels[0];
  };
  const ir::KernelPlan large = plan(4096, 200);
  EXPECT_TRUE(large.groups[0].ahead.empty());
  EXPECT_EQ(large.groups[1].ahead, (std::map<std::string, int64_t>{{"x", 200 * large.parameters.at("T_rows")}}));
  EXPECT_TRUE(plan(30, 200).groups[1].ahead.empty());      // near as it is
  EXPECT_TRUE(plan(50, 1000000).groups[1].ahead.empty());  // gone before the next row begins
}

TEST(Complete, WeightsOfTheNextStripAreFetchedMeanwhileIfThereIsAMeanwhile) {
  auto plan = [](int64_t rows, int64_t depth, int64_t columns) {
    return completed(gemm_text(rows, depth, columns), wide_desktop()).plan.kernels[0];
  };
  const ir::KernelPlan few = plan(16, 4096, 4096);  // two strips find no room in the second-level cache
  const int64_t pass = few.parameters.at("T_k_pass"), strip = few.parameters.at("T_n");
  EXPECT_EQ(strip, few.groups[0].tile.at("n") * few.groups[0].lanes);
  EXPECT_EQ(4096 % pass, 0);
  EXPECT_LE(4 * pass * strip, wide_desktop().l1_bytes);
  // All tiles of rows together fetch a strip, and hardly more.
  auto tiles = [&](const ir::KernelPlan& of, int64_t rows) {
    const int64_t held = of.groups[0].tile.at("m");
    return (rows + held - 1) / held;
  };
  EXPECT_GE(few.groups[0].next.at("b") * tiles(few, 16), strip);
  EXPECT_LT((few.groups[0].next.at("b") - 1) * tiles(few, 16), strip);
  const ir::KernelPlan near = plan(128, 256, 4096);  // two strips fit
  EXPECT_FALSE(near.parameters.contains("T_k_pass"));
  EXPECT_TRUE(near.groups[0].next.contains("b"));
  for (const ir::KernelPlan& none : {plan(1, 4096, 4096), plan(4096, 256, 4096), plan(128, 64, 32)}) {
    EXPECT_FALSE(none.parameters.contains("T_k_pass"));
    EXPECT_TRUE(none.groups[0].next.empty());
  }
  EXPECT_FALSE(plan(16, 4099, 4096).parameters.contains("T_k_pass"));  // passes would not be alike
}

TEST(Candidates, BeginWithTheChoiceAndDifferInPlanAndCycles) {
  auto graph = ir::parse_kernel_graph(gemm_text(128, 768, 3072));
  ASSERT_TRUE(graph.ok());
  Completed chosen = completed(gemm_text(128, 768, 3072));
  const ir::Kernel& kernel = graph->kernels[0];
  Use use = use_of(*graph, graph->calls[0], {});
  std::vector<Candidate> found = candidates(kernel, use, desktop(), 20, 7);
  ASSERT_EQ(found.size(), 20u);
  EXPECT_EQ(ir::text_of(found[0].plan, "gemm"), ir::text_of(chosen.plan.kernels[0], "gemm"));
  EXPECT_EQ(found[0].cycles, chosen.reasons[0].considered[0].total);
  std::set<std::string> texts;
  for (const Candidate& one : found) {
    EXPECT_TRUE(ir::validate(one.plan, kernel).ok());
    EXPECT_GE(one.cycles, found[0].cycles * 0.999);
    texts.insert(ir::text_of(one.plan, "gemm"));
  }
  EXPECT_EQ(texts.size(), found.size());
  std::vector<Candidate> again = candidates(kernel, use, desktop(), 20, 7),
                         other = candidates(kernel, use, desktop(), 20, 8);
  size_t moved = 0;
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(ir::text_of(found[k].plan, "gemm"), ir::text_of(again[k].plan, "gemm"));
    moved += ir::text_of(found[k].plan, "gemm") != ir::text_of(other[k].plan, "gemm");
  }
  EXPECT_GT(moved, 0u) << "the seed draws";
}

TEST(Candidates, AKernelWithoutAContractionHasNone) {
  auto graph = ir::parse_kernel_graph(R"(graph one {
    kernel twice(in x: f32[N], out y: f32[N]) {
      axis n < N
      grid n step T_n { group (n) { y[n] = x[n] * 2 } }
    }
    input x: f32[1000]
    output y: f32[1000]
    call twice(x, y) with N = 1000
  })");
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  EXPECT_TRUE(candidates(graph->kernels[0], use_of(*graph, graph->calls[0], {}), desktop(), 20, 1).empty());
}

TEST(Complete, TheSameKernelGivesTheSamePlan) {
  for (const std::string& text : {gemm_text(128, 768, 3072), convolution_text(14, 256)}) {
    Completed once = completed(text), again = completed(text);
    for (size_t k = 0; k < once.plan.kernels.size(); ++k)
      EXPECT_EQ(ir::text_of(once.plan.kernels[k], "k"), ir::text_of(again.plan.kernels[k], "k"));
  }
}

}  // namespace
}  // namespace hone::cost
