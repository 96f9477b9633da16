// Layouts of a whole graph, with prices that a test sets.
#include "cost/layout/layout_choice.h"

#include <gtest/gtest.h>

namespace hone::cost {
namespace {

// conv → scale → conv, 16 channels each.
ir::KernelGraph chain() {
  auto graph = ir::parse_kernel_graph(R"(graph chain {
    kernel conv(in x: f32[1, C, H, W], in w: f32[O, C, 3, 3], out y: f32[1, O, H, W]) {
      axis o < O, i < H, j < W, c < C, u < 3, v < 3
      grid i step T_i { grid o step T_o {
        group (o, i, j) over (c, u, v) {
          s = sum x[0, c, i + u - 1, j + v - 1]{fill 0} * w[o, c, u, v]
        then
          y[0, o, i, j] = s
        }
      } }
    }
    kernel scale(in x: f32[1, C, H, W], out y: f32[1, C, H, W]) {
      axis c < C, i < H, j < W
      grid c step T_c { group (c, i, j) { y[0, c, i, j] = x[0, c, i, j] * 2 } }
    }
    input x: f32[1, 16, 20, 20]
    const w: f32[16, 16, 3, 3]
    buffer a: f32[1, 16, 20, 20]
    buffer b: f32[1, 16, 20, 20]
    output y: f32[1, 16, 20, 20]
    call conv(x, w, a) with C = 16, H = 20, W = 20, O = 16
    call scale(a, b) with C = 16, H = 20, W = 20
    call conv(b, w, y) with C = 16, H = 20, W = 20, O = 16
  })");
  HONE_CHECK(graph.ok(), "{}", graph.problem().message);
  return std::move(*graph);
}

// Kernels take 100 cycles, and so many more for each of their buffers that is, or is not, channels-last.
struct Extra {
  double last = 0, first = 0;
};

std::set<std::string> channels_last_edges(const std::map<std::string, Extra>& extra) {
  const ir::KernelGraph graph = chain();
  const LayoutChoice choice = choose_layouts(graph, [&](const ir::Kernel& kernel, const Use& use) {
    double cycles = 100;
    for (const ir::Buffer& buffer : kernel.buffers)
      if (auto found = extra.find(kernel.name); found != extra.end() && buffer.shape.size() == 4 && buffer.name != "w")
        cycles += use.layouts.contains(buffer.name) ? found->second.last : found->second.first;
    return cycles;
  });
  EXPECT_TRUE(choice.exact);
  std::set<std::string> names;
  for (const auto& [edge, layout] : choice.layouts) {
    EXPECT_EQ(layout::text_of(layout), "d0 d2 d3 d1");
    names.insert(graph.edges[static_cast<size_t>(edge)].name);
  }
  return names;
}

using Names = std::set<std::string>;

TEST(LayoutChoice, WithoutADifferenceChannelsAreLastBetweenKernelsAndNothingIsCopied) {
  EXPECT_EQ(channels_last_edges({}), (Names{"a", "b"}));
}

TEST(LayoutChoice, WhatContractionsGainDecidesUnlessAKernelBetweenLosesMore) {
  EXPECT_EQ(channels_last_edges({{"conv", {0, 50}}, {"scale", {40, 0}}}), (Names{"a", "b"}));
  EXPECT_EQ(channels_last_edges({{"conv", {0, 50}}, {"scale", {80, 0}}}), (Names{}));
}

TEST(LayoutChoice, InputsAndOutputsAreCopiedIfThatIsPaidFor) {
  EXPECT_EQ(channels_last_edges({{"conv", {0, 150}}}), (Names{"a", "b", "x", "y"}));
  EXPECT_EQ(channels_last_edges({{"conv", {0, 150}}, {"convert_f32_4d", {30, 30}}}), (Names{"a", "b"}));
}

}  // namespace
}  // namespace hone::cost
