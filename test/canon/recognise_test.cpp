#include <gtest/gtest.h>

#include <set>

#include "check_pass.h"

namespace hone::canon {
namespace {

TEST(RecogniseGelu, InAnyOrderOfItsFactors) {
  for (const char* tail :
       {"u: f32[n] = mul(x, g)\n y: f32[n] = mul(u, half)", "u: f32[n] = mul(half, x)\n y: f32[n] = mul(u, g)",
        "u: f32[n] = mul(g, half)\n y: f32[n] = mul(x, u)"}) {
    std::string source = R"(program p(x: f32[n]) -> (y) {
      const root: f32[] = {1.4142135}
      const one: f32[] = {1}
      const half: f32[] = {0.5}
      s: f32[n] = div(x, root)
      e: f32[n] = erf(s)
      g: f32[n] = add(e, one)
      )" + std::string(tail) +
                         "\n}";
    EXPECT_EQ(kinds_after(source, recognise_gelu), "gelu");
  }
}

TEST(RecogniseGelu, TheTanhForm) {
  ir::Program after = check_pass(R"(program p(x: f32[n]) -> (y) {
    const three: f32[] = {3}
    const c: f32[] = {0.044715}
    const k: f32[] = {0.7978846}
    const one: f32[] = {1}
    const half: f32[] = {0.5}
    x3: f32[n] = pow(x, three)
    cx: f32[n] = mul(x3, c)
    s: f32[n] = add(x, cx)
    a: f32[n] = mul(s, k)
    t: f32[n] = tanh(a)
    g: f32[n] = add(t, one)
    h: f32[n] = mul(x, half)
    y: f32[n] = mul(h, g)
  })",
                                 recognise_gelu);
  ASSERT_EQ(kinds(after), "gelu");
  EXPECT_EQ(after.ops[0].text("approximate", ""), "tanh");
}

TEST(RecogniseGelu, NotOfAnotherArgumentOrConstant) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n], z: f32[n]) -> (a, b) {
    const root: f32[] = {1.4142135}
    const two: f32[] = {2}
    const one: f32[] = {1}
    const half: f32[] = {0.5}
    s: f32[n] = div(x, root)
    e: f32[n] = erf(s)
    g: f32[n] = add(e, one)
    u: f32[n] = mul(z, g)
    a: f32[n] = mul(u, half)
    s2: f32[n] = div(x, two)
    e2: f32[n] = erf(s2)
    g2: f32[n] = add(e2, one)
    u2: f32[n] = mul(x, g2)
    b: f32[n] = mul(u2, half)
  })",
                        recognise_gelu),
            "div erf add mul mul div erf add mul mul");
}

std::string layer_norm(const std::string& axes, const std::string& mean_shape, const std::string& divide) {
  return fmt::format(R"(program p(x: f32[n, 4, 6]) -> (y) {{
    const two: f32[] = {{2}}
    const eps: f32[] = {{0.001}}
    const scale: f32[6] = {{1, 2, 3, 4, 5, 6}}
    const bias: f32[6] = {{6, 5, 4, 3, 2, 1}}
    m: f32{1} = reduce_mean(x) {{axes = {0}, keepdims = 1}}
    d: f32[n, 4, 6] = sub(x, m)
    q: f32[n, 4, 6] = pow(d, two)
    v: f32{1} = reduce_mean(q) {{axes = {0}, keepdims = 1}}
    w: f32{1} = add(v, eps)
    s: f32{1} = sqrt(w)
    {2}
    t: f32[n, 4, 6] = mul(z, scale)
    y: f32[n, 4, 6] = add(bias, t)
  }})",
                     axes, mean_shape, divide);
}

const char* kDivide = "z: f32[n, 4, 6] = div(d, s)";

TEST(RecogniseLayerNorm, WithScaleAndBias) {
  EXPECT_EQ(kinds_after(layer_norm("[2]", "[n, 4, 1]", kDivide), recognise_layer_norm), "layer_normalization");
  EXPECT_EQ(kinds_after(layer_norm("[1, 2]", "[n, 1, 1]", kDivide), recognise_layer_norm), "layer_normalization");
}

TEST(RecogniseLayerNorm, ByTheReciprocal) {
  std::string divide = "r: f32[n, 4, 1] = reciprocal(s)\n z: f32[n, 4, 6] = mul(r, d)";
  EXPECT_EQ(kinds_after(layer_norm("[2]", "[n, 4, 1]", divide), recognise_layer_norm), "layer_normalization");
}

TEST(RecogniseLayerNorm, NotOverAnInnerDimension) {
  EXPECT_EQ(kinds_after(layer_norm("[1]", "[n, 1, 6]", kDivide), recognise_layer_norm),
            "reduce_mean sub pow reduce_mean add sqrt div mul add");
}

TEST(RecogniseLayerNorm, NotOfAnotherDividend) {
  EXPECT_EQ(kinds_after(layer_norm("[2]", "[n, 4, 1]", "z: f32[n, 4, 6] = div(x, s)"), recognise_layer_norm),
            "reduce_mean sub pow reduce_mean add sqrt div mul add");
}

TEST(RecogniseRmsNorm, WithScale) {
  std::string source = R"(program p(x: f32[n, 6], other: f32[n, 6]) -> (y) {
    const two: f32[] = {2}
    const eps: f32[] = {0.001}
    const scale: f32[6] = {1, 2, 3, 4, 5, 6}
    q: f32[n, 6] = pow(x, two)
    v: f32[n, 1] = reduce_mean(q) {axes = [1], keepdims = 1}
    w: f32[n, 1] = add(v, eps)
    s: f32[n, 1] = sqrt(w)
    r: f32[n, 1] = reciprocal(s)
    z: f32[n, 6] = mul(x, r)
    y: f32[n, 6] = mul(scale, z)
  })";
  EXPECT_EQ(kinds_after(source, recognise_rms_norm), "rms_normalization");
  source.replace(source.find("mul(x, r)"), 9, "mul(other, r)");
  EXPECT_EQ(kinds_after(source, recognise_rms_norm), "pow reduce_mean add sqrt reciprocal mul mul");
}

TEST(Passes, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Pass& pass : passes()) EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
}

}  // namespace
}  // namespace hone::canon
