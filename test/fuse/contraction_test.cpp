#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::OpKind;
using Numbers = std::vector<int64_t>;

TEST(Contraction, TakesItsEpilogue) {
  ProgramBuilder b;
  auto x = b.input("x", {1, 3, 6, 5}), w = b.input("w", {4, 3, 3, 3}), bias = b.input("bias", {4}),
       r = b.input("r", {1, 4, 6, 5});
  auto conv = b.add(OpKind::Conv, {x, w, bias}, {{"pads", Numbers{1, 1, 1, 1}}});
  auto graph = expect_same(b.finish({b.add(OpKind::Relu, {b.add(OpKind::Add, {conv, r})})}));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel conv_add_relu(in x0: f32[1, D_c, D_x0_2, D_x0_3], in x1: f32[D_o, D_c, 3, 3], in x2: f32[D_o],
                     in x3: f32[1, D_o, D_i, D_j], out y0: f32[1, D_o, D_i, D_j]) {
  axis o < D_o, i < D_i, j < D_j, c < D_c, u < 3, v < 3
  grid i step T_i {
    grid o step T_o {
      group (o, i, j) over (c, u, v) {
        s0 = sum x0[0, c, i + u - 1, j + v - 1]{fill 0} * x1[o, c, u, v]
      then
        v1 = s0 + x2[o]
        v2 = v1 + x3[0, o, i, j]
        v3 = max(v2, 0)
        y0[0, o, i, j] = v3
      }
    }
  }
}
)");
  EXPECT_EQ(graph.calls[0].sizes.at("D_o"), ir::Index(4));
  EXPECT_EQ(graph.calls[0].sizes.at("D_x0_2"), ir::Index(6));
}

TEST(Contraction, ProductsOfTheSameRowsAreOneKernel) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 17, 5}), bias = b.input("bias", {7});
  std::vector<ir::ValueId> projections;
  for (const char* name : {"q", "k", "v"}) projections.push_back(b.add(OpKind::MatMul, {x, b.input(name, {5, 7})}));
  projections[0] = b.add(OpKind::Relu, {projections[0]});
  projections[1] = b.add(OpKind::Add, {projections[1], bias});
  auto graph = expect_same(b.finish(projections));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_NE(ir::text_of(graph.kernels[0]).find(R"(        group (b0, m, n) over (k) {
          s0 = sum x0[b0, m, k] * x1[k, n]
          s1 = sum x0[b0, m, k] * x2[k, n]
          s2 = sum x0[b0, m, k] * x3[k, n]
        then
)"),
            std::string::npos)
      << ir::text_of(graph.kernels[0]);
}

TEST(Contraction, AGatedLayerKeepsItsGate) {
  ProgramBuilder b;
  auto x = b.input("x", {16, 5});
  auto gate = b.add(OpKind::MatMul, {x, b.input("gate", {5, 7})}),
       up = b.add(OpKind::MatMul, {x, b.input("up", {5, 7})});
  auto graph = expect_same(b.finish({b.add(OpKind::Mul, {b.add(OpKind::Sigmoid, {gate}), up})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Contraction, LeavesProductsThatCannotOrShouldNotBeMerged) {
  ProgramBuilder few;
  auto x = few.input("x", {15, 5});
  auto calls = [&](ProgramBuilder& b, const std::vector<ir::ValueId>& results) {
    return expect_same(b.finish(results)).calls.size();
  };
  EXPECT_EQ(calls(few, {few.add(OpKind::MatMul, {x, few.input("a", {5, 7})}),
                        few.add(OpKind::MatMul, {x, few.input("b", {5, 7})})}),
            2u);
  ProgramBuilder other;  // other columns
  x = other.input("x", {16, 5});
  EXPECT_EQ(calls(other, {other.add(OpKind::MatMul, {x, other.input("a", {5, 7})}),
                          other.add(OpKind::MatMul, {x, other.input("b", {5, 8})})}),
            2u);
  ProgramBuilder waits;  // the weights of one are the result of the other
  x = waits.input("x", {16, 16});
  auto first = waits.add(OpKind::MatMul, {x, waits.input("a", {16, 16})});
  EXPECT_EQ(calls(waits, {waits.add(OpKind::MatMul, {x, first})}), 2u);
}

TEST(Contraction, TakesItsPrologue) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 7, 5}), shift = b.input("shift", {5}), w = b.input("w", {5, 9});
  auto ready = b.add(OpKind::Relu, {b.add(OpKind::Add, {x, shift})});
  auto graph = expect_same(b.finish({b.add(OpKind::Neg, {b.add(OpKind::MatMul, {ready, w})})}));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel add_relu_matmul_neg(in x0: f32[D_b0, D_m, D_k], in x1: f32[D_k], in x2: f32[D_k, D_n],
                           out y0: f32[D_b0, D_m, D_n]) {
  axis b0 < D_b0, m < D_m, n < D_n, k < D_k
  tile t0: f32[m, k]
  grid b0 {
    grid m step T_m {
      grid n step T_n {
        group (b0, m, k) {
          v0 = x0[b0, m, k] + x1[k]
          v1 = max(v0, 0)
          t0[m, k] = v1
        }
        group (b0, m, n) over (k) {
          s2 = sum t0[m, k] * x2[k, n]
        then
          v3 = -s2
          y0[b0, m, n] = v3
        }
      }
    }
  }
}
)");
}

TEST(Contraction, LeavesAPrologueThatOthersReadOrThatTasksWouldRepeat) {
  ProgramBuilder b;
  auto x = b.input("x", {6, 5}), w = b.input("w", {5, 9});
  auto ready = b.add(OpKind::Relu, {x});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {ready, w}), ready}));
  EXPECT_EQ(graph.calls.size(), 2u);
  ProgramBuilder c;
  auto left = c.input("x", {6, 5}), right = c.input("w", {5, 9});
  graph = expect_same(c.finish({c.add(OpKind::MatMul, {left, c.add(OpKind::Relu, {right})})}));
  EXPECT_EQ(graph.calls.size(), 2u);
}

TEST(Contraction, AConvolutionOfSinglePixelsTakesItsPrologue) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 5, 3, 4}), gate = b.input("gate", {2, 5, 1, 1}), w = b.input("w", {6, 5, 1, 1});
  auto graph = expect_same(b.finish({b.add(OpKind::Conv, {b.add(OpKind::Mul, {x, gate}), w})}));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel mul_conv(in x0: f32[D_n, D_c, D_i, D_j], in x1: f32[D_n, D_c, 1, 1], in x2: f32[D_o, D_c, 1, 1],
                out y0: f32[D_n, D_o, D_i, D_j]) {
  axis n < D_n, o < D_o, i < D_i, j < D_j, c < D_c
  tile t0: f32[i, j, c]
  grid n {
    grid i step T_i {
      grid o step T_o {
        group (n, i, j, c) {
          v0 = x0[n, c, i, j] * x1[n, c, 0, 0]
          t0[i, j, c] = v0
        }
        group (n, o, i, j) over (c) {
          s1 = sum t0[i, j, c] * x2[o, c, 0, 0]
        then
          y0[n, o, i, j] = s1
        }
      }
    }
  }
}
)");
}

TEST(Contraction, AWindowReadsItsOperandFromMemory) {
  for (const auto& [taps, stride] : {std::pair<int64_t, int64_t>{3, 1}, {1, 2}}) {
    ProgramBuilder b;
    auto x = b.input("x", {1, 5, 7, 7}), w = b.input("w", {6, 5, taps, taps});
    auto graph = expect_same(
        b.finish({b.add(OpKind::Conv, {b.add(OpKind::Relu, {x}), w}, {{"strides", Numbers{stride, stride}}})}));
    EXPECT_EQ(graph.calls.size(), 2u) << taps << " taps by " << stride;
  }
}

TEST(Contraction, LeavesWhatWouldMakeItWaitForItself) {
  // The sum needs the convolution twice: directly and through another kernel.
  ProgramBuilder b;
  auto x = b.input("x", {1, 2, 4, 4}), w = b.input("w", {2, 2, 1, 1}), w2 = b.input("w2", {2, 2, 1, 1});
  auto first = b.add(OpKind::Conv, {x, w});
  auto second = b.add(OpKind::Conv, {first, w2});
  auto graph = expect_same(b.finish({b.add(OpKind::Add, {first, second})}));
  EXPECT_EQ(graph.calls.size(), 2u);
  EXPECT_EQ(graph.kernels[0].name, "conv");
  EXPECT_EQ(graph.kernels[1].name, "conv_add");
}

TEST(Contraction, KeepsAValueThatOthersReadToo) {
  ProgramBuilder b;
  auto x = b.input("x", {3, 4}), w = b.input("w", {4, 5});
  auto product = b.add(OpKind::MatMul, {x, w});
  auto graph = expect_same(b.finish({product, b.add(OpKind::Relu, {product})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Contraction, Convolutions) {
  struct Case {
    const char* what;
    ir::Shape x, w;
    ProgramBuilder::Attributes attributes;
    OpKind kind = OpKind::Conv;
  };
  const Case cases[] = {
      {"strided", {2, 3, 7, 6}, {4, 3, 3, 3}, {{"strides", Numbers{2, 2}}, {"pads", Numbers{1, 0, 1, 2}}}},
      {"dilated", {1, 2, 9, 9}, {3, 2, 3, 3}, {{"dilations", Numbers{2, 3}}, {"pads", Numbers{2, 2, 2, 2}}}},
      {"grouped", {2, 6, 5, 5}, {4, 3, 3, 3}, {{"group", int64_t{2}}}},
      {"depthwise", {1, 6, 5, 5}, {6, 1, 3, 3}, {{"group", int64_t{6}}, {"pads", Numbers{1, 1, 1, 1}}}},
      {"depthwise with a multiplier", {1, 3, 5, 5}, {6, 1, 3, 3}, {{"group", int64_t{3}}}},
      {"one-dimensional", {2, 3, 11}, {5, 3, 4}, {{"strides", Numbers{3}}}},
      {"three-dimensional", {1, 2, 4, 5, 3}, {3, 2, 2, 3, 2}, {{"pads", Numbers{0, 1, 0, 1, 1, 1}}}},
      {"of one channel by one pixel", {2, 1, 3, 3}, {4, 1, 1, 1}, {}},
      {"transposed",
       {1, 4, 3, 3},
       {4, 2, 3, 3},
       {{"strides", Numbers{2, 2}}, {"pads", Numbers{1, 1, 1, 1}}},
       OpKind::ConvTranspose},
      {"transposed, windows of whole strides",
       {2, 5, 4, 3},
       {5, 3, 4, 2},
       {{"strides", Numbers{2, 2}}, {"pads", Numbers{1, 0, 1, 0}}},
       OpKind::ConvTranspose},
      {"transposed by three",
       {1, 3, 4},
       {3, 2, 6},
       {{"strides", Numbers{3}}, {"pads", Numbers{1, 2}}},
       OpKind::ConvTranspose},
      {"transposed and grouped",
       {1, 4, 3, 3},
       {4, 3, 2, 2},
       {{"strides", Numbers{2, 2}}, {"group", int64_t{2}}},
       OpKind::ConvTranspose},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    ProgramBuilder b;
    auto x = b.input("x", one.x), w = b.input("w", one.w);
    auto graph = expect_same(b.finish({b.add(OpKind::Relu, {b.add(one.kind, {x, w}, one.attributes)})}));
    EXPECT_EQ(graph.calls.size(), 1u);
  }
}

TEST(Contraction, Pools) {
  for (OpKind kind : {OpKind::MaxPool, OpKind::AveragePool}) {
    ProgramBuilder b;
    auto x = b.input("x", {2, 3, 7, 8});
    auto y =
        b.add(kind, {x}, {{"kernel_shape", Numbers{3, 2}}, {"strides", Numbers{2, 2}}, {"pads", Numbers{1, 0, 1, 1}}});
    expect_same(b.finish({b.add(OpKind::Relu, {y})}));
  }
}

TEST(Contraction, SharesKernelsAcrossSizes) {
  ProgramBuilder b;
  auto x = b.input("x", {1, 4, 5, 5});
  auto layer = [&](ir::ValueId in, int64_t from, int64_t to) {
    auto w = b.input("w", {to, from, 3, 3});
    return b.add(OpKind::Relu, {b.add(OpKind::Conv, {in, w}, {{"pads", Numbers{1, 1, 1, 1}}})});
  };
  auto graph = expect_same(b.finish({layer(layer(layer(x, 4, 4), 4, 6), 6, 3)}));
  EXPECT_EQ(graph.calls.size(), 3u);
  EXPECT_EQ(graph.kernels.size(), 1u);
}

TEST(Contraction, AttentionReadsThroughItsViews) {
  ProgramBuilder b;
  ir::Index s = ir::Index::symbol("S");
  auto x = b.input("x", {2, s, 6});
  auto heads = [&](const char* name) {
    auto w = b.input(name, {6, 6}), bias = b.input(std::string(name) + "b", {6});
    return b.reshape(b.add(OpKind::Add, {b.add(OpKind::MatMul, {x, w}), bias}), {2, s, 2, 3});
  };
  auto q = b.transpose(heads("q"), {0, 2, 1, 3}), k = b.transpose(heads("k"), {0, 2, 3, 1}),
       v = b.transpose(heads("v"), {0, 2, 1, 3});
  auto scores = b.add(OpKind::Div, {b.add(OpKind::MatMul, {q, k}), b.constant("scale", {}, {1.7f})});
  auto weights = b.add(OpKind::Softmax, {scores}, {{"axis", int64_t{3}}});
  auto merged = b.reshape(b.transpose(b.add(OpKind::MatMul, {weights, v}), {0, 2, 1, 3}), {2, s, 6});
  auto w = b.input("wo", {6, 6});
  auto graph = expect_same(b.finish({b.add(OpKind::Add, {b.add(OpKind::MatMul, {merged, w}), x})}), {{"S", 5}});
  EXPECT_EQ(graph.calls.size(), 5u);
  EXPECT_EQ(graph.kernels.size(), 3u);
}

TEST(Contraction, TurnsAnOperandThatLiesAlongTheSum) {
  ProgramBuilder b;
  auto q = b.input("q", {2, 17, 5}), k = b.input("k", {2, 9, 5});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {q, b.transpose(k, {0, 2, 1})})}));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel matmul(in x0: f32[D_b0, D_n, D_k], in x1: f32[D_b0, D_m, D_k], out y0: f32[D_b0, D_m, D_n]) {
  axis b0 < D_b0, m < D_m, n < D_n, k < D_k
  tile t0: f32[k, n]
  grid b0 {
    grid m step T_m {
      grid n step T_n {
        group (b0, n, k) {
          v0 = x0[b0, n, k]
          t0[k, n] = v0
        }
        group (b0, m, n) over (k) {
          s1 = sum x1[b0, m, k] * t0[k, n]
        then
          y0[b0, m, n] = s1
        }
      }
    }
  }
}
)");
}

TEST(Contraction, TurnsNeitherWeightsNorWhatFewRowsRead) {
  ProgramBuilder b;
  auto x = b.input("x", {17, 3}), few = b.input("few", {15, 3}), y = b.input("y", {4, 3});
  auto w = b.constant("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  auto graph = expect_same(b.finish(
      {b.add(OpKind::MatMul, {x, b.transpose(w, {1, 0})}), b.add(OpKind::MatMul, {few, b.transpose(y, {1, 0})})}));
  for (const ir::Kernel& kernel : graph.kernels) EXPECT_TRUE(kernel.tiles.empty()) << ir::text_of(kernel);
}

TEST(Contraction, SplitsAxesOfReadersOfMergedDimensions) {
  // The flattened image is read by a product; the divisions of its index vanish.
  ProgramBuilder b;
  auto x = b.input("x", {2, 3, 4, 5}), w = b.input("w", {60, 7});
  auto pooled = b.add(OpKind::MaxPool, {x}, {{"kernel_shape", Numbers{1, 2}}, {"pads", Numbers{0, 1, 0, 0}}});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {b.reshape(pooled, {2, 60}), w})}));
  for (const ir::Kernel& kernel : graph.kernels)
    EXPECT_EQ(ir::text_of(kernel).find("//"), std::string::npos) << ir::text_of(kernel);
  EXPECT_EQ(graph.calls.size(), 2u);
}

TEST(Contraction, VectorsAndBroadcastBatches) {
  ProgramBuilder b;
  auto a = b.input("a", {3, 1, 4, 5}), c = b.input("c", {2, 5, 6}), v = b.input("v", {6});
  expect_same(b.finish({b.add(OpKind::MatMul, {b.add(OpKind::MatMul, {a, c}), v})}));
}

TEST(Contraction, GemmWithEverything) {
  ProgramBuilder b;
  auto a = b.input("a", {5, 3}), w = b.input("w", {4, 5}), c = b.input("c", {3, 1});
  expect_same(b.finish({b.add(OpKind::Gemm, {a, w, c},
                              {{"transA", int64_t{1}}, {"transB", int64_t{1}}, {"alpha", 0.5}, {"beta", 2.0}})}));
}

}  // namespace
}  // namespace hone::fuse
