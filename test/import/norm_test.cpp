// Normalisations that import writes as formulas, against plain loops.
#include <cmath>

#include "evaluated.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

// Elements of each set are normalised to mean 0 and variance 1.
std::vector<double> normalised(std::vector<double> x, const std::function<int(int)>& set_of, double epsilon) {
  std::map<int, std::vector<size_t>> sets;
  for (size_t i = 0; i < x.size(); ++i) sets[set_of(static_cast<int>(i))].push_back(i);
  for (auto& [number, members] : sets) {
    double mean = 0, variance = 0;
    for (size_t i : members) mean += x[i] / static_cast<double>(members.size());
    for (size_t i : members) variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(members.size());
    for (size_t i : members) x[i] = (x[i] - mean) / std::sqrt(variance + epsilon);
  }
  return x;
}

TEST(GroupNorm, ParametersPerChannelSinceOpset21PerGroupBefore) {
  eval::Tensor x = random_floats({2, 4, 3}, 1);
  for (int opset : {18, 21}) {
    bool per_channel = opset == 21;
    int64_t count = per_channel ? 4 : 2;
    Model model(opset);
    model.input("x", {"n", "4", "w"});
    std::vector<float> scale = {1, 2, 3, 4}, bias = {5, 6, 7, 8};
    scale.resize(static_cast<size_t>(count));
    bias.resize(static_cast<size_t>(count));
    model.constant(tensor("scale", {count}, scale));
    model.constant(tensor("bias", {count}, bias));
    set(model.node("GroupNormalization", {"x", "scale", "bias"}, {"y"}), "num_groups", int64_t{2});
    model.output("y");
    std::vector<double> expected = normalised(eval::values_of(x), [](int i) { return i / 6; }, 1e-5);
    for (size_t i = 0; i < expected.size(); ++i) {
      double parameter = static_cast<double>(per_channel ? i / 3 % 4 : i / 6 % 2);
      expected[i] = expected[i] * (parameter + 1) + parameter + 5;
    }
    expect_values(evaluated(model, {x})[0], {2, 4, 3}, expected, 1e-4);
  }
}

TEST(GroupNorm, RefusesChannelsThatDoNotDivide) {
  Model model;
  model.input("x", {"1", "4", "3"});
  model.constant(tensor("p", {3}, std::vector<float>{1, 1, 1}));
  set(model.node("GroupNormalization", {"x", "p", "p"}, {"y"}), "num_groups", int64_t{3});
  model.output("y");
  EXPECT_NE(model.refusal().find("4 channels do not divide into 3 groups"), std::string::npos);
}

TEST(MeanVarianceNorm, OverBatchAndSpace) {
  Model model;
  model.input("x", {"n", "3", "2", "2"});
  model.node("MeanVarianceNormalization", {"x"}, {"y"});
  model.output("y");
  eval::Tensor x = random_floats({2, 3, 2, 2}, 2);
  expect_values(evaluated(model, {x})[0], {2, 3, 2, 2},
                normalised(eval::values_of(x), [](int i) { return i / 4 % 3; }, 0), 1e-4);
}

TEST(BatchNorm, TrainingUsesTheBatchAndUpdatesTheRunningStatistics) {
  Model model;
  model.input("x", {"n", "2", "3"});
  model.constant(tensor("scale", {2}, std::vector<float>{2, 3}));
  model.constant(tensor("bias", {2}, std::vector<float>{-1, 1}));
  model.constant(tensor("mean", {2}, std::vector<float>{4, 8}));
  model.constant(tensor("var", {2}, std::vector<float>{1, 2}));
  auto& node = model.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, {"y", "m", "v"});
  set(node, "training_mode", int64_t{1});
  set(node, "momentum", 0.75F);
  for (const char* name : {"y", "m", "v"}) model.output(name);
  eval::Tensor x = floats({2, 2, 3}, {1, 2, 3, 0, 0, 6, 4, 5, 3, 0, 0, 0});
  auto results = evaluated(model, {x});
  std::vector<double> expected = normalised(eval::values_of(x), [](int i) { return i / 3 % 2; }, 1e-5);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = i / 3 % 2 == 0 ? expected[i] * 2 - 1 : expected[i] * 3 + 1;
  expect_values(results[0], {2, 2, 3}, expected, 1e-4);
  expect_values(results[1], {2}, {4 * 0.75 + 3 * 0.25, 8 * 0.75 + 1 * 0.25}, 1e-5);
  expect_values(results[2], {2}, {1 * 0.75 + 10.0 / 6 * 0.25, 2 * 0.75 + 5 * 0.25}, 1e-5);
}

TEST(LpNormalization, ANormOfZeroGivesZero) {
  for (int64_t p : {1, 2}) {
    Model model;
    model.input("x", {"n", "2"});
    set(model.node("LpNormalization", {"x"}, {"y"}), "p", p);
    model.output("y");
    double norm = p == 1 ? 7 : 5;
    expect_values(evaluated(model, {floats({2, 2}, {3, -4, 0, 0})})[0], {2, 2}, {3 / norm, -4 / norm, 0, 0}, 1e-6);
  }
  Model model;
  model.input("x", {"n", "2"});
  set(model.node("LpNormalization", {"x"}, {"y"}), "p", int64_t{3});
  model.output("y");
  EXPECT_NE(model.refusal().find("p = 3 is not supported; 1 and 2 would work"), std::string::npos);
}

TEST(Lrn, SquaresOfNeighbouringChannels) {
  for (int size : {1, 2, 3, 4, 9}) {
    Model model;
    model.input("x", {"n", "5", "w"});
    auto& node = model.node("LRN", {"x"}, {"y"});
    set(node, "size", int64_t{size});
    set(node, "alpha", 0.5F);
    set(node, "beta", 0.75F);
    set(node, "bias", 2.0F);
    model.output("y");
    eval::Tensor x = random_floats({2, 5, 3}, 3);
    std::vector<double> expected = eval::values_of(x);
    for (int i = 0; i < 30; ++i) {
      double sum = 0;
      int channel = i / 3 % 5;
      for (int c = std::max(0, channel - (size - 1) / 2); c <= std::min(4, channel + size / 2); ++c) {
        double neighbour = eval::element(x, i + (c - channel) * 3);
        sum += neighbour * neighbour;
      }
      expected[static_cast<size_t>(i)] /= std::pow(2 + 0.5 / size * sum, 0.75);
    }
    expect_values(evaluated(model, {x})[0], {2, 5, 3}, expected, 1e-5);
  }
}

}  // namespace
}  // namespace hone::import
