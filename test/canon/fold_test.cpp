#include <gtest/gtest.h>

#include "check_pass.h"

namespace hone::canon {
namespace {

TEST(MergeViews, MakesOneOfTwo) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 4, 6]) -> (a, b, c) {
    t: f32[4, n, 6] = transpose(x) {perm = [1, 0, 2]}
    a: f32[6, n, 4] = transpose(t) {perm = [2, 1, 0]}
    r: f32[n, 24] = reshape(x)
    b: f32[n, 8, 3] = reshape(r)
    s: f32[n, 3, 6] = slice(x) {starts = [0, 1, 0], steps = [1, 1, 1]}
    c: f32[n, 2, 3] = slice(s) {starts = [0, 0, 1], steps = [1, 2, 2]}
  })",
                        merge_views),
            "transpose reshape slice");
}

TEST(MergeViews, KeepsDifferentViewsAndSlicesFromTheEnd) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 4]) -> (a, b) {
    t: f32[4, n] = transpose(x) {perm = [1, 0]}
    a: f32[4*n] = reshape(t)
    s: f32[2, 4] = slice(x) {starts = [-2, 0], steps = [1, 1]}
    b: f32[1, 4] = slice(s) {starts = [1, 0], steps = [1, 1]}
  })",
                        merge_views),
            "transpose reshape slice slice");
}

TEST(FoldConstants, EvaluatesOpsOnConstants) {
  ir::Program after = check_pass(R"(program p(x: f32[n, 2]) -> (y) {
    const a: f32[2] = {1, 2}
    const b: f32[2] = {3, 4}
    c: f32[2] = add(a, b)
    d: f32[1, 2] = reshape(c)
    y: f32[n, 2] = mul(x, d)
  })",
                                 fold_constants);
  EXPECT_EQ(kinds(after), "mul");
}

TEST(FoldConstants, KeepsWhatGrowsLarge) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[300, 300]) -> (y) {
    const one: f32[1] = {1}
    big: f32[300, 300] = expand(one)
    y: f32[300, 300] = add(x, big)
  })",
                        fold_constants),
            "expand add");
}

const char* kConvBatchNorm = R"(program p(x: f32[n, 2, 3, 3]) -> ({outputs}) {
  const w: f32[2, 2, 1, 1] = {1, 2, 3, 4}
  const b: f32[2] = {1, -1}
  const scale: f32[2] = {2, 3}
  const bias: f32[2] = {0.5, 0.25}
  const mean: f32[2] = {0.1, 0.2}
  const var: f32[2] = {4, 9}
  c: f32[n, 2, 3, 3] = conv(x, w, b)
  y: f32[n, 2, 3, 3] = batch_normalization(c, scale, bias, mean, var) {epsilon = 0.001}
})";

std::string with_outputs(std::string source, const std::string& outputs) {
  return source.replace(source.find("{outputs}"), 9, outputs);
}

TEST(FoldBatchNorm, GoesIntoTheConvolution) {
  EXPECT_EQ(kinds_after(with_outputs(kConvBatchNorm, "y"), fold_batch_norm), "conv");
}

TEST(FoldBatchNorm, IsAProductAndASumWhereTheConvolutionIsUsedElsewhere) {
  EXPECT_EQ(kinds_after(with_outputs(kConvBatchNorm, "y, c"), fold_batch_norm), "conv mul add");
}

TEST(FoldBatchNorm, KeepsParametersThatAreData) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 2, 3], scale: f32[2]) -> (y) {
    const c: f32[2] = {1, 2}
    y: f32[n, 2, 3] = batch_normalization(x, scale, c, c, c) {epsilon = 0.1}
  })",
                        fold_batch_norm),
            "batch_normalization");
}

TEST(FoldChannelAffine, GoesIntoWeightsAndBias) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 2, 4]) -> (y) {
    const w: f32[2, 2, 3] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
    const s: f32[2, 1] = {2, -3}
    const t: f32[1] = {0.5}
    const d: f32[1, 2, 1] = {4, 5}
    c: f32[n, 2, 4] = conv(x, w) {pads = [1, 1]}
    e: f32[n, 2, 4] = mul(s, c)
    f: f32[n, 2, 4] = add(e, t)
    g: f32[n, 2, 4] = sub(d, f)
    y: f32[n, 2, 4] = div(g, d)
  })",
                        fold_channel_affine),
            "conv");
}

TEST(FoldChannelAffine, OfTransposedGroups) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 2, 4]) -> (y) {
    const w: f32[2, 1, 2] = {1, 2, 3, 4}
    const s: f32[2, 1] = {2, -3}
    c: f32[n, 2, 8] = conv_transpose(x, w) {strides = [2], group = 2}
    y: f32[n, 2, 8] = mul(c, s)
  })",
                        fold_channel_affine),
            "conv_transpose");
}

TEST(FoldChannelAffine, KeepsConstantsThatVaryAlongAnotherDimensionAndSharedConvolutions) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 2, 4]) -> (y, z) {
    const w: f32[2, 2, 1] = {1, 2, 3, 4}
    const along: f32[4] = {1, 2, 3, 4}
    const s: f32[2, 1] = {2, -3}
    c: f32[n, 2, 4] = conv(x, w)
    y: f32[n, 2, 4] = mul(c, along)
    d: f32[n, 2, 4] = conv(y, w)
    e: f32[n, 2, 4] = mul(d, s)
    z: f32[n, 2, 4] = add(d, e)
  })",
                        fold_channel_affine),
            "conv mul conv mul add");
}

}  // namespace
}  // namespace hone::canon
