#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::OpKind;
using Numbers = std::vector<int64_t>;

ProgramBuilder::Attributes over(Numbers axes, int64_t keep = 1) {
  return {{"axes", std::move(axes)}, {"keepdims", keep}};
}

TEST(Rows, SoftmaxIsOneKernel) {
  ProgramBuilder b;
  ir::Index n = ir::Index::symbol("N");
  auto x = b.input("x", {3, 4, n});
  auto graph = expect_same(b.finish({b.add(OpKind::Softmax, {x}, {{"axis", int64_t{2}}})}), {{"N", 6}});
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel softmax(in x0: f32[D_e0, D_e1, D_k], out y0: f32[D_e0, D_e1, D_k]) {
  axis e0 < D_e0, e1 < D_e1, k < D_k
  tile t0: f32[e1], t1: f32[e1, k], t2: f32[e1]
  grid e0 {
    grid e1 step T_e1 {
      loop e1 step T_e1_inner {
        group (e0, e1) over (k) {
          s0 = max_number x0[e0, e1, k]
        then
          t0[e1] = s0
        }
        group (e0, e1) over (k) {
          v1 = x0[e0, e1, k] - t0[e1]
          v2 = min(v1, 0)
          v3 = exp(v2)
          s4 = sum v3
          t1[e1, k] = v3
        then
          v5 = 1 / s4
          t2[e1] = v5
        }
        group (e0, e1, k) {
          v6 = t1[e1, k] * t2[e1]
          y0[e0, e1, k] = v6
        }
      }
    }
  }
}
)");
}

TEST(Rows, SoftmaxAlongAnyAxis) {
  for (int64_t axis : {0, 1, 2}) {
    ProgramBuilder b;
    auto x = b.input("x", {3, 4, 5});
    auto graph = expect_same(b.finish({b.add(OpKind::LogSoftmax, {x}, {{"axis", axis}})}));
    EXPECT_EQ(graph.calls.size(), 1u);
  }
}

TEST(Rows, NormsTakeTheOpsAround) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 3, 8}), r = b.input("r", {2, 3, 8}), scale = b.input("scale", {8}),
       bias = b.input("bias", {8});
  auto h = b.add(OpKind::Add, {x, r});
  auto norm = b.add(OpKind::LayerNormalization, {h, scale, bias}, {{"axis", int64_t{-1}}, {"epsilon", 1e-5}});
  auto graph = expect_same(b.finish({b.add(OpKind::Tanh, {norm}), h}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Rows, NormsOverSeveralAxes) {
  for (OpKind kind : {OpKind::LayerNormalization, OpKind::RMSNormalization}) {
    ProgramBuilder b;
    auto x = b.input("x", {3, 4, 5}), scale = b.input("scale", {4, 5});
    expect_same(b.finish({b.add(kind, {x, scale}, {{"axis", int64_t{1}}})}));
  }
  ProgramBuilder b;
  auto x = b.input("x", {2, 3, 4, 5}), scale = b.input("scale", {3}), bias = b.input("bias", {3});
  auto graph = expect_same(b.finish({b.add(OpKind::InstanceNormalization, {x, scale, bias})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Rows, ChainsOfNormsAreOneKernel) {
  // h / |h|, then h + alpha * (that - h), then that over its own length.
  ProgramBuilder b;
  auto x = b.input("x", {4, 9}), h = b.input("h", {4, 9}), alpha = b.input("alpha", {9});
  auto unit = b.add(OpKind::Div, {h, b.add(OpKind::ReduceL2, {h}, over({1}))});
  auto moved = b.add(OpKind::Add, {x, b.add(OpKind::Mul, {alpha, b.add(OpKind::Sub, {unit, x})})});
  auto graph = expect_same(b.finish({b.add(OpKind::Div, {moved, b.add(OpKind::ReduceL2, {moved}, over({1}))})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Rows, SiblingReductionsMeet) {
  // mean(x²) - mean(x)², with dimensions dropped and put back.
  ProgramBuilder b;
  auto x = b.input("x", {3, 7});
  auto mean = b.add(OpKind::ReduceMean, {x}, over({1}, 0));
  auto power = b.add(OpKind::ReduceMean, {b.add(OpKind::Mul, {x, x})}, over({1}, 0));
  auto variance = b.add(OpKind::Sub, {power, b.add(OpKind::Mul, {mean, mean})});
  auto graph = expect_same(b.finish({b.add(OpKind::Sub, {x, b.reshape(variance, {3, 1})})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Rows, OtherColumnsAreAnotherKernel) {
  ProgramBuilder b;
  auto x = b.input("x", {4, 5});
  auto centred = b.add(OpKind::Sub, {x, b.add(OpKind::ReduceMean, {x}, over({1}))});
  auto graph = expect_same(b.finish({b.add(OpKind::Sub, {centred, b.add(OpKind::ReduceMax, {centred}, over({0}))})}));
  EXPECT_GE(graph.calls.size(), 2u);
}

TEST(Rows, ReductionsOfEveryKind) {
  for (OpKind kind : {OpKind::ReduceSum, OpKind::ReduceMean, OpKind::ReduceMax, OpKind::ReduceMin, OpKind::ReduceProd,
                      OpKind::ReduceSumSquare, OpKind::ReduceL1, OpKind::ReduceL2})
    for (int64_t keep : {0, 1}) {
      ProgramBuilder b;
      auto x = b.input("x", {2, 3, 4, 5});
      auto y = b.add(kind, {b.add(OpKind::Abs, {x})}, over({1, 3}, keep));
      expect_same(b.finish({b.add(OpKind::Sqrt, {y})}));
    }
}

TEST(Rows, ReductionsToASingleElement) {
  ProgramBuilder b;
  auto x = b.input("x", {3, 5});
  auto total = b.add(OpKind::ReduceSum, {x}, over({0, 1}, 0));
  expect_same(b.finish({b.add(OpKind::Mul, {total, total}), b.add(OpKind::Sub, {x, total})}));
}

TEST(Rows, EmbeddingsAreGatheredIntoTheirNorm) {
  ProgramBuilder b;
  auto ids = b.input("ids", {2, 3}, ir::DType::I64), types = b.input("types", {2, 3}, ir::DType::I64);
  auto words = b.input("words", {10, 6}), kinds = b.input("kinds", {4, 6}), scale = b.input("scale", {6});
  auto sum = b.add(OpKind::Add, {b.add(OpKind::Gather, {words, ids}, {{"axis", int64_t{0}}}),
                                 b.add(OpKind::Gather, {kinds, types}, {{"axis", int64_t{0}}})});
  auto graph = expect_same(b.finish({b.add(OpKind::LayerNormalization, {sum, scale}, {{"axis", int64_t{-1}}})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Rows, AProductDoesNotTakeWhatFeedsAReduction) {
  // The square of the product belongs to the norm; the product is stored once.
  ProgramBuilder b;
  auto x = b.input("x", {3, 4}), w = b.input("w", {4, 5}), scale = b.input("scale", {5});
  auto product = b.add(OpKind::MatMul, {x, w});
  auto graph = expect_same(b.finish({b.add(OpKind::RMSNormalization, {product, scale}, {{"axis", int64_t{-1}}})}));
  ASSERT_EQ(graph.calls.size(), 2u);
  EXPECT_EQ(graph.calls[0].edges.size(), 3u);
}

// Whether a row's reciprocal takes the place of divisions by it.
bool takes_reciprocals(bool rounded) {
  ProgramBuilder b;
  auto x = b.input("x", {4, 9});
  auto most = b.add(ir::OpKind::ReduceMax, {x}, {{"axes", std::vector<int64_t>{1}}, {"keepdims", int64_t{1}}});
  auto share = b.add(ir::OpKind::Div, {x, most});
  ir::KernelGraph graph = expect_same(b.finish({rounded ? b.add(ir::OpKind::Round, {share}) : share}));
  std::string text;
  for (const ir::Kernel& kernel : graph.kernels) text += ir::text_of(kernel);
  return text.find("1 / ") != std::string::npos;
}

TEST(Rows, QuotientsThatAreRoundedStayQuotients) {
  EXPECT_TRUE(takes_reciprocals(false));
  EXPECT_FALSE(takes_reciprocals(true));
}

}  // namespace
}  // namespace hone::fuse
