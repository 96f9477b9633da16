#include <cmath>

#include "evaluated.h"

namespace hone::import {
namespace {

struct LossCase {
  bool weighted, ignoring;
  const char* reduction;
};

// Labels of two samples at two places, one of them the ignored -1 where there is such a label.
std::vector<double> labels_of(const LossCase& c) {
  return {2, 0, c.ignoring ? -1.0 : 1.0, 2};
}

std::vector<double> expected_loss(const LossCase& c, const std::vector<double>& log_probability) {
  const double weights[] = {0.5, 2, 3};
  std::vector<double> each(4), labels = labels_of(c);
  double total = 0, weight = 0;
  for (size_t i = 0; i < 4; ++i) {
    if (labels[i] < 0) continue;
    size_t label = static_cast<size_t>(labels[i]);
    double w = c.weighted ? weights[label] : 1;
    each[i] = -w * log_probability[i / 2 * 6 + label * 2 + i % 2];
    total += each[i];
    weight += w;
  }
  std::string reduction = c.reduction;
  if (reduction == "none") return each;
  return {reduction == "sum" ? total : total / weight};
}

Model loss_model(const char* op, const LossCase& c) {
  Model model;
  model.input("x", {"n", "3", "d"});
  model.input("labels", {"n", "d"}, onnx::TensorProto::INT64);
  model.constant(tensor("weights", {3}, std::vector<float>{0.5, 2, 3}));
  std::vector<std::string> inputs = {"x", "labels"};
  if (c.weighted) inputs.push_back("weights");
  auto& node = model.node(op, inputs, {"y"});
  set(node, "reduction", std::string(c.reduction));
  if (c.ignoring) set(node, "ignore_index", int64_t{-1});
  model.output("y");
  return model;
}

TEST(Loss, AllFormsOfBothLosses) {
  eval::Tensor x = random_floats({2, 3, 2}, 1);
  std::vector<double> plain = eval::values_of(x), log_probability = plain;
  for (size_t i = 0; i < 12; ++i) {
    size_t first = i / 6 * 6 + i % 2;
    log_probability[i] -= std::log(std::exp(plain[first]) + std::exp(plain[first + 2]) + std::exp(plain[first + 4]));
  }
  for (bool weighted : {false, true})
    for (bool ignoring : {false, true})
      for (const char* reduction : {"none", "sum", "mean"}) {
        LossCase c{weighted, ignoring, reduction};
        std::vector<int64_t> shape =
            std::string(reduction) == "none" ? std::vector<int64_t>{2, 2} : std::vector<int64_t>{};
        std::vector<eval::Tensor> inputs = {x, integers({2, 2}, labels_of(c))};
        expect_values(evaluated(loss_model("NegativeLogLikelihoodLoss", c), inputs)[0], shape, expected_loss(c, plain),
                      1e-5);
        expect_values(evaluated(loss_model("SoftmaxCrossEntropyLoss", c), inputs)[0], shape,
                      expected_loss(c, log_probability), 1e-5);
      }
}

TEST(Loss, RefusesWhatDoesNotFit) {
  EXPECT_NE(loss_model("SoftmaxCrossEntropyLoss", {false, false, "median"})
                .refusal()
                .find("its reduction 'median' is unknown; none, sum and mean are known"),
            std::string::npos);
  Model model;
  model.input("x", {"n", "3"});
  model.input("labels", {"n", "3"}, onnx::TensorProto::INT64);
  model.node("NegativeLogLikelihoodLoss", {"x", "labels"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("its labels have rank 2, its scores 2"), std::string::npos);
}

}  // namespace
}  // namespace hone::import
