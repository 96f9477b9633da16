// Softmax between two contractions: one kernel that carries maximum, sum and result over tiles of keys.
#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::Index;
using ir::OpKind;
using ir::ValueId;

ValueId softmax(ProgramBuilder& b, ValueId x, int64_t axis = -1) {
  return b.add(OpKind::Softmax, {x}, {{"axis", axis}});
}

TEST(Attention, IsOneKernelThatCarriesItsState) {
  ProgramBuilder b;
  auto q = b.input("q", {2, 9, 5}), k = b.input("k", {2, 7, 5}), v = b.input("v", {2, 7, 3}),
       mask = b.input("mask", {1, 9, 7});
  auto scores = b.add(OpKind::MatMul, {q, b.transpose(k, {0, 2, 1})});
  auto logits = b.add(OpKind::Add, {b.add(OpKind::Mul, {scores, b.constant("scale", {}, {0.5f})}), mask});
  auto y = b.add(OpKind::Relu, {b.add(OpKind::MatMul, {softmax(b, logits), v})});
  auto graph = expect_same(b.finish({y}));
  ASSERT_EQ(graph.kernels.size(), 1u);
  EXPECT_EQ(ir::text_of(graph.kernels[0]),
            R"(kernel matmul_mul_add_softmax_matmul_more(in x0: f32[D_b0, D_m, D_d], in x1: f32[D_b0, D_k, D_d],
                                          in x2: f32[1, D_m, D_k], in x3: f32[D_b0, D_k, D_n],
                                          out y0: f32[D_b0, D_m, D_n]) {
  axis b0 < D_b0, m < D_m, n < D_n, k < D_k, d < D_d
  tile queries: f32[d, m], top: f32[m], total: f32[m], reached: f32[n, m], logits: f32[k, m], scale: f32[m]
  grid b0 {
    grid m step T_m {
      group (m, d) {
        v0 = x0[b0, m, d]
        queries[d, m] = v0
      }
      loop k step T_k state top = -3.4028234663852886e+38, total = 0, reached = 0 {
        group (k, m) over (d) {
          s1 = sum queries[d, m] * x1[b0, k, d]
        then
          v2 = s1 * 0.5
          v3 = v2 + x2[0, m, k]
          logits[k, m] = v3
        }
        group (m) over (k) {
          s4 = max_number logits[k, m]
        then
          v5 = max(top[m], s4)
          v6 = pow(2, min((top[m] - v5) * 1.4426950408889634, 0))
          top[m] = v5
          scale[m] = v6
        }
        group (m) over (k) {
          v7 = pow(2, min((logits[k, m] - top[m]) * 1.4426950408889634, 0))
          s8 = sum v7
          logits[k, m] = v7
        then
          v9 = total[m] * scale[m] + s8
          total[m] = v9
        }
        group (n, m) over (k) {
          s10 = sum logits[k, m] * x3[b0, k, n]
        then
          v11 = reached[n, m] * scale[m] + s10
          reached[n, m] = v11
        }
      }
      group (m, n) {
        v12 = reached[n, m] / total[m]
        v13 = max(v12, 0)
        y0[b0, m, n] = v13
      }
    }
  }
}
)");
}

// Every way to bring heads to the front; key and value heads that several query heads share.
TEST(Attention, ReadsThroughTheViewsOfItsHeads) {
  ProgramBuilder b;
  Index s = Index::symbol("S"), t = Index::symbol("T");
  auto q = b.transpose(b.reshape(b.input("q", {2, s, 24}), {2, s, 4, 6}), {0, 2, 1, 3});
  auto shared = [&](const char* name) {
    auto heads = b.transpose(b.reshape(b.input(name, {2, t, 12}), {2, t, 2, 6}), {0, 2, 1, 3});
    auto apart = b.reshape(heads, {2, 2, 1, t, 6});
    auto repeated = b.add_typed(OpKind::Expand, {apart}, {ir::DType::F32, {2, 2, 2, t, 6}});
    return b.reshape(repeated, {2, 4, t, 6});
  };
  auto k = shared("k"), v = shared("v"), mask = b.input("mask", {2, 1, 1, t});
  auto logits = b.add(OpKind::Add, {b.add(OpKind::MatMul, {q, b.transpose(k, {0, 1, 3, 2})}), mask});
  auto y = b.add(OpKind::MatMul, {softmax(b, logits), v});
  auto merged = b.reshape(b.transpose(y, {0, 2, 1, 3}), {2, s, 24});
  auto graph = expect_same(b.finish({merged}), {{"S", 11}, {"T", 13}});
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Attention, TurnsKeysThatComeAsColumns) {
  ProgramBuilder b;
  auto q = b.input("q", {3, 9, 5}), columns = b.input("k", {3, 5, 7}), v = b.input("v", {3, 7, 4});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {softmax(b, b.add(OpKind::MatMul, {q, columns})), v})}));
  ASSERT_EQ(graph.calls.size(), 1u);
  EXPECT_NE(ir::text_of(graph.kernels[0]).find("keys: f32[k, d]"), std::string::npos);
}

TEST(Attention, IsKnownByItsMeaning) {
  // Scores of keys by queries, turned before a softmax that is written out; values come first.
  ProgramBuilder b;
  auto q = b.input("q", {2, 3, 9, 5}), k = b.input("k", {2, 3, 7, 5}), v = b.input("v", {2, 3, 4, 7});
  auto scores = b.add(OpKind::MatMul, {k, b.transpose(q, {0, 1, 3, 2})});
  auto x = b.transpose(b.add(OpKind::Tanh, {scores}), {0, 1, 3, 2});
  auto over = [&](OpKind kind, ValueId of) {
    return b.add(kind, {of}, {{"axes", std::vector<int64_t>{3}}, {"keepdims", int64_t{1}}});
  };
  auto grown = b.add(OpKind::Exp, {b.add(OpKind::Sub, {x, over(OpKind::ReduceMax, x)})});
  auto shares = b.add(OpKind::Div, {grown, over(OpKind::ReduceSum, grown)});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {v, b.transpose(shares, {0, 1, 3, 2})})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

// Batches and heads in one dimension, apart only where the mask is added.
TEST(Attention, SplitsHeadsThatAreFolded) {
  ProgramBuilder b;
  Index batch = Index::symbol("B"), folded = batch * 3;
  auto q = b.input("q", {folded, 9, 5}), k = b.input("k", {folded, 7, 5}), v = b.input("v", {folded, 7, 4}),
       mask = b.input("mask", {batch, 1, 9, 7});
  auto scores = b.reshape(b.add(OpKind::MatMul, {q, b.transpose(k, {0, 2, 1})}), {batch, 3, 9, 7});
  auto logits = b.reshape(b.add(OpKind::Add, {scores, mask}), {folded, 9, 7});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {softmax(b, logits), v})}), {{"B", 2}});
  EXPECT_EQ(graph.calls.size(), 1u);
}

// Queries, keys and values are slices of one product; both operands of the scores are scaled.
TEST(Attention, TakesTheFactorsOfQueriesAndKeys) {
  ProgramBuilder b;
  auto x = b.input("x", {9, 18}), factor = b.input("factor", {1});
  auto part = [&](int64_t number) {
    auto slice = b.add_typed(OpKind::Slice, {x}, {ir::DType::F32, {9, 6}},
                             {{"starts", std::vector<int64_t>{0, 6 * number}}, {"steps", std::vector<int64_t>{1, 1}}});
    return b.transpose(b.reshape(slice, {9, 2, 3}), {1, 0, 2});
  };
  auto q = b.add(OpKind::Div, {part(0), b.constant("root", {}, {1.3f})});
  auto k = b.add(OpKind::Mul, {factor, b.transpose(part(1), {0, 2, 1})});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {softmax(b, b.add(OpKind::MatMul, {q, k})), part(2)})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Attention, SelectsByIndexAndByMask) {
  ProgramBuilder b;
  auto q = b.input("q", {9, 5}), k = b.input("k", {7, 5}), v = b.input("v", {7, 3}),
       keep = b.input("keep", {9, 7}, ir::DType::Bool);
  auto scores = b.add(OpKind::MatMul, {q, b.transpose(k, {1, 0})});
  auto logits = b.add(OpKind::Where, {keep, scores, b.constant("low", {}, {-1e9f})});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {softmax(b, logits), v})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Attention, GuardsItsShares) {
  ProgramBuilder b;
  auto q = b.input("q", {9, 5}), k = b.input("k", {7, 5}), v = b.input("v", {7, 3});
  auto shares = softmax(b, b.add(OpKind::MatMul, {q, b.transpose(k, {1, 0})}));
  auto guarded = b.add(OpKind::Where, {b.add(OpKind::IsNaN, {shares}), b.constant("zero", {}, {0}), shares});
  auto graph = expect_same(b.finish({b.add(OpKind::MatMul, {guarded, v})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Attention, StaysInPartsWhereItsSharesAreWanted) {
  auto parts = [](bool shares_wanted, int64_t queries, int64_t axis) {
    ProgramBuilder b;
    auto q = b.input("q", {queries, 5}), k = b.input("k", {9, 5}), v = b.input("v", {9, 3});
    auto shares = softmax(b, b.add(OpKind::MatMul, {q, b.transpose(k, {1, 0})}), axis);
    std::vector<ValueId> outputs = {b.add(OpKind::MatMul, {shares, v})};
    if (shares_wanted) outputs.push_back(shares);
    return expect_same(b.finish(outputs)).calls.size();
  };
  EXPECT_EQ(parts(false, 9, 1), 1u);
  EXPECT_GT(parts(true, 9, 1), 1u);
  EXPECT_GT(parts(false, 9, 0), 1u);  // over the queries
  EXPECT_GT(parts(false, 3, 1), 1u);  // too few of them to fill a vector
}

}  // namespace
}  // namespace hone::fuse
