// Operators of other domains than ONNX itself.
#include <cmath>

#include "run_model.h"

namespace hone::import {
namespace {

using Numbers = std::vector<double>;

// A model that names only the operator's own domain.
Model of_domain(const std::string& domain, const std::string& type, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs) {
  Model model;
  model.model().clear_opset_import();
  model.model().add_opset_import()->set_domain(domain);
  for (const std::string& name : inputs)
    model.input(name, name == "r" || name == "t" ? Dims{} : Dims{"2"},
                name == "t" ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT);
  model.node(type, inputs, outputs).set_domain(domain);
  for (const std::string& name : outputs) model.output(name);
  return model;
}

eval::Tensor rate() {
  return floats({}, {0.1});
}
eval::Tensor steps() {
  return eval::filled(ir::DType::I64, {}, {1});
}

void expect_near(const Numbers& got, const Numbers& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6);
}

TEST(Domains, AdagradStepsEachTensor) {
  Model model = of_domain("ai.onnx.preview.training", "Adagrad", {"r", "t", "a", "b", "da", "db", "ha", "hb"},
                          {"na", "nb", "sa", "sb"});
  auto results = run_model(model, {rate(), steps(), floats({2}, {1, 2}), floats({2}, {3, 4}), floats({2}, {1, -1}),
                                   floats({2}, {2, 0.5}), floats({2}, {3, 8}), floats({2}, {0, 0.75})});
  expect_near(eval::values_of(results[0]), {1 - 0.1 / 2, 2 + 0.1 / 3});
  expect_near(eval::values_of(results[1]), {3 - 0.1, 4 - 0.05});
  expect_near(eval::values_of(results[2]), {4, 9});
  expect_near(eval::values_of(results[3]), {4, 1});
}

TEST(Domains, MomentumLooksAheadInNesterovsMode) {
  for (const char* mode : {"standard", "nesterov"}) {
    Model model = of_domain("ai.onnx.preview.training", "Momentum", {"r", "t", "x", "g", "v"}, {"nx", "nv"});
    auto& node = *model.proto().mutable_node(0);
    set(node, "alpha", 0.5F);
    set(node, "beta", 0.25F);
    set(node, "norm_coefficient", 0.0F);
    set(node, "mode", std::string(mode));
    auto results = run_model(model, {rate(), steps(), floats({2}, {1, 2}), floats({2}, {4, 8}), floats({2}, {2, 2})});
    expect_near(eval::values_of(results[1]), {2, 3});
    bool ahead = mode == std::string("nesterov");
    expect_near(eval::values_of(results[0]), ahead ? Numbers{1 - 0.5, 2 - 0.95} : Numbers{1 - 0.2, 2 - 0.3});
  }
  Model wrong = of_domain("ai.onnx.preview.training", "Momentum", {"r", "t", "x", "g", "v"}, {"nx", "nv"});
  expect_told(wrong.refusal(), "ai.onnx.preview.training.Momentum: its mode '' is neither standard nor nesterov");
}

TEST(Domains, AdamCorrectsTheFirstSteps) {
  Model model = of_domain("ai.onnx.preview.training", "Adam", {"r", "t", "x", "g", "v", "h"}, {"nx", "nv", "nh"});
  auto& node = *model.proto().mutable_node(0);
  set(node, "alpha", 0.5F);
  set(node, "beta", 0.75F);
  auto results = run_model(
      model, {rate(), steps(), floats({2}, {1, 2}), floats({2}, {4, 8}), floats({2}, {0, 0}), floats({2}, {0, 0})});
  expect_near(eval::values_of(results[0]), {1 - 0.1, 2 - 0.1});
  expect_near(eval::values_of(results[1]), {2, 4});
  expect_near(eval::values_of(results[2]), {4, 16});
}

TEST(Domains, MachineLearning) {
  Model model = of_domain("ai.onnx.ml", "Binarizer", {"x"}, {"y"});
  set(*model.proto().mutable_node(0), "threshold", 1.0F);
  EXPECT_EQ(values(model, {floats({2}, {1, 1.5})}), (Numbers{0, 1}));
  Model features;
  features.input("x", {"2", "3"});
  features.numbers("k", {2, 0});
  features.node("ArrayFeatureExtractor", {"x", "k"}, {"y"}).set_domain("ai.onnx.ml");
  features.output("y");
  EXPECT_EQ(values(features, {floats({2, 3}, {1, 2, 3, 4, 5, 6})}), (Numbers{3, 1, 6, 4}));
}

}  // namespace
}  // namespace hone::import
