// Operators that carry a state from call to call, against plain loops.
#include <cmath>

#include "evaluated.h"

namespace hone::import {
namespace {

// One batch element, two query heads on one key head, two steps; per-dimension decay and one beta.
TEST(LinearAttention, GatedDelta) {
  Model model(27);
  model.input("q", {"b", "t", "6"});
  model.input("k", {"b", "t", "3"});
  model.input("v", {"b", "t", "2"});
  model.input("state", {"b", "1", "3", "2"});
  model.input("decay", {"b", "t", "3"});
  model.input("beta", {"b", "t", "1"});
  auto& node = model.node("LinearAttention", {"q", "k", "v", "state", "decay", "beta"}, {"y", "last"});
  set(node, "q_num_heads", int64_t{2});
  set(node, "kv_num_heads", int64_t{1});
  model.output("y");
  model.output("last");
  eval::Tensor q = random_floats({1, 2, 6}, 1), k = random_floats({1, 2, 3}, 2), v = random_floats({1, 2, 2}, 3),
               past = random_floats({1, 1, 3, 2}, 4), decay = random_floats({1, 2, 3}, 5),
               beta = random_floats({1, 2, 1}, 6);
  auto results = evaluated(model, {q, k, v, past, decay, beta});
  std::vector<double> state = eval::values_of(past), expected;
  for (int64_t t = 0; t < 2; ++t) {
    auto key = [&](int64_t d) { return eval::element(k, t * 3 + d); };
    for (int64_t d = 0; d < 6; ++d) state[static_cast<size_t>(d)] *= std::exp(eval::element(decay, t * 3 + d / 2));
    for (int64_t e = 0; e < 2; ++e) {
      double found = 0;
      for (int64_t d = 0; d < 3; ++d) found += key(d) * state[static_cast<size_t>(d * 2 + e)];
      double written = eval::element(beta, t) * (eval::element(v, t * 2 + e) - found);
      for (int64_t d = 0; d < 3; ++d) state[static_cast<size_t>(d * 2 + e)] += key(d) * written;
    }
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t e = 0; e < 2; ++e) {
        double read = 0;
        for (int64_t d = 0; d < 3; ++d)
          read += eval::element(q, t * 6 + h * 3 + d) * state[static_cast<size_t>(d * 2 + e)];
        expected.push_back(read / std::sqrt(3.0));
      }
  }
  expect_values(results[0], {1, 2, 4}, expected, 1e-3);
  expect_values(results[1], {1, 1, 3, 2}, state, 1e-3);
}

TEST(LinearAttention, RefusesRulesWithoutTheirOperands) {
  Model model(27);
  model.input("x", {"1", "2", "4"});
  auto& node = model.node("LinearAttention", {"x", "x", "x"}, {"y"});
  set(node, "q_num_heads", int64_t{2});
  set(node, "kv_num_heads", int64_t{2});
  model.output("y");
  EXPECT_NE(model.refusal().find("update_rule 'gated_delta' needs decay"), std::string::npos) << model.refusal();
}

// Twice the convolution with the state of the first handed to the second is the convolution of the whole.
TEST(CausalConv, TheStateContinuesASequence) {
  Model model(27);
  model.input("x", {"b", "2", "n"});
  model.constant(tensor("w", {2, 1, 3}, std::vector<float>{1, 2, 3, -1, 0.5, 2}));
  model.constant(tensor("bias", {2}, std::vector<float>{0.5, -0.5}));
  model.input("past", {"b", "2", "2"});
  model.node("CausalConvWithState", {"x", "w", "bias", "past"}, {"y", "state"});
  model.output("y");
  model.output("state");
  eval::Tensor x = random_floats({1, 2, 5}, 1);
  auto part = [&](int64_t begin, int64_t end) {
    eval::Tensor cut = eval::zeros(ir::DType::F32, {1, 2, end - begin});
    for (int64_t i = 0; i < eval::count_of(cut.shape); ++i)
      eval::set_element(cut, i, eval::element(x, i / (end - begin) * 5 + begin + i % (end - begin)));
    return cut;
  };
  auto whole = evaluated(model, {x, eval::zeros(ir::DType::F32, {1, 2, 2})});
  auto first = evaluated(model, {part(0, 1), eval::zeros(ir::DType::F32, {1, 2, 2})});
  auto second = evaluated(model, {part(1, 5), first[1]});
  for (int64_t c = 0; c < 2; ++c)
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_FLOAT_EQ(static_cast<float>(eval::element(second[0], c * 4 + i)),
                      static_cast<float>(eval::element(whole[0], c * 5 + 1 + i)));
  expect_values(first[1], {1, 2, 2}, {0, eval::element(x, 0), 0, eval::element(x, 5)});
  expect_values(second[1], {1, 2, 2}, eval::values_of(part(3, 5)));
}

TEST(CausalConv, WithoutAPastItIsZero) {
  Model model(27);
  model.input("x", {"1", "1", "n"});
  model.constant(tensor("w", {1, 1, 2}, std::vector<float>{10, 1}));
  auto& node = model.node("CausalConvWithState", {"x", "w"}, {"y", "state"});
  set(node, "activation", std::string("silu"));
  model.output("y");
  model.output("state");
  auto results = evaluated(model, {floats({1, 1, 2}, {1, 2})});
  auto silu = [](double x) { return x / (1 + std::exp(-x)); };
  expect_values(results[0], {1, 1, 2}, {silu(1), silu(12)}, 1e-5);
  expect_values(results[1], {1, 1, 1}, {2});
}

TEST(TensorScatter, WritesFromEachStartOnAndWrapsInARing) {
  for (const char* mode : {"linear", "circular"}) {
    Model model(24);
    model.input("cache", {"b", "4", "1"});
    model.input("update", {"b", "n", "1"});
    model.input("at", {"b"}, onnx::TensorProto::INT64);
    set(model.node("TensorScatter", {"cache", "update", "at"}, {"y"}), "mode", std::string(mode));
    model.output("y");
    eval::Tensor cache = floats({2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), update = floats({2, 2, 1}, {10, 20, 30, 40});
    bool ring = std::string(mode) == "circular";
    auto results = evaluated(model, {cache, update, integers({2}, {1, ring ? 7.0 : 2.0})});
    expect_values(
        results[0], {2, 4, 1},
        ring ? std::vector<double>{1, 10, 20, 4, 40, 6, 7, 30} : std::vector<double>{1, 10, 20, 4, 5, 6, 30, 40});
  }
}

TEST(TensorScatter, StartsAtZeroAndTakesNothing) {
  Model model(24);
  model.input("cache", {"1", "3", "1"});
  model.input("update", {"1", "n", "1"});
  model.node("TensorScatter", {"cache", "update"}, {"y"});
  model.output("y");
  eval::Tensor cache = floats({1, 3, 1}, {1, 2, 3});
  expect_values(evaluated(model, {cache, floats({1, 1, 1}, {9})})[0], {1, 3, 1}, {9, 2, 3});
  expect_values(evaluated(model, {cache, floats({1, 0, 1}, {})})[0], {1, 3, 1}, {1, 2, 3});
}

TEST(TensorScatter, TheBatchIsNoAxis) {
  Model model(24);
  model.input("cache", {"2", "3"});
  model.node("TensorScatter", {"cache", "cache"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("its axis is the batch; another would work"), std::string::npos);
}

}  // namespace
}  // namespace hone::import
